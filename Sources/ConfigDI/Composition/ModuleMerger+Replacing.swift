// SPDX-License-Identifier: Apache-2.0

extension ModuleMerger {
  /// Records the changes to each part of a replaced parameter.
  mutating func note(_ new: Declaration<ParameterDeclaration>, replaces old: ParameterDeclaration) {
    module.noteParts(from: old.parts, to: new.body.parts, else: new.key, of: new.name, in: .parameters)
  }

  /// Records the changes to each part of a replaced service or template.
  mutating func note(_ new: Declaration<ServiceDeclaration>, replaces old: ServiceDeclaration, in section: Section) {
    let names = module.names
    module.noteParts(from: old.parts(names), to: new.body.parts(names), else: new.key, of: new.name, in: section)
    // An argument may have moved between `inject` and `values`, and a map may have become another kind of value.
    note(new.body.arguments, displaces: old.arguments)
  }

  /// Records the token that each argument replaced.
  private mutating func note(_ new: ArgumentDeclarations, displaces old: ArgumentDeclarations) {
    guard !new.isEmpty, !old.isEmpty else { return }
    let tokens = Dictionary(old.tokens.map { ($0.name, $0.node) }) { first, _ in first }
    let data = Dictionary(old.values.map { ($0.name, $0.content) }) { first, _ in first }
    for argument in new.inject { module.history.note(argument.content.node, displaces: tokens[argument.name]) }
    for argument in new.values {
      if let old = data[argument.name] {
        note(argument.content, displaces: old)
      } else {
        module.history.note(argument.content.node, displaces: tokens[argument.name])
      }
    }
  }

  /// Records the token that each leaf of a datum replaced.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func note(_ new: Datum, displaces old: Datum) {
    guard case .map(let newEntries) = new.content, case .map(let oldEntries) = old.content else {
      return module.history.note(new.node, displaces: old.node)
    }
    let data = Dictionary(oldEntries.map { (Array($0.key.utf8), $0.value) }) { first, _ in first }
    for entry in newEntries {
      if let old = data[Array(entry.key.utf8)] { note(entry.value, displaces: old) }
    }
  }
}
