// SPDX-License-Identifier: Apache-2.0

/// Checks that all lifetimes are known, and that eager services are shared.
struct LifetimeCheck {
  let graph: WiringGraph

  func run(_ bag: inout DiagnosticBag) {
    for place in graph.services(being: .scoped) {
      let service = graph.definition.services[place]
      guard !service.isMalformed else { continue }
      guard let lifetime = graph.lifetime(of: place) else {
        reportUnknown(service.declaration.scope, "service", graph.id(of: place), &bag)
        continue
      }
      if lifetime != .shared, service.isEager, let key = service.declaration.eagerKey {
        bag.report(.eagerWithoutShared(graph.id(of: place), lifetime.word(in: graph.scopes), at: key))
      }
    }
    for template in graph.definition.templates where template.isLoose && !template.isMalformed {
      guard let scope = template.declaration.scope, graph.lifetime(named: scope.name) == nil else { continue }
      reportUnknown(scope, "template", graph.definition.names[template.name], &bag)
    }
    let words = Lifetime.words + graph.scopes
    bag.suggest(among: words, for: .unknownScope, orElse: "known scopes: " + words.quotedList)
  }

  /// Reports an unknown lifetime, unless the list of scopes could not be read.
  private func reportUnknown(_ scope: Token?, _ kind: String, _ id: String, _ bag: inout DiagnosticBag) {
    guard let scope, !graph.definition.malformedKeys.contains(.scopes) else { return }
    bag.report(.unknownScope(kind, id, graph.definition.names[scope.name], at: scope.node))
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for an unknown lifetime.
  fileprivate static func unknownScope(
    _ kind: String, _ id: String, _ word: String, at node: NodeRef
  ) -> Finding {
    Finding(.unknownScope, "\(kind) \"\(id)\" has unknown scope \"\(word)\"", at: node, subject: word, owner: id)
  }

  /// Returns the finding for an eager service that is not shared.
  fileprivate static func eagerWithoutShared(_ service: String, _ lifetime: String, at node: NodeRef) -> Finding {
    Finding(
      .excludingKeys, "service \"\(service)\": \"eager\" requires scope \"shared\", found \"\(lifetime)\"", at: node,
      help: "remove \"eager\", or give the service scope \"shared\"", owner: service)
  }
}
