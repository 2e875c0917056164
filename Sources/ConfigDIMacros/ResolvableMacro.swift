// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// The implementation of `@Resolvable`, which generates members and the conformance to `Resolvable`.
  ///
  /// The members are generated in the type itself, not in the extension, since only there the names of the parameters'
  /// types have the same meaning as for the initializer.
  enum ResolvableMacro {
    /// The generated code already has its line breaks and spaces. Formatting it would take longer than generating it.
    static var formatMode: FormatMode { .disabled }

    /// Returns how instances of the type are made; `nil` if an error was reported.
    ///
    /// - Parameter conforms: Whether the type conforms to `Resolvable` without the macro.
    private static func recipe(
      for declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax, conforms: Bool, _ lexicalContext: [Syntax],
      _ findings: inout Findings
    ) -> (subject: Subject, recipe: Recipe)? {
      guard let subject = Subject(declaration, in: lexicalContext, &findings) else { return nil }
      if conforms, !subject.namesResolvable {
        findings.report(alreadyResolvable(subject.name.text), at: subject.name)
        return nil
      }
      guard let recipe = Recipe(of: subject, marks: AttributeArguments(attribute, &findings), &findings),
        findings.isEmpty
      else {
        return nil
      }
      return (subject, recipe)
    }
  }

  extension ResolvableMacro: MemberMacro {
    static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
      var findings = Findings()
      let found = recipe(for: declaration, node, conforms: protocols.isEmpty, context.lexicalContext, &findings)
      for diagnostic in findings.diagnostics { context.diagnose(diagnostic) }
      guard let (subject, recipe) = found else { return [] }
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
      // The other role reports the errors. A conformance without its member would only cause further errors.
      var findings = Findings()
      guard !protocols.isEmpty,
        let (subject, recipe) = recipe(for: declaration, node, conforms: false, context.lexicalContext, &findings),
        recipe.initializer != nil || !subject.declaresInjection
      else { return [] }
      // In a target whose default isolation is the main actor, the conformance of a type that can be made anywhere would
      // be on the main actor.
      return [try ExtensionDeclSyntax("nonisolated extension \(type.trimmed): ConfigDI.Resolvable {}")]
    }
  }

  /// The message about a type that is `Resolvable` by its superclass, and would be made as that superclass.
  private func alreadyResolvable(_ name: String) -> String {
    "\"\(name)\" conforms to Resolvable already, by its superclass or an extension; remove \"@Resolvable\" and register it with arguments"
  }
#endif
