// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What differs between two composed modules: two environments of one, or two modules.
///
/// Secrets are compared as they are printed, so that nothing about them shows but which parameter they come from.
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
  }

  /// The services.
  package var services: Section
  /// The parameters: `value` and `type`, not where they were decided.
  package var parameters: Section
  /// The aliases; what a changed one stands for has the path `target`.
  package var aliases: Section
  /// The bindings; what a changed one stands for has the path `target`.
  package var bindings: Section
  /// The environment variables that are read; none of them is `changed`.
  package var variables: Section

  /// Compares two modules.
  ///
  /// - Complexity: linear in the size of both.
  package init(from first: ResolvedModule, to second: ResolvedModule) {
    let (from, to) = (first.value, second.value)
    func compare(_ key: String, _ body: (Value) -> Value = { $0 }) -> Section {
      func entries(_ module: Value) -> [Value.Entry] {
        (module.member(key)?.entries ?? []).map { Value.Entry(key: $0.key, value: body($0.value)) }
      }
      return Section(from: entries(from), to: entries(to))
    }
    services = compare("services")
    parameters = compare("parameters") { .map($0.entries.filter { $0.key != "origin" }) }
    aliases = compare("aliases") { ["target": $0] }
    bindings = compare("bindings") { ["target": $0] }
    variables = Section(from: first.variables, to: second.variables)
  }

  /// Whether nothing differs.
  package var isEmpty: Bool { sections.allSatisfy(\.section.isEmpty) }

  /// The sections with their names, in the order in which they are shown.
  package var sections: [(name: String, section: Section)] {
    [
      ("services", services), ("parameters", parameters), ("aliases", aliases), ("bindings", bindings),
      ("variables", variables),
    ]
  }
}

extension ResolvedModule {
  /// The environment variables that the module reads, by name; nothing else about them is compared.
  fileprivate var variables: [Value.Entry] { graph.definition.variables.keys.map { Value.Entry(key: $0, value: [:]) } }
}

// MARK: - Comparing

extension ModuleDifference.Section {
  /// What differs between two maps of entries.
  fileprivate init(from first: [Value.Entry], to second: [Value.Entry]) {
    let pairs = [(key: String, from: Value?, to: Value?)](merging: first, second)
    for pair in pairs {
      switch (pair.from, pair.to) {
      case (let from?, let to?):
        let changes = ModuleDifference.Change.all(from: from, to: to)
        if !changes.isEmpty { changed.append(ModuleDifference.Entry(id: pair.key, changes: changes)) }
      case (nil, _): added.append(pair.key)
      case (_, nil): removed.append(pair.key)
      }
    }
  }
}

extension ModuleDifference.Change {
  /// What differs between two values, ascending by path: maps are walked, a list is one value.
  fileprivate static func all(from: Value, to: Value) -> [ModuleDifference.Change] {
    var changes: [ModuleDifference.Change] = []
    compare(from, to, at: [], into: &changes)
    return changes.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// Notes what differs at a path and below.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private static func compare(
    _ from: Value?, _ to: Value?, at path: [UInt8], into changes: inout [ModuleDifference.Change]
  ) {
    if case .map(let left)? = from, case .map(let right)? = to {
      let pairs = [(key: String, from: Value?, to: Value?)](merging: left, right)
      for pair in pairs { compare(pair.from, pair.to, at: path.appending(pair.key), into: &changes) }
    } else if !Value.isPrintedAlike(from, to) {
      changes.append(
        ModuleDifference.Change(path: String(decoding: path, as: UTF8.self), from: from, to: to))
    }
  }
}

extension [UInt8] {
  /// A path with a key as its next step.
  fileprivate func appending(_ key: String) -> [UInt8] {
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

extension Array where Element == (key: String, from: Value?, to: Value?) {
  /// The entries of two maps side by side, ascending by key.
  fileprivate init(merging first: [Value.Entry], _ second: [Value.Entry]) {
    // By bytes: keys are equal where their Unicode scalars are.
    let from = Dictionary(first.map { ([UInt8]($0.key.utf8), $0.value) }) { first, _ in first }
    let to = Dictionary(second.map { ([UInt8]($0.key.utf8), $0.value) }) { first, _ in first }
    self = Set(from.keys).union(to.keys).sorted { $0.lexicographicallyPrecedes($1) }.map { key in
      (key: String(decoding: key, as: UTF8.self), from: from[key], to: to[key])
    }
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
