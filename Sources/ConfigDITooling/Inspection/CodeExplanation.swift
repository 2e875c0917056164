// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The explanation of a diagnostic code, with an example and its fix: a section of the page about all codes.
package struct CodeExplanation: Sendable {
  /// The code as text: `CDI0501`.
  package let code: String
  /// The common meaning of all findings with the code.
  package let title: String
  /// The section in Markdown, without its heading.
  package let markdown: String

  /// Creates an explanation from a section of the page.
  fileprivate init(code: String, markdown: String) {
    self.code = code
    self.markdown = markdown
    title = DiagnosticCode.title(ofNumber: Int(code.dropFirst(3)) ?? 0)
  }

  /// Returns whether a text has the form of a code, in upper or lower case.
  package static func isCode(_ text: String) -> Bool {
    text.utf8.count == 7 && text.uppercased().hasPrefix("CDI")
      && text.dropFirst(3).allSatisfy { ("0"..."9").contains($0) }
  }

  /// The explanation for people, without emphasis and fences, with indented examples. Ends with a line break.
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

  /// How a module changes the severity of the code, or `nil` for an error, whose severity is fixed.
  private var advice: String? {
    guard DiagnosticCode(text: code)?.severity == .warning else { return nil }
    return """
      Where it is meant, the entry that has it suppresses it:
          "suppress": { "\(code)": "the reason" }
      The entry module can do so for all, or make it an error:
          "diagnostics": { "\(code)": { "severity": "error" } }
      """
  }

  /// The first paragraph, as plain text on one line.
  package var summary: String {
    let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    return lines.joined(separator: " ").withoutEmphasis
  }

  /// The explanation for programs.
  package var value: Value { ["code": .string(code), "title": .string(title), "markdown": .string(markdown)] }
}

/// The page about all codes, which has a section with a third-level heading for each code.
package struct CodePage: Sendable {
  /// The sections by code, each without its heading.
  private var sections: [String: String] = [:]

  /// Parses the page, which is Markdown in UTF-8.
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

  /// Returns the explanation of a code in upper or lower case, or `nil` if the page has no section for it.
  package subscript(code: String) -> CodeExplanation? {
    let code = code.uppercased()
    return sections[code].map { CodeExplanation(code: code, markdown: $0) }
  }
}

extension String {
  /// The text without the Markdown markers of strong emphasis.
  fileprivate var withoutEmphasis: String { replacing("**", with: "") }
}
