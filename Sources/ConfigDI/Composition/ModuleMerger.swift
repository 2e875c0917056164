// SPDX-License-Identifier: Apache-2.0

/// Merges the files of one environment, one after the other. Applies the rules of the verbs: a plain entry must be new,
/// and an entry that is removed, replaced or overridden must exist.
struct ModuleMerger {
  /// The entries merged so far.
  var module: MergedModule
  /// The findings. If a definition or a verb is not applied, everything counts as used, because it may have been meant
  /// to use or remove an entry that would be reported as unused.
  var bag = DiagnosticBag()
  /// The verbs on entries that no file has defined before. They are reported when all ids of the composition are known.
  private var missing: [Section: [Token]] = [:]
  /// The ids whose definitions were not added, because entries of other sections have the ids.
  private var refused: [Section: Set<Name>] = [:]

  /// Merges files of a load in the given order.
  init(_ order: [FileID], of files: ModuleFiles) {
    self.init(
      order.lazy.map { files[$0] },
      onto: MergedModule(names: files.names, secretParameters: files.secretParameters))
  }

  /// Merges files in the given order into a module.
  init(_ files: some Sequence<ModuleFile>, onto module: consuming MergedModule) {
    self.module = module
    for file in files { apply(file) }
    checkMergedParameters()
    reportMissingEntries()
  }

  /// Overrides entries of a composed module. Discards the findings of merging, such as overrides without effect.
  init(_ module: consuming MergedModule, overriddenBy sections: Sections) {
    self.module = module
    override(sections)
    bag = DiagnosticBag()
    checkMergedParameters()
  }

  /// Applies one file: its new entries first, then its removals, replacements and overrides.
  private mutating func apply(_ file: ModuleFile) {
    if file.hasExtendingService { module.hasExtendingService = true }
    add(file.added.parameters, to: \.parameters, .parameters)
    add(file.added.templates, to: \.templates, .templates)
    add(file.added.services, to: \.services, .services)
    add(file.added.aliases, to: \.aliases, .aliases)
    add(file.added.bindings, to: \.bindings, .bindings)
    for removal in file.removed { remove(removal) }
    replace(file.replaced.parameters, in: \.parameters, .parameters) { $0.note($1, replaces: $2) }
    replace(file.replaced.templates, in: \.templates, .templates) { $0.note($1, replaces: $2, in: .templates) }
    replace(file.replaced.services, in: \.services, .services) { $0.note($1, replaces: $2, in: .services) }
    replace(file.replaced.aliases, in: \.aliases, .aliases) {
      $0.module.history.note($1.body.node, displaces: $2.node)
    }
    replace(file.replaced.bindings, in: \.bindings, .bindings) {
      $0.module.history.note($1.body.node, displaces: $2.node)
    }
    override(file.overridden)
  }

  /// Merges overrides into existing entries.
  private mutating func override(_ sections: Sections) {
    override(sections.parameters, in: \.parameters, .parameters, isEmpty: \.isEmpty) { $0.merge($1, into: &$2) }
    override(sections.templates, in: \.templates, .templates, isEmpty: \.isEmpty) {
      $0.merge($1, into: &$2, of: .templates)
    }
    override(sections.services, in: \.services, .services, isEmpty: \.isEmpty) {
      $0.merge($1, into: &$2, of: .services)
    }
    override(sections.aliases, in: \.aliases, .aliases) { $0.merge($1.body, into: &$2) }
    override(sections.bindings, in: \.bindings, .bindings) { $0.merge($1.body, into: &$2) }
  }
}

// MARK: - Verbs

extension ModuleMerger {
  /// A section's table in the merged module.
  private typealias Table<Body: Sendable> = WritableKeyPath<MergedModule, EntryTable<Body>>

  /// Adds new entries. Reports ids that are already defined.
  private mutating func add<Body>(_ declarations: [Declaration<Body>], to table: Table<Body>, _ section: Section) {
    module[keyPath: table].expect(declarations.count)
    for declaration in declarations {
      if let other = definition(of: declaration.name, conflictingWith: section) {
        bag.report(
          .definedTwice(module.names[declaration.name], section, other.section, at: declaration.key, other.key))
        if other.section != section { refused[section, default: []].insert(declaration.name) }
        bag.uses.markAll()
      } else {
        module[keyPath: table][declaration.name] = declaration
      }
    }
  }

  /// Returns the entry that makes an id of a new entry of the section a duplicate, or `nil` if there is none.
  private func definition(of name: Name, conflictingWith section: Section) -> (section: Section, key: NodeRef)? {
    switch section {
    case .parameters: module.parameters[name].map { (.parameters, $0.key) }
    case .templates: module.templates[name].map { (.templates, $0.key) }
    case .bindings: module.bindings[name].map { (.bindings, $0.key) }
    case .services, .aliases:
      module.services[name].map { (.services, $0.key) } ?? module.aliases[name].map { (.aliases, $0.key) }
    }
  }

