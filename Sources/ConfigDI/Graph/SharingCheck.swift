// SPDX-License-Identifier: Apache-2.0

/// Checks that what several threads share is safe to share.
struct SharingCheck {
  /// The graph.
  let graph: WiringGraph

  /// A check of a graph whose types are known.
  init(_ graph: WiringGraph) { self.graph = graph }

  /// Runs the check.
  func run(_ bag: inout DiagnosticBag) {
    for (place, service) in graph.definition.services.enumerated() where !service.isMisshapen {
      guard let type = graph.type(of: place), !type.isSendable, graph.lifetime(of: place) == .shared else { continue }
      bag.report(.notSendable(graph.id(of: place), type, at: service.declaration.scope?.node ?? service.key))
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A type that several threads must not share, in a lifetime that shares it.
  fileprivate static func notSendable(_ service: String, _ type: TypeDescriptor, at node: NodeRef) -> Finding {
    var finding = Finding(
      .notSendable,
      "service \"\(service)\" is shared across threads, for which type \"\(type.name)\" is not safe", at: node)
    finding.help = "make the type Sendable, register it as safe to share, or give the service the scope \"transient\""
    return finding
  }
}
