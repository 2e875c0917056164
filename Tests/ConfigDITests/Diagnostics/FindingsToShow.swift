// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI

/// Findings for the tests of renderers.
enum FindingsToShow {
  /// A finding with everything, in a file of the given name.
  static func full(in file: String = "Configs/mail.json") -> Diagnostic {
    Diagnostic(
      code: .unknownService, message: "service \"mailer\" injects unknown service \"loger\"",
      location: place(file, 14, 29, 36), path: "services.mailer.inject.logger", label: "no service has this id",
      related: [
        Diagnostic.Related(location: place("Configs/logging.json", 3, 5, 13), message: "a similar id is defined here")
      ],
      notes: ["a note"], help: "did you mean \"logger\"?",
      fixes: [Diagnostic.Fix(location: place(file, 14, 29, 36), text: "\"logger\"")], environments: ["prod", "test"])
  }

  /// A warning in a file without lines.
  static let withoutLines = bare(
    .unusedParameter, "parameter \"idle\" is never used",
    at: Diagnostic.Location(file: "app.plist", start: nil, end: nil), path: "parameters.idle")

  /// An error in the caller's own words.
  static let onTheCommandLine = bare(
    .nothingToChange, "there is nothing at \"parameters.x\" to set",
    at: place("<command line>", 1, 1, 1), path: "parameters.x")

  /// A finding with a message and nothing else.
  static func bare(
    _ code: DiagnosticCode, _ message: String, at location: Diagnostic.Location, path: String = "", help: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      code: code, message: message, location: location, path: path, label: nil, related: [], notes: [], help: help,
      fixes: [], environments: nil)
  }

  /// A stretch of one line.
  static func place(_ file: String, _ line: Int, _ column: Int, _ end: Int) -> Diagnostic.Location {
    Diagnostic.Location(
      file: file, start: SourcePosition(line: line, column: column), end: SourcePosition(line: line, column: end))
  }
}
