// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Writes findings as a SARIF 2.1.0 log (OASIS, 27 March 2020), the format that code scanning services read.
///
/// The log has one run. Its rules are the codes of the findings, ascending. Files below the working folder are relative
/// to the base `WORKINGFOLDER`; other files are absolute. Columns count Unicode scalars; the end of a region is
/// exclusive. A finding that the module suppresses is a result with a suppression. The fingerprint of a result depends
/// on its code, file, path and the names in its message, not on lines.
package struct SARIFRenderer {
  /// The explanation of a code, for its rule.
  package struct Help {
    /// The first paragraph.
    let summary: String
    /// The whole explanation as plain text.
    let text: String
    /// The whole explanation as Markdown.
    let markdown: String

    /// Creates the explanation of a code.
    package init(summary: String, text: String, markdown: String) {
      self.summary = summary
      self.text = text
      self.markdown = markdown
    }
  }

  /// The version of the tool.
  private let toolVersion: String
  /// The absolute path of the folder that files are relative to.
  private let workingFolder: String
  /// The address of the page about codes, or `nil` if it is not known.
  private let helpAddress: String?
  /// Returns the explanation of a code, or `nil` if there is none.
  private let help: (DiagnosticCode) -> Help?

  /// Creates a renderer for files with paths relative to a folder, which has an absolute path.
  ///
  /// - Parameters:
  ///   - helpAddress: The address of the page about codes, or `nil` if it is not known. The code in lower case is added
  ///     to it as a fragment.
  ///   - help: Returns the explanation of a code.
  package init(
    toolVersion: String, workingFolder: String, helpAddress: String? = nil,
    help: @escaping (DiagnosticCode) -> Help? = { _ in nil }
  ) {
    self.toolVersion = toolVersion
    self.workingFolder = workingFolder
    self.helpAddress = helpAddress
    self.help = help
  }

  /// Returns the log of the findings and of those that the module suppresses. Ends with a line break.
  package func text(of diagnostics: [Diagnostic], suppressed: [Diagnostic] = []) -> String {
    let results = diagnostics + suppressed
    let codes = Set(results.map(\.code)).sorted()
    let rules = Dictionary(uniqueKeysWithValues: zip(codes, 0...))
    var fingerprints = Fingerprints()
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      writer.member("version", "2.1.0")
      writer.key("runs")
      writer.array { writer in
        writer.object { writer in
          writer.key("tool")
          writeTool(with: codes, to: &writer)
          writer.key("originalUriBaseIds")
          writer.object {
            $0.key(SARIFRenderer.base)
            $0.object(.line) { $0.member("uri", Path.fileURI(of: workingFolder, isFolder: true)) }
          }
          writer.member("columnKind", "unicodeCodePoints")
          writer.key("results")
          writer.array { writer in
            for diagnostic in results {
              let fingerprint = fingerprints.next(of: diagnostic)
              writer.object { writer in
                write(diagnostic, rule: rules[diagnostic.code] ?? 0, fingerprint, to: &writer)
                // If one result has the member, all need it, so that the others are known not to be suppressed.
                if !suppressed.isEmpty { SARIFRenderer.writeSuppression(of: diagnostic, to: &writer) }
              }
            }
          }
        }
      }
    }
    return writer.text + "\n"
  }

  /// The name of the base of relative files.
  private static let base = "WORKINGFOLDER"
}

// MARK: - Tool and results

extension SARIFRenderer {
  /// Writes the tool and a rule for each code.
  private func writeTool(with codes: [DiagnosticCode], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("driver")
      writer.object { writer in
        writer.member("name", "configdi")
        writer.member("semanticVersion", toolVersion)
        writer.key("rules")
        writer.array { writer in
          for code in codes {
            writer.object { writer in
              writer.member("id", code.description)
              writer.key("shortDescription")
              SARIFRenderer.write(message: code.title, to: &writer)
              if let help = help(code) { SARIFRenderer.write(help, to: &writer) }
              if let helpAddress {
                writer.member("helpUri", "\(helpAddress)#\(code.description.lowercased())")
              }
              writer.key("defaultConfiguration")
              writer.object(.line) { $0.member("level", code.severity.rawValue) }
            }
          }
        }
      }
    }
  }

  /// Writes the explanation of a code. It takes no arguments, so braces are not escaped.
  private static func write(_ help: Help, to writer: inout JSONWriter) {
    writer.key("fullDescription")
    writer.object(.line) { $0.member("text", help.summary) }
    writer.key("help")
    writer.object { writer in
      writer.member("text", help.text)
      writer.member("markdown", help.markdown)
    }
  }

  /// Writes whether the module suppresses a finding, and the reason.
  private static func writeSuppression(of diagnostic: Diagnostic, to writer: inout JSONWriter) {
    writer.key("suppressions")
    writer.array { writer in
      guard let reason = diagnostic.suppression else { return }
      writer.object(.line) { writer in
        writer.member("kind", "inSource")
        writer.member("justification", reason)
      }
    }
  }

  /// Writes the members of a result. `rule` is the index of its code in the rules.
  private func write(_ diagnostic: Diagnostic, rule: Int, _ fingerprint: String, to writer: inout JSONWriter) {
    writer.member("ruleId", diagnostic.code.description)
    writer.member("ruleIndex", rule)
    writer.member("level", diagnostic.severity.rawValue)
    writer.key("message")
    var words = [diagnostic.message] + diagnostic.notes
    if let help = diagnostic.help { words.append("help: \(help)") }
    SARIFRenderer.write(message: words.joined(separator: "\n"), to: &writer)
    writer.key("locations")
    writer.array { writer in
      if diagnostic.location.isInFile || !diagnostic.path.isEmpty {
        writer.object { writeLocation(diagnostic.location, path: diagnostic.path, to: &$0) }
      }
    }
    if !diagnostic.related.isEmpty {
      writer.key("relatedLocations")
      writer.array { writer in
        for (number, related) in diagnostic.related.enumerated() {
          writer.object { writer in
            writer.member("id", number)
            writeLocation(related.location, path: "", to: &writer)
            writer.key("message")
            SARIFRenderer.write(message: related.message, to: &writer)
          }
        }
      }
    }
    writer.key("partialFingerprints")
    writer.object(.line) { $0.member("finding/v1", fingerprint) }
    let fixes = diagnostic.fixes.filter { $0.location.isInFile && $0.location.start != nil }
    if !fixes.isEmpty {
      writer.key("fixes")
      writer.array { write(fixes, to: &$0) }
    }
    if let environments = diagnostic.environments {
      writer.key("properties")
      writer.object { $0.member("environments", environments) }
    }
  }

  private static func writeReplacement(_ fix: Diagnostic.Fix, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("deletedRegion")
      writeRegion(of: fix.location, to: &writer)
      writer.key("insertedContent")
      writer.object(.line) { $0.member("text", fix.text) }
    }
  }

  /// Writes the fixes of a finding, which belong together, as one fix: the other elements would be alternatives.
  private func write(_ fixes: [Diagnostic.Fix], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("description")
      let texts = fixes.map(\.text).filter { !$0.isEmpty }
      SARIFRenderer.write(
        message: texts.isEmpty ? "remove this" : "replace this with \(Set(texts).sorted().joined(separator: ", "))",
        to: &writer)
      writer.key("artifactChanges")
      writer.array { writer in
        let changes = Dictionary(grouping: fixes, by: \.location.file)
        for (file, fixes) in changes.sorted(by: { $0.key < $1.key }) {
          writer.object { writer in
            writer.key("artifactLocation")
            writeArtifact(file, to: &writer)
            writer.key("replacements")
            writer.array { for fix in fixes { SARIFRenderer.writeReplacement(fix, to: &$0) } }
          }
        }
      }
    }
  }
}

