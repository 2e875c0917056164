// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension Value {
  /// The entries of a map; empty for any other value.
  package var entries: [Entry] {
    if case .map(let entries) = self { entries } else { [] }
  }

  /// The elements of a list; empty for any other value.
  package var elements: [Value] {
    if case .list(let elements) = self { elements } else { [] }
  }

  /// The text of a string, or `nil` for any other value.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value, or `nil` if it is an empty list or an empty map.
  var unlessEmpty: Value? { self == [] || self == [:] ? nil : self }

  /// Returns the map with more entries after its own.
  func adding(_ parts: KeyValuePairs<String, Value?>) -> Value { .map(entries + Value(parts).entries) }

  /// Returns the value for a key of a map, or `nil` if the value is not a map or has no such key.
  package func member(_ key: String) -> Value? {
    entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// The strings in the value, without keys.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .list(let elements): elements.flatMap(\.texts)
    case .map(let entries): entries.flatMap(\.value.texts)
    default: []
    }
  }

  /// The value as JSON on one line, for people.
  var line: String { JSONWriter.text(of: self, .line).visible }

  /// Returns the value as JSON on one line, shortened to a number of Unicode scalars.
  func line(upTo count: Int) -> String {
    let line = line
    return line.unicodeScalars.count <= count ? line : String(line.unicodeScalars.prefix(count - 1)) + "…"
  }
}
