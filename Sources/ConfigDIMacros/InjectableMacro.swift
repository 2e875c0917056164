// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// What `@Injectable` writes: nothing. It marks an initializer for `@Resolvable`, and says where that would not see it.
  enum InjectableMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
      var findings = Findings()
      if !declaration.is(InitializerDeclSyntax.self) {
        findings.report(noInitializer, at: node, fixIts: [node.removal])
      } else if let type = context.lexicalContext.first(where: { $0.asProtocol((any DeclGroupSyntax).self) != nil }),
        let group = type.asProtocol((any DeclGroupSyntax).self),
        group.is(ExtensionDeclSyntax.self) || !group.attributes.has("Resolvable")
      {
        findings.report(group.is(ExtensionDeclSyntax.self) ? inExtension : notResolvable, at: node)
      }
      for diagnostic in findings.diagnostics { context.diagnose(diagnostic) }
      return []
    }
  }

  /// The mark stands at something else.
  private let noInitializer = "\"@Injectable\" marks an initializer"
  /// The mark stands in a type that has no need of it.
  private let notResolvable = "\"@Injectable\" is only for the initializers of a type with \"@Resolvable\""
  /// The mark stands where the other macro does not look.
  private let inExtension = "\"@Resolvable\" does not see initializers in extensions; move this one into the type"
#endif
