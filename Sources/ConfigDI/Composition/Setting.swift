// SPDX-License-Identifier: Apache-2.0

/// A change of a scalar by the caller: `--set services.mailer.values.timeout=30s`.
package struct Setting: Equatable, Sendable {
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
    let bytes = Array(argument.utf8)
    guard let sign = Setting.signAfterPath(bytes) ?? bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    path = String(decoding: bytes[..<sign], as: UTF8.self)
    text = String(decoding: bytes[(sign + 1)...], as: UTF8.self)
  }

  /// Returns the index of the first `=` that is not within a key in brackets, as in `values["a=b"]=1`.
  private static func signAfterPath(_ bytes: [UInt8]) -> Int? {
    var isQuoted = false
    var at = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\") where isQuoted: at += 1
      case UInt8(ascii: "\"") where isQuoted: isQuoted = false
      case UInt8(ascii: "\""): isQuoted = at > 0 && bytes[at - 1] == UInt8(ascii: "[")
      case UInt8(ascii: "=") where !isQuoted: return at
      default: break
      }
      at += 1
    }
    return nil
  }

  /// Returns the last setting of each path, in the order of the settings.
  static func lastOfEachPath(_ settings: [Setting]) -> [Setting] {
    var seen: Set<ScalarString> = []
    return settings.reversed().filter { seen.insert(ScalarString($0.path)).inserted }.reversed()
  }
}
