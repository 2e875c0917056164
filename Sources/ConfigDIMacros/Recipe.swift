// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// How an instance is made: the initializer, and what it receives.
  struct Recipe {
    /// What the initializer receives, in its order.
    private let parameters: [Parameter]
    /// Whether the initializer may throw.
    private let mayThrow: Bool
    /// Whether the initializer may wait.
    private let mayWait: Bool
    /// Where the initializer runs.
    private let isolation: Isolation
    /// The initializer, where it has to be written.
    let initializer: DeclSyntax?
    /// What the attribute says of the type.
    private let marks: Marks

    /// Finds out how instances of a type are made; nil where a container cannot make them, which is told.
    init?(of subject: Subject, marks: Marks, _ findings: inout Findings) {
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

    /// Reads the parameters of an initializer.
    private static func parameters(
      of initializer: InitializerDeclSyntax, of subject: Subject, _ marks: Marks, _ findings: inout Findings
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

    /// The member `injection`.
    func injection(of subject: Subject) -> DeclSyntax {
      let name = subject.name.text
      // Each in a statement of its own: in one expression the compiler tries their overloads together, which takes it time
      // that grows with the power of their number.
      let statements = parameters.enumerated().map { "  let _argument\($0) = \($1.argument)\n" }.joined()
      var arguments = parameters.indices.map { "_argument\($0)" }
      if isolation == .mainActor { arguments.insert("on: MainActor.shared", at: 0) }
      let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
      // Before a further call nothing else says what is made.
      let product = additions.isEmpty ? "" : "<\(name)>"
      // It runs once. To optimize it would take the compiler as long as all else that it does with the type.
      return """
        @_optimize(none)
        \(raw: subject.access.modifier)nonisolated static var injection: ConfigDI.Injection<\(raw: name)> {
        \(raw: statements)  return ConfigDI.Injection\(raw: product)\(raw: list) {\(raw: isolation == .mainActor ? " @MainActor in" : "")
            \(raw: call(of: name))
          }\(raw: additions)
        }
        """
    }

    /// The calls that add what the attribute says of the type.
    private var additions: String {
      var calls = ""
      if !marks.types.isEmpty {
        let types = marks.types.map { ".type(\($0), { $0 })" } + (marks.providesItself ? [".itself"] : [])
        calls = "\n  .providing(\(types.joined(separator: ", ")))"
      }
      if let disposal = marks.disposal { calls += "\n  .disposing { _ = $0.\(disposal)() }" }
      return calls
    }

    /// The call of the initializer with what a closure receives.
    private func call(of name: String) -> String {
      let arguments = parameters.enumerated().map { place, parameter in
        (parameter.label.map { "\($0.labelAtCall): " } ?? "") + "$\(place)"
      }
      let effects = (mayThrow ? "try " : "") + (mayWait || isolation == .otherActor ? "await " : "")
      return "\(effects)\(name)(\(arguments.joined(separator: ", ")))"
    }
  }

  extension InitializerDeclSyntax {
    /// Whether a container can call the initializer at all; why not, is told.
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

    /// Makes a failable initializer one that throws.
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
    /// The token by which the parameter is called: the label, else the inner name; nil where it has neither.
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
    /// The label of a parameter, as written, as a call has it: without backticks, in which the compiler takes no keyword there.
    fileprivate var labelAtCall: String {
      guard count > 2, first == "`", last == "`" else { return self }
      let name = String(dropFirst().dropLast())
      let isPlain = name.isValidSwiftIdentifier(for: .memberAccess) && !["inout", "var", "let"].contains(name)
      return isPlain ? name : self
    }
  }

  /// A parameter that nothing can name.
  private let nameless = "a container needs a name for this parameter; give it a label or an inner name"
  /// Two parameters of one name.
  private func repeated(_ key: String) -> String { "two parameters are called \"\(key)\"; give one another label" }
  /// An initializer that may give nothing.
  private let failable = "a failable initializer may give no instance; one that throws says why"
  /// A generic initializer.
  private let generic = "a generic initializer leaves its types to the caller, and a container has none to choose"
  /// An initializer that is only there for some types.
  private let constrained = "this initializer is not there for every type that the type's parameters may stand for"
#endif
