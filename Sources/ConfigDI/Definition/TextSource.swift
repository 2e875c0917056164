// SPDX-License-Identifier: Apache-2.0

/// A name under which a parameter's value is looked up outside the module.
package struct TextSource: Sendable {
  /// Where a name is looked up.
  package enum Kind: String, CaseIterable, Sendable {
    /// Among the environment variables.
    case env
    /// Among the files: the name is a path.
    case file
    /// In what the application configures itself with.
    case config

    /// The kind that a key of the format makes, or nil.
    package init?(_ keyword: Keyword) { self.init(rawValue: keyword.text) }

    /// What the kind is called in messages.
    package var inWords: String {
      switch self {
      case .env: "variable"
      case .file: "file"
      case .config: "configuration value"
      }
    }
  }

  /// Where the name is looked up.
  package var kind: Kind
  /// The name, as written.
  package var name: String
  /// The string that gives the name.
  package var node: NodeRef

  /// The source in words.
  package var inWords: String { "\(kind.inWords) \"\(name)\"" }
}
