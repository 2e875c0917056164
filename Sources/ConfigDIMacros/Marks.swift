// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// What the arguments of `@Resolvable` say of parameters, and of the type.
  struct Marks {
    /// What a parameter receives.
    enum Role: String {
      /// A value that each look-up brings along.
      case runtime
      /// A datum that may be a secret.
      case secret = "secrets"
      /// The instance that a decorator wraps.
      case decorated = "decorates"
    }

    /// A name in the arguments.
    private struct Mark {
      /// What the parameter receives.
      let role: Role
      /// The parameter's key.
      let key: String
      /// The literal.
      let node: StringLiteralExprSyntax
    }

    /// The names in their order, each once.
    private var marks: [Mark] = []
    /// The parameters that files call otherwise, each once.
    private var renamed: [(name: StringLiteralExprSyntax, parameter: String, key: String)] = []
    /// The types by which instances are looked up, as metatypes.
    private(set) var types: [ExprSyntax] = []
    /// Whether instances are looked up by their own type as well.
    private(set) var providesItself = false
    /// The method that gives back what an instance holds.
    private(set) var disposal: String?

    /// Reads the arguments of the attribute. What is no literal, or stands twice, is told and left out.
    init(_ attribute: AttributeSyntax, _ findings: inout Findings) {
      guard case .argumentList(let arguments) = attribute.arguments else { return }
      var label = ""
      for argument in arguments {
        // Of several behind one label only the first has it.
        if let text = argument.label?.text { label = text }
        switch label {
        case "as": types.append(argument.expression.trimmed)
        case "asItself": providesItself = flag(argument.expression, &findings)
        // Read by the build plugin that registers types.
        case "registered": _ = flag(argument.expression, &findings)
        case "keys": readKeys(argument.expression, &findings)
        case "onDispose": readDisposal(argument.expression, &findings)
        default: break
        }
        guard let role = Role(rawValue: label) else { continue }
        guard let node = argument.expression.as(StringLiteralExprSyntax.self), let key = node.representedLiteralValue
        else {
          findings.report(noLiteral, at: argument.expression)
          continue
        }
        if self.role(of: key) == nil {
          marks.append(Mark(role: role, key: key, node: node))
        } else {
          findings.report(namedTwice(key), at: node)
        }
      }
    }

    /// Reads a condition. What is no literal is told, and counts as false.
    private func flag(_ expression: ExprSyntax, _ findings: inout Findings) -> Bool {
      guard let literal = expression.as(BooleanLiteralExprSyntax.self) else {
        findings.report(noFlag, at: expression)
        return false
      }
      return literal.literal.tokenKind == .keyword(.true)
    }

    /// Reads the dictionary of keys.
    private mutating func readKeys(_ expression: ExprSyntax, _ findings: inout Findings) {
      guard let dictionary = expression.as(DictionaryExprSyntax.self) else {
        findings.report(noDictionary, at: expression)
        return
      }
      guard case .elements(let elements) = dictionary.content else { return }
      for element in elements {
        guard let name = element.key.as(StringLiteralExprSyntax.self), let parameter = name.representedLiteralValue,
          let key = element.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        else {
          findings.report(noLiteral, at: element)
          continue
        }
        if renamed.contains(where: { $0.parameter == parameter }) {
          findings.report(namedTwice(parameter), at: name)
        } else {
          renamed.append((name, parameter, key))
        }
      }
    }

    /// Reads the name of the dispose action.
    private mutating func readDisposal(_ expression: ExprSyntax, _ findings: inout Findings) {
      if expression.is(NilLiteralExprSyntax.self) { return }
      if let name = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue,
        name.isValidSwiftIdentifier(for: .memberAccess)
      {
        disposal = name
      } else {
        findings.report(noMethod, at: expression)
      }
    }

    /// What files call a parameter.
    func key(of parameter: String) -> String { renamed.first { $0.parameter == parameter }?.key ?? parameter }

    /// What the arguments say of a parameter; nil where they say nothing.
    func role(of key: String) -> Role? { marks.first { $0.key == key }?.role }

    /// Tells the names that no parameter has.
    func check(against keys: [String], of type: String, _ findings: inout Findings) {
      let names = marks.map { ($0.key, $0.node) } + renamed.map { ($0.parameter, $0.name) }
      for (name, node) in names where !keys.contains(name) {
        let near = nearName(to: name, among: keys)
        let fixIts = near.map { near in
          FixIt.replacing(
            node, with: StringLiteralExprSyntax(content: near), "replace \"\(name)\" with \"\(near)\"")
        }
        findings.report(noParameter(name, of: type, near), at: node, fixIts: fixIts.map { [$0] } ?? [])
      }
      for (place, one) in keys.enumerated() {
        guard let other = keys[..<place].first(where: { key(of: $0) == key(of: one) }),
          let node = (renamed.last { [one, other].contains($0.parameter) })?.name
        else { continue }
        findings.report(oneKey(key(of: one), other, one), at: node)
      }
    }
  }

  /// A name that the macro cannot read.
  private let noLiteral = "the name of a parameter must be a string literal without interpolation"

  /// A condition that the macro cannot read.
  private let noFlag = "write \"true\" or \"false\" here"

  /// Keys that the macro cannot read.
  private let noDictionary = "the keys must be a dictionary literal of texts"

  /// A dispose action that the macro cannot call.
  private let noMethod = "the dispose action must be the name of a method, as a string literal"

  /// Two parameters with one key.
  private func oneKey(_ key: String, _ one: String, _ other: String) -> String {
    "the parameters \"\(one)\" and \"\(other)\" have one key, \"\(key)\""
  }

  /// A name that has its role already.
  private func namedTwice(_ key: String) -> String { "\"\(key)\" stands here twice" }

  /// A name that the initializer does not know.
  private func noParameter(_ key: String, of type: String, _ near: String?) -> String {
    "the initializer of \"\(type)\" has no parameter \"\(key)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? "")
  }
#endif
