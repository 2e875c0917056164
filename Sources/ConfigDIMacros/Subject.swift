// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftSyntax

  /// The type to which `@Resolvable` is attached.
  struct Subject {
    /// The type's name, as written.
    let name: TokenSyntax
    /// Whether the type is an actor.
    let isActor: Bool
    /// The members, as written.
    let members: MemberBlockItemListSyntax
    /// The access level of the type.
    let access: Access
    /// The isolation of initializers that do not declare their own.
    let isolation: Isolation
    /// Whether the type itself declares its conformance to `Resolvable`, instead of a superclass or an extension.
    let namesResolvable: Bool

    /// Reads a declaration; `nil` if it is not a class, structure or actor, which is reported.
    ///
    /// - Parameter lexicalContext: The enclosing syntax of the declaration, innermost first.
    init?(_ declaration: some DeclGroupSyntax, in lexicalContext: [Syntax], _ findings: inout Findings) {
      switch Syntax(declaration).as(SyntaxEnum.self) {
      case .classDecl(let type): name = type.name
      case .structDecl(let type): name = type.name
      case .actorDecl(let type): name = type.name
      default:
        findings.report(notAType, at: declaration.introducer)
        return nil
      }
      isActor = declaration.is(ActorDeclSyntax.self)
      members = declaration.memberBlock.members
      access = Access(of: declaration, named: name.text, in: lexicalContext)
      isolation = declaration.attributes.isolation ?? .none
      namesResolvable =
        declaration.inheritanceClause?.inheritedTypes.contains { inherited in
          inherited.type.tokens(viewMode: .sourceAccurate).contains { $0.text == "Resolvable" }
        } ?? false
    }

    /// Whether the type declares the member `injection` itself.
    var declaresInjection: Bool {
      members.contains { member in
        guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
        return variable.modifiers.has(.static, .class)
          && variable.bindings.contains { $0.pattern.trimmedDescription == "injection" }
      }
    }
  }

  /// The access level of a declaration, as far as the generated code depends on it.
  enum Access: Int {
    /// Visible in the module, or in a part of it.
    case `internal`
    /// Visible in the package.
    case package
    /// Visible everywhere.
    case `public`

    /// Creates the access level of modifiers; `nil` if they have none.
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

    /// Creates the access level of a type. Without a modifier, it is that of the extension that contains the type.
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

    /// The modifier, with a space after it.
    var modifier: String {
      switch self {
      case .internal: ""
      case .package: "package "
      case .public: "public "
      }
    }
  }

  /// The isolation of an initializer.
  enum Isolation {
    /// Not isolated: runs where it is called.
    case none
    /// Isolated to the main actor.
    case mainActor
    /// Isolated to another global actor. The macro knows only its attribute.
    case otherActor
  }

  /// The message about a declaration that is not a class, structure or actor.
  private let notAType = "\"@Resolvable\" can only be attached to a class, a struct or an actor"
#endif
