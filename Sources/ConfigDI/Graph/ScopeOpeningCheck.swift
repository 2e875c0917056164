// SPDX-License-Identifier: Apache-2.0

/// Checks that the module declares the named scopes which its types open.
struct ScopeOpeningCheck {
  /// The graph.
  let graph: WiringGraph

  /// A check of a graph whose types are known.
  init(_ graph: WiringGraph) { self.graph = graph }

  /// Runs the check.
  func run(_ bag: inout DiagnosticBag) {
    guard !graph.definition.hasMisshapenScopes else { return }
    for holder in graph.holders(being: .opening) where !holder.isMisshapen {
      guard let type = holder.registered, let token = holder.typeToken else { continue }
      for scope in type.openedScopes where !graph.scopes.contains(where: { $0.utf8.elementsEqual(scope.utf8) }) {
        bag.report(.opensUnknownScope(holder, type, scope, among: graph.scopes, at: token.node))
      }
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A type that opens a scope which the module does not declare.
  fileprivate static func opensUnknownScope(
    _ holder: Holder, _ type: RegisteredType, _ scope: String, among scopes: [String], at node: NodeRef
  ) -> Finding {
    var finding = Finding(
      .unknownScope,
      "\(holder.inWords) has type \"\(type.name)\", which opens scope \"\(scope)\", but the module does not declare it",
      at: node)
    finding.owner = holder.id
    finding.subject = scope
    finding.help =
      SuggestionIndex.help(suggestions(for: scope, among: scopes))
      ?? (scopes.isEmpty ? "add \"\(scope)\" to \"scopes\"" : "declared scopes: \(scopes.quotedList)")
    return finding
  }
}
