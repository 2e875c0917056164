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
      writer.members(of: diagnostic.location)
      writer.member("path", diagnostic.path)
      if let environments = diagnostic.environments { writer.member("environments", environments) }
      writer.key("related")
      writer.array { writer in
        for related in diagnostic.related {
          writer.object(.line) { writer in
            writer.members(of: related.location, withEnd: false)
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
            writer.members(of: fix.location)
            writer.member("text", fix.text)
          }
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes the members of a location: the file, and the lines and columns if they are known.
  package mutating func members(of location: Diagnostic.Location, withEnd: Bool = true) {
    member("file", location.file)
    if let start = location.start {
      member("line", start.line)
      member("column", start.column)
    }
    if withEnd, let end = location.end {
      member("endLine", end.line)
      member("endColumn", end.column)
    }
  }
}
