// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// The instructions for making an instance: the initializer and its arguments.
  struct Recipe {
    /// The parameters of the initializer, in order.
    private let parameters: [Parameter]
    /// Whether the initializer can throw.
    private let mayThrow: Bool
    /// Whether the initializer is `async`.
    private let mayWait: Bool
    /// The isolation of the initializer.
    private let isolation: Isolation
    /// The initializer to generate; `nil` if the type needs none.
    let initializer: DeclSyntax?
    /// The arguments of the attribute.
    private let marks: AttributeArguments

    /// Determines how instances of a type are made; `nil` if a container cannot make them, which is reported.
    init?(of subject: Subject, marks: AttributeArguments, _ findings: inout Findings) {
      self.marks = marks
      switch InitializerChoice(in: subject, &findings) {
      case .existing(let initializer):
        guard initializer.canBeCalled(&findings) else { return nil }
        parameters = Recipe.parameters(of: initializer, of: subject, marks, &findings)
        mayThrow = initializer.signature.effectSpecifiers?.throwsClause != nil
        mayWait = initializer.signature.effectSpecifiers?.asyncSpecifier != nil
        isolation =
          initializer.modifiers.has(.nonisolated) ? .none : initializer.attributes.isolation ?? subject.isolation
        self.initializer = nil
      case .memberwise:
        let written = MemberwiseInitializer(of: subject, &findings)
        parameters = written.properties.compactMap { property in
          Parameter(
            label: property.name.text, key: property.name.identifierText, type: property.type,
            defaultValue: property.isImplicitlyNil ? "nil" : nil, marks: marks, &findings)
        }
        marks.check(against: written.properties.map(\.name.identifierText), of: subject.name.text, &findings)
        initializer = written.declaration
        (mayThrow, mayWait, isolation) = (false, false, subject.isolation)
      case nil: return nil
      }
    }

    /// Returns the parameters of an initializer.
    private static func parameters(
      of initializer: InitializerDeclSyntax, of subject: Subject, _ marks: AttributeArguments,
      _ findings: inout Findings
    ) -> [Parameter] {
      var keys: [String] = []
      var parameters: [Parameter] = []
      for parameter in initializer.signature.parameterClause.parameters {
        guard let name = parameter.keyToken else {
          if parameter.defaultValue == nil { findings.report(nameless, at: parameter.firstName) }
          continue
        }
        let key = name.identifierText
        if keys.contains(key) { findings.report(repeated(key), at: name) }
        keys.append(key)
        if let parameter = Parameter(parameter, key: key, marks: marks, &findings) { parameters.append(parameter) }
      }
      marks.check(against: keys, of: subject.name.text, &findings)
      return parameters
    }

    /// Returns the declaration of the member `injection`.
    func injection(of subject: Subject) -> DeclSyntax {
      let name = subject.name.text
      // Each argument has a statement of its own. In one expression, the compiler would try all combinations of their
      // overloads, which takes exponential time.
      let statements = parameters.enumerated().map { "  let _argument\($0) = \($1.argument)\n" }.joined()
      var arguments = parameters.indices.map { "_argument\($0)" }
      if isolation == .mainActor { arguments.insert("on: MainActor.shared", at: 0) }
      let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
      // With a chained call, the type of the product cannot be inferred.
      let product = additions.isEmpty ? "" : "<\(name)>"
      // The code runs once. Optimizing it would take the compiler as long as all its other work on the type.
      return """
        @_optimize(none)
        \(raw: subject.access.modifier)nonisolated static var injection: ConfigDI.Injection<\(raw: name)> {
        \(raw: statements)  return ConfigDI.Injection\(raw: product)\(raw: list) {\(raw: isolation == .mainActor ? " @MainActor in" : "")
            \(raw: call(of: name))
          }\(raw: additions)
        }
        """
    }

    /// The chained calls that describe the type.
    private var additions: String {
      var calls = ""
      if !marks.types.isEmpty {
        let types = marks.types.map { ".type(\($0), { $0 })" } + (marks.providesItself ? [".itself"] : [])
        calls = "\n  .providing(\(types.joined(separator: ", ")))"
      }
      // Without `let`, the compiler warns if the method has no result.
      if let disposal = marks.disposal { calls += "\n  .disposing { let _ = $0.\(disposal)() }" }
      return calls
    }

    /// Returns the call of the initializer with the parameters of a closure.
    private func call(of name: String) -> String {
      let arguments = parameters.enumerated().map { place, parameter in
        (parameter.label.map { "\($0.labelAtCall): " } ?? "") + "$\(place)"
      }
      let effects = (mayThrow ? "try " : "") + (mayWait || isolation == .otherActor ? "await " : "")
      return "\(effects)\(name)(\(arguments.joined(separator: ", ")))"
    }
  }

  extension InitializerDeclSyntax {
    /// Returns whether a container can call the initializer. Reports the reason if not.
    fileprivate func canBeCalled(_ findings: inout Findings) -> Bool {
      if let mark = optionalMark {
        findings.report(failable, at: mark, fixIts: [throwing(insteadOf: mark)])
      } else if let generics = genericParameterClause {
        findings.report(generic, at: generics)
      } else if let condition = genericWhereClause {
        findings.report(constrained, at: condition)
      } else {
        return true
      }
      return false
    }

    /// Returns a fix that replaces a failable initializer by a throwing one.
    private func throwing(insteadOf mark: TokenSyntax) -> FixIt {
      var changes: [FixIt.Change] = [
        .replace(
          oldNode: Syntax(mark), newNode: Syntax(TokenSyntax.identifier("", trailingTrivia: mark.trailingTrivia)))
      ]
      if signature.effectSpecifiers?.throwsClause == nil {
        var effects = signature.effectSpecifiers ?? FunctionEffectSpecifiersSyntax()
        effects.throwsClause = ThrowsClauseSyntax(throwsSpecifier: .keyword(.throws, trailingTrivia: .space))
        let new = signature.with(\.effectSpecifiers, effects)
        changes.append(.replace(oldNode: Syntax(signature), newNode: Syntax(new)))
      }
      return FixIt(message: Message("throw instead of returning nil"), changes: changes)
    }
  }

  extension FunctionParameterSyntax {
    /// The token that names the parameter: the label, or else the inner name; `nil` if it has neither.
    fileprivate var keyToken: TokenSyntax? {
      if firstName.tokenKind != .wildcard { return firstName }
      return secondName.flatMap { $0.tokenKind == .wildcard ? nil : $0 }
    }
  }

  extension TokenSyntax {
    /// The name without backticks.
    var identifierText: String {
      text.count > 2 && text.hasPrefix("`") && text.hasSuffix("`") ? String(text.dropFirst().dropLast()) : text
    }
  }

  extension String {
    /// The label as written at a call. Backticks are removed unless they are needed, since the compiler warns about them.
    fileprivate var labelAtCall: String {
      guard count > 2, first == "`", last == "`" else { return self }
      let name = String(dropFirst().dropLast())
      // Every keyword but `inout` can be a label. With a letter behind it, it is an identifier.
      let isPlain = name != "inout" && "\(name)x".isValidSwiftIdentifier(for: .memberAccess)
      return isPlain ? name : self
    }
  }

  /// The message about a parameter without any name.
  private let nameless = "this parameter has no name that could be its key; give it a label or an inner name"
  /// The message about two parameters with one name.
  private func repeated(_ key: String) -> String { "two parameters are named \"\(key)\"; change the label of one" }
  /// The message about a failable initializer.
  private let failable = "a container cannot use a failable initializer; make it throw instead"
  /// The message about a generic initializer.
  private let generic = "a container cannot use a generic initializer, since it cannot choose the types"
  /// The message about an initializer with a generic `where` clause.
  private let constrained = "a container cannot use an initializer with a \"where\" clause"
#endif
