// SPDX-License-Identifier: Apache-2.0

/// Checks that `weak` services are instances of classes. The container cannot hold a value type weakly.
struct WeakCheck {
  let graph: WiringGraph

  /// Runs the check. With decorators, the type of the outermost one counts.
  func run(_ bag: inout DiagnosticBag) {
    for place in graph.services(being: .scoped) {
      let service = graph.definition.services[place]
      guard !service.isMalformed, !graph.holders[place].traits.contains(.given), graph.lifetime(of: place) == .weak,
        let type = graph.outermostType(of: place),
        type.descriptor.kind.isValueType
      else {
        continue
      }
      bag.report(.weakValueType(graph.id(of: place), type, at: service.declaration.scope?.node ?? service.key))
    }
  }
}

extension TypeDescriptor.Kind {
  /// Whether the kind is a value type.
  fileprivate var isValueType: Bool {
    switch self {
    case .struct, .enum: true
    case .class, .actor, .any: false
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a value type with the lifetime `weak`.
  fileprivate static func weakValueType(_ id: String, _ type: RegisteredType, at node: NodeRef) -> Finding {
    Finding(
      .weakValueType, "service \"\(id)\" has scope \"weak\", but type \"\(type.name)\" is a value type", at: node,
      help: "choose another scope, or make the type a class", owner: id)
  }
}
