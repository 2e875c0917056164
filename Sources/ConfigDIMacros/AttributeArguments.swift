// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// The arguments of `@Resolvable`, which mark parameters and describe the type.
  struct AttributeArguments {
    /// The kind of a parameter's argument.
    enum Role: String {
      /// A run-time argument, passed by each look-up.
      case runtime
      /// A value that may be a secret.
      case secret = "secrets"
      /// The instance that a decorator wraps.
      case decorated = "decorates"
    }

    /// A parameter name in the arguments of the attribute.
    private struct Mark {
      /// The kind of the parameter's argument.
      let role: Role
      /// The parameter's key.
      let key: String
      /// The string literal of the name.
      let node: StringLiteralExprSyntax
    }

    /// The marked parameters in order, without duplicates.
    private var marks: [Mark] = []
    /// The parameters that have another key in module files, without duplicates.
    private var renamed: [(name: StringLiteralExprSyntax, parameter: String, key: String)] = []
    /// The types by which instances are looked up, as metatypes.
    private(set) var types: [ExprSyntax] = []
    /// Whether instances are also looked up by their own type.
    private(set) var providesItself = false
    /// The name of the method that disposes of an instance.
    private(set) var disposal: String?

    /// Reads the arguments of the attribute. Reports and ignores names that are not literals, and duplicates.
    init(_ attribute: AttributeSyntax, _ findings: inout Findings) {
      guard case .argumentList(let arguments) = attribute.arguments else { return }
      var label = ""
      for argument in arguments {
        // Of several arguments with one label, only the first has the label in the source.
        if let text = argument.label?.text { label = text }
        switch label {
        case "as": types.append(argument.expression.trimmed)
        case "asItself": providesItself = flag(argument.expression, &findings)
        // Used by the build plugin that registers types.
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

    /// Reads a boolean. An expression that is not a literal is reported and counts as false.
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

    /// Reads the method name of the dispose action.
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

    /// Returns the key of a parameter in module files.
    func key(of parameter: String) -> String { renamed.first { $0.parameter == parameter }?.key ?? parameter }

    /// Returns the role of a parameter; `nil` if it is not marked.
    func role(of key: String) -> Role? { marks.first { $0.key == key }?.role }

    /// Reports names that no parameter has, and parameters with the same key.
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

  /// The message about a parameter name that is not a literal.
  private let noLiteral = "the name of a parameter must be a string literal without interpolation"

  /// The message about a boolean that is not a literal.
  private let noFlag = "expected the literal \"true\" or \"false\""

  /// The message about keys that are not a dictionary literal.
  private let noDictionary = "the keys must be a dictionary literal of string literals"

  /// The message about a dispose action that is not a method name.
  private let noMethod = "the dispose action must be the name of a method, as a string literal"

  /// The message about two parameters with the same key.
  private func oneKey(_ key: String, _ one: String, _ other: String) -> String {
    "the parameters \"\(one)\" and \"\(other)\" have the same key \"\(key)\""
  }

  /// The message about a name that already has a role.
  private func namedTwice(_ key: String) -> String { "\"\(key)\" is named twice" }

  /// The message about a name that no parameter of the initializer has.
  private func noParameter(_ key: String, of type: String, _ near: String?) -> String {
    "the initializer of \"\(type)\" has no parameter \"\(key)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? "")
  }
#endif
