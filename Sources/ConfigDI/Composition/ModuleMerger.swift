// SPDX-License-Identifier: Apache-2.0

/// Merges the files of one environment, one after the other, by the rules of existence and merging.
struct ModuleMerger {
  /// What the files so far define.
  var module: MergedModule
  /// The findings.
  var bag = DiagnosticBag()
  /// The findings about verbs on something that is not there, which wait for the ids of the whole composition.
  private var missing: [Section: DiagnosticBag] = [:]

  /// Merges files in their order.
  init(_ files: some Sequence<ModuleFile>, names: NameTable, secretParameters: Set<Name>) {
    self.init(files, onto: MergedModule(names: names, secretParameters: secretParameters))
  }

  /// Merges files in their order into what is there.
  init(_ files: some Sequence<ModuleFile>, onto module: consuming MergedModule) {
    self.module = module
    for file in files { apply(file) }
    checkMergedParameters()
    for section in Section.allCases {
      guard var findings = missing[section] else { continue }
      findings.suggest(among: self.module.ids(of: section), for: .nothingToChange)
      bag.append(findings)
    }
  }

  /// Merges one more layer into a composition, which overrides what is there. That it changes nothing is no finding.
  init(_ module: consuming MergedModule, overriddenBy sections: Sections) {
    self.module = module
    override(sections)
    bag = DiagnosticBag()
  }

  /// Applies one file: what it adds, then what it removes, replaces and overrides.
  private mutating func apply(_ file: ModuleFile) {
    for sections in [file.added, file.replaced, file.overridden] where sections.hasExtendingService {
      module.hasExtendingService = true
    }
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

  /// Merges entries into those that are there.
  private mutating func override(_ sections: Sections) {
    for patch in sections.parameters {
      override(patch, in: \.parameters, .parameters, isEmpty: patch.body.isEmpty) { $0.merge(patch, into: &$1) }
    }
    for patch in sections.templates {
      override(patch, in: \.templates, .templates, isEmpty: patch.body.isEmpty) {
        $0.merge(patch, into: &$1, of: .templates)
      }
    }
    for patch in sections.services {
      override(patch, in: \.services, .services, isEmpty: patch.body.isEmpty) {
        $0.merge(patch, into: &$1, of: .services)
      }
    }
    for patch in sections.aliases {
      override(patch, in: \.aliases, .aliases) { $0.merge(patch.body, into: &$1) }
    }
    for patch in sections.bindings {
      override(patch, in: \.bindings, .bindings) { $0.merge(patch.body, into: &$1) }
    }
  }
}

// MARK: - Verbs

extension ModuleMerger {
  /// Where the entries of a section are kept.
  private typealias Table<Body: Sendable> = WritableKeyPath<MergedModule, EntryTable<Body>>

  /// Adds entries whose ids are new.
  private mutating func add<Body>(
    _ declarations: [Declaration<Body>], to table: Table<Body>, _ section: Section
  ) {
    module[keyPath: table].expect(declarations.count)
    for declaration in declarations {
      if let other = definition(of: declaration.name, conflictingWith: section) {
        bag.report(
          .definedTwice(module.names[declaration.name], section, other.section, at: declaration.key, other.key))
      } else {
        module[keyPath: table][declaration.name] = ComposedEntry(declaration)
      }
    }
  }

  /// The entry that forbids to add one of an id to a section, if there is one.
  private func definition(of name: Name, conflictingWith section: Section) -> (section: Section, key: NodeRef)? {
    switch section {
    case .parameters: module.parameters[name].map { (.parameters, $0.key) }
    case .templates: module.templates[name].map { (.templates, $0.key) }
    case .bindings: module.bindings[name].map { (.bindings, $0.key) }
    case .services, .aliases:
      module.services[name].map { (.services, $0.key) } ?? module.aliases[name].map { (.aliases, $0.key) }
    }
  }

