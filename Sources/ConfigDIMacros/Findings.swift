// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// What a macro has to tell, in the order in which it was found.
  struct Findings {
    /// Errors, all of them.
    private(set) var diagnostics: [Diagnostic] = []

    /// Whether all is well.
    var isEmpty: Bool { diagnostics.isEmpty }

    /// Tells an error.
    ///
    /// - Parameters:
    ///   - message: what is wrong.
    ///   - node: the token, or the tokens, that somebody has to change.
    ///   - fixIts: ways to mend it.
    mutating func report(_ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
      diagnostics.append(Diagnostic(node: Syntax(node), message: Message(message), fixIts: fixIts))
    }
  }

  /// The text of an error, or of a way to mend one.
  struct Message: DiagnosticMessage, FixItMessage {
    let message: String

    var severity: DiagnosticSeverity { .error }
    var diagnosticID: MessageID { MessageID(domain: "ConfigDI", id: "Resolvable") }
    var fixItID: MessageID { diagnosticID }

    /// A text.
    init(_ message: String) { self.message = message }
  }

  extension FixIt {
    /// A replacement that keeps what stands before and behind: spaces, breaks, comments.
    static func replacing(
      _ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: String
    ) -> FixIt {
      let new = Syntax(new).with(\.leadingTrivia, old.leadingTrivia).with(\.trailingTrivia, old.trailingTrivia)
      return FixIt(message: Message(message), changes: [.replace(oldNode: Syntax(old), newNode: new)])
    }
  }

  extension AttributeSyntax {
    /// Takes the attribute away.
    var removal: FixIt {
      FixIt(
        message: Message("remove \"@\(baseName)\""),
        changes: [
          .replace(oldNode: Syntax(self), newNode: Syntax(TokenSyntax.identifier("", leadingTrivia: leadingTrivia)))
        ])
    }
  }
#endif
