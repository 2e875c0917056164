// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// The initializer that makes the instances of a type.
  enum InitializerChoice {
    /// An initializer that the type declares.
    case existing(InitializerDeclSyntax)
    /// A memberwise initializer that the macro must generate.
    case memberwise

    /// Chooses the marked initializer, or the only one, or a memberwise one if the type declares none.
    ///
    /// `nil` if the choice is ambiguous, which is reported. Unavailable initializers are ignored.
    init?(in subject: Subject, _ findings: inout Findings) {
      let initializers = subject.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
        .filter { !$0.attributes.makeUnavailable }
      let marked = initializers.filter { $0.attributes.has("Injectable") }
      if let first = marked.first {
        for other in marked.dropFirst() {
          guard let mark = other.attributes.plain.first(where: { $0.baseName == "Injectable" }) else { continue }
          findings.report(severalMarks(first.fullName), at: mark, fixIts: [mark.removal])
        }
        self = .existing(first)
        return
      }
      if let condition = subject.members.firstCondition(over: { $0.is(InitializerDeclSyntax.self) }) {
        findings.report(conditional, at: condition)
        return nil
      }
      if initializers.count > 1 {
        findings.report(
          several(initializers.map(\.fullName), of: subject.name.text), at: subject.name,
          fixIts: initializers.map(\.marking))
        return nil
      }
      self = initializers.first.map(InitializerChoice.existing) ?? .memberwise
    }
  }

  extension InitializerDeclSyntax {
    /// The name of the initializer, with its labels.
    fileprivate var fullName: String {
      "init(" + signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined() + ")"
    }

    /// A fix that marks the initializer.
    fileprivate var marking: FixIt {
      let message = Message("mark \"\(fullName)\" with \"@Injectable\"")
      guard let first = firstToken(viewMode: .sourceAccurate) else { return FixIt(message: message, changes: []) }
      // After the documentation comment, before the first token.
      let trivia = first.leadingTrivia + .unexpectedText("@Injectable ")
      return FixIt(message: message, changes: [.replaceLeadingTrivia(token: first, newTrivia: trivia)])
    }
  }

  extension MemberBlockItemListSyntax {
    /// Returns the outermost `#if` that contains the first matching member, at any depth; `nil` if there is none.
    func firstCondition(over matches: (DeclSyntax) -> Bool) -> TokenSyntax? {
      for member in self {
        guard let condition = member.decl.as(IfConfigDeclSyntax.self), let token = condition.clauses.first?.poundKeyword
        else { continue }
        var rest = [condition]
        while let next = rest.popLast() {
          for case .decls(let members) in next.clauses.compactMap(\.elements) {
            if members.contains(where: { matches($0.decl) }) { return token }
            rest.append(contentsOf: members.compactMap { $0.decl.as(IfConfigDeclSyntax.self) })
          }
        }
      }
      return nil
    }
  }

  /// The message about more than one mark.
  private func severalMarks(_ first: String) -> String {
    "only one initializer can be marked with \"@Injectable\"; \"\(first)\" is marked already"
  }

  /// The message about several initializers without a mark.
  private func several(_ names: [String], of type: String) -> String {
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    return "\"\(type)\" has \(names.count) initializers, \(list); mark the one to use with \"@Injectable\""
  }

  /// The message about initializers that may not be compiled.
  private let conditional =
    "\"@Resolvable\" cannot read initializers inside \"#if\"; declare one outside, marked with \"@Injectable\""
#endif
