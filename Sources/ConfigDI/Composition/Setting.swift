// SPDX-License-Identifier: Apache-2.0

/// A change of a scalar by the caller: `--set services.mailer.values.timeout=30s`.
package struct Setting: Hashable, Sendable {
  /// The path of the scalar, in the form of paths in diagnostics.
  package var path: String
  /// The new value, as a text.
  package var text: String

  /// A setting without `=`. It does not keep the argument, which may be a secret whose path was forgotten.
  package static let malformed = Setting(path: "", text: "")
}

extension Setting {
  /// Parses `PATH=TEXT`. Returns `nil` if there is no `=`.
  package init?(_ argument: String) {
    let bytes = argument.utf8
    guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    path = String(Substring(bytes[..<sign]))
    text = String(Substring(bytes[sign...].dropFirst()))
  }

  /// Returns the last setting of each path, in the order of the settings.
  static func lastOfEachPath(_ settings: [Setting]) -> [Setting] {
    var seen: Set<ScalarString> = []
    return settings.reversed().filter { seen.insert(ScalarString($0.path)).inserted }.reversed()
  }
}
