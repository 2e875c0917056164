// SPDX-License-Identifier: Apache-2.0

/// Warns of uses of deprecated services, parameters and types.
struct DeprecationCheck {
  let graph: WiringGraph

  func run(_ bag: inout DiagnosticBag) {
    checkReferences(&bag)
    checkTypes(&bag)
    checkParameters(&bag)
  }

  /// Reports references and bindings to deprecated services.
  private func checkReferences(_ bag: inout DiagnosticBag) {
    let definition = graph.definition
    // The loop over all references is slow in a large module, and most modules have no deprecated service.
    guard graph.services(being: .deprecated).contains(where: { _ in true }) else { return }
    func check(_ service: Int, _ node: NodeRef) {
      guard let words = words(of: service) else { return }
      bag.report(.deprecatedUse("service \"\(graph.id(of: service))\"", words, at: node))
    }
    for edge in graph.edges where !graph.holders[edge.holder].isDeprecated { check(edge.to, edge.node) }
    // References of templates are not edges of the graph.
    for holder in graph.holders where holder.service == nil && !holder.isDeprecated {
      for injection in holder.injections { injection.reference.forEachService(check) }
    }
    for binding in definition.bindings {
      if let service = binding.service { check(service, binding.target.node) }
    }
  }

  /// Reports services, decorators and templates with a deprecated type.
  private func checkTypes(_ bag: inout DiagnosticBag) {
    for holder in graph.holders(being: .deprecatedType) where !holder.isMalformed && !holder.isDeprecated {
      guard let type = holder.registered, let words = type.descriptor.deprecated, let token = holder.typeToken else {
        continue
      }
      bag.report(.deprecatedUse("type \"\(type.name)\"", words, at: token.node))
    }
  }

  /// Reports placeholders and conditions with deprecated parameters.
  private func checkParameters(_ bag: inout DiagnosticBag) {
    let definition = graph.definition
    var deprecated: [Name: String] = [:]
    for parameter in definition.parameters {
      guard let words = parameter.declaration.deprecated else { continue }
      deprecated[parameter.name] = definition.names[words.name]
    }
    guard !deprecated.isEmpty else { return }
    func check(_ name: Name, _ node: NodeRef) {
      guard let words = deprecated[name] else { return }
      bag.report(.deprecatedUse("parameter \"\(definition.names[name])\"", words, at: node))
    }
    for holder in graph.holders where !holder.isMalformed && !holder.isDeprecated {
      for value in holder.declaredValues { value.content.forEachPlaceholder(check) }
    }
    let exempt = Set(definition.services.lazy.filter(\.isDeprecated).map(\.name))
    for use in definition.conditionUses where !exempt.contains(use.service) {
      check(use.parameter.name, use.parameter.node)
    }
    for parameter in definition.parameters where parameter.declaration.deprecated == nil {
      parameter.declaration.source?.literal?.forEachPlaceholder(check)
    }
  }

  /// Returns the deprecation notice of a service, or `nil` if it is not deprecated.
  private func words(of service: Int) -> String? {
    let service = graph.definition.services[service]
    guard service.isDeprecated else { return nil }
    return service.declaration.deprecated.map { graph.definition.names[$0.name] }
  }
}

extension LinkedReference {
  /// Calls a closure with each service in the reference and the token that leads to it.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  fileprivate func forEachService(_ body: (_ service: Int, _ node: NodeRef) -> Void) {
    switch self {
    case .service(let service, let node): body(service, node)
    case .list(let elements, _): for element in elements { element.forEachService(body) }
    case .map(let entries, _): for entry in entries { entry.reference.forEachService(body) }
    case .absent, .broken: break
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a use of a deprecated service, parameter or type.
  fileprivate static func deprecatedUse(_ what: String, _ words: String, at node: NodeRef) -> Finding {
    Finding(.deprecated, "\(what) is deprecated: \(words)", at: node, subject: what)
  }
}
