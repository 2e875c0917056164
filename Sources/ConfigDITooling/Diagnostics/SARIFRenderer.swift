// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Findings as a log of SARIF 2.1.0 (OASIS, 27 March 2020), which code scanning services take.
///
/// The log has one run. Its rules are the codes that were found, ascending; files below the working folder are relative to
/// the base `WORKINGFOLDER`, others absolute. Columns count Unicode scalars, a region's end is exclusive.
package struct SARIFRenderer {
  /// The version of the tool.
  private let toolVersion: String
  /// The absolute path of the folder that files are relative to.
  private let workingFolder: String

  /// A renderer for files that are named relative to a folder, whose path is absolute.
  package init(toolVersion: String, workingFolder: String) {
    self.toolVersion = toolVersion
    self.workingFolder = workingFolder
  }

  /// The log; ends with a line break.
  package func text(of diagnostics: [Diagnostic]) -> String {
    let codes = Set(diagnostics.map(\.code)).sorted()
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
            for diagnostic in diagnostics {
              write(diagnostic, rule: codes.firstIndex(of: diagnostic.code) ?? 0, to: &writer)
            }
          }
        }
      }
    }
    return writer.text + "\n"
  }

  /// The name of the base that relative files have.
  private static let base = "WORKINGFOLDER"
}

// MARK: - Tool and results

extension SARIFRenderer {
  /// Writes what the tool is and what each code means.
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
              writer.key("defaultConfiguration")
              writer.object(.line) { $0.member("level", code.severity.rawValue) }
            }
          }
        }
      }
    }
  }

  /// Writes one finding as a result; `rule` is its code's place among the rules.
  private func write(_ diagnostic: Diagnostic, rule: Int, to writer: inout JSONWriter) {
    writer.object { writer in
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
          writer.object { writePlace(diagnostic.location, path: diagnostic.path, to: &$0) }
        }
      }
      if !diagnostic.related.isEmpty {
        writer.key("relatedLocations")
        writer.array { writer in
          for (number, related) in diagnostic.related.enumerated() {
            writer.object { writer in
              writer.member("id", number)
              writePlace(related.location, path: "", to: &writer)
              writer.key("message")
              SARIFRenderer.write(message: related.message, to: &writer)
            }
          }
        }
      }
      let fixes = diagnostic.fixes.filter { $0.location.isInFile && $0.location.start != nil }
      if !fixes.isEmpty {
        writer.key("fixes")
        writer.array { for fix in fixes { write(fix, to: &$0) } }
      }
      if let environments = diagnostic.environments {
        writer.key("properties")
        writer.object { $0.member("environments", environments) }
      }
    }
  }

  /// Writes a repair as the replacement of one region.
  private func write(_ fix: Diagnostic.Fix, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("description")
      SARIFRenderer.write(message: fix.text.isEmpty ? "remove this" : "replace this with \(fix.text)", to: &writer)
      writer.key("artifactChanges")
      writer.array { writer in
        writer.object { writer in
          writer.key("artifactLocation")
          writeArtifact(fix.location.file, to: &writer)
          writer.key("replacements")
          writer.array { writer in
            writer.object { writer in
              writer.key("deletedRegion")
              SARIFRenderer.writeRegion(of: fix.location, to: &writer)
              writer.key("insertedContent")
              writer.object(.line) { $0.member("text", fix.text) }
            }
          }
        }
      }
    }
  }
}

// MARK: - Places and messages

extension SARIFRenderer {
  /// Writes the members of a location: the file and region where there are, and the path where it is known.
  private func writePlace(_ location: Diagnostic.Location, path: String, to writer: inout JSONWriter) {
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

  /// Writes where a file is: relative where it lies below the working folder, else absolute.
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

  /// Writes a stretch of lines.
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

  /// Writes a message. Braces stand doubled (section 3.11.5), and what would read as a link is none (section 3.11.6).
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
