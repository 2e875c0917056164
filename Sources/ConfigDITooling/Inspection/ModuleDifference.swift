// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The difference between two composed modules: one module in two environments, or two modules.
///
/// Real values are compared, including secrets. For a secret, the result has only the name of its parameter and whether
/// it differs. Texts that depend on a missing variable are compared without the variable's value.
package struct ModuleDifference: Hashable, Sendable {
  /// The difference in one section.
  package struct Section: Hashable, Sendable {
    /// The entries that only the second module has, in the form in which entries are compared, ascending by id.
    package var addedEntries: [Value.Entry] = []
    /// The entries that only the first module has, in the same form, ascending by id.
    package var removedEntries: [Value.Entry] = []
    /// The entries that both modules have and that differ, ascending by id.
    package var changed: [Entry] = []

    /// The ids that only the second module has, ascending.
    package var added: [String] { addedEntries.map(\.key) }
    /// The ids that only the first module has, ascending.
    package var removed: [String] { removedEntries.map(\.key) }
    /// Whether there is no difference.
    package var isEmpty: Bool { addedEntries.isEmpty && removedEntries.isEmpty && changed.isEmpty }
  }

  /// An entry that both modules have and that differs.
  package struct Entry: Hashable, Sendable {
    /// The id.
    package var id: String
    /// The parts that differ, ascending by path; at least one.
    package var changes: [Change]
  }

  /// A value that differs.
  package struct Change: Hashable, Sendable {
    /// The path within the entry, as diagnostics write it: `values.port`.
    package var path: String
    /// The value in the first module, or `nil` if it has none.
    package var from: Value?
    /// The value in the second module, or `nil` if it has none.
    package var to: Value?
    /// Whether secrets of both modules differ, which `from` and `to` do not show.
    package var isSecret = false
    /// The differences of the elements, for two lists that contain lists or maps. The paths begin at the entry. The
    /// index of an element is its index in the second list, or in the first if the element was removed.
    package var elements: [Change] = []
  }

  /// The services.
  package var services: Section
  /// The parameters: `value`, `type`, and their constraints: `env`, `file`, `default`, `oneOf`, `min`, `max`, `secret`
  /// and `deprecated`. The locations of the tokens are not compared.
  package var parameters: Section
  /// The aliases. The path of a changed target is `target`.
  package var aliases: Section
  /// The bindings. The path of a changed target is `target`.
  package var bindings: Section
  /// The environment variables that are read; `changed` is always empty.
  package var variables: Section
  /// The templates that no service uses in one of the modules, as the files write them. Differences of other templates
  /// show in the services that use them.
  package var templates: Section
  /// The named scopes. The path of a changed enclosing scope is `outer`.
  package var scopes: Section
  /// The services in which a reference became optional or required, ascending by id. The paths end in `optional`.
  package var optionalReferences: [Entry]
  /// The services that differ only in their id, ascending by the old id. Their ids are also in `added` and `removed`.
  package var renames: [Rename]

  /// The sections, in the order in which they are shown.
  package enum SectionName: String, CaseIterable, Sendable {
    case services, parameters, aliases, bindings, variables, templates, scopes
  }

  /// A renamed service.
  package struct Rename: Hashable, Sendable {
    /// The id in the first module.
    package var from: String
    /// The id in the second module.
    package var to: String
  }

  /// Compares two modules: of one `ModuleCheck`, or of two by `ModuleCheck.pair`, which hide each other's secrets.
  ///
  /// - Complexity: linear in the size of both, except for the elements of lists; see `ElementAlignment`.
  package init(from first: ResolvedModule, to second: ResolvedModule) {
    let haveEqualSecrets = first.foreignSecrets.isEmpty && second.foreignSecrets.isEmpty
    func section(_ left: ComparedEntries, _ right: ComparedEntries) -> Section {
      Section(from: left, to: right, hidesValuesBesideSecrets: !haveEqualSecrets)
    }
    func section(_ entries: (ResolvedModule) -> ComparedEntries) -> Section { section(entries(first), entries(second)) }
    let (oldServices, newServices) = (first.comparedServices, second.comparedServices)
    services = section(oldServices, newServices)
    parameters = section(\.comparedParameters)
    aliases = section { $0.comparedTargets($0.graph.definition.aliases) }
    bindings = section { $0.comparedTargets($0.graph.definition.bindings) }
    variables = section(\.comparedVariables)
    let unused = first.unusedTemplates.union(second.unusedTemplates)
    templates = section { $0.comparedTemplates.filter { unused.contains($0.key) } }
    scopes = section(\.comparedScopes)
    optionalReferences = OptionalReferences.changes(from: first, to: second)
    renames =
      RenameSearch(
        removed: entries(of: services.removed, in: oldServices), added: entries(of: services.added, in: newServices)
      ).renames
  }

  /// Whether there is no difference.
  package var isEmpty: Bool { optionalReferences.isEmpty && SectionName.allCases.allSatisfy { self[$0].isEmpty } }

  /// The sections with their names, in the order in which they are shown.
  package var sections: [(name: SectionName, section: Section)] { SectionName.allCases.map { ($0, self[$0]) } }

  /// Returns a section.
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

  /// Returns all differences in the entries of a section that both modules have, ascending by id.
  package func changes(in name: SectionName) -> [Entry] {
    guard name == .services, !optionalReferences.isEmpty else { return self[name].changed }
    var entries = services.changed
    for entry in optionalReferences {
      if let place = entries.firstIndex(where: { $0.id.utf8.elementsEqual(entry.id.utf8) }) {
        entries[place].changes = (entries[place].changes + entry.changes).ascending(by: \.path)
      } else {
        entries.append(entry)
      }
    }
    return entries.ascending(by: \.id)
  }
}

