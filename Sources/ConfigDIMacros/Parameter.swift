// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// A parameter of an initializer as the container gives it.
  struct Parameter {
    /// The label at the call, as written; nil for none.
    let label: String?
    /// What files and look-ups call the argument: the label, or the inner name where there is none.
    let key: String
    /// The type of what is given.
    let type: TypeSyntax
    /// What the initializer takes where nothing is given.
    let defaultValue: ExprSyntax?
    /// What the attribute says of the parameter.
    let role: Marks.Role?
  }

  extension Parameter {
    /// Reads a parameter; nil where it is left to its default, or where no container can give it, which is then told.
    init?(_ parameter: FunctionParameterSyntax, key: String, marks: Marks, _ findings: inout Findings) {
      if let dots = parameter.ellipsis {
        let list = ArrayTypeSyntax(element: parameter.type.trimmed)
        let new = parameter.with(\.type, TypeSyntax(list)).with(\.ellipsis, nil)
        findings.report(variadic(key), at: dots, fixIts: [.replacing(parameter, with: new, "take a list")])
        return nil
      }
      let label = parameter.firstName.tokenKind == .wildcard ? nil : parameter.firstName.text
      self.init(
        label: label, key: key, type: parameter.type, defaultValue: parameter.defaultValue?.value, marks: marks,
        &findings)
    }

    /// A parameter, if a container can give it.
    ///
    /// - Parameter type: the type as it stands in the code, as findings have their places there.
    init?(
      label: String?, key: String, type written: TypeSyntax, defaultValue: ExprSyntax?, marks: Marks,
      _ findings: inout Findings
    ) {
      let type = ParameterType(written)
      let role = marks.role(of: key)
      // Only the caller's own code can say where it stands or runs; a marked parameter is given nonetheless.
      if role == nil, let defaultValue {
        if defaultValue.isMagic || type.isTuple || type.specifier(.isolated) != nil { return nil }
      }
      if let specifier = type.specifier(.inout) ?? type.specifier(.isolated) {
        findings.report(
          specifier.text == "inout" ? changed(key) : isolated(key), at: specifier,
          fixIts: [.replacing(written, with: type.given, "remove \"\(specifier.text)\"")])
      } else if let some = written.firstToken(.some) {
        findings.report(
          opaque(key), at: some,
          fixIts: [.replacing(some, with: TokenSyntax.keyword(.any), "replace \"some\" with \"any\"")])
      } else if let pack = written.firstToken(.repeat) {
        findings.report(packed(key), at: pack)
      } else if type.isTuple, role != .runtime {
        findings.report(tuple(key), at: written)
      } else {
        self.init(label: label, key: marks.key(of: key), type: type.given, defaultValue: defaultValue, role: role)
        return
      }
      return nil
    }

    /// The argument as the library's code has it.
    var argument: String {
      let argument = "ConfigDI.BuilderArgument<\(type.trimmedDescription)>"
      let key = StringLiteralExprSyntax(content: key).description
      let fallback = defaultValue.map { ", default: \($0.trimmedDescription)" } ?? ""
      return switch role {
      case nil: "\(argument)._parameter(\(key)\(fallback))"
      case .runtime: "\(argument).runtime(\(key))"
      case .secret: "\(argument).value(\(key)\(fallback), secret: true)"
      case .decorated: "\(argument).decorated(\(key))"
      }
    }
  }

  /// The type of a parameter, without what belongs to the parameter and not to the type.
  private struct ParameterType {
    /// The type of what is given.
    let given: TypeSyntax
    /// The words before the type, such as `inout`.
    private let specifiers: [TokenSyntax]

    /// Reads a type.
    init(_ type: TypeSyntax) {
      let attributed = type.as(AttributedTypeSyntax.self)
      specifiers = attributed.map { Array($0.specifiers.tokens(viewMode: .sourceAccurate)) } ?? []
      var given = (attributed?.baseType ?? type).trimmed
      if let attributed, attributed.attributes.has("autoclosure"), let function = given.as(FunctionTypeSyntax.self) {
        // What stands for an argument is evaluated at the call, so that its value is what is given.
        given = function.returnClause.type.trimmed
      } else if let attributed {
        let attributes = attributed.attributes.filter { $0.as(AttributeSyntax.self)?.baseName != "escaping" }
        if !attributes.isEmpty {
          given = TypeSyntax(attributed.with(\.specifiers, []).with(\.attributes, attributes).trimmed)
        }
      } else if let unwrapped = given.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
        // `T!` is no type of its own.
        given = TypeSyntax(OptionalTypeSyntax(wrappedType: unwrapped.wrappedType))
      }
      self.given = given
    }

    /// The word before the type, where it is there.
    func specifier(_ keyword: Keyword) -> TokenSyntax? { specifiers.first { $0.tokenKind == .keyword(keyword) } }

    /// Whether it is a tuple of several, or an optional one.
    var isTuple: Bool {
      var type = given
      while let wrapped = type.as(OptionalTypeSyntax.self)?.wrappedType ?? type.soleElement { type = wrapped }
      return type.is(TupleTypeSyntax.self)
    }
  }

  extension TypeSyntax {
    /// The type in parentheses.
    fileprivate var soleElement: TypeSyntax? {
      guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 else { return nil }
      return tuple.elements.first?.type
    }

    /// The first place of a keyword in the type.
    fileprivate func firstToken(_ keyword: Keyword) -> TokenSyntax? {
      tokens(viewMode: .sourceAccurate).first { $0.tokenKind == .keyword(keyword) }
    }
  }

  extension ExprSyntax {
    /// Whether it is a literal such as `#line`, which means something else wherever it stands.
    fileprivate var isMagic: Bool {
      guard let name = self.as(MacroExpansionExprSyntax.self)?.macroName.text else { return false }
      return ["column", "dsohandle", "file", "fileID", "filePath", "function", "isolation", "line"].contains(name)
    }
  }

  /// A parameter that takes any number of arguments.
  private func variadic(_ key: String) -> String {
    "\"\(key)\" takes any number of arguments, of which a container cannot know how many; take a list"
  }
  /// A parameter that is changed.
  private func changed(_ key: String) -> String {
    "\"\(key)\" is changed at the caller; a container has nothing to change"
  }
  /// A parameter that says where the initializer runs.
  private func isolated(_ key: String) -> String {
    "\"\(key)\" says where the initializer runs, which only its caller can"
  }
  /// A parameter of an unnamed generic type.
  private func opaque(_ key: String) -> String {
    "\"\(key)\" is of whatever type the caller chooses; say which, or \"any\""
  }
  /// A parameter that is a pack.
  private func packed(_ key: String) -> String { "\"\(key)\" takes a pack of arguments, which a container cannot give" }
  /// A parameter that is a tuple.
  private func tuple(_ key: String) -> String {
    "\"\(key)\" is a tuple, which is neither a datum nor a service; use a type with a name, or mark it as \"runtime\""
  }
#endif