  /// Removes an entry, or reports that it does not exist.
  private mutating func remove(_ removal: Removal) {
    guard let key = module[removal.section].key(of: removal.id.name) else {
      return noteMissing(removal.id, removal.section)
    }
    module.history.note(
      History.Removal(path: "", old: key, remover: removal.id.node), of: removal.id.name, in: removal.section)
    switch removal.section {
    case .parameters: module.parameters[removal.id.name] = nil
    case .templates: module.templates[removal.id.name] = nil
    case .services: module.services[removal.id.name] = nil
    case .aliases: module.aliases[removal.id.name] = nil
    case .bindings: module.bindings[removal.id.name] = nil
    }
  }

  /// Replaces entries. `note` records the change from the old entry.
  private mutating func replace<Body>(
    _ declarations: [Declaration<Body>], in table: Table<Body>, _ section: Section,
    _ note: (inout ModuleMerger, _ new: Declaration<Body>, _ old: Body) -> Void
  ) {
    for declaration in declarations {
      if let old = module[keyPath: table][declaration.name] { note(&self, declaration, old.body) }
      if module[keyPath: table].contains(declaration.name) || declaration.isMalformed {
        module[keyPath: table][declaration.name] = declaration
      } else {
        noteMissing(Token(name: declaration.name, node: declaration.key), section)
      }
    }
  }

  /// Merges overrides into entries. Reports overrides of entries that do not exist.
  private mutating func override<Body>(
    _ patches: [Declaration<Body>], in table: Table<Body>, _ section: Section, isEmpty: (Body) -> Bool = { _ in false },
    _ merge: (inout ModuleMerger, Declaration<Body>, inout Declaration<Body>) -> Void
  ) {
    for patch in patches {
      guard var entry = module[keyPath: table].lend(patch.name) else {
        if patch.isMalformed {
          module[keyPath: table][patch.name] = patch
        } else {
          noteMissing(Token(name: patch.name, node: patch.key), section)
        }
        continue
      }
      let isSound = !patch.isMalformed && !entry.isMalformed
      // What a malformed entry names still counts as used, but no more findings are reported about it.
      var discarded = DiagnosticBag()
      if !isSound { swap(&discarded, &bag) }
      if isEmpty(patch.body) { bag.report(.unchanged(at: patch.key.value)) }
      merge(&self, patch, &entry)
      if !isSound {
        swap(&discarded, &bag)
        entry.isMalformed = true
      }
      module[keyPath: table][patch.name] = entry
    }
  }

  /// Replaces the target of an alias or a binding.
  private mutating func merge(_ target: Token, into entry: inout Declaration<Token>) {
    entry.body = replacing(entry.body, by: target)
  }

  /// Notes a verb on an entry that does not exist. If a file has removed the entry, reports it with the place. If the
  /// entry was refused, the finding about its definition is the cause, and nothing is reported.
  private mutating func noteMissing(_ token: Token, _ section: Section) {
    bag.uses.markAll()
    if refused[section]?.contains(token.name) == true { return }
    let id = module.names[token.name]
    guard let removal = module.history.removal(of: id, in: [section], module.names) else {
      missing[section, default: []].append(token)
      return
    }
    var finding = Finding.nothingToChange(section, id, at: token.node)
    finding.related = [removal]
    bag.report(finding)
  }

  /// Reports the verbs on entries that do not exist, with similar ids, or with the place where a file that is applied later
  /// defines the entry.
  private mutating func reportMissingEntries() {
    for section in Section.allCases {
      guard let tokens = missing[section] else { continue }
      var unknown = DiagnosticBag()
      for token in tokens {
        let id = module.names[token.name]
        var finding = Finding.nothingToChange(section, id, at: token.node)
        if let key = module[section].key(of: token.name) {
          let place = "\(section.entryInWords) \"\(id)\" is defined here, by a file that is applied later"
          finding.related = [Finding.Related(.node(key), place)]
          bag.report(finding)
        } else {
          unknown.report(finding)
        }
      }
      unknown.suggest(among: module.ids(of: section), for: .nothingToChange)
      bag.append(unknown)
    }
  }
}

// MARK: - Messages

extension Finding.Related {
  /// The removal of an entry.
  static func removal(of id: String, _ section: Section, at node: NodeRef) -> Finding.Related {
    Finding.Related(.node(node), "\(section.entryInWords) \"\(id)\" is removed here")
  }
}

extension Finding {
  /// An id that is already defined, in this section or another one.
  fileprivate static func definedTwice(
    _ id: String, _ section: Section, _ otherSection: Section, at node: NodeRef, _ other: NodeRef
  ) -> Finding {
    Finding(
      .definedTwice, "\"\(id)\" is already defined", at: node,
      related: [Finding.Related(.node(other), "\(otherSection.entryInWords) \"\(id)\" is defined here")],
      help: section == otherSection
        ? "to change a definition of another file, use \"override\" or \"replace\""
        : "services and aliases share one set of ids; rename one of the two")
  }

  /// A verb on an unknown entry.
  fileprivate static func nothingToChange(_ section: Section, _ id: String, at node: NodeRef) -> Finding {
    var finding = Finding(
      .nothingToChange, "cannot change unknown \(section.entryInWords) \"\(id)\"", at: node, subject: id)
    finding.possibleCauses = [section.rawValue]
    return finding
  }

  /// An override with the same value as before.
  static func unchanged(at node: NodeRef) -> Finding {
    Finding(.overrideWithoutEffect, "override has no effect", at: node, help: "remove it", replacement: .removal)
  }
}