  /// Removes an entry.
  private mutating func remove(_ removal: Removal) {
    guard module.contains(removal.id.name, in: removal.section) else {
      return reportNothing(removal.id.name, removal.section, at: removal.id.node)
    }
    if let key = module.key(of: removal.id.name, in: removal.section) {
      module.history.note(
        History.Removal(path: "", old: key, remover: removal.id.node), of: removal.id.name, in: removal.section)
    }
    switch removal.section {
    case .parameters: module.parameters[removal.id.name] = nil
    case .templates: module.templates[removal.id.name] = nil
    case .services: module.services[removal.id.name] = nil
    case .aliases: module.aliases[removal.id.name] = nil
    case .bindings: module.bindings[removal.id.name] = nil
    }
  }

  /// Puts entries in the place of old ones; `note` keeps what stood there.
  private mutating func replace<Body>(
    _ declarations: [Declaration<Body>], in table: Table<Body>, _ section: Section,
    _ note: (inout ModuleMerger, _ new: Declaration<Body>, _ old: Body) -> Void
  ) {
    for declaration in declarations {
      if let old = module[keyPath: table][declaration.name] { note(&self, declaration, old.body) }
      if module[keyPath: table].contains(declaration.name) || declaration.isMalformed {
        module[keyPath: table][declaration.name] = ComposedEntry(declaration)
      } else {
        reportNothing(declaration.name, section, at: declaration.key)
      }
    }
  }

  /// Merges an entry into an old one.
  private mutating func override<Body>(
    _ patch: Declaration<Body>, in table: Table<Body>, _ section: Section, isEmpty: Bool = false,
    _ merge: (inout ModuleMerger, inout ComposedEntry<Body>) -> Void
  ) {
    guard var entry = module[keyPath: table].lend(patch.name) else {
      if patch.isMalformed {
        module[keyPath: table][patch.name] = ComposedEntry(patch)
      } else {
        reportNothing(patch.name, section, at: patch.key)
      }
      return
    }
    let isSound = !patch.isMalformed && !entry.isMalformed
    // What an entry with an error of shape says still counts as use, but nothing more is reported of it.
    var discarded = DiagnosticBag()
    if !isSound { swap(&discarded, &bag) }
    if isEmpty { bag.report(.unchanged(at: patch.key.value)) }
    merge(&self, &entry)
    if !isSound {
      swap(&discarded, &bag)
      entry.isMalformed = true
    }
    module[keyPath: table][patch.name] = entry
  }

  /// Merges a target into that of an alias or binding.
  private mutating func merge(_ target: Token, into entry: inout ComposedEntry<Token>) {
    noteChange(at: target.node, from: entry.body.node, isSame: target.name == entry.body.name)
    entry.body = target
  }

  /// Reports a verb on something that is not there.
  private mutating func reportNothing(_ name: Name, _ section: Section, at node: NodeRef) {
    missing[section, default: DiagnosticBag()].report(.nothingToChange(section, module.names[name], at: node))
  }
}

// MARK: - Messages

extension Finding {
  /// An id that another file, or another section, defines.
  fileprivate static func definedTwice(
    _ id: String, _ section: Section, _ otherSection: Section, at node: NodeRef, _ other: NodeRef
  ) -> Finding {
    var finding = Finding(.definedTwice, "\"\(id)\" is already defined", at: node)
    finding.related = [Finding.Related(.node(other), "\(otherSection.entryInWords) \"\(id)\" is defined here")]
    finding.help =
      section == otherSection
      ? "to change a definition of another file, use \"override\" or \"replace\""
      : "services and aliases share one set of ids; rename one of the two"
    return finding
  }

  /// A verb on something that is not there.
  fileprivate static func nothingToChange(_ section: Section, _ id: String, at node: NodeRef) -> Finding {
    Finding(.nothingToChange, "cannot change unknown \(section.entryInWords) \"\(id)\"", at: node, subject: id)
  }

  /// A value of an override that equals the old one.
  static func unchanged(at node: NodeRef) -> Finding {
    Finding(.overrideWithoutEffect, "override has no effect", at: node, help: "remove it", replacement: .removal)
  }
}
