// SPDX-License-Identifier: Apache-2.0
#if YAML
  /// An event of the YAML parser: a scalar, an alias, or the start or end of a structure.
  struct YAMLEvent {
    /// The kind of an event.
    enum Kind {
      /// The start of a document. The end of a document and the start of the stream are not events here.
      case document
      /// `*name`.
      case alias(String)
      /// A scalar, with its decoded text.
      case scalar(String, isPlain: Bool)
      /// The start of a sequence or mapping.
      case opening(isMap: Bool, isFlow: Bool)
      /// The end of a sequence or mapping.
      case closing
      /// The end of the text.
      case end
    }

    /// The kind of the event.
    var kind: Kind
    /// The name after `&`, or `nil`.
    var anchor: String?
    /// The tag in its full form, or `nil`.
    var tag: String?
    /// The byte offset of the start, including an anchor and a tag.
    var start: Int
    /// The byte offset after the end.
    var end: Int
  }

  /// The reason why a YAML text cannot be parsed.
  struct YAMLProblem: Error {
    /// A description of the error.
    let message: String
    /// The byte offset at which the error was found.
    let offset: Int
    /// Whether the only error is that the nesting exceeds the limit of the parser.
    var isNesting = false
  }
#endif
