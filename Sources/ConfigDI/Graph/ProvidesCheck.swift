// SPDX-License-Identifier: Apache-2.0

/// Checks that services list, and bindings bind, only names that the registered types provide.
struct ProvidesCheck {
  let graph: WiringGraph

  func run(_ bag: inout DiagnosticBag) {
    let definition = graph.definition
    for holder in graph.holders(being: .narrowed) where !holder.isMalformed {
      guard let type = holder.registered else { continue }
      for token in holder.provides ?? [] where !type.provides(definition.names[token.name]) {
        bag.report(.falseClaim(holder, definition.names[token.name], type, at: token.node))
      }
    }
    var saidNames: [Int: Set<Name>] = [:]
    for binding in definition.bindings {
      guard let place = binding.service, !definition.services[place].isMalformed,
        let type = graph.holders[place].registered
      else { continue }
      let (name, id) = (definition.names[binding.name], graph.id(of: place))
      if let said = definition.services[place].provides {
        // A name that the service lists is checked above, even if its type does not provide it.
        let names = saidNames[place] ?? Set(said.map(\.name))
        saidNames[place] = names
        if names.contains(binding.name) { continue }
        if type.provides(name) {
          bag.report(.notPromised(name, id, at: binding.target.node))
          continue
        }
      }
      if !type.provides(name) { bag.report(.falseBinding(name, id, type, at: binding.target.node)) }
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a name in `provides` that the type does not provide.
  fileprivate static func falseClaim(
    _ holder: Holder, _ name: String, _ type: RegisteredType, at node: NodeRef
  ) -> Finding {
    Finding(
      .providesMismatch,
      "\(holder.inWords) lists \"\(name)\" in \"provides\", but type \"\(type.name)\" does not provide it", at: node,
      help: type.providesInWords, owner: holder.id)
  }

  /// Returns the finding for a binding to a service whose type does not provide the name.
  fileprivate static func falseBinding(
    _ name: String, _ service: String, _ type: RegisteredType, at node: NodeRef
  ) -> Finding {
    Finding(
      .providesMismatch, "\"\(name)\" is bound to service \"\(service)\", which does not provide it", at: node,
      help: type.providesInWords)
  }

  /// Returns the finding for a binding to a service whose type provides the name, but whose `provides` omits it.
  fileprivate static func notPromised(_ name: String, _ service: String, at node: NodeRef) -> Finding {
    Finding(
      .providesMismatch, "\"\(name)\" is bound to service \"\(service)\", whose \"provides\" does not list it",
      at: node, help: "add \"\(name)\" to \"provides\" of \"\(service)\"")
  }
}
