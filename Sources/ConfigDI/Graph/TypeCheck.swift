// SPDX-License-Identifier: Apache-2.0

/// Checks that the types of all services, decorators and templates are registered.
struct TypeCheck {
  let graph: WiringGraph
  /// The registered types.
  let types: RegisteredTypes

  func run(_ bag: inout DiagnosticBag) {
    for holder in graph.holders(being: .untyped) where !holder.isMalformed {
      guard let type = holder.typeToken else { continue }
      bag.report(.unknownType(holder, graph.definition.names[type.name], at: type.node))
    }
    bag.suggest(
      among: types.catalog.types.map(\.name), for: .unknownType,
      orElse: "register the type, or export the catalog again")
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a type that is not registered.
  fileprivate static func unknownType(_ holder: Holder, _ type: String, at node: NodeRef) -> Finding {
    Finding(
      .unknownType, "\(holder.inWords) has unknown type \"\(type)\"", at: node,
      label: "no type with this name is registered", subject: type, owner: holder.id)
  }
}
