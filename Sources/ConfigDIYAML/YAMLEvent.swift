// SPDX-License-Identifier: Apache-2.0
#if YAML
  /// One step of a YAML text: a scalar, an alias, or the beginning or end of something.
  struct YAMLEvent {
    /// What the step is.
    enum Kind {
      /// A document begins; its end and those of the stream but the last are no events.
      case document
      /// `*name`.
      case alias(String)
      /// A scalar, its text as YAML reads it.
      case scalar(String, isPlain: Bool)
      /// A sequence or mapping begins.
      case opening(isMap: Bool, isFlow: Bool)
      /// A sequence or mapping ends.
      case closing
      /// The text ends.
      case end
    }

    /// What the step is.
    var kind: Kind
    /// The name behind `&`, or nil.
    var anchor: String?
    /// The tag in full, or nil.
    var tag: String?
    /// The offset of the first byte, of an anchor or a tag where there is one.
    var start: Int
    /// The offset behind the last byte.
    var end: Int
  }

  /// Why a YAML text does not read.
  struct YAMLProblem: Error {
    /// What is wrong, in words.
    let message: String
    /// The offset of the character at which it was found.
    let offset: Int
    /// Whether the text is fine but nested deeper than the parser goes.
    var isNesting = false
  }
#endif
