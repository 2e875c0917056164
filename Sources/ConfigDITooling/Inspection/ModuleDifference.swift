// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What differs between two composed modules: two environments of one, or two modules.
///
/// Values are compared as they are, secrets included. Of a secret nothing shows but which parameter it comes from, and that it
/// differs. A text that depends on a missing variable differs where the rest of it does.
package struct ModuleDifference: Hashable, Sendable {
  /// What differs in one section.
  package struct Section: Hashable, Sendable {
    /// The ids that only the second module has, ascending.
    package var added: [String] = []
    /// The ids that only the first module has, ascending.
    package var removed: [String] = []
    /// What both have and differs, ascending by id.
    package var changed: [Entry] = []

    /// Whether nothing differs.
    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }
  }

  /// An entry that both modules have and that differs.
  package struct Entry: Hashable, Sendable {
    /// The id.
    package var id: String
    /// What differs, ascending by path; never empty.
    package var changes: [Change]
  }

  /// One value that differs.
  package struct Change: Hashable, Sendable {
    /// The path below the entry, as diagnostics write it: `values.port`.
    package var path: String
    /// The value of the first module; nil where it has none.
    package var from: Value?
    /// The value of the second module; nil where it has none.
    package var to: Value?
    /// Whether something differs that is a secret on both sides, so that `from` and `to` do not show it.
    package var isSecret = false
    /// Of two lists that hold lists or maps, what differs in their elements. The paths are whole; the number of an element
    /// is that of the second list, of a removed element that of the first.
    package var elements: [Change] = []
  }

  /// The services.
  package var services: Section
  /// The parameters: `value`, `type`, and what they demand: `env`, `file`, `default`, `oneOf`, `min`, `max`, `secret` and
  /// `deprecated`. Not where they were decided.
  package var parameters: Section
  /// The aliases; what a changed one stands for has the path `target`.
  package var aliases: Section
  /// The bindings; what a changed one stands for has the path `target`.
  package var bindings: Section
  /// The environment variables that are read; none of them is `changed`.
  package var variables: Section
  /// The templates that no service of one of the modules uses, as the files write them. What the others say shows in their
  /// services.
  package var templates: Section
  /// The named scopes; what a changed one is nested in has the path `outer`.
  package var scopes: Section
  /// The services of which a reference became optional, or is no longer, ascending by id; the paths end in `optional`.
  package var optionalReferences: [Entry]
  /// The services that have another id and nothing else that differs, ascending by the old id. They are among those added and
  /// removed, too.
  package var renames: [Rename]
  /// What the entries are that only one module has, by section.
  package var contents: [SectionName: Contents]

  /// The sections, in the order in which they are shown.
  package enum SectionName: String, CaseIterable, Sendable {
    case services, parameters, aliases, bindings, variables, templates, scopes
  }

  /// What the entries of one section are that only one module has, in the form in which entries are compared.
  package struct Contents: Hashable, Sendable {
    /// Those that only the second has, ascending by id.
    package var added: [Value.Entry] = []
    /// Those that only the first has, ascending by id.
    package var removed: [Value.Entry] = []
  }

  /// A service under two ids.
  package struct Rename: Hashable, Sendable {
    /// The id in the first module.
    package var from: String
    /// The id in the second module.
    package var to: String
  }

  /// Compares two modules.
  ///
  /// - Complexity: linear in the size of both.
  package init(from first: ResolvedModule, to second: ResolvedModule) {
    let (from, to) = (first.secretParameters, second.secretParameters)
    // Two environments of one module have the same secrets. Of two modules one may say openly what the other hides.
    let hidesOpenSide = first.parameterIDs.intersection(second.parameterIDs).contains {
      from.contains($0) != to.contains($0)
    }
    var contents: [SectionName: Contents] = [:]
    func section(_ name: SectionName, _ left: ComparedEntries, _ right: ComparedEntries) -> Section {
      let section = Section(from: left, to: right, hidesOpenSide: hidesOpenSide)
      contents[name] = Contents(section, from: left, to: right, hidesExpanded: hidesOpenSide)
      return section
    }
    func section(_ name: SectionName, _ entries: (ResolvedModule) -> ComparedEntries) -> Section {
      section(name, entries(first), entries(second))
    }
    let (oldServices, newServices) = (first.comparedServices, second.comparedServices)
    services = section(.services, oldServices, newServices)
    parameters = section(.parameters, \.comparedParameters)
    aliases = section(.aliases) { $0.comparedTargets($0.graph.definition.aliases) }
    bindings = section(.bindings) { $0.comparedTargets($0.graph.definition.bindings) }
    variables = section(.variables, \.comparedVariables)
    let unused = first.unusedTemplates.union(second.unusedTemplates)
    templates = section(.templates) { $0.comparedTemplates.filter { unused.contains($0.key) } }
    scopes = section(.scopes, \.comparedScopes)
    self.contents = contents
    optionalReferences = OptionalReferences.changes(from: first, to: second)
    renames =
      RenameSearch(
        removed: entries(of: services.removed, in: oldServices), added: entries(of: services.added, in: newServices)
      ).renames
  }

  /// Whether nothing differs.
  package var isEmpty: Bool { optionalReferences.isEmpty && SectionName.allCases.allSatisfy { self[$0].isEmpty } }

  /// The sections with their names, in the order in which they are shown.
  package var sections: [(name: SectionName, section: Section)] { SectionName.allCases.map { ($0, self[$0]) } }

  /// A section.
  package subscript(name: SectionName) -> Section {
    switch name {
    case .services: services
    case .parameters: parameters
    case .aliases: aliases
    case .bindings: bindings
    case .variables: variables
    case .templates: templates
    case .scopes: scopes
    }
  }

  /// All that differs in the entries of a section that both modules have, ascending by id.
  package func changes(in name: SectionName) -> [Entry] {
    guard name == .services, !optionalReferences.isEmpty else { return self[name].changed }
    var entries = services.changed
    for entry in optionalReferences {
      if let place = entries.firstIndex(where: { $0.id.utf8.elementsEqual(entry.id.utf8) }) {
        entries[place].changes = (entries[place].changes + entry.changes).ascending
      } else {
        entries.append(entry)
      }
    }
    return entries.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
  }
}

