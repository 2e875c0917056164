// SPDX-License-Identifier: Apache-2.0

/// A scalar that the caller changes: `--set services.mailer.values.timeout=30s`.
package struct Setting: Hashable, Sendable {
  /// The path as diagnostics write it.
  package var path: String
  /// The new value as a text.
  package var text: String

  /// Reads `PATH=TEXT`; nil where there is no `=`.
  package init?(_ argument: String) {
    let bytes = argument.utf8
    guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    path = String(Substring(bytes[..<sign]))
    text = String(Substring(bytes[sign...].dropFirst()))
  }

  /// A setting without `=`, of which nothing is repeated: it may be a secret whose path was forgotten.
  package static let malformed = Setting(path: "", text: "")

  /// A setting of a path.
  private init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}

extension Setting {
  /// The last of the settings of each path, in their order: a later one takes the place of an earlier.
  static func lastOfEachPath(_ settings: [Setting]) -> [Setting] {
    var seen: Set<[UInt8]> = []
    return settings.reversed().filter { seen.insert(Array($0.path.utf8)).inserted }.reversed()
  }
}
