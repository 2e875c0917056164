// SPDX-License-Identifier: Apache-2.0

extension Composer {
  /// Notes what each part of a replaced parameter took the place of.
  mutating func note(_ new: ParameterDeclaration, displaces old: ParameterDeclaration) {
    history.note(new.source?.node, displaces: old.source?.node)
    history.note(new.typeNode, displaces: old.typeNode)
    history.note(new.fallback?.node, displaces: old.fallback?.node)
    history.note(new.allowed?.node, displaces: old.allowed?.node)
    history.note(new.least?.node, displaces: old.least?.node)
    history.note(new.greatest?.node, displaces: old.greatest?.node)
    history.note(new.isSecret?.node, displaces: old.isSecret?.node)
    history.note(new.deprecated?.node, displaces: old.deprecated?.node)
  }

  /// Notes what each part of a replaced service or template took the place of.
  mutating func note(_ new: ServiceDeclaration, displaces old: ServiceDeclaration) {
    history.note(new.extends?.node, displaces: old.extends?.node)
    history.note(new.type?.node, displaces: old.type?.node)
    history.note(new.provides?.node, displaces: old.provides?.node)
    history.note(new.scope?.node, displaces: old.scope?.node)
    history.note(new.decorators?.node, displaces: old.decorators?.node)
    history.note(new.condition?.node, displaces: old.condition?.node)
    history.note(new.isEager?.node, displaces: old.isEager?.node)
    history.note(new.isPrivate?.node, displaces: old.isPrivate?.node)
    history.note(new.isAutowired?.node, displaces: old.isAutowired?.node)
    history.note(new.deprecated?.node, displaces: old.deprecated?.node)
    note(new.tags, displace: old.tags)
    note(new.arguments, displaces: old.arguments)
  }

  /// Notes what each tag took the place of.
  private mutating func note(_ new: [TagDeclaration], displace old: [TagDeclaration]) {
    guard !new.isEmpty, !old.isEmpty else { return }
    let tags = Dictionary(old.map { ($0.name.name, $0) }) { first, _ in first }
    for tag in new {
      history.note(tag.order?.node, displaces: tags[tag.name.name]?.order?.node)
      history.note(tag.key?.node, displaces: tags[tag.name.name]?.key?.node)
    }
  }

  /// Notes what each argument took the place of.
  private mutating func note(_ new: ArgumentDeclarations, displaces old: ArgumentDeclarations) {
    guard !new.isEmpty, !old.isEmpty else { return }
    let tokens = Dictionary(old.tokens.map { ($0.name, $0.node) }) { first, _ in first }
    let data = Dictionary(old.values.map { ($0.name, $0.content) }) { first, _ in first }
    for argument in new.inject { history.note(argument.content.node, displaces: tokens[argument.name]) }
    for argument in new.values {
      if let old = data[argument.name] {
        note(argument.content, displaces: old)
      } else {
        history.note(argument.content.node, displaces: tokens[argument.name])
      }
    }
  }

  /// Notes what each leaf of a datum took the place of.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func note(_ new: Datum, displaces old: Datum) {
    guard case .map(let newEntries) = new.content, case .map(let oldEntries) = old.content else {
      return history.note(new.node, displaces: old.node)
    }
    let data = Dictionary(oldEntries.map { (Array($0.key.utf8), $0.value) }) { first, _ in first }
    for entry in newEntries {
      if let old = data[Array(entry.key.utf8)] { note(entry.value, displaces: old) }
    }
  }
}
