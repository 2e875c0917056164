// SPDX-License-Identifier: Apache-2.0

/// A syntax of module files.
package enum Syntax: String, CaseIterable, Sendable {
  /// Strict JSON (RFC 8259).
  case json
  /// JSON with comments and trailing commas.
  case jsonc
  /// A property list, XML or binary, distinguished by the first bytes.
  case plist
  /// The core schema of YAML 1.2. Its reader comes from a `ModuleSyntax`.
  case yaml

  /// Creates the syntax of a file by its extension, ignoring case, or `nil` if the extension is missing or unknown.
  package init?(path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let syntax = Syntax.allCases.first(where: { $0.endings.contains(ending) }) else { return nil }
    self = syntax
  }

  /// The file extensions of the syntax, without the dot. The first one is used for writing.
  package var endings: [String] { self == .yaml ? ["yaml", "yml"] : [rawValue] }
}
