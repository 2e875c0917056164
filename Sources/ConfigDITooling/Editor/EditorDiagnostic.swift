// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// A finding with positions in the client's units. The check has already removed secrets from its messages.
package struct EditorDiagnostic: Hashable, Sendable {
  /// A further location of a finding.
  package struct Related: Hashable, Sendable {
    /// The canonical path of the file.
    package let path: String
    /// The range.
    package let range: TextRange
    /// The message about this location.
    package let message: String
  }

  /// An edit of a repair, in the file of the finding.
  package struct Fix: Hashable, Sendable {
    /// The range to replace.
    package let range: TextRange
    /// The new text.
    package let text: String
  }

  /// The range of the finding.
  package let range: TextRange
  /// The severity.
  package let severity: Severity
  /// The code, as text.
  package let code: String
  /// The message, then the label, notes, help and environments, a line each.
  package let message: String
  /// The further locations.
  package let related: [Related]
  /// The edits of the repair; empty if there is none.
  package let fixes: [Fix]
  /// A description of the repair; empty if there is none.
  package let fixTitle: String
}

/// Converts the findings of snapshots. Builds the line table of each file once.
struct DiagnosticConverter {
  /// The units in which characters are counted.
  private let encoding: PositionEncoding
  /// The position walks, by snapshot and path.
  private var walks: [ObjectIdentifier: [String: PositionWalk]] = [:]

  /// Creates a converter to positions in an encoding.
  init(_ encoding: PositionEncoding) { self.encoding = encoding }

  /// Returns the findings of a snapshot in their order, each with the canonical path of its file.
  mutating func diagnostics(of snapshot: EditorSnapshot) -> [(path: String, finding: EditorDiagnostic)] {
    snapshot.diagnostics.map { finding in
      let path = snapshot.path(of: finding.location)
      var lines = [finding.message]
      if let label = finding.label { lines.append(label) }
      lines += finding.notes.map { "note: \($0)" }
      if let help = finding.help { lines.append("help: \(help)") }
      if let environments = finding.environments {
        lines.append("environments: \(environments.joined(separator: ", "))")
      }
      let related = finding.related.map { related in
        EditorDiagnostic.Related(
          path: snapshot.path(of: related.location), range: range(of: related.location, snapshot),
          message: related.message)
      }
      return (
        path,
        EditorDiagnostic(
          range: range(of: finding.location, snapshot), severity: finding.severity, code: finding.code.description,
          message: lines.joined(separator: "\n"), related: related,
          fixes: fixes(of: finding, snapshot), fixTitle: finding.fixTitle)
      )
    }
  }

  /// Returns the edits of a finding's repair.
  mutating func fixes(of finding: Diagnostic, _ snapshot: EditorSnapshot) -> [EditorDiagnostic.Fix] {
    finding.fixes.map { EditorDiagnostic.Fix(range: range(of: $0.location, snapshot), text: $0.text) }
  }

  /// Returns the range of a location, or the start of the file if the location has no range.
  private mutating func range(of location: Diagnostic.Location, _ snapshot: EditorSnapshot) -> TextRange {
    let path = snapshot.path(of: location)
    let (bytes, encoding) = (snapshot.documents[path]?.source.bytes ?? [], encoding)
    return walks[ObjectIdentifier(snapshot), default: [:]][path, default: PositionWalk(EditorText(bytes), encoding)]
      .range(of: location)
  }
}

extension Diagnostic {
  /// A description of the repair; empty if there is none.
  fileprivate var fixTitle: String {
    guard let fix = fixes.first else { return "" }
    return fix.text.isEmpty ? "Remove it" : "Replace with \(fix.text)"
  }
}
