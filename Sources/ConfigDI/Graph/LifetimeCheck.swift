// SPDX-License-Identifier: Apache-2.0

/// Checks that every lifetime is known, and that what starts with the container is shared.
struct LifetimeCheck {
  /// The graph.
  let graph: WiringGraph

  /// A check of a graph.
  init(_ graph: WiringGraph) { self.graph = graph }

  /// Runs the check.
  func run(_ bag: inout DiagnosticBag) {
    for (place, service) in graph.definition.services.enumerated() where !service.isMisshapen {
      guard let lifetime = graph.lifetime(of: place) else {
        if let scope = service.declaration.scope {
          bag.report(.unknownScope(graph.id(of: place), graph.definition.names[scope.name], at: scope.node))
        }
        continue
      }
      if lifetime != .shared, service.declaration.isEager?.value == true, let key = service.declaration.eagerKey {
        bag.report(.eagerWithoutShared(graph.id(of: place), lifetime, at: key))
      }
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A lifetime that is not there.
  fileprivate static func unknownScope(_ service: String, _ word: String, at node: NodeRef) -> Finding {
    let near = suggestions(for: word, among: Lifetime.words)
    var finding = Finding(.unknownScope, "service \"\(service)\" has unknown scope \"\(word)\"", at: node)
    finding.suggest(near, orElse: "scopes are " + Lifetime.words.quotedList)
    return finding
  }

  /// A service that starts with the container, but is not shared.
  fileprivate static func eagerWithoutShared(_ service: String, _ lifetime: Lifetime, at node: NodeRef) -> Finding {
    var finding = Finding(
      .excludingKeys,
      "service \"\(service)\" is eager, which needs the scope \"shared\", and has the scope \"\(lifetime.word(in: []))\"",
      at: node)
    finding.help = "remove \"eager\", or make the service shared"
    return finding
  }
}
