// SPDX-License-Identifier: Apache-2.0

/// Warns if a string in `values` equals the id of a service and the argument cannot be checked against a type.
struct MisplacedReferenceCheck {
  let graph: WiringGraph

  func run(_ bag: inout DiagnosticBag) {
    let definition = graph.definition
    let holders = graph.holders(being: .uncheckable).filter { !$0.isMalformed }
    guard !holders.isEmpty else { return }
    let excluded = Set(definition.excluded.map(\.name))
    for holder in holders {
      for value in holder.declaredValues {
        value.content.forEachText { text, node in
          guard let name = definition.names.existingName(text),
            definition.servicePlaces[name] != nil || excluded.contains(name)
          else { return }
          bag.report(.looksLikeReference(definition.names[name], at: node))
        }
      }
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a string that equals the id of a service.
  fileprivate static func looksLikeReference(_ id: String, at node: NodeRef) -> Finding {
    Finding(
      .looksLikeReference, "string \"\(id)\" is the id of a service", at: node,
      help: "if the service is meant, move the argument to \"inject\"")
  }
}
