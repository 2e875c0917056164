// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// A repair, or the suppression of a warning, that a user can choose.
package struct CodeAction: Hashable, Sendable {
  /// What it does.
  package let title: String
  /// The finding that it fixes or suppresses; nil for all of a file.
  package let finding: EditorDiagnostic?
  /// The edits.
  package let fixes: [EditorDiagnostic.Fix]
}

extension EditorWorkspace {
  /// The repairs of the findings that touch a range of a file.
  package func codeActions(in path: String, touching range: TextRange) -> [CodeAction] {
    findings(touching: range, of: path).filter { !$0.fixes.isEmpty }.map {
      CodeAction(title: $0.fixTitle, finding: $0, fixes: $0.fixes)
    }
  }

  /// The findings that touch a range of a file.
  func findings(touching range: TextRange, of path: String) -> [EditorDiagnostic] {
    findings(of: path).filter { $0.range.start <= range.end && range.start <= $0.range.end }
  }

  /// All repairs of a file as one; nil where there is none. No two of a check overlap; of several modules the first counts.
  package func repairOfAll(in path: String) -> CodeAction? {
    var fixes: [EditorDiagnostic.Fix] = []
    for fix in findings(of: path).flatMap(\.fixes) {
      let overlaps = fixes.contains { $0.range.start < fix.range.end && fix.range.start < $0.range.end }
      if !overlaps, !fixes.contains(fix) { fixes.append(fix) }
    }
    return fixes.isEmpty ? nil : CodeAction(title: "Apply all repairs", finding: nil, fixes: fixes)
  }
}
