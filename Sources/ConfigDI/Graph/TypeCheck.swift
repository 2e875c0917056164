// SPDX-License-Identifier: Apache-2.0

/// Checks that every service's type is registered.
struct TypeCheck {
  /// The graph.
  let graph: WiringGraph
  /// The registered types.
  let types: RegisteredTypes

  /// A check of a graph whose types are known.
  init(_ graph: WiringGraph, _ types: RegisteredTypes) {
    self.graph = graph
    self.types = types
  }

  /// Runs the check.
  func run(_ bag: inout DiagnosticBag) {
    for (place, service) in graph.definition.services.enumerated() where !service.isMisshapen {
      guard let type = service.declaration.type, types[type.name] == nil else { continue }
      bag.report(.unknownType(graph.id(of: place), graph.definition.names[type.name], at: type.node))
    }
    bag.suggest(among: types.types.map(\.name), for: .unknownType, orElse: "register it, or export the catalog anew")
  }
}

// MARK: - Messages

extension Finding {
  /// A type that is not registered.
  fileprivate static func unknownType(_ service: String, _ type: String, at node: NodeRef) -> Finding {
    var finding = Finding(.unknownType, "service \"\(service)\" has unknown type \"\(type)\"", at: node)
    finding.label = "no type of this name is registered"
    finding.subject = type
    return finding
  }
}
