// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The implementation of `@Injectable`, which generates nothing. It marks an initializer for `@Resolvable`, and
  /// reports marks that `@Resolvable` would not see.
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

  /// The message about a mark on another declaration.
  private let noInitializer = "\"@Injectable\" can only be attached to an initializer"
  /// The message about a mark in a type without `@Resolvable`.
  private let notResolvable = "\"@Injectable\" has no effect in a type without \"@Resolvable\""
  /// The message about a mark in an extension, where the other macro does not look.
  private let inExtension = "\"@Resolvable\" does not read initializers in extensions; move this one into the type"
#endif
