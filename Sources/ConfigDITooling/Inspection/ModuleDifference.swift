// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What differs between two composed modules: two environments of one, or two modules.
///
/// Values are compared as they are, secrets included. Of a secret nothing shows but which parameter it comes from, and that it
/// differs. What depends on a missing variable differs where the text that holds it does.
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

  /// Compares two modules.
  ///
  /// - Complexity: linear in the size of both.
  package init(from first: ResolvedModule, to second: ResolvedModule) {
    let (from, to) = (first.secretParameters, second.secretParameters)
    // Two environments of one module have the same secrets. Of two modules one may say openly what the other hides.
    let hidesOpenSide = first.parameterIDs.intersection(second.parameterIDs).contains {
      from.contains($0) != to.contains($0)
    }
    func section(_ entries: (ResolvedModule) -> ComparedEntries) -> Section {
      Section(from: entries(first), to: entries(second), hidesOpenSide: hidesOpenSide)
    }
    services = section(\.comparedServices)
    parameters = section(\.comparedParameters)
    aliases = section { $0.comparedTargets($0.graph.definition.aliases) }
    bindings = section { $0.comparedTargets($0.graph.definition.bindings) }
    variables = section(\.comparedVariables)
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

// MARK: - Comparing

extension ModuleDifference.Section {
  /// What differs between two maps of entries.
  fileprivate init(from first: ComparedEntries, to second: ComparedEntries, hidesOpenSide: Bool) {
    for pair in sideBySide(first, second) {
      switch (pair.from, pair.to) {
      case (let from?, let to?):
        var comparison = Comparison(hidesOpenSide: hidesOpenSide)
        comparison.compare(from, to, at: [])
        let changes = comparison.changes.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
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
      (change.from, change.to) = (from?.real, to?.real)
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

  /// What differs between the elements of two lists that hold lists or maps. What both lists begin or end with is left out.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func elements(
    _ from: [ComparedValue], _ to: [ComparedValue], at path: [UInt8]
  ) -> [ModuleDifference.Change] {
    guard (from + to).contains(where: { if case .leaf = $0 { false } else { true } }) else { return [] }
    let shorter = min(from.count, to.count)
    let prefix = zip(from, to).prefix { $0.isAlike($1) }.count
    let suffix = min(zip(from.reversed(), to.reversed()).prefix { $0.isAlike($1) }.count, shorter - prefix)
    var comparison = Comparison(hidesOpenSide: hidesOpenSide)
    for place in prefix..<(max(from.count, to.count) - suffix) {
      let step = path + Array("[\(place)]".utf8)
      comparison.compare(
        place < from.count - suffix ? from[place] : nil, place < to.count - suffix ? to[place] : nil, at: step)
    }
    return comparison.changes
  }

  /// Whether something differs that is a secret on both sides.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private static func isSecretChanged(_ from: ComparedValue?, _ to: ComparedValue?) -> Bool {
    switch (from, to) {
    case (.leaf(_, let left, true)?, .leaf(_, let right, true)?): !Value.isPrintedAlike(left, right)
    case (.list(let left)?, .list(let right)?): zip(left, right).contains { isSecretChanged($0, $1) }
    case (.map(let left)?, .map(let right)?): sideBySide(left, right).contains { isSecretChanged($0.from, $0.to) }
    default: false
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
  fileprivate func isAlike(_ other: ComparedValue) -> Bool {
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
