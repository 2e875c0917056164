// SPDX-License-Identifier: Apache-2.0

extension Composer {
  /// Notes what each part of a replaced parameter took the place of.
  mutating func note(_ new: ParameterDeclaration, displaces old: ParameterDeclaration) {
    history.note(new.source?.node, displaces: old.source?.node)
    history.note(new.typeNode, displaces: old.typeNode)
    history.note(new.fallback, displaces: old.fallback)
    history.note(new.allowed, displaces: old.allowed)
    history.note(new.least, displaces: old.least)
    history.note(new.greatest, displaces: old.greatest)
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
    history.note(new.condition?.place, displaces: old.condition?.place)
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
    let data = Dictionary((old.inject + old.values).map { ($0.name, $0.datum) }) { first, _ in first }
    for argument in new.inject + new.values {
      if let old = data[argument.name] { note(argument.datum, displaces: old) }
    }
  }

  /// Notes what each leaf of a datum took the place of.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func note(_ new: Datum, displaces old: Datum) {
    guard let newEntries = documents.entries(of: new), let oldEntries = documents.entries(of: old) else {
      return history.note(new.place, displaces: old.place)
    }
    let data = Dictionary(oldEntries.map { (Array($0.text.utf8), $0.datum) }) { first, _ in first }
    for entry in newEntries {
      if let old = data[Array(entry.text.utf8)] { note(entry.datum, displaces: old) }
    }
  }
}
