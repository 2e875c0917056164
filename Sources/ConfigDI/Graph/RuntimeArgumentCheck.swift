// SPDX-License-Identifier: Apache-2.0

/// Checks that services with run-time arguments are built only by look-ups that pass them, and that run-time arguments
/// are hashable where the container keeps instances by them.
struct RuntimeArgumentCheck {
  let graph: WiringGraph

  func run(_ bag: inout DiagnosticBag) {
    let takers = Set(graph.holders(being: .parametrized).compactMap(\.service))
    guard !takers.isEmpty else { return }
    let needs = Dictionary(uniqueKeysWithValues: takers.map { ($0, graph.runtimeArguments(of: $0)) })
    for edge in graph.edges where edge.isHeld {
      // The argument of a type that is not known may be a provider.
      guard let needs = needs[edge.to], !needs.isEmpty, graph.holders[edge.holder].argumentType != nil else { continue }
      bag.report(
        .needsArguments(graph.id(of: edge.from), graph.argument(of: edge), graph.id(of: edge.to), needs, at: edge.node))
    }
    for place in takers.sorted() {
      guard let needs = needs[place], !needs.isEmpty else { continue }
      let service = graph.definition.services[place]
      if service.isEager, let key = service.declaration.eagerKey {
        bag.report(.eagerWithArguments(graph.id(of: place), needs, at: key))
      }
      guard let lifetime = graph.lifetime(of: place), lifetime.keepsInstances else { continue }
      for argument in needs {
        guard case .runtime(let type, isHashable: false) = argument.kind else { continue }
        bag.report(
          .notHashable(
            graph.id(of: place), argument.key, type, lifetime.word(in: graph.scopes),
            at: service.declaration.scope?.node ?? service.key))
      }
    }
  }
}

extension WiringGraph {
  /// Returns the run-time arguments of a service: its own, then those of its decorators, innermost first.
  fileprivate func runtimeArguments(of service: Int) -> [ArgumentDescriptor] {
    guard !definition.services[service].isMalformed else { return [] }
    let own = holders[service].registered?.runtime ?? []
    return own + decorators(of: service).flatMap { $0.registered?.runtime ?? [] }
  }
}

extension Lifetime {
  /// Whether instances are kept, so that run-time arguments must tell them apart.
  fileprivate var keepsInstances: Bool {
    switch self {
    case .shared, .weak, .scope: true
    case .transient, .graph: false
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a direct reference to a service with run-time arguments.
  fileprivate static func needsArguments(
    _ holder: String, _ argument: String, _ id: String, _ needs: [ArgumentDescriptor], at node: NodeRef
  ) -> Finding {
    Finding(
      .needsRuntimeArguments,
      "argument \"\(argument)\" of service \"\(holder)\" refers to service \"\(id)\", which requires run-time arguments "
        + needs.map(\.key).quotedList, at: node,
      help:
        "declare the argument as a Provider and pass the run-time arguments when calling it; or register what a whole "
        + "scope shares with registry.given, and give it when the scope opens", subject: "\(argument) \(id)",
      owner: holder)
  }

  /// Returns the finding for an eager service with run-time arguments, which nothing passes at the start.
  fileprivate static func eagerWithArguments(
    _ id: String, _ needs: [ArgumentDescriptor], at node: NodeRef
  ) -> Finding {
    Finding(
      .needsRuntimeArguments,
      "service \"\(id)\" is eager, but requires run-time arguments \(needs.map(\.key).quotedList)", at: node,
      help: "remove \"eager\"")
  }

  /// Returns the finding for a run-time argument that is not hashable, of a service whose instances are kept.
  fileprivate static func notHashable(
    _ id: String, _ key: String, _ type: String, _ lifetime: String, at node: NodeRef
  ) -> Finding {
    Finding(
      .notHashable,
      "service \"\(id)\" keeps instances in scope \"\(lifetime)\", but its run-time argument \"\(key)\" of type "
        + "\"\(type)\" is not Hashable", at: node,
      help: "make the type Hashable, or give the service scope \"transient\"", subject: key, owner: id)
  }
}
