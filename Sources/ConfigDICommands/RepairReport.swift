// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// The fixes that were applied, and the findings that remain, as `validate --fix` prints them.
  struct RepairReport {
    /// The fixes, and the check of the module with them.
    let repair: ModuleRepair
    /// Whether the files have been written.
    let isWritten: Bool

    /// Returns the report in a format, ending with a line break.
    func text(_ format: OutputFormat) -> String {
      switch format {
      case .text: plainText
      case .json: json
      }
    }

    /// The report as text: a line for each fix, then the findings that remain.
    private var plainText: String {
      guard !repair.fixes.isEmpty else { return "nothing to fix\n\n" + Report(repair.check).text(.text) }
      var text = isWritten ? "fixed:\n" : "would fix:\n"
      for fix in repair.fixes {
        let start = fix.location.start.map { ":\($0.line):\($0.column)" } ?? ""
        let change = fix.text.isEmpty ? "remove" : "replace with \(fix.text.visible)"
        text +=
          "  \(fix.location.file.visible)\(start): \(change)  (\(fix.finding.code): \(fix.finding.message.visible))\n"
      }
      if !isWritten { text += "nothing was written; use --fix --yes to write the changes\n" }
      return text + (isWritten ? "\n" : "\nremaining findings:\n\n") + Report(repair.check).text(.text)
    }

    /// The report as JSON: the fixes, then the findings that remain.
    private var json: String {
      Report(repair.check).json { writer in
        writer.member("written", isWritten)
        writer.key("fixed")
        writer.array { writer in
          for fix in repair.fixes {
            writer.object(.line) { writer in
              writer.member("code", fix.finding.code.description)
              writer.member("message", fix.finding.message)
              writer.members(of: fix.location)
              writer.member("text", fix.text)
            }
          }
        }
      }
    }
  }
#endif
