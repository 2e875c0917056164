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

  /// Returns one action with all repairs of a file, or `nil` if there are none. The repairs of one module do not
  /// overlap. If those of several modules do, the first is used.
  package func fixAllAction(in path: String) -> CodeAction? {
    var fixes: [EditorDiagnostic.Fix] = []
    for fix in findings(of: path).flatMap(\.fixes) {
      let overlaps = fixes.contains { $0.range.start < fix.range.end && fix.range.start < $0.range.end }
      if !overlaps, !fixes.contains(fix) { fixes.append(fix) }
    }
    return fixes.isEmpty ? nil : CodeAction(title: "Apply all repairs", finding: nil, fixes: fixes)
  }
}