/// Returns the entries with the given ids, in the order of the ids.
private func entries(of ids: [String], in all: ComparedEntries) -> ComparedEntries {
  let byID = all.byKey
  return ids.compactMap { id in byID[[UInt8](id.utf8)].map { ComparedEntry(id, $0) } }
}

// MARK: - Comparing

extension ModuleDifference.Section {
  /// Compares two maps of entries.
  fileprivate init(from first: ComparedEntries, to second: ComparedEntries, hidesValuesBesideSecrets: Bool) {
    for pair in pairedByKey(first, second) {
      switch (pair.from, pair.to) {
      case (let from?, let to?):
        var comparison = Comparison(hidesValuesBesideSecrets: hidesValuesBesideSecrets)
        comparison.compare(from, to, at: [])
        let changes = comparison.changes.ascending(by: \.path)
        if !changes.isEmpty { changed.append(ModuleDifference.Entry(id: pair.key, changes: changes)) }
      case (nil, let to?): addedEntries.append(Value.Entry(key: pair.key, value: to.printed))
      case (let from?, nil): removedEntries.append(Value.Entry(key: pair.key, value: from.printed))
      case (nil, nil): break
      }
    }
  }
}

/// The comparison of two entries.
private struct Comparison {
  /// Whether a value is hidden if the value on the other side is a secret. It may have become one.
  let hidesValuesBesideSecrets: Bool
  /// The differences found so far, in the order in which they were found.
  private(set) var changes: [ModuleDifference.Change] = []

