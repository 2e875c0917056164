// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// The diagnostics of a macro, in the order in which they were found.
  struct Findings {
    /// The diagnostics, all of which are errors.
    private(set) var diagnostics: [Diagnostic] = []

    /// Whether there are no errors.
    var isEmpty: Bool { diagnostics.isEmpty }

    /// Adds an error.
    ///
    /// - Parameters:
    ///   - message: The problem.
    ///   - node: The token or tokens that must be changed.
    ///   - fixIts: Possible fixes.
    mutating func report(_ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
      diagnostics.append(Diagnostic(node: Syntax(node), message: Message(message), fixIts: fixIts))
    }
  }

  /// The text of an error or a fix.
  struct Message: DiagnosticMessage, FixItMessage {
    let message: String

    var severity: DiagnosticSeverity { .error }
    var diagnosticID: MessageID { MessageID(domain: "ConfigDI", id: "Resolvable") }
    var fixItID: MessageID { diagnosticID }

    /// Creates a message with a text.
    init(_ message: String) { self.message = message }
  }

  extension FixIt {
    /// Returns a fix that replaces a node, and keeps the whitespace and comments around it.
    static func replacing(
      _ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: String
    ) -> FixIt {
      let new = Syntax(new).with(\.leadingTrivia, old.leadingTrivia).with(\.trailingTrivia, old.trailingTrivia)
      return FixIt(message: Message(message), changes: [.replace(oldNode: Syntax(old), newNode: new)])
    }
  }

  extension AttributeSyntax {
    /// A fix that removes the attribute.
    var removal: FixIt {
      FixIt(
        message: Message("remove \"@\(baseName)\""),
        changes: [
          .replace(oldNode: Syntax(self), newNode: Syntax(TokenSyntax.identifier("", leadingTrivia: leadingTrivia)))
        ])
    }
  }
#endif
