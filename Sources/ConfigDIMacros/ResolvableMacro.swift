// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// What `@Resolvable` writes: the members, and the conformance to `Resolvable`.
  ///
  /// The members stand in the type itself and not in the extension, as only there the names of its parameters' types mean
  /// what they mean to the initializer.
  enum ResolvableMacro {}

  extension ResolvableMacro: MemberMacro {
    static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
      var findings = Findings()
      let members = members(of: declaration, node, conforms: protocols.isEmpty, context.lexicalContext, &findings)
      for diagnostic in findings.diagnostics { context.diagnose(diagnostic) }
      return findings.isEmpty ? members : []
    }

    /// What is to be written into a type.
    ///
    /// - Parameter conforms: whether the type is `Resolvable` without the macro.
    private static func members(
      of declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax, conforms: Bool, _ lexicalContext: [Syntax],
      _ findings: inout Findings
    ) -> [DeclSyntax] {
      guard let subject = Subject(declaration, in: lexicalContext, &findings) else { return [] }
      if conforms, !subject.namesResolvable {
        findings.report(alreadyResolvable(subject.name.text), at: subject.name)
        return []
      }
      guard let recipe = Recipe(of: subject, marks: Marks(attribute, &findings), &findings) else { return [] }
      var members: [DeclSyntax] = []
      if let initializer = recipe.initializer { members.append(initializer) }
      if !subject.declaresInjection { members.append(recipe.injection(of: subject)) }
      return members
    }
  }

  extension ResolvableMacro: ExtensionMacro {
    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      // What is wrong, the other role tells; a conformance without its member would only add to it.
      var findings = Findings()
      let members = members(of: declaration, node, conforms: protocols.isEmpty, context.lexicalContext, &findings)
      guard findings.isEmpty, !protocols.isEmpty, !members.isEmpty else { return [] }
      return [try ExtensionDeclSyntax("extension \(type.trimmed): ConfigDI.Resolvable {}")]
    }
  }

  /// A type that conforms by its superclass would be made as that.
  private func alreadyResolvable(_ name: String) -> String {
    "\"\(name)\" is Resolvable by its superclass or an extension, which says how it is made; register it with arguments"
  }
#endif
