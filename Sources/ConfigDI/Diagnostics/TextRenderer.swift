// SPDX-License-Identifier: Apache-2.0

/// A renderer of findings as text for people: the problem, excerpts of the lines with marks below them, and what to do.
///
/// Masks hide secrets in the excerpts. Control characters are shown as escapes, so that a file cannot control the
/// terminal.
package struct TextRenderer {
  /// Whether the text has colours for a terminal.
  private let usesColor: Bool
  /// Returns a file of the load.
  private let source: (FileID) -> Source?
  /// The number of characters of a long line that are shown around the place of the finding.
  private static let width = 100

  /// A range of a file that must not be shown.
  package struct Mask: Equatable, Sendable {
    /// The range of bytes.
    package var range: Range<Int>
    /// The text shown instead, such as `<secret mail.password>`.
    package var text: String
  }

  /// A file, with the ranges that must not be shown.
  package struct Source: Sendable {
    /// The file.
    let file: SourceFile
    /// The ranges that must not be shown, in ascending order.
    let masks: [Mask]

    /// Creates a file with the ranges that must not be shown, in any order.
    package init(_ file: SourceFile, masks: [Mask] = []) {
      self.file = file
      self.masks = masks.ascending(by: \.range.lowerBound)
    }
  }

  /// Creates a renderer of findings.
  ///
  /// - Parameters:
  ///   - usesColor: Whether to write the escape sequences of a terminal (ECMA-48).
  ///   - source: Returns a file of the load. If it returns `nil`, a finding is shown without an excerpt.
  package init(usesColor: Bool = false, source: @escaping (FileID) -> Source?) {
    self.usesColor = usesColor
    self.source = source
  }

  /// Returns the findings in the given order, then a line with their numbers. Ends with a line break.
  ///
  /// - Parameter truncated: The numbers of further findings that were reported.
  package func text(of diagnostics: [Diagnostic], truncated: FindingCounts = FindingCounts()) -> String {
    findings(diagnostics) + TextRenderer.summary(of: FindingCounts(of: diagnostics) + truncated) + "\n"
  }

  /// Returns the findings in the given order, with an empty line after each.
  package func findings(_ diagnostics: [Diagnostic]) -> String {
    var text = ""
    var sources: [FileID: SourceLines] = [:]
    for diagnostic in diagnostics {
      write(diagnostic, to: &text, reading: &sources)
      text += "\n"
    }
    return text
  }

  /// Returns a summary of the counts: `2 errors, 1 warning`.
  package static func summary(of counts: FindingCounts) -> String {
    let parts = [(counts.errors, "error"), (counts.warnings, "warning")].filter { $0.0 > 0 }.map { count, noun in
      "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
    return parts.isEmpty ? "no findings" : parts.joined(separator: ", ")
  }
}

// MARK: - One finding

extension TextRenderer {
  /// Writes one finding.
  private func write(_ diagnostic: Diagnostic, to text: inout String, reading sources: inout [FileID: SourceLines]) {
    let severity: Style = diagnostic.severity == .error ? .error : .warning
    text += paint("\(diagnostic.severity.rawValue)[\(diagnostic.code)]", severity)
    text += paint(": " + diagnostic.message.visible, .strong) + "\n"

    let lines = ([diagnostic.location] + diagnostic.related.map(\.location)).compactMap(\.start?.line)
    let gutter = Gutter(width: String(lines.max() ?? 1).count)
    let place = diagnostic.location
    text += gutter.indent + paint("-->", .frame) + " " + name(of: place, path: diagnostic.path) + "\n"
    var notes = diagnostic.notes.map { ("note", $0) }
    var isAfterExcerpt = false
    if let excerpt = excerpt(of: place, reading: &sources) {
      write(excerpt, mark: "^", label: diagnostic.label, style: severity, gutter: gutter, to: &text)
      isAfterExcerpt = true
    } else if let label = diagnostic.label {
      notes.insert(("note", label), at: 0)
    }
    let shown = diagnostic.related.prefix(shownPlaces(of: diagnostic.related.count))
    for related in shown {
      if isAfterExcerpt { text += gutter.blank + paint("|", .frame) + "\n" }
      text += gutter.indent + paint(":::", .frame) + " " + name(of: related.location, path: "")
      if let excerpt = excerpt(of: related.location, reading: &sources) {
        text += "\n"
        write(excerpt, mark: "-", label: related.message, style: .frame, gutter: gutter, to: &text)
        isAfterExcerpt = true
      } else {
        text += ": " + related.message.visible + "\n"
        isAfterExcerpt = false
      }
    }

    let left = diagnostic.related.count - shown.count
    if left > 0 { notes.insert(("note", "\(left) further places are not shown"), at: 0) }
    if let help = diagnostic.help { notes.append(("help", help)) }
    if let environments = diagnostic.environments {
      notes.append(("environments", environments.listed))
    }
    if isAfterExcerpt, !notes.isEmpty { text += gutter.blank + paint("|", .frame) + "\n" }
    for (title, words) in notes {
      text += gutter.blank + paint("=", .frame) + " " + paint(title + ":", .strong) + " " + words.visible + "\n"
    }
  }

  /// Returns how many of a finding's related places are shown: all, or the first few if there are many.
  private func shownPlaces(of count: Int) -> Int { count > 8 ? 4 : count }

  /// Writes an excerpt with the marks below it.
  private func write(
    _ excerpt: Excerpt, mark: Character, label: String?, style: Style, gutter: Gutter, to text: inout String
  ) {
    let bar = paint("|", .frame)
    let marks = String(repeating: mark, count: excerpt.marks.count)
    text += gutter.blank + bar + "\n"
    text += paint(gutter.number(excerpt.line), .frame) + " " + bar
    text += excerpt.text.isEmpty ? "\n" : " " + excerpt.text + "\n"
    text += gutter.blank + bar + " " + String(repeating: " ", count: excerpt.marks.lowerBound)
    text += paint(marks + (label.map { " " + $0.visible } ?? ""), style) + "\n"
  }

  /// Returns the name of a place: `file:line:column`; without lines the path, and also for anything that is not a file.
  private func name(of location: Diagnostic.Location, path: String) -> String {
    let file = location.file.visible
    let isFile = location.file.utf8.first != UInt8(ascii: "<") || location.source.flatMap(source) != nil
    if isFile, let start = location.start { return "\(file):\(start.line):\(start.column)" }
    return path.isEmpty ? file : file + ": " + path.visible
  }

  /// Returns the excerpt of a place; `nil` if the file or the line does not exist, or if the file is empty.
  private func excerpt(of location: Diagnostic.Location, reading sources: inout [FileID: SourceLines]) -> Excerpt? {
    guard let start = location.start, let number = location.source else { return nil }
    if sources[number] == nil {
      sources[number] = source(number).flatMap { $0.file.bytes.isEmpty ? nil : SourceLines($0.file, $0.masks) }
    }
    return sources[number]?.excerpt(from: start, to: location.end ?? start, width: TextRenderer.width)
  }
}

// MARK: - Frame and colour

/// The column of line numbers to the left of a finding's excerpts.
private struct Gutter {
  /// The number of digits of the greatest line number.
  let width: Int

  /// The indentation before `-->` and `:::`.
  var indent: String { String(repeating: " ", count: width) }
  /// The indentation before a bar without a line number.
  var blank: String { indent + " " }

  /// Returns a line number, aligned to the right.
  func number(_ line: Int) -> String {
    let digits = String(line)
    return String(repeating: " ", count: max(0, width - digits.count)) + digits
  }
}

/// The style of a part of a finding. The raw value is the parameter of the SGR sequence of ECMA-48.
private enum Style: String {
  case error = "1;31"
  case warning = "1;33"
  case frame = "1;34"
  case strong = "1"
}

extension TextRenderer {
  /// Returns the text in a style if the renderer uses colours.
  private func paint(_ text: String, _ style: Style) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