extension [ModuleDifference.Change] {
  /// The changes, ascending by path.
  var ascending: [ModuleDifference.Change] { sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) } }
}

/// The entries of some ids, in the order of the ids.
private func entries(of ids: [String], in all: ComparedEntries) -> ComparedEntries {
  let byID = Dictionary(all.map { ([UInt8]($0.key.utf8), $0.value) }) { first, _ in first }
  return ids.compactMap { id in byID[[UInt8](id.utf8)].map { ComparedEntry(id, $0) } }
}

extension ModuleDifference.Contents {
  /// The added of some entries and the removed of others, as they are shown.
  fileprivate init(
    _ section: ModuleDifference.Section, from first: ComparedEntries, to second: ComparedEntries, hidesExpanded: Bool
  ) {
    func shown(_ ids: [String], _ all: ComparedEntries) -> [Value.Entry] {
      entries(of: ids, in: all).map {
        Value.Entry(key: $0.key, value: $0.value.shown(hidingExpanded: hidesExpanded))
      }
    }
    self.init(added: shown(section.added, second), removed: shown(section.removed, first))
  }
}
// MARK: - Comparing

extension ModuleDifference.Section {
  /// What differs between two maps of entries.
  fileprivate init(from first: ComparedEntries, to second: ComparedEntries, hidesOpenSide: Bool) {
    for pair in sideBySide(first, second) {
      switch (pair.from, pair.to) {
      case (let from?, let to?):
        var comparison = Comparison(hidesOpenSide: hidesOpenSide)
        comparison.compare(from, to, at: [])
        let changes = comparison.changes.ascending
        if !changes.isEmpty { changed.append(ModuleDifference.Entry(id: pair.key, changes: changes)) }
      case (nil, _): added.append(pair.key)
      case (_, nil): removed.append(pair.key)
      }
    }
  }
}

/// A comparison of two entries.
private struct Comparison {
  /// Whether a value is hidden where the value on the other side is a secret.
  let hidesOpenSide: Bool
  /// What differs so far, in the order in which it was found.
  private(set) var changes: [ModuleDifference.Change] = []

  /// A comparison that found nothing yet.
  init(hidesOpenSide: Bool) { self.hidesOpenSide = hidesOpenSide }

