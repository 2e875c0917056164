// SPDX-License-Identifier: Apache-2.0

/// A source of a parameter's value outside the module.
package struct TextSource: Sendable {
  /// The kinds of sources.
  package enum Kind: String, CaseIterable, Sendable {
    /// An environment variable.
    case env
    /// A file; the name is its path.
    case file
    /// A value of the application's configuration.
    case config

    /// Creates the kind that a key of the format stands for; `nil` for other keys.
    package init?(_ keyword: Keyword) { self.init(rawValue: keyword.text) }

    /// The word for the kind in messages.
    package var inWords: String {
      switch self {
      case .env: "variable"
      case .file: "file"
      case .config: "configuration value"
      }
    }
  }

  /// The kind of the source.
  package var kind: Kind
  /// The name of the variable, file or configuration value, as written.
  package var name: String
  /// The token of the name, a string.
  package var node: NodeRef

  /// The description of the source for messages.
  package var inWords: String { "\(kind.inWords) \"\(name)\"" }
}
