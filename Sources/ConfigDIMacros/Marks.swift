// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// What the arguments of `@Resolvable` say of parameters.
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

    /// Reads the arguments of the attribute. What is no literal, or stands twice, is told and left out.
    init(_ attribute: AttributeSyntax, _ findings: inout Findings) {
      guard case .argumentList(let arguments) = attribute.arguments else { return }
      var role: Role?
      for argument in arguments {
        // Of several names behind one label only the first has it.
        if let label = argument.label { role = Role(rawValue: label.text) }
        guard let role else { continue }
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

    /// What the arguments say of a parameter; nil where they say nothing.
    func role(of key: String) -> Role? { marks.first { $0.key == key }?.role }

    /// Tells the names that no parameter has.
    func check(against keys: [String], of type: String, _ findings: inout Findings) {
      for mark in marks where !keys.contains(mark.key) {
        let near = nearName(to: mark.key, among: keys)
        let fixIts = near.map { near in
          FixIt.replacing(
            mark.node, with: StringLiteralExprSyntax(content: near), "replace \"\(mark.key)\" with \"\(near)\"")
        }
        findings.report(noParameter(mark.key, of: type, near), at: mark.node, fixIts: fixIts.map { [$0] } ?? [])
      }
    }
  }

  /// A name that the macro cannot read.
  private let noLiteral = "the name of a parameter must be a string literal without interpolation"

  /// A name that has its role already.
  private func namedTwice(_ key: String) -> String { "\"\(key)\" stands here twice" }

  /// A name that the initializer does not know.
  private func noParameter(_ key: String, of type: String, _ near: String?) -> String {
    "the initializer of \"\(type)\" has no parameter \"\(key)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? "")
  }
#endif
