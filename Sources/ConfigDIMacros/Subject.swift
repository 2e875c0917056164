// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftSyntax

  /// The type at which `@Resolvable` stands.
  struct Subject {
    /// The type's name, as written.
    let name: TokenSyntax
    /// The members, as written.
    let members: MemberBlockItemListSyntax
    /// From where the type can be seen.
    let access: Access
    /// Where the type's initializers run unless they say otherwise.
    let isolation: Isolation
    /// Whether the type itself, and not a superclass or an extension, says that it is `Resolvable`.
    let namesResolvable: Bool

    /// Reads a declaration; nil where it is none of a class, structure or actor, which is then told.
    ///
    /// - Parameter lexicalContext: what the declaration stands in, the innermost first.
    init?(_ declaration: some DeclGroupSyntax, in lexicalContext: [Syntax], _ findings: inout Findings) {
      switch Syntax(declaration).as(SyntaxEnum.self) {
      case .classDecl(let type): name = type.name
      case .structDecl(let type): name = type.name
      case .actorDecl(let type): name = type.name
      default:
        findings.report(notAType, at: declaration.introducer)
        return nil
      }
      members = declaration.memberBlock.members
      access = Access(of: declaration, named: name.text, in: lexicalContext)
      isolation = declaration.attributes.isolation ?? .none
      namesResolvable =
        declaration.inheritanceClause?.inheritedTypes.contains { inherited in
          inherited.type.tokens(viewMode: .sourceAccurate).contains { $0.text == "Resolvable" }
        } ?? false
    }

    /// Whether the type says itself how it is made.
    var declaresInjection: Bool {
      members.contains { member in
        guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
        return variable.modifiers.has(.static, .class)
          && variable.bindings.contains { $0.pattern.trimmedDescription == "injection" }
      }
    }
  }

  /// From where a declaration can be seen, as far as what the macro writes depends on it.
  enum Access: Int {
    /// In the module, or in a part of it.
    case `internal`
    /// In the package.
    case package
    /// Everywhere.
    case `public`

    /// What modifiers say; nil where they are silent.
    init?(_ modifiers: DeclModifierListSyntax) {
      if modifiers.has(.public, .open) {
        self = .public
      } else if modifiers.has(.package) {
        self = .package
      } else if modifiers.has(.internal, .fileprivate, .private) {
        self = .internal
      } else {
        return nil
      }
    }

    /// The access of a type. One that is silent has that of the extension in which it stands.
    fileprivate init(of declaration: some DeclGroupSyntax, named name: String, in lexicalContext: [Syntax]) {
      if let access = Access(declaration.modifiers) {
        self = access
        return
      }
      // The context may begin with the declaration itself.
      let isFirst = lexicalContext.first?.asProtocol((any NamedDeclSyntax).self)?.name.text == name
      let outer = lexicalContext.dropFirst(isFirst ? 1 : 0).first?.as(ExtensionDeclSyntax.self)
      self = outer.flatMap { Access($0.modifiers) } ?? .internal
    }

    /// The modifier with the space behind it.
    var modifier: String {
      switch self {
      case .internal: ""
      case .package: "package "
      case .public: "public "
      }
    }
  }

  /// Where an initializer runs.
  enum Isolation {
    /// Wherever it is called.
    case none
    /// On the main actor.
    case mainActor
    /// On another global actor, of which the macro knows only the attribute.
    case otherActor
  }

  /// The attribute stands at something that cannot be made.
  private let notAType = "\"@Resolvable\" stands only at a class, a struct or an actor"
#endif