// MARK: - Places and messages

extension SARIFRenderer {
  /// Writes the members of a location: the file and the region if they are known, and the path if it is not empty.
  private func writeLocation(_ location: Diagnostic.Location, path: String, to writer: inout JSONWriter) {
    if location.isInFile {
      writer.key("physicalLocation")
      writer.object { writer in
        writer.key("artifactLocation")
        writeArtifact(location.file, to: &writer)
        if location.start != nil {
          writer.key("region")
          SARIFRenderer.writeRegion(of: location, to: &writer)
        }
      }
    }
    if !path.isEmpty {
      writer.key("logicalLocations")
      writer.array { $0.object(.line) { $0.member("fullyQualifiedName", path) } }
    }
  }

  /// Writes the location of a file: relative if the file is below the working folder, else absolute.
  private func writeArtifact(_ file: String, to writer: inout JSONWriter) {
    let path = Path.normalize(Path.join(workingFolder, file))
    let shown = Path.displayName(of: path, workingFolder: workingFolder)
    writer.object(.line) { writer in
      if Path.isAbsolute(shown) {
        writer.member("uri", Path.fileURI(of: shown))
      } else {
        writer.member("uri", Path.percentEncoded(shown))
        writer.member("uriBaseId", SARIFRenderer.base)
      }
    }
  }

  /// Writes a range of lines and columns.
  private static func writeRegion(of location: Diagnostic.Location, to writer: inout JSONWriter) {
    writer.object(.line) { writer in
      guard let start = location.start else { return }
      writer.member("startLine", start.line)
      writer.member("startColumn", start.column)
      guard let end = location.end else { return }
      writer.member("endLine", end.line)
      writer.member("endColumn", end.column)
    }
  }

  /// Writes a message. Braces are doubled (section 3.11.5), and brackets that would form a link escaped (3.11.6).
  private static func write(message: String, to writer: inout JSONWriter) {
    let bytes = Array(message.utf8)
    let hasLink = zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: "]") && $1 == UInt8(ascii: "(") }
    let text = message.escaping { scalar in
      switch scalar {
      case "{": "{{"
      case "}": "}}"
      case "[" where hasLink, "]" where hasLink, "\\" where hasLink: "\\" + String(scalar)
      default: nil
      }
    }
    writer.object(.line) { $0.member("text", text) }
  }
}

// MARK: - Fingerprints

/// Computes a fingerprint for each finding of a log. A fingerprint stays the same if lines move, list elements change
/// their positions, or messages are reworded.
private struct Fingerprints {
  /// The number of earlier findings with the same key.
  private var counts: [String: Int] = [:]

  /// Returns the fingerprint of the next finding: a hash of its code, its file, the keys of its path, and quoted names.
  mutating func next(of diagnostic: Diagnostic) -> String {
    let parts = [diagnostic.code.description, diagnostic.location.file, diagnostic.path.withoutPositions]
    let key = (parts + diagnostic.message.quotedParts).joined(separator: "\u{0}")
    let count = counts[key, default: 0]
    counts[key] = count + 1
    let hash = SHA256.hash(of: "\(key)\u{0}\(count)".utf8)
    return hash.prefix(16).map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension String {
  /// The parts of a message in double quotes. They are names, and do not depend on the wording.
  fileprivate var quotedParts: [String] {
    split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
      String($0.element)
    }
  }

  /// The path without the indices of list elements: `imports[]` for `imports[3]`.
  fileprivate var withoutPositions: String {
    var kept = ""
    var rest = self[...]
    while let bracket = rest.firstIndex(of: "[") {
      kept += rest[...bracket]
      rest = rest[rest.index(after: bracket)...]
      rest = rest.drop { ("0"..."9").contains($0) }
    }
    return kept + rest
  }
}
