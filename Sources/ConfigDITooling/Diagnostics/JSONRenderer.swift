// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Writes findings as JSON, for programs. The structure stays the same when the wording of the text format changes.
package enum JSONRenderer {
  /// Writes the findings as an array, in their order.
  package static func write(_ diagnostics: [Diagnostic], to writer: inout JSONWriter) {
    writer.array { writer in
      for diagnostic in diagnostics { write(diagnostic, to: &writer) }
    }
  }

  /// Writes one finding as an object.
  private static func write(_ diagnostic: Diagnostic, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("code", diagnostic.code.description)
      writer.member("severity", diagnostic.severity.rawValue)
      writer.member("message", diagnostic.message)
      write(diagnostic.location, to: &writer)
      writer.member("path", diagnostic.path)
      if let environments = diagnostic.environments { writer.member("environments", environments) }
      writer.key("related")
      writer.array { writer in
        for related in diagnostic.related {
          writer.object(.line) { writer in
            write(related.location, withEnd: false, to: &writer)
            writer.member("message", related.message)
          }
        }
      }
      writer.member("notes", diagnostic.notes)
      if let help = diagnostic.help { writer.member("help", help) }
      if let reason = diagnostic.suppression { writer.member("reason", reason) }
      writer.key("fixes")
      writer.array { writer in
        for fix in diagnostic.fixes {
          writer.object(.line) { writer in
            write(fix.location, to: &writer)
            writer.member("text", fix.text)
          }
        }
      }
    }
  }

  /// Writes the members of a location: the file, and the lines and columns if they are known.
  private static func write(
    _ location: Diagnostic.Location, withEnd: Bool = true, to writer: inout JSONWriter
  ) {
    writer.member("file", location.file)
    if let start = location.start {
      writer.member("line", start.line)
      writer.member("column", start.column)
    }
    if withEnd, let end = location.end {
      writer.member("endLine", end.line)
      writer.member("endColumn", end.column)
    }
  }
}