  /// Notes what differs at a path and below: maps are walked, a list is one value with its elements.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  mutating func compare(_ from: ComparedValue?, _ to: ComparedValue?, at path: [UInt8]) {
    if case .map(let left)? = from, case .map(let right)? = to {
      for pair in sideBySide(left, right) { compare(pair.from, pair.to, at: path.appending(pair.key)) }
      return
    }
    let isShownAlike = Value.isPrintedAlike(from?.shown, to?.shown)
    let isAlike = Value.isPrintedAlike(from?.real, to?.real)
    if isShownAlike, isAlike { return }
    var change = ModuleDifference.Change(
      path: String(decoding: path, as: UTF8.self), from: from?.shown, to: to?.shown,
      isSecret: Comparison.isSecretChanged(from, to))
    if isShownAlike, !change.isSecret {
      // What differs is the text around something missing, or the folder of a relative path.
      (change.from, change.to) = (from?.realButSecrets, to?.realButSecrets)
    }
    if hidesOpenSide, let from, let to, from.holdsSecret != to.holdsSecret {
      // The parameter that became a secret, or none, is reported by itself.
      if isAlike { return }
      let hidden = Value.string("<hidden>")
      if from.holdsSecret { change.to = hidden } else { change.from = hidden }
    } else if case .list(let left)? = from, case .list(let right)? = to {
      change.elements = elements(left, right, at: path)
    }
    changes.append(change)
  }

  /// What differs between the elements of two lists that hold lists or maps. Elements that both have in the same order are
  /// left out; of the others between two such elements the first is compared with the first, and so on.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func elements(
    _ from: [ComparedValue], _ to: [ComparedValue], at path: [UInt8]
  ) -> [ModuleDifference.Change] {
    guard (from + to).contains(where: { if case .leaf = $0 { false } else { true } }) else { return [] }
    var comparison = Comparison(hidesOpenSide: hidesOpenSide)
    for gap in ElementAlignment(from, to, isAlike: { $0.isAlike($1) }).gaps {
      for place in 0..<max(gap.from.count, gap.to.count) {
        let left = place < gap.from.count ? gap.from.lowerBound + place : nil
        let right = place < gap.to.count ? gap.to.lowerBound + place : nil
        let step = path + Array("[\(right ?? left ?? 0)]".utf8)
        comparison.compare(left.map { from[$0] }, right.map { to[$0] }, at: step)
      }
    }
    return comparison.changes
  }

  /// Whether something differs that is a secret on both sides.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private static func isSecretChanged(_ from: ComparedValue?, _ to: ComparedValue?) -> Bool {
    switch (from, to) {
    case (.leaf(let left)?, .leaf(let right)?) where left.isSecret && right.isSecret:
      !Value.isPrintedAlike(left.real, right.real)
    case (.list(let left)?, .list(let right)?): zip(left, right).contains { isSecretChanged($0, $1) }
    case (.map(let left)?, .map(let right)?): sideBySide(left, right).contains { isSecretChanged($0.from, $0.to) }
    default: false
    }
  }
}

extension [UInt8] {
  /// A path with a key as its next step.
  func appending(_ key: String) -> [UInt8] {
    var path = self
    if PathStep.isPlain(key.utf8) {
      if !path.isEmpty { path.append(UInt8(ascii: ".")) }
      path += key.utf8
    } else {
      PathStep.appendQuoted(key.utf8, to: &path)
    }
    return path
  }
}

/// The entries of two maps side by side, ascending by key.
private func sideBySide(
  _ first: ComparedEntries, _ second: ComparedEntries
) -> [(key: String, from: ComparedValue?, to: ComparedValue?)] {
  // By bytes: keys are equal where their Unicode scalars are.
  let from = Dictionary(first.map { ([UInt8]($0.key.utf8), $0.value) }) { first, _ in first }
  let to = Dictionary(second.map { ([UInt8]($0.key.utf8), $0.value) }) { first, _ in first }
  return Set(from.keys).union(to.keys).sorted { $0.lexicographicallyPrecedes($1) }.map { key in
    (key: String(decoding: key, as: UTF8.self), from: from[key], to: to[key])
  }
}

extension ComparedValue {
  /// Whether nothing differs between two values.
  func isAlike(_ other: ComparedValue) -> Bool {
    Value.isPrintedAlike(shown, other.shown) && Value.isPrintedAlike(real, other.real)
  }
}

extension Value {
  /// Whether two values are printed alike, so that nobody is shown a change from something to the same.
  fileprivate static func isPrintedAlike(_ left: Value?, _ right: Value?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.printable.isWritten(like: right.printable)
  }

  /// The value with durations, sizes and bytes as the texts that they are printed as.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private var printable: Value {
    switch self {
    case .duration(let text), .size(let text): .string(text)
    case .data(let bytes): .string(Base64.text(of: bytes))
    case .list(let elements): .list(elements.map(\.printable))
    case .map(let entries): .map(entries.map { Entry(key: $0.key, value: $0.value.printable) })
    default: self
    }
  }
}
