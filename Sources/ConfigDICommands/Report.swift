// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// The result of the check of one or two modules, as `validate` prints it.
  struct Report {
    /// The findings of each check, in order.
    private let parts: [Part]
    /// The numbers of findings, including those that are not kept.
    private let counts: FindingCounts
    /// The findings that the modules suppress.
    private var suppressed: [Diagnostic] = []
    /// The environments that were checked, as declared.
    private var environments: [String] = []
    /// The number of distinct service ids.
    private var serviceCount = 0
    /// The variables, files and configuration values that parameters read, by kind, ascending by name.
    private var sources: [TextSource.Kind: [SourceUse]] = [:]
    /// The uses of these sources in each environment; empty if the caller has not collected them.
    private var requirements = SourceRequirements()

    /// The findings of one check, with the check itself, since each check has files of its own.
    private struct Part {
      /// The findings, in order.
      let diagnostics: [Diagnostic]
      /// The check, which renders the findings with lines of its files.
      let check: ModuleCheck
    }

    /// Creates the report of a check.
    init(_ check: ModuleCheck, _ requirements: SourceRequirements = SourceRequirements()) {
      self.requirements = requirements
      parts = [Part(diagnostics: check.diagnostics, check: check)]
      counts = check.counts
      suppressed = check.suppressed
      environments = check.environments
      serviceCount = check.serviceCount
      for kind in TextSource.Kind.allCases { sources[kind] = check.sources(kind) }
    }

    /// Creates a common report of two checks. What both contain is listed once.
    ///
    /// - Parameter names: Functions that change the file names in the findings of each check.
    init(
      _ first: ModuleCheck, _ second: ModuleCheck,
      naming names: (first: (String) -> String, second: (String) -> String)
    ) {
      let own = first.diagnostics.map { $0.renamingFiles(names.first) }
      let told = Set(own)
      let further = second.diagnostics.map { $0.renamingFiles(names.second) }.filter { !told.contains($0) }
      parts = [Part(diagnostics: own, check: first), Part(diagnostics: further, check: second)]
      counts = first.counts + FindingCounts(of: further) + second.truncated
      suppressed = first.suppressed + second.suppressed.filter { !first.suppressed.contains($0) }
      environments = first.environments + second.environments.filter { !first.environments.contains($0) }
      serviceCount = first.summary.serviceIDs.union(second.summary.serviceIDs).count
      for kind in TextSource.Kind.allCases {
        sources[kind] = SourceUse.merged(first.sources(kind), second.sources(kind))
      }
    }

    /// The findings, in order.
    var diagnostics: [Diagnostic] { parts.flatMap(\.diagnostics) }

    /// Writes the findings instead of a result, and returns the exit code.
    ///
    /// Text is written to the standard error, so that a reader of the standard output does not take it for a result.
    /// JSON is written to the standard output, since its keys show what it contains.
    func writeFindings(as format: OutputFormat) -> ExitCode {
      switch format {
      case .text: StandardStream.error.write(plainText(for: .error))
      case .json: StandardStream.output.write(json())
      }
      return ExitCode(ExitStatus.findings.rawValue)
    }

    /// Writes the findings, if there are any, to the standard error, for a result that does not contain them.
    func writeToStandardError() {
      guard counts.errors + counts.warnings > 0 else { return }
      let closing = OutputStyle.current.isQuiet ? "" : TextRenderer.summary(of: counts) + "\n"
      StandardStream.error.write(findings(for: .error) + closing)
    }

    /// Returns the report in a format, ending with a line break.
    func text(_ format: OutputFormat) -> String {
      switch format {
      case .text: plainText(for: .output)
      case .json: json()
      }
    }

    /// Returns the findings and, unless quiet, tables of the sources that parameters read and a summary line.
    private func plainText(for stream: StandardStream) -> String {
      if OutputStyle.current.isQuiet { return findings(for: stream) }
      var closing = TextRenderer.summary(of: counts)
      if !suppressed.isEmpty { closing += ", \(suppressed.count) suppressed" }
      closing += "; \(serviceCount) "
      closing += serviceCount == 1 ? "service" : "services"
      if !environments.isEmpty { closing += " in " + environments.map(\.visible).joined(separator: ", ") }
      return findings(for: stream)
        + TextSource.Kind.allCases.map(sourceTable).joined()
        + closing + "\n"
    }

    /// Returns the findings, rendered for a stream.
    private func findings(for stream: StandardStream) -> String {
      parts.map { $0.check.renderer(usesColor: stream.usesColor).findings($0.diagnostics) }.joined()
        .wrapped(to: stream.width)
    }

    /// Returns a table of the sources of a kind. Below each are its users and the differences between environments.
    private func sourceTable(_ kind: TextSource.Kind) -> String {
      guard let uses = sources[kind], !uses.isEmpty else { return "" }
      let width = uses.map(\.name.visible.unicodeScalars.count).max() ?? 0
      let lines = uses.map { use in
        let words = [
          use.type, use.isSet ? "set" : "not set", use.hasDefault ? "default" : nil, use.isSecret ? "secret" : nil,
        ]
        let details = requirements[kind, use.name]?.lines(amongAll: environments) ?? []
        return "  \(use.name.visible.padded(to: width))  \(words.compactMap(\.self).joined(separator: ", "))\n"
          + details.map { "    \($0)\n" }.joined()
      }
      return kind.title + "\n" + lines.joined() + "\n"
    }

    /// The sources in the JSON report, by kind. Configuration values are rare, and left out if there are none.
    private var reported: [(kind: TextSource.Kind, uses: [SourceUse])] {
      TextSource.Kind.allCases.map { ($0, sources[$0] ?? []) }.filter { $0.kind != .config || !$0.uses.isEmpty }
    }

    /// Returns the report as JSON. `more` writes additional members before the findings.
    func json(_ more: (inout JSONWriter) -> Void = { _ in }) -> String {
      JSONWriter.report { writer in
        more(&writer)
        writer.key("diagnostics")
        JSONRenderer.write(diagnostics, to: &writer)
        if !suppressed.isEmpty {
          writer.key("suppressed")
          JSONRenderer.write(suppressed, to: &writer)
        }
        writer.member("environments", environments)
        writer.member("services", serviceCount)
        for (kind, uses) in reported {
          writer.key(kind.reportKey)
          writer.sources(uses)
        }
        writer.member("errors", counts.errors)
        writer.member("warnings", counts.warnings)
        guard !requirements.isEmpty else { return }
        writer.key("requirements")
        writer.object { writer in
          for (kind, uses) in reported {
            writer.key(kind.reportKey)
            writer.requirements(of: uses, kind, requirements)
          }
        }
      }
    }
  }

  extension Diagnostic {
    /// Returns the finding with changed names of files.
    fileprivate func renamingFiles(_ name: (String) -> String) -> Diagnostic {
      var finding = self
      finding.location.file = name(location.file)
      for index in finding.related.indices {
        finding.related[index].location.file = name(finding.related[index].location.file)
      }
      for index in finding.fixes.indices {
        finding.fixes[index].location.file = name(finding.fixes[index].location.file)
      }
      return finding
    }
  }

  extension SourceUse {
    /// Returns the uses of two checks, ascending by name. Two uses with the same name are merged.
    fileprivate static func merged(_ first: [SourceUse], _ second: [SourceUse]) -> [SourceUse] {
      Dictionary((first + second).map { (ScalarString($0.name), $0) }) { $0.merged(with: $1) }.values
        .ascending(by: \.name)
    }
  }

  extension JSONWriter {
    /// Returns what a command prints as JSON: the version of the format and some more members. Ends with a line break.
    static func report(_ members: (inout JSONWriter) -> Void) -> String {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("configdi", 1)
        members(&writer)
      }
      return writer.text + "\n"
    }

    /// Writes an object with the given sources, by name.
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

    /// Writes an object with the users of the given sources and the use in each environment, by name of the source.
    fileprivate mutating func requirements(
      of uses: [SourceUse], _ kind: TextSource.Kind, _ requirements: SourceRequirements
    ) {
      object { writer in
        for use in uses {
          guard let requirement = requirements[kind, use.name] else { continue }
          writer.key(use.name)
          writer.object { $0.members(of: requirement) }
        }
      }
    }

    /// Writes the users of a source and the use in each environment.
    private mutating func members(of requirement: SourceRequirements.Requirement) {
      member("required", requirement.isRequired)
      member("parameters", requirement.parameters)
      member("usedBy", requirement.services)
      key("environments")
      object { writer in
        for asked in requirement.environments {
          guard let environment = asked.environment else { continue }
          writer.key(environment)
          writer.object(.line) { writer in
            writer.member("required", asked.isRequired)
            writer.member("default", asked.use.hasDefault)
            writer.member("set", asked.use.isSet)
            writer.member("secret", asked.use.isSecret)
            guard let removal = asked.defaultRemoval else { return }
            writer.key("defaultRemoved")
            writer.object(.line) { $0.members(of: removal, withEnd: false) }
          }
        }
      }
    }
  }

  extension TextSource.Kind {
    /// The heading of the table of sources.
    fileprivate var title: String {
      switch self {
      case .env: "environment variables:"
      case .file: "files:"
      case .config: "configuration values:"
      }
    }

    /// The key of the sources in the JSON report.
    fileprivate var reportKey: String {
      switch self {
      case .env: "variables"
      case .file: "files"
      case .config: "configuration"
      }
    }
  }

  extension SourceRequirements.Requirement {
    /// Returns a line with the users of the source, and one for each environment unless all use it in the same way.
    fileprivate func lines(amongAll all: [String]) -> [String] {
      let users = services.isEmpty ? "" : ", used by " + services.listed.visible
      let reader = "for " + parameters.listed.visible + users
      let isSame = environments.dropFirst().allSatisfy {
        $0.isRequired == environments[0].isRequired && $0.use.isSet == environments[0].use.isSet
          && $0.use.isSecret == environments[0].use.isSecret
      }
      let removals = environments.compactMap(\.defaultRemoval)
      if isSame, removals.isEmpty, environments.count >= all.count { return [reader] }
      return [reader]
        + environments.map { asked in
          let removal = asked.defaultRemoval.map {
            ", its default is removed at \(Origin($0).description.visible)"
          }
          return "\(asked.environment?.visible ?? "no environment"): \(asked.isRequired ? "required" : "default")"
            + (asked.use.isSet ? ", set" : "") + (asked.use.isSecret ? ", secret" : "") + (removal ?? "")
        }
    }
  }
#endif
