// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension DifferenceReport {
  /// Returns the difference as a table in GitHub Flavored Markdown, for a review. Ends with a line break.
  ///
  /// - Parameter hasSummary: Whether a line below the table summarizes the counts.
  package func markdown(hasSummary: Bool = true) -> String {
    guard !difference.isEmpty else { return "No difference between \(code(from)) and \(code(to)).\n" }
    var lines = ["| | what | path | \(code(from)) | \(code(to)) |", "|---|---|---|---|---|"]
    func row(_ verb: String, _ what: String, _ path: String?, _ from: String?, _ to: String?) {
      let cells = [verb, what, path.map(code), from, to].map { $0.map { " \($0)" } ?? "" }
      lines.append("|" + cells.joined(separator: " |") + " |")
    }
    let referrers = referrers
    for (name, _) in difference.sections {
      let listed = listedSection(name)
      let renames = name == .services ? difference.renames : []
      for (verb, entries) in [("added", listed.addedEntries), ("removed", listed.removedEntries)] {
        for entry in entries {
          let facts = entry.value.facts
          let what = "\(name.singular) \(code(entry.key))"
          if facts.isEmpty { row(verb, what, nil, nil, nil) }
          for fact in facts {
            let value = code(fact.value.line)
            row(verb, what, fact.path, verb == "removed" ? value : nil, verb == "added" ? value : nil)
          }
        }
      }
      for rename in renames {
        let users = referrers[rename.from].map { ", in " + $0.map(code).joined(separator: ", ") } ?? ""
        row("renamed", name.singular + users, nil, code(rename.from), code(rename.to))
      }
      for entry in listedChanges(in: name) {
        for change in entry.changes.flatMap(\.leaves) {
          let to = [
            change.isHidden ? nil : change.to.map { code($0.line) },
            change.isSecret ? ModuleDifference.Change.secretChanged : nil,
          ].compactMap(\.self)
          row(
            "changed", "\(name.singular) \(code(entry.id))", change.path, change.from.map { code($0.line) },
            to.isEmpty ? nil : to.joined(separator: " "))
        }
      }
    }
    if hasSummary { lines += ["", summary + "."] }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns a text as a code span for a table cell: the fence is longer than any run of backticks, bars are escaped.
  private func code(_ text: String) -> String {
    let text = text.visible
    var (longest, current) = (0, 0)
    for byte in text.utf8 {
      current = byte == UInt8(ascii: "`") ? current + 1 : 0
      longest = max(longest, current)
    }
    let fence = String(repeating: "`", count: longest + 1)
    // A space between the fence and a backtick is removed again by the Markdown parser.
    let padding = text.utf8.first == UInt8(ascii: "`") || text.utf8.last == UInt8(ascii: "`") ? " " : ""
    let escaped = text.escaping { $0 == "|" ? "\\|" : nil }
    return fence + padding + escaped + padding + fence
  }
}
