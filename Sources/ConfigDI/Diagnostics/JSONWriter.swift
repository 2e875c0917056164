// SPDX-License-Identifier: Apache-2.0

/// A writer of JSON (RFC 8259) with reproducible output: two-space indentation, keys in the order of the calls. Escapes
/// only characters that must be escaped or are not safe to show. Writes a real as the shortest text that reads back the
/// same.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object {
///   $0.member("name", "mailer")
///   $0.key("ports")
///   $0.array(.line) { for port in [25, 587] { $0.integer(port) } }
/// }
/// print(writer.text)
/// ```
///
/// The caller is responsible for the structure: a key before each value of an object, one value at the root.
package struct JSONWriter: Sendable {
  /// The layout of the members of an object or the elements of an array.
  package enum Layout: Sendable {
    /// Each on a line of its own.
    case lines
    /// All on one line.
    case line
  }

  /// An object or array that is being written.
  private struct Level {
    /// The layout of the contents.
    var layout: Layout
    /// Whether nothing was written into it yet.
    var isEmpty = true
  }

  /// The output so far, in UTF-8.
  private var bytes: [UInt8] = []
  /// The open objects and arrays, outermost first.
  private var levels: [Level] = []
  /// Whether a key was written whose value comes next.
  private var isAfterKey = false

  /// Creates a writer of one value.
  package init() {}

  /// The output so far, without a line break at the end.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The number of bytes in the current line.
  private var column: Int { bytes.count - (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) - 1 }
}

// MARK: - Objects and arrays

extension JSONWriter {
  /// The greatest length of a line on which `scalars` writes all elements, in bytes.
  private static let lineLength = 120

  /// Writes an object; the closure writes its members.
  package mutating func object(_ layout: Layout = .lines, _ members: (inout JSONWriter) -> Void) {
    open("{", layout)
    members(&self)
    close("}", padding: " ")
  }

  /// Writes an array; the closure writes its elements.
  package mutating func array(_ layout: Layout = .lines, _ elements: (inout JSONWriter) -> Void) {
    open("[", layout)
    elements(&self)
    close("]", padding: "")
  }

  /// Writes an array of scalars on one line if it fits, otherwise with one element on each line.
  ///
  /// The closure may run twice. Nested arrays written in this way would double the cost with each level.
  package mutating func scalars(_ elements: (inout JSONWriter) -> Void) {
    let (length, wasAfterKey, wasEmpty) = (bytes.count, isAfterKey, levels.last?.isEmpty ?? true)
    array(.line, elements)
    // The layout is checked first, since computing the column of a long line is slow.
    if levels.last?.layout != .line, column > JSONWriter.lineLength {
      bytes.removeLast(bytes.count - length)
      isAfterKey = wasAfterKey
      if !levels.isEmpty { levels[levels.count - 1].isEmpty = wasEmpty }
      array(.lines, elements)
    }
  }

  /// Writes a key; its value comes next.
  package mutating func key(_ key: String) {
    separate()
    quote(key)
    append(": ")
    isAfterKey = true
  }

  /// Begins an object or array.
  private mutating func open(_ bracket: String, _ layout: Layout) {
    separate()
    append(bracket)
    // An object or array on one line contains only objects and arrays on the same line.
    levels.append(Level(layout: levels.last?.layout == .line ? .line : layout))
  }

  /// Ends an object or array.
  private mutating func close(_ bracket: String, padding: String) {
    let level = levels.removeLast()
    if !level.isEmpty {
      switch level.layout {
      case .lines: breakLine()
      case .line: append(padding)
      }
    }
    append(bracket)
  }

  /// Writes the separator between the previous value or key and the next one.
  private mutating func separate() {
    if isAfterKey {
      isAfterKey = false
      return
    }
    guard let level = levels.last else { return }
    levels[levels.count - 1].isEmpty = false
    switch level.layout {
    case .lines:
      if !level.isEmpty { append(",") }
      breakLine()
    case .line:
      if !level.isEmpty { append(", ") } else if bytes.last == UInt8(ascii: "{") { append(" ") }
    }
  }

  /// Begins a line at the indentation of the open levels.
  private mutating func breakLine() {
    append("\n")
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: levels.count * 2))
  }

  /// Writes a text without escapes.
  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}

// MARK: - Scalars and members

extension JSONWriter {
  /// Writes a text.
  package mutating func string(_ text: String) {
    separate()
    quote(text)
  }

  /// Returns a text in quotes, with the escapes of `string(_:)`.
  package static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return writer.text
  }

  /// Writes an integer.
  package mutating func integer(_ number: some BinaryInteger) {
    separate()
    append(String(number))
  }

  /// Writes a real number, always with a fraction or an exponent, so that it is read back as a real. It must be finite.
  package mutating func real(_ number: Double) {
    precondition(number.isFinite, "number: JSON has no infinities and no NaN")
    separate()
    append("\(number)")
  }

  /// Writes a boolean.
  package mutating func boolean(_ truth: Bool) {
    separate()
    append(truth ? "true" : "false")
  }

  /// Writes a text in quotes. Escapes what RFC 8259 section 7 requires, and what a terminal would not show as it is.
  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": append("\\\"")
      case "\\": append("\\\\")
      case "\n": append("\\n")
      case "\r": append("\\r")
      case "\t": append("\\t")
      case "\u{8}": append("\\b")
      case "\u{C}": append("\\f")
      case _ where scalar.isUnsafeToShow:
        let digits = String(scalar.value, radix: 16)
        append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      case _ where scalar.isASCII: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
