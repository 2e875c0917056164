// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// A parameter of an initializer for which the container passes an argument.
  struct Parameter {
    /// The argument label at the call, as written; `nil` if there is none.
    let label: String?
    /// The key of the argument in module files and look-ups: the label, or the inner name if there is no label.
    let key: String
    /// The type of the argument.
    let type: TypeSyntax
    /// The default value of the parameter, or `nil`.
    let defaultValue: ExprSyntax?
    /// The role that the attribute gives the parameter.
    let role: AttributeArguments.Role?
  }

  extension Parameter {
    /// Reads a parameter; `nil` if it keeps its default, or if no container can pass an argument, which is reported.
    init?(_ parameter: FunctionParameterSyntax, key: String, marks: AttributeArguments, _ findings: inout Findings) {
      if let dots = parameter.ellipsis {
        let list = ArrayTypeSyntax(element: parameter.type.trimmed)
        let new = parameter.with(\.type, TypeSyntax(list)).with(\.ellipsis, nil)
        findings.report(variadic(key), at: dots, fixIts: [.replacing(parameter, with: new, "use an array")])
        return nil
      }
      let label = parameter.firstName.tokenKind == .wildcard ? nil : parameter.firstName.text
      self.init(
        label: label, key: key, type: parameter.type, defaultValue: parameter.defaultValue?.value, marks: marks,
        &findings)
    }

    /// Creates a parameter; `nil` if it keeps its default, or if no container can pass an argument, which is reported.
    ///
    /// - Parameter type: The type in the source tree, so that diagnostics have their places there.
    init?(
      label: String?, key: String, type written: TypeSyntax, defaultValue: ExprSyntax?, marks: AttributeArguments,
      _ findings: inout Findings
    ) {
      let type = ParameterType(written)
      let role = marks.role(of: key)
      // Only a call in the user's own code can supply a location or an isolation. A marked parameter still gets an
      // argument.
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

    /// The argument as an expression in the generated code.
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

  /// The type of a parameter, without the specifiers and attributes that belong to the parameter.
  private struct ParameterType {
    /// The type of the argument.
    let given: TypeSyntax
    /// The specifiers before the type, such as `inout`.
    private let specifiers: [TokenSyntax]

    /// Reads a type.
    init(_ type: TypeSyntax) {
      let attributed = type.as(AttributedTypeSyntax.self)
      specifiers = attributed.map { Array($0.specifiers.tokens(viewMode: .sourceAccurate)) } ?? []
      var given = (attributed?.baseType ?? type).trimmed
      if let attributed, attributed.attributes.has("autoclosure"), let function = given.as(FunctionTypeSyntax.self) {
        // The argument of an autoclosure is the result of the function type.
        given = function.returnClause.type.trimmed
      } else if let attributed {
        let attributes = attributed.attributes.filter { $0.as(AttributeSyntax.self)?.baseName != "escaping" }
        if !attributes.isEmpty {
          given = TypeSyntax(attributed.with(\.specifiers, []).with(\.attributes, attributes).trimmed)
        }
      } else if let unwrapped = given.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
        // `T!` is not a type of its own.
        given = TypeSyntax(OptionalTypeSyntax(wrappedType: unwrapped.wrappedType))
      }
      self.given = given
    }

    /// Returns the token of a specifier; `nil` if the type does not have it.
    func specifier(_ keyword: Keyword) -> TokenSyntax? { specifiers.first { $0.tokenKind == .keyword(keyword) } }

    /// Whether it is a tuple with several elements, or an optional of one.
    var isTuple: Bool {
      var type = given
      while let wrapped = type.as(OptionalTypeSyntax.self)?.wrappedType ?? type.soleElement { type = wrapped }
      return type.is(TupleTypeSyntax.self)
    }
  }

  extension TypeSyntax {
    /// The type in parentheses; `nil` if this is not a parenthesized type.
    fileprivate var soleElement: TypeSyntax? {
      guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 else { return nil }
      return tuple.elements.first?.type
    }

    /// Returns the first token of a keyword in the type.
    fileprivate func firstToken(_ keyword: Keyword) -> TokenSyntax? {
      tokens(viewMode: .sourceAccurate).first { $0.tokenKind == .keyword(keyword) }
    }
  }

  extension ExprSyntax {
    /// Whether the expression is a literal such as `#line`, whose value depends on where it is.
    fileprivate var isMagic: Bool {
      guard let name = self.as(MacroExpansionExprSyntax.self)?.macroName.text else { return false }
      return ["column", "dsohandle", "file", "fileID", "filePath", "function", "isolation", "line"].contains(name)
    }
  }

  /// The message about a variadic parameter.
  private func variadic(_ key: String) -> String {
    "a container cannot pass the variadic parameter \"\(key)\"; use an array"
  }
  /// The message about an `inout` parameter.
  private func changed(_ key: String) -> String {
    "a container cannot pass the inout parameter \"\(key)\""
  }
  /// The message about an `isolated` parameter.
  private func isolated(_ key: String) -> String {
    "a container cannot pass the isolated parameter \"\(key)\""
  }
  /// The message about a parameter of an opaque type.
  private func opaque(_ key: String) -> String {
    "the type of \"\(key)\" is opaque; use \"any\", or a concrete type"
  }
  /// The message about a parameter pack.
  private func packed(_ key: String) -> String { "a container cannot pass the parameter pack \"\(key)\"" }
  /// The message about a parameter that is a tuple.
  private func tuple(_ key: String) -> String {
    "\"\(key)\" is a tuple, which is neither a value nor a service; use a named type, or mark the parameter as \"runtime\""
  }
#endif
