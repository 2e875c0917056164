// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Sample findings for the tests of renderers.
package enum SampleFindings {
  /// Returns a finding with a value for every property, in the given file.
  package static func full(in file: String = "Configs/mail.json") -> Diagnostic {
    var finding = bare(
      .unknownService, "service \"mailer\" injects unknown service \"loger\"", at: place(file, 14, 29, 36),
      path: "services.mailer.inject.logger", help: "did you mean \"logger\"?")
    finding.label = "no service has this id"
    finding.related = [
      Diagnostic.Related(location: place("Configs/logging.json", 3, 5, 13), message: "a similar id is defined here")
    ]
    finding.notes = ["a note"]
    finding.fixes = [Diagnostic.Fix(location: place(file, 14, 29, 36), text: "\"logger\"")]
    finding.environments = ["prod", "test"]
    return finding
  }

  /// A warning in a file without line numbers.
  package static let withoutLines = bare(
    .unusedParameter, "parameter \"idle\" is never used",
    at: Diagnostic.Location(file: "app.plist", start: nil, end: nil), path: "parameters.idle")

  /// An error in a command-line argument.
  package static let onTheCommandLine = bare(
    .nothingToChange, "cannot set \"parameters.x\": nothing has this path",
    at: place("<command line>", 1, 1, 1), path: "parameters.x")

  /// Returns a finding with a message, and no notes, fixes or related locations.
  package static func bare(
    _ code: DiagnosticCode, _ message: String, at location: Diagnostic.Location, path: String = "", help: String? = nil
  ) -> Diagnostic {
    var bag = DiagnosticBag()
    bag.report(Finding(code, message, at: .commandLine(path: path)))
    let check = FindingsReport.Check(environment: nil, bag: bag, files: [])
    var finding = [Diagnostic](resolving: FindingsReport(checks: [check], documents: [], order: []))[0]
    finding.location = location
    finding.help = help
    return finding
  }

  /// Returns a range in one line.
  package static func place(_ file: String, _ line: Int, _ column: Int, _ end: Int) -> Diagnostic.Location {
    Diagnostic.Location(
      file: file, start: SourcePosition(line: line, column: column), end: SourcePosition(line: line, column: end))
  }
}
