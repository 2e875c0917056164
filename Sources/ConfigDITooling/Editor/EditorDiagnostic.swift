// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// A finding with places as an editor counts them. What may not be shown was removed from its words by the check.
package struct EditorDiagnostic: Hashable, Sendable {
  /// A further place.
  package struct Related: Hashable, Sendable {
    /// The file.
    package let path: String
    /// The range.
    package let range: TextRange
    /// What is to be seen there.
    package let message: String
  }

  /// A repair in the finding's own file.
  package struct Fix: Hashable, Sendable {
    /// What to replace.
    package let range: TextRange
    /// The text to put there.
    package let text: String
  }

  /// The range.
  package let range: TextRange
  /// How grave the finding is.
  package let severity: Severity
  /// The code.
  package let code: String
  /// What is wrong, then notes and help, a line each.
  package let message: String
  /// Further places.
  package let related: [Related]
  /// The repairs.
  package let fixes: [Fix]
  /// What a repair does, in words.
  package let fixTitle: String
}

/// Converts the findings of snapshots; the lines of each file are counted once.
struct DiagnosticConverter {
  /// The units of positions.
  private let encoding: PositionEncoding
  /// The walks through the files, by document.
  private var walks: [ObjectIdentifier: [String: PositionWalk]] = [:]

  /// A converter to some units.
  init(_ encoding: PositionEncoding) { self.encoding = encoding }

  /// The findings of a module, each with the path of its file, in their order.
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
          fixes: finding.fixes.map { EditorDiagnostic.Fix(range: range(of: $0.location, snapshot), text: $0.text) },
          fixTitle: finding.fixTitle)
      )
    }
  }

  /// The range of a finding's place.
  private mutating func range(of location: Diagnostic.Location, _ snapshot: EditorSnapshot) -> TextRange {
    let path = snapshot.path(of: location)
    let number = ObjectIdentifier(snapshot)
    if walks[number]?[path] == nil {
      let text = EditorText(snapshot.documents[path]?.source.bytes ?? [])
      walks[number, default: [:]][path] = PositionWalk(text, encoding)
    }
    let start = TextPosition(line: 0, character: 0)
    return walks[number]?[path]?.range(of: location) ?? TextRange(start: start, end: start)
  }
}

extension Diagnostic {
  /// What the repair does.
  fileprivate var fixTitle: String {
    guard let fix = fixes.first else { return "" }
    return fix.text.isEmpty ? "Remove it" : "Replace with \(fix.text)"
  }
}
