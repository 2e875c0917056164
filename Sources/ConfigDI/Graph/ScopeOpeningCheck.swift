// SPDX-License-Identifier: Apache-2.0

/// Checks that the module declares all named scopes that its types open.
struct ScopeOpeningCheck {
  let graph: WiringGraph

  func run(_ bag: inout DiagnosticBag) {
    guard !graph.definition.malformedKeys.contains(.scopes) else { return }
    // Built once for all findings.
    lazy var index = SuggestionIndex(graph.scopes)
    lazy var declared = graph.scopes.isEmpty ? nil : "declared scopes: \(graph.scopes.quotedList)"
    for holder in graph.holders(being: .opening) where !holder.isMalformed {
      guard let type = holder.registered, let token = holder.typeToken else { continue }
      for scope in type.openedScopes where !graph.declaresScope(scope) {
        var finding = Finding.opensUnknownScope(holder, type, scope, at: token.node)
        finding.help =
          SuggestionIndex.help(index.suggestions(for: scope)) ?? declared ?? "add \"\(scope)\" to \"scopes\""
        bag.report(finding)
      }
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a type that opens a scope which the module does not declare.
  fileprivate static func opensUnknownScope(
    _ holder: Holder, _ type: RegisteredType, _ scope: String, at node: NodeRef
  ) -> Finding {
    Finding(
      .unknownScope,
      "\(holder.inWords) has type \"\(type.name)\", which opens scope \"\(scope)\", but the module does not declare it",
      at: node, subject: scope, owner: holder.id)
  }
}
