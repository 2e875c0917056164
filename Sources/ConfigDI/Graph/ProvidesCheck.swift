// SPDX-License-Identifier: Apache-2.0

/// Checks that services and bindings promise only what the registered types provide.
struct ProvidesCheck {
  /// The graph.
  let graph: WiringGraph

  /// A check of a graph whose types are known.
  init(_ graph: WiringGraph) { self.graph = graph }

  /// Runs the check.
  func run(_ bag: inout DiagnosticBag) {
    for holder in graph.holders where !holder.isMisshapen {
      guard let type = holder.type else { continue }
      for token in holder.provides where !type.provides.contains(graph.definition.names[token.name]) {
        bag.report(.falseClaim(holder, graph.definition.names[token.name], type, at: token.node))
      }
    }
    for binding in graph.definition.bindings {
      guard let place = binding.service, !graph.definition.services[place].isMisshapen,
        let type = graph.type(of: place)
      else { continue }
      let name = graph.definition.names[binding.name]
      if !graph.provides(of: place, type).contains(name) {
        bag.report(.falseBinding(name, graph.id(of: place), type, at: binding.target.node))
      }
    }
  }
}

extension WiringGraph {
  /// The names by which a service is looked up: those that the file says, else all of its type.
  func provides(of service: Int, _ type: TypeDescriptor) -> [String] {
    definition.services[service].declaration.provides?.appended.map { definition.names[$0.name] } ?? type.provides
  }
}

extension TypeDescriptor {
  /// What the type provides, in words.
  var providesInWords: String {
    "type \"\(name)\" provides " + (provides.isEmpty ? "nothing" : provides.quotedList)
  }
}

// MARK: - Messages

extension Finding {
  /// A provided name that the type does not provide.
  fileprivate static func falseClaim(
    _ holder: Holder, _ name: String, _ type: TypeDescriptor, at node: NodeRef
  ) -> Finding {
    var finding = Finding(
      .providesMismatch,
      "\(holder.inWords) claims to provide \"\(name)\", which type \"\(type.name)\" does not provide", at: node)
    finding.owner = holder.id
    finding.help = type.providesInWords
    return finding
  }

  /// A binding to a service that does not provide the name.
  fileprivate static func falseBinding(
    _ name: String, _ service: String, _ type: TypeDescriptor, at node: NodeRef
  ) -> Finding {
    var finding = Finding(
      .providesMismatch, "\"\(name)\" is bound to service \"\(service)\", which does not provide it", at: node)
    finding.help = type.providesInWords
    return finding
  }
}
