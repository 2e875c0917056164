// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
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
        findings.report(noInitializer, at: node, fixIts: [removal(of: node)])
      } else if let type = context.lexicalContext.first(where: { $0.asProtocol((any DeclGroupSyntax).self) != nil }),
        let group = type.asProtocol((any DeclGroupSyntax).self),
        group.is(ExtensionDeclSyntax.self) || !group.attributes.has("Resolvable")
      {
        findings.report(group.is(ExtensionDeclSyntax.self) ? inExtension : notResolvable, at: node)
      }
      for diagnostic in findings.diagnostics { context.diagnose(diagnostic) }
      return []
    }

    /// Takes the mark away.
    private static func removal(of node: AttributeSyntax) -> FixIt {
      FixIt(
        message: Message("remove \"@Injectable\""),
        changes: [.replace(oldNode: Syntax(node), newNode: Syntax(AttributeListSyntax([])))])
    }
  }

  /// The mark stands at something else.
  private let noInitializer = "\"@Injectable\" marks an initializer"
  /// The mark stands in a type that has no need of it.
  private let notResolvable = "\"@Injectable\" is only for the initializers of a type with \"@Resolvable\""
  /// The mark stands where the other macro does not look.
  private let inExtension = "\"@Resolvable\" does not see initializers in extensions; move this one into the type"
#endif
