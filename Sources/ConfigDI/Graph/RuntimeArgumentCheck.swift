// SPDX-License-Identifier: Apache-2.0

/// Checks that run-time arguments come from look-ups alone, and can distinguish kept instances.
struct RuntimeArgumentCheck {
  let graph: WiringGraph

  func run(_ bag: inout DiagnosticBag) {
    let takers = Set(graph.holders(being: .parametrized).compactMap(\.service))
    guard !takers.isEmpty else { return }
    let needs = Dictionary(uniqueKeysWithValues: takers.map { ($0, graph.runtimeArguments(of: $0)) })
    for edge in graph.edges where edge.isHeld {
      let holder = graph.holders[edge.holder]
      // An argument that is not known may be a Provider.
      guard let needs = needs[edge.to], !needs.isEmpty, holder.argumentType != nil,
        holder.injections[edge.injection].argument != nil
      else { continue }
      bag.report(.needsArguments(holder, graph.argument(of: edge), graph.id(of: edge.to), needs, at: edge.node))
    }
    for (place, needs) in needs.sorted(by: { $0.key < $1.key }) where !needs.isEmpty {
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
  /// The arguments that a look-up of a service brings along: its own, then those of its decorators, from the innermost.
  fileprivate func runtimeArguments(of service: Int) -> [ArgumentDescriptor] {
    guard !definition.services[service].isMalformed else { return [] }
    let own = holders[service].registered?.runtime ?? []
    return own + decorators(of: service).flatMap { $0.registered?.runtime ?? [] }
  }
}

extension Lifetime {
  /// Whether instances are kept, so that those with other arguments must be distinguished.
  fileprivate var keepsInstances: Bool {
    switch self {
    case .shared, .weak, .scope: true
    case .transient, .graph: false
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A reference to a service that only a look-up with arguments can build.
  fileprivate static func needsArguments(
    _ holder: Holder, _ argument: String, _ id: String, _ needs: [ArgumentDescriptor], at node: NodeRef
  ) -> Finding {
    Finding(
      .needsRuntimeArguments,
      "\(holder.inWords) injects service \"\(id)\", which requires run-time arguments \(needs.map(\.key).quotedList)",
      at: node,
      help:
        "declare the argument as a Provider and pass the run-time arguments when calling it; or register what a whole "
        + "scope shares with registry.given, and give it when the scope opens", subject: "\(argument) \(id)",
      owner: holder.id)
  }

  /// A service that is built at the start, when nothing supplies its arguments.
  fileprivate static func eagerWithArguments(
    _ id: String, _ needs: [ArgumentDescriptor], at node: NodeRef
  ) -> Finding {
    Finding(
      .needsRuntimeArguments,
      "service \"\(id)\" is eager, but requires run-time arguments \(needs.map(\.key).quotedList)", at: node,
      help: "remove \"eager\"")
  }

  /// A run-time argument by which kept instances cannot be distinguished.
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
