// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What a code means, an example that has it, and how to mend it: its section of the page about all codes.
package struct CodeExplanation: Sendable {
  /// The code as it is written: `CDI0501`.
  package let code: String
  /// What findings of the code have in common.
  package let title: String
  /// The section in Markdown, without its heading.
  package let markdown: String

  /// A section of the page.
  fileprivate init(code: String, markdown: String) {
    self.code = code
    self.markdown = markdown
    title = DiagnosticCode.title(ofNumber: Int(code.dropFirst(3)) ?? 0)
  }

  /// Whether a text is written like a code, in capital or small letters.
  package static func isCode(_ text: String) -> Bool {
    text.utf8.count == 7 && text.uppercased().hasPrefix("CDI")
      && text.dropFirst(3).allSatisfy { ("0"..."9").contains($0) }
  }

  /// The form for people: emphasis and fences removed, examples indented; ends with a line break.
  package var text: String {
    var isExample = false
    var lines = ["\(code): \(title)", ""]
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isExample.toggle()
      } else if isExample {
        lines.append(line.isEmpty ? "" : "    \(line)")
      } else {
        lines.append(String(line).withoutEmphasis)
      }
    }
    if let advice { lines += ["", advice] }
    return lines.map { $0 + "\n" }.joined()
  }

  /// How a module changes the severity of the code; nil for an error, which it cannot.
  private var advice: String? {
    guard DiagnosticCode(text: code)?.severity == .warning else { return nil }
    return """
      Where it is meant, the entry that has it suppresses it:
          "suppress": { "\(code)": "the reason" }
      The entry module can do so for all, or make it an error:
          "diagnostics": { "\(code)": { "severity": "error" } }
      """
  }

  /// The first paragraph, as plain text in one line.
  package var summary: String {
    let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    return lines.joined(separator: " ").withoutEmphasis
  }

  /// The form for programs.
  package var value: Value { ["code": .string(code), "title": .string(title), "markdown": .string(markdown)] }
}

/// The page about all codes: a section with a heading of the third level for each.
package struct CodePage: Sendable {
  /// The sections by code, each without its heading.
  private var sections: [String: String] = [:]

  /// Reads the page, Markdown in UTF-8.
  package init(_ page: [UInt8]) {
    var lines: [String: [Substring]] = [:]
    var code: String?
    for line in String(decoding: page, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("### ") {
        code = String(line.dropFirst(4))
      } else if line.hasPrefix("## ") {
        code = nil
      } else if let code {
        lines[code, default: []].append(line)
      }
    }
    sections = lines.mapValues { lines in
      let text = lines.drop { $0.isEmpty }.joined(separator: "\n")
      return String(text.reversed().drop { $0 == "\n" }.reversed())
    }
  }

  /// The codes that have a section, ascending.
  package var codes: [String] { sections.keys.sorted() }

  /// The section about a code, which may be written in small letters; nil where there is none.
  package subscript(code: String) -> CodeExplanation? {
    let code = code.uppercased()
    return sections[code].map { CodeExplanation(code: code, markdown: $0) }
  }
}

extension String {
  /// The text without the marks of strong emphasis in Markdown.
  fileprivate var withoutEmphasis: String {
    var text = ""
    var rest = self[...]
    while let mark = rest.firstIndex(of: "*") {
      text += rest[..<mark]
      rest = rest[mark...]
      if rest.hasPrefix("**") {
        rest = rest.dropFirst(2)
      } else {
        text += "*"
        rest = rest.dropFirst()
      }
    }
    return text + rest
  }
}
