// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Writes findings in the format of compilers, which Xcode and other editors show as marks: `file:line:column: error:
/// message`.
///
/// Related places, notes, help and environments follow as notes at their places. A finding without lines has no line
/// and column; one about the command line has no file either. The standard input is `<stdin>`.
package struct XcodeRenderer {
  /// The absolute path of the folder that files are relative to.
  private let workingFolder: String

  /// Creates a renderer for files with paths relative to a folder, which has an absolute path.
  package init(workingFolder: String) { self.workingFolder = workingFolder }

  /// Returns the findings in their order, or an empty string if there are none.
  package func text(of diagnostics: [Diagnostic]) -> String {
    var lines: [String] = []
    for diagnostic in diagnostics {
      let message = "\(diagnostic.message) [\(diagnostic.code)]"
      lines.append(line(at: diagnostic.location, diagnostic.severity.rawValue, message))
      for related in diagnostic.related { lines.append(line(at: related.location, "note", related.message)) }
      for words in diagnostic.noteLines { lines.append(line(at: diagnostic.location, "note", words)) }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns one line: the location, the severity and the message.
  private func line(at location: Diagnostic.Location, _ kind: String, _ words: String) -> String {
    "\(prefix(of: location))\(kind): \(words.visible)"
  }

  /// Returns the part of a line before the severity.
  private func prefix(of location: Diagnostic.Location) -> String {
    guard location.isInFile || location.file == Diagnostic.Location.standardInput else { return "" }
    let path = (location.isInFile ? Path.normalize(Path.join(workingFolder, location.file)) : location.file).visible
    return location.start.map { "\(path):\($0.line):\($0.column): " } ?? "\(path): "
  }
}
