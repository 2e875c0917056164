// SPDX-License-Identifier: Apache-2.0

/// Checks that what lives as long as someone holds it can be held: an instance of a class.
struct WeakCheck {
  let graph: WiringGraph

  /// Runs the check. What is held is what the outermost decorator makes.
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
  /// Whether instances are copied, so that no consumer can hold one of them.
  fileprivate var isValueType: Bool {
    switch self {
    case .struct, .enum: true
    case .class, .actor, .any: false
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A value type in a lifetime that follows who holds the instance.
  fileprivate static func weakValueType(_ id: String, _ type: RegisteredType, at node: NodeRef) -> Finding {
    Finding(
      .weakValueType, "service \"\(id)\" has scope \"weak\", but type \"\(type.name)\" is a value type", at: node,
      help: "choose another scope, or make the type a class", owner: id)
  }
}
