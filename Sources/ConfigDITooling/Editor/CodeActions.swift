// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// A repair that a user can choose.
package struct CodeAction: Hashable, Sendable {
  /// What it does.
  package let title: String
  /// The finding that it fixes; nil for all of a file.
  package let finding: EditorDiagnostic?
  /// The repairs.
  package let fixes: [EditorDiagnostic.Fix]
}

extension EditorWorkspace {
  /// The repairs of the findings that touch a range of a file.
  package func codeActions(in path: String, touching range: TextRange) -> [CodeAction] {
    findings(of: path).filter { finding in
      !finding.fixes.isEmpty && finding.range.start <= range.end && range.start <= finding.range.end
    }.map { CodeAction(title: $0.fixTitle, finding: $0, fixes: $0.fixes) }
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