  /// Records the differences at a path and below it. Maps are compared entry by entry; a list is one value, with
  /// differences of its elements.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  mutating func compare(_ from: ComparedValue?, _ to: ComparedValue?, at path: [UInt8]) {
    if case .map(let left)? = from, case .map(let right)? = to {
      for pair in pairedByKey(left, right) { compare(pair.from, pair.to, at: path.appending(pair.key)) }
      return
    }
    let isShownAlike = Value.isPrintedAlike(from?.shown, to?.shown)
    let isAlike = Value.isPrintedAlike(from?.real, to?.real)
    if isShownAlike, isAlike { return }
    var change = ModuleDifference.Change(
      path: String(decoding: path, as: UTF8.self), from: from?.printed, to: to?.printed,
      isSecret: Comparison.isSecretChanged(from, to))
    if isShownAlike, !change.isSecret {
      // The texts differ around something missing, or in the folder of a relative path.
      (change.from, change.to) = (from?.realWithPrintedSecrets, to?.realWithPrintedSecrets)
    }
    if hidesValuesBesideSecrets, let from, let to, from.containsSecret != to.containsSecret {
      if from.containsSecret { change.to = ComparedLeaf.hidden } else { change.from = ComparedLeaf.hidden }
    } else if case .list(let left)? = from, case .list(let right)? = to {
      change.elements = elements(left, right, at: path)
    }
    changes.append(change)
  }

  /// Returns the differences between the elements of two lists that contain lists or maps. Elements that both lists
  /// have in the same order are left out. Between two such elements, the remaining ones are compared in pairs, by
  /// position.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func elements(
    _ from: [ComparedValue], _ to: [ComparedValue], at path: [UInt8]
  ) -> [ModuleDifference.Change] {
    guard (from + to).contains(where: { if case .leaf = $0 { false } else { true } }) else { return [] }
    var comparison = Comparison(hidesValuesBesideSecrets: hidesValuesBesideSecrets)
    // Aligned by number: a comparison of two elements takes time linear in their size.
    var numbers: [ScalarString: Int] = [:]
    let (left, right) = (numbered(from, &numbers), numbered(to, &numbers))
    for gap in ElementAlignment(left, right, isAlike: ==).gaps {
      for place in 0..<max(gap.from.count, gap.to.count) {
        let left = place < gap.from.count ? gap.from.lowerBound + place : nil
        let right = place < gap.to.count ? gap.to.lowerBound + place : nil
        let step = path + Array("[\(right ?? left ?? 0)]".utf8)
        comparison.compare(left.map { from[$0] }, right.map { to[$0] }, at: step)
      }
    }
    return comparison.changes
  }

  /// Returns a number for each value, the same for values that are alike.
  private func numbered(_ values: [ComparedValue], _ numbers: inout [ScalarString: Int]) -> [Int] {
    values.map { value in
      let text = ScalarString(value.comparisonText)
      let number = numbers[text] ?? numbers.count
      numbers[text] = number
      return number
    }
  }

  /// Returns whether secrets of both values differ. A change from a plain value to a secret shows in the printed forms.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private static func isSecretChanged(_ from: ComparedValue?, _ to: ComparedValue?) -> Bool {
    switch (from, to) {
    case (.leaf(let left)?, .leaf(let right)?):
      left.isSecret && right.isSecret && left.isForeign == right.isForeign
        && !Value.isPrintedAlike(left.real, right.real)
    case (.list(let left)?, .list(let right)?): zip(left, right).contains { isSecretChanged($0, $1) }
    case (.map(let left)?, .map(let right)?): pairedByKey(left, right).contains { isSecretChanged($0.from, $0.to) }
    default: false
    }
  }
}

extension [UInt8] {
  /// Returns the path with a key as its next step.
  func appending(_ key: String) -> [UInt8] {
    var path = self
    PathStep.append(key, to: &path)
    return path
  }
}

/// Returns the entries of two maps in pairs, ascending by key.
private func pairedByKey(
  _ first: ComparedEntries, _ second: ComparedEntries
) -> [(key: String, from: ComparedValue?, to: ComparedValue?)] {
  let (from, to) = (first.byKey, second.byKey)
  return Set(from.keys).union(to.keys).sorted { $0.lexicographicallyPrecedes($1) }.map { key in
    (key: String(decoding: key, as: UTF8.self), from: from[key], to: to[key])
  }
}

extension ComparedValue {
  /// A text that is the same for values that are alike.
  fileprivate var comparisonText: String {
    let forms = [shown, real].map { (form: Value?) in Value.list(form.map { [$0.printable.sorted] } ?? []) }
    return JSONWriter.text(of: .list(forms), .line)
  }

  /// Returns whether neither the printed nor the real forms of two values differ.
  func isAlike(_ other: ComparedValue) -> Bool {
    Value.isPrintedAlike(shown, other.shown) && Value.isPrintedAlike(real, other.real)
  }
}

extension Value {
  /// Returns whether two values have the same printed form, so that no change is shown from a value to itself.
  fileprivate static func isPrintedAlike(_ left: Value?, _ right: Value?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.printable.isWritten(like: right.printable)
  }

  /// The value with durations, sizes and bytes replaced by the strings as which they are printed.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  fileprivate var printable: Value {
    switch self {
    case .duration(let text), .size(let text): .string(text)
    case .data(let bytes): .string(Base64.text(of: bytes))
    case .list(let elements): .list(elements.map(\.printable))
    case .map(let entries): .map(entries.map { Entry(key: $0.key, value: $0.value.printable) })
    default: self
    }
  }
}
