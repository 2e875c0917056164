// SPDX-License-Identifier: Apache-2.0

extension ModuleMerger {
  /// Notes what each part of a replaced parameter took the place of.
  mutating func note(_ new: ParameterDeclaration, displaces old: ParameterDeclaration) {
    module.history.note(new.source?.node, displaces: old.source?.node)
    module.history.note(new.typeNode, displaces: old.typeNode)
    module.history.note(new.fallback?.node, displaces: old.fallback?.node)
    module.history.note(new.allowed?.node, displaces: old.allowed?.node)
    module.history.note(new.least?.node, displaces: old.least?.node)
    module.history.note(new.greatest?.node, displaces: old.greatest?.node)
    module.history.note(new.isSecret?.node, displaces: old.isSecret?.node)
    module.history.note(new.deprecated?.node, displaces: old.deprecated?.node)
  }

  /// Notes what each part of a replaced service or template took the place of.
  mutating func note(_ new: ServiceDeclaration, displaces old: ServiceDeclaration) {
    module.history.note(new.extends?.node, displaces: old.extends?.node)
    module.history.note(new.type?.node, displaces: old.type?.node)
    module.history.note(new.provides?.node, displaces: old.provides?.node)
    module.history.note(new.scope?.node, displaces: old.scope?.node)
    module.history.note(new.decorators?.node, displaces: old.decorators?.node)
    module.history.note(new.condition?.node, displaces: old.condition?.node)
    module.history.note(new.isEager?.node, displaces: old.isEager?.node)
    module.history.note(new.isPrivate?.node, displaces: old.isPrivate?.node)
    module.history.note(new.isAutowired?.node, displaces: old.isAutowired?.node)
    module.history.note(new.deprecated?.node, displaces: old.deprecated?.node)
    note(new.tags, displace: old.tags)
    note(new.arguments, displaces: old.arguments)
  }

  /// Notes what each tag took the place of.
  private mutating func note(_ new: [TagDeclaration], displace old: [TagDeclaration]) {
    guard !new.isEmpty, !old.isEmpty else { return }
    let tags = Dictionary(old.map { ($0.name.name, $0) }) { first, _ in first }
    for tag in new {
      module.history.note(tag.order?.node, displaces: tags[tag.name.name]?.order?.node)
      module.history.note(tag.key?.node, displaces: tags[tag.name.name]?.key?.node)
    }
  }

  /// Notes what each argument took the place of.
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

  /// Notes what each leaf of a datum took the place of.
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
