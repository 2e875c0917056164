// SPDX-License-Identifier: Apache-2.0

/// A name in Swift that is made of an id of a module file.
package struct SwiftName {
  /// The name, without backticks.
  let text: String

  /// The name for an id or for any text: its parts, which stand between what no name can hold, joined in camel case; nil
  /// where nothing is left.
  init?(id: String) {
    let parts = id.split { !($0.isASCII && ($0.isLetter || $0.isWholeNumber) || $0 == "_") }
    guard let first = parts.first else { return nil }
    let text = parts.dropFirst().reduce(String(first)) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    guard text.contains(where: { $0 != "_" }) else { return nil }
    self.text = (text.first?.isWholeNumber == true ? "_" : "") + text + (SwiftName.taken.contains(text) ? "_" : "")
  }

  /// Whether a text can be the name of a property or a type.
  package static func accepts(_ name: String) -> Bool {
    name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil && name.contains { $0 != "_" } && !taken.contains(name)
      && !keywords.contains(name)
  }

  /// The name as it is declared, in backticks where it is a keyword.
  var declared: String { SwiftName.declared(text) }

  /// A name as it is declared.
  static func declared(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// The same with a capital letter first.
  var capitalized: String { text.prefix(1).uppercased() + text.dropFirst() }

  /// Whether a name of the catalog, short or with its module, is that of a type as Swift names it.
  static func isName(_ name: String, of type: String) -> Bool {
    let type = type.hasPrefix("any ") ? String(type.dropFirst(4)) : type
    return type == name || type.hasSuffix("." + name) || name.contains("<")
  }

  /// What no member can be called, even in backticks, or what the generated type has itself.
  private static let taken: Set<String> = ["self", "Self", "Type", "Protocol", "init", "source", "subscript", "deinit"]

  /// The reserved words of declarations, statements and expressions, by "The Swift Programming Language".
  private static let keywords: Set<String> = [
    "associatedtype", "class", "enum", "extension", "fileprivate", "func", "import", "inout", "internal", "let", "open",
    "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static", "struct", "typealias", "var",
    "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in",
    "repeat", "return", "switch", "throw", "where", "while", "Any", "as", "await", "false", "is", "nil", "super",
    "throws",
    "true", "try",
  ]
}
