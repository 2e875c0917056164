// SPDX-License-Identifier: Apache-2.0

/// Checks the lifetimes of given services, whose instances the application supplies: they must be `shared` or belong to
/// a named scope, and cannot be eager, as nothing builds them.
struct GivenCheck {
  let graph: WiringGraph

  func run(_ bag: inout DiagnosticBag) {
    for place in graph.services(being: .given) {
      let service = graph.definition.services[place]
      guard !service.isMalformed, let lifetime = graph.lifetime(of: place),
        let type = graph.holders[place].registered
      else { continue }
      switch lifetime {
      case .weak, .transient, .graph:
        let word = lifetime.word(in: graph.scopes)
        bag.report(
          .notKept(graph.id(of: place), type, word, at: service.declaration.scope?.node ?? service.key))
      case .shared:
        guard service.isEager, let key = service.declaration.eagerKey else { continue }
        bag.report(.notBuilt(graph.id(of: place), type, at: key))
      case .scope: break
      }
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a given service with a lifetime that keeps no given instance.
  fileprivate static func notKept(
    _ id: String, _ type: RegisteredType, _ lifetime: String, at node: NodeRef
  ) -> Finding {
    Finding(
      .givenMismatch,
      "service \"\(id)\" has scope \"\(lifetime)\", but the application gives the instance of type \"\(type.name)\"",
      at: node,
      help:
        "give the service scope \"shared\", for an instance that is given at load, or a named scope, for one that is "
        + "given when the scope opens", subject: type.name, owner: id)
  }

  /// Returns the finding for a given service that is eager.
  fileprivate static func notBuilt(_ id: String, _ type: RegisteredType, at node: NodeRef) -> Finding {
    Finding(
      .givenMismatch, "service \"\(id)\" is eager, but the application gives the instance of type \"\(type.name)\"",
      at: node, help: "remove \"eager\"; the instance is given when the module is loaded", subject: type.name, owner: id
    )
  }
}
