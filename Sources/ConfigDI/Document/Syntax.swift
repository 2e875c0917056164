// SPDX-License-Identifier: Apache-2.0

/// A syntax in which a module can be written.
package enum Syntax: String, CaseIterable, Sendable {
  /// RFC 8259, strict.
  case json
  /// JSON with comments and trailing commas.
  case jsonc
  /// A property list, XML or binary; the first bytes tell which.
  case plist
  /// The core schema of YAML 1.2, which only `ModuleSyntax` brings.
  case yaml

  /// The syntax of a path's ending, which is compared without regard to case, or nil.
  package init?(path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let syntax = Syntax.allCases.first(where: { $0.endings.contains(ending) }) else { return nil }
    self = syntax
  }

  /// The endings of files in the syntax, without the dot; the first is the one to write.
  package var endings: [String] { self == .yaml ? ["yaml", "yml"] : [rawValue] }
}
