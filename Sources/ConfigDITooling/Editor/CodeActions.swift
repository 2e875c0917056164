// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// A repair or the suppression of a warning, offered to the user.
package struct CodeAction: Hashable, Sendable {
  /// The text shown to the user.
  package let title: String
  /// The finding that the action fixes or suppresses; `nil` for an action that applies all repairs of a file.
  package let finding: EditorDiagnostic?
  /// The edits.
  package let fixes: [EditorDiagnostic.Fix]
}

extension EditorWorkspace {
  /// Returns one action for each finding that has a repair and touches a range of a file.
  package func codeActions(in path: String, touching range: TextRange) -> [CodeAction] {
    findings(touching: range, of: path).filter { !$0.fixes.isEmpty }.map {
      CodeAction(title: $0.fixTitle, finding: $0, fixes: $0.fixes)
    }
  }

  /// Returns the findings that overlap or adjoin a range of a file.
  func findings(touching range: TextRange, of path: String) -> [EditorDiagnostic] {
    findings(of: path).filter { $0.range.start <= range.end && range.start <= $0.range.end }
  }

  /// Returns one action with the repairs of a file that are right in each environment of each module of which the file
  /// is a part, or `nil` if there are none. The repairs of one module do not overlap.
  package func fixAllAction(in path: String) -> CodeAction? {
    var converter = DiagnosticConverter(encoding)
    let modules = checks(of: path).map { snapshot in
      snapshot.diagnostics.filter { $0.isInEachUse && snapshot.path(of: $0.location) == path }
        .flatMap { converter.fixes(of: $0, snapshot) }
    }
    let others = modules.dropFirst().map(Set.init)
    let fixes = (modules.first ?? []).filter { fix in others.allSatisfy { $0.contains(fix) } }
    return fixes.isEmpty ? nil : CodeAction(title: "Apply all repairs", finding: nil, fixes: fixes)
  }
}
