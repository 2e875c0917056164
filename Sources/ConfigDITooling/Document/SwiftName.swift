// SPDX-License-Identifier: Apache-2.0

/// A Swift name made from an id of a module file.
package struct SwiftName {
  /// The name, without backticks.
  let text: String

  /// Creates a name from an id or any other text. The text is split at characters that a name cannot contain, and the
  /// parts are joined in camel case. `nil` if the result has no character but underscores.
  init?(id: String) {
    let parts = id.split { !($0.isASCII && ($0.isLetter || $0.isWholeNumber) || $0 == "_") }
    guard let first = parts.first else { return nil }
    let text = parts.dropFirst().reduce(String(first)) { $0 + SwiftName.capitalized($1) }
    guard text.contains(where: { $0 != "_" }) else { return nil }
    self.text = (text.first?.isWholeNumber == true ? "_" : "") + text + (SwiftName.taken.contains(text) ? "_" : "")
  }

  /// Whether a text can be the name of a property or a type.
  package static func accepts(_ name: String) -> Bool {
    name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil && name.contains { $0 != "_" } && !taken.contains(name)
      && !keywords.contains(name)
  }

  /// Returns a name as written in a declaration, in backticks if it is a keyword.
  static func declared(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// The name with its first letter in upper case.
  var capitalized: String { SwiftName.capitalized(text) }

  /// Returns a name with its first letter in upper case.
  static func capitalized(_ name: some StringProtocol) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// Returns whether a catalog name, with or without its module, names a type as Swift spells it, or is generic.
  static func isName(_ name: String, of type: String) -> Bool {
    let type = type.hasPrefix("any ") ? String(type.dropFirst(4)) : type
    return type == name || type.hasSuffix("." + name) || name.contains("<")
  }

  /// Names that a member cannot have, even in backticks, or that members of the generated type have.
  private static let taken: Set<String> = ["self", "Self", "Type", "Protocol", "init", "source", "subscript", "deinit"]

  /// The reserved words of declarations, statements and expressions, from "The Swift Programming Language".
  private static let keywords: Set<String> = [
    "associatedtype", "class", "enum", "extension", "fileprivate", "func", "import", "inout", "internal", "let", "open",
    "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static", "struct", "typealias", "var",
    "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in",
    "repeat", "return", "switch", "throw", "where", "while", "Any", "as", "await", "false", "is", "nil", "super",
    "throws",
    "true", "try",
  ]
}
