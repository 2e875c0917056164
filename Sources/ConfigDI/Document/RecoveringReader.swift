// SPDX-License-Identifier: Apache-2.0

/// A syntax error after which reading may have resumed.
struct SyntaxError {
  /// The maximum number of reported syntax errors of a file.
  static let maximumCount = 50

  /// The finding, whose path is not filled in yet.
  let finding: Finding
  /// The node whose path the finding gets; `nil` outside the root.
  let node: UInt32?

  /// The offset of the error.
  var start: Int {
    if case .bytes(_, let start, _, _) = finding.place { start } else { 0 }
  }

  /// Returns the finding with the path of its node, or an empty path outside the root.
  func finding(in document: Document) -> Finding {
    guard case .bytes(let file, let start, let end, _) = finding.place else { return finding }
    var finding = finding
    finding.place = .bytes(file, start: start, end: end, path: node.map { document.path(of: $0) } ?? "")
    return finding
  }
}

/// A reader which resumes after a syntax error if the meaning of the rest is certain, so that one run reports more than
/// the first error. Otherwise it ends.
protocol RecoveringReader: TextReader {
  /// What may come next in a container.
  associatedtype Expectation
  /// The kind of place at which a syntax error was found.
  associatedtype Site

  /// The offset of the next byte to read.
  var offset: Int { get set }
  /// The kind of place of the current syntax error, if reading may resume after it.
  var site: Site? { get set }

  /// Repairs a syntax error and moves after it. Throws if the meaning of the rest is not certain.
  ///
  /// - Returns: What may come next.
  mutating func repair(_ site: Site, in container: NodeKind) throws(ReadingStop) -> Expectation

  /// Returns advice about a character that the syntax does not allow at this position, or `nil`.
  func help(for character: String) -> String?

  /// The range of a separator that has to be removed before the next character, or `nil` if there is none.
  var surplusSeparator: Range<Int>? { get }
}

extension RecoveringReader {
  package var surplusSeparator: Range<Int>? { nil }

  /// The offset at which reading ended.
  package var end: Int { offset }

  /// Recovers from the current syntax error. Throws if its place is unknown, if it cannot be repaired, or if there were
  /// too many errors.
  @inline(never)
  mutating func resume(in container: NodeKind) throws(ReadingStop) -> Expectation {
    guard let site = site.take(), let mistake = builder.mistake, builder.recordsMistakes else { throw ReadingStop() }
    let isSilent = builder.isSilent
    do {
      let expected = try repair(site, in: container)
      builder.record(mistake, isSilent: isSilent)
      return expected
    } catch {
      builder.stop = mistake.finding
      throw error
    }
  }
}

// MARK: - Bytes

extension RecoveringReader {
  /// Returns the next byte, or 0 at the end of the text. No syntax allows a zero byte where this is used.
  @inline(__always)
  func peek() -> UInt8 { byte(at: offset) }

  /// Returns the byte at an offset, or 0 after the end of the text. No syntax allows a zero byte where this is used.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { offset < text.count ? text[offset] : 0 }

  /// Stores CDI0101 at the next character, or at the end of the text if there is none.
  ///
  /// - Parameter site: The kind of place, if reading may resume after the error.
  mutating func unexpected(_ expected: String, at site: Site? = nil) -> ReadingStop {
    self.site = site
    guard offset < text.count else {
      return end(.syntaxError, "unexpected end of file, expected \(expected)", from: offset, to: offset)
    }
    let length = text.scalarLength(at: offset)
    guard length > 0 else { return invalidUTF8(at: offset) }
    let character = String(decoding: text[offset..<offset + length], as: UTF8.self)
    let stop = end(
      .syntaxError, "unexpected \(character.inWords), expected \(expected)", from: offset, to: offset + length,
      help: help(for: character))
    builder.stop?.fixedText = "expected \(expected)"
    if let surplusSeparator { builder.stop?.replacement = .deletion(surplusSeparator) }
    return stop
  }
}

extension String {
  /// The character as messages show it: in double quotes if it is visible, otherwise by its code point.
  fileprivate var inWords: String {
    guard self != "\"" else { return "quotation mark" }
    guard let scalar = unicodeScalars.first else { return "character" }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
      return "character U+\(scalar.value.hexadecimal(width: 4))"
    default:
      return "\"\(self)\""
    }
  }
}
