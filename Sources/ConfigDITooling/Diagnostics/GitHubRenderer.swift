// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Writes findings as workflow commands, which GitHub Actions shows beside the lines of a change.
///
/// Each finding is one line: `::error file=F,line=L,col=C,endColumn=E,title=CODE::message`. Properties without a value,
/// such as the file or the line, are left out. Notes, help and environments follow the message, on lines of their own.
package enum GitHubRenderer {
  /// Returns the findings in their order, one line each; an empty string if there are none.
  package static func text(of diagnostics: [Diagnostic]) -> String {
    diagnostics.map { "\(command(for: $0))\n" }.joined()
  }

  /// Returns the workflow command for one finding.
  private static func command(for diagnostic: Diagnostic) -> String {
    let location = diagnostic.location
    var properties: [(key: String, value: String)] = []
    if location.isInFile { properties.append(("file", location.file.visible)) }
    if location.isInFile, let start = location.start {
      properties += [("line", String(start.line)), ("col", String(start.column))]
      // GitHub accepts columns only for a range within one line.
      if let end = location.end, end.line == start.line { properties.append(("endColumn", String(end.column))) }
    }
    properties.append(("title", diagnostic.code.description))

    let list = properties.map { "\($0.key)=\(escaped($0.value, inProperty: true))" }.joined(separator: ",")
    let message = ([diagnostic.message] + diagnostic.noteLines).map(\.visible).joined(separator: "\n")
    return "::\(diagnostic.severity.rawValue) \(list)::\(escaped(message, inProperty: false))"
  }

  /// Percent-encodes the characters of a text that would end a command or, if the text is a property, the property.
  private static func escaped(_ text: String, inProperty: Bool) -> String {
    text.escaping { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case ":" where inProperty: "%3A"
      case "," where inProperty: "%2C"
      default: nil
      }
    }
  }
}

extension Diagnostic.Location {
  /// The name of the standard input in findings.
  package static let standardInput = "<stdin>"

  /// Whether the location is in a file on disk, and not in an argument of the caller or in the standard input.
  var isInFile: Bool { !(file.utf8.first == UInt8(ascii: "<") && file.utf8.last == UInt8(ascii: ">")) }
}

extension Diagnostic {
  /// The lines that a format without excerpts adds to the message: the path if there is no line, notes, help,
  /// environments.
  var noteLines: [String] {
    var words: [String] = []
    if location.start == nil || !location.isInFile, !path.isEmpty { words.append("at \(path)") }
    words += notes
    if let help { words.append("help: \(help)") }
    if let environments { words.append("environments: " + environments.joined(separator: ", ")) }
    return words
  }
}
