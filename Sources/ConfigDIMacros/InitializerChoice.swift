// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// Which initializer makes the instances of a type.
  enum InitializerChoice {
    /// One that the type has.
    case existing(InitializerDeclSyntax)
    /// One that is to be written.
    case memberwise

    /// Chooses: the marked one, the only one, or where there is none one that is to be written.
    ///
    /// Nil where the choice is not clear, which is told. What cannot be called anywhere does not count.
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
    /// The initializer's name with its labels.
    fileprivate var fullName: String {
      "init(" + signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined() + ")"
    }

    /// Marks the initializer.
    fileprivate var marking: FixIt {
      let message = Message("mark \"\(fullName)\" with \"@Injectable\"")
      guard let first = firstToken(viewMode: .sourceAccurate) else { return FixIt(message: message, changes: []) }
      // Behind the documentation, before the first word.
      let trivia = first.leadingTrivia + .unexpectedText("@Injectable ")
      return FixIt(message: message, changes: [.replaceLeadingTrivia(token: first, newTrivia: trivia)])
    }
  }

  extension MemberBlockItemListSyntax {
    /// The `#if` under which the first member of a kind stands, however deep; nil where there is none.
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

  /// More than one mark.
  private func severalMarks(_ first: String) -> String {
    "\"@Injectable\" marks one initializer, and \"\(first)\" has it"
  }

  /// Several initializers and no mark.
  private func several(_ names: [String], of type: String) -> String {
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    return "\"\(type)\" has \(names.count) initializers, \(list); mark the one to use with \"@Injectable\""
  }

  /// Initializers that may not be there.
  private let conditional =
    "initializers under \"#if\" are not seen; write one outside of it, marked with \"@Injectable\""
#endif
