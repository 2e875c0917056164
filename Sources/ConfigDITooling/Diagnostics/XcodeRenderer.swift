// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Findings as compilers write them, which Xcode and other editors turn into marks: `file:line:column: error: message`.
///
/// Related places, notes, help and environments follow as notes at their places. A file without lines leaves line and
/// column out, the command line the file as well.
package struct XcodeRenderer {
  /// The absolute path of the folder that files are relative to.
  private let workingFolder: String

  /// A renderer for files that are named relative to a folder, whose path is absolute.
  package init(workingFolder: String) { self.workingFolder = workingFolder }

  /// The findings in their order; empty where there are none.
  package func text(of diagnostics: [Diagnostic]) -> String {
    var lines: [String] = []
    for diagnostic in diagnostics {
      let message = "\(diagnostic.message) [\(diagnostic.code)]"
      lines.append(line(at: diagnostic.location, diagnostic.severity.rawValue, message))
      for related in diagnostic.related { lines.append(line(at: related.location, "note", related.message)) }
      for words in diagnostic.furtherWords { lines.append(line(at: diagnostic.location, "note", words)) }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// One line: where, how grave, and what.
  private func line(at location: Diagnostic.Location, _ kind: String, _ words: String) -> String {
    "\(prefix(of: location))\(kind): \(words.visible)"
  }

  /// What stands in front of a line's severity.
  private func prefix(of location: Diagnostic.Location) -> String {
    guard location.isInFile else { return "" }
    let path = Path.normalize(Path.join(workingFolder, location.file)).visible
    return location.start.map { "\(path):\($0.line):\($0.column): " } ?? "\(path): "
  }
}
