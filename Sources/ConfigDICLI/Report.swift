// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// What came of a check, as `validate` prints it.
  struct Report {
    /// The check.
    private let check: ModuleCheck

    /// The report of a check.
    init(_ check: ModuleCheck) { self.check = check }

    /// The report in a form; ends with a line break.
    func text(_ format: OutputFormat) -> String {
      switch format {
      case .text: plainText
      case .json: json
      }
    }

    /// The findings, the variables and files that the module reads, and a closing line.
    private var plainText: String {
      let renderer = TextRenderer(usesColor: Report.usesColor, masks: check.masks, source: check.source(named:))
      var closing = "\(TextRenderer.summary(of: check.diagnostics)); \(check.serviceCount) "
      closing += check.serviceCount == 1 ? "service" : "services"
      if !check.environments.isEmpty { closing += " in " + check.environments.joined(separator: ", ") }
      return renderer.findings(check.diagnostics)
        + sourceTable("environment variables:", check.variables) + sourceTable("files:", check.fileSources)
        + closing + "\n"
    }

    /// What the module reads beside its files, a line each.
    private func sourceTable(_ title: String, _ uses: [SourceUse]) -> String {
      guard !uses.isEmpty else { return "" }
      let width = uses.map(\.name.unicodeScalars.count).max() ?? 0
      let lines = uses.map { use in
        let words = [
          use.type, use.isSet ? "set" : "not set", use.hasDefault ? "default" : nil, use.isSecret ? "secret" : nil,
        ]
        let padding = String(repeating: " ", count: width - use.name.unicodeScalars.count)
        return "  \(use.name)\(padding)  \(words.compactMap(\.self).joined(separator: ", "))\n"
      }
      return title + "\n" + lines.joined() + "\n"
    }

    /// The same for programs.
    private var json: String {
      let errors = check.diagnostics.count { $0.severity == .error }
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("configdi", 1)
        writer.key("diagnostics")
        JSONRenderer.write(check.diagnostics, to: &writer)
        writer.member("environments", check.environments)
        writer.member("services", check.serviceCount)
        writer.key("variables")
        writer.sources(check.variables)
        writer.key("files")
        writer.sources(check.fileSources)
        writer.member("errors", errors)
        writer.member("warnings", check.diagnostics.count - errors)
      }
      return writer.text + "\n"
    }

    /// Whether the output is a terminal that wants colours (https://no-color.org).
    static var usesColor: Bool {
      let environment = ProcessInfo.processInfo.environment
      return StandardStream.output.isTerminal && environment["NO_COLOR", default: ""].isEmpty
        && environment["TERM"] != "dumb"
    }
  }

  extension JSONWriter {
    /// Writes what a module reads beside its files, by name.
    fileprivate mutating func sources(_ uses: [SourceUse]) {
      object { writer in
        for use in uses {
          writer.key(use.name)
          writer.object(.line) { writer in
            writer.member("type", use.type)
            writer.member("set", use.isSet)
            writer.member("default", use.hasDefault)
            writer.member("secret", use.isSecret)
          }
        }
      }
    }
  }
#endif
