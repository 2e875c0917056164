// SPDX-License-Identifier: Apache-2.0

/// One finding about the files of a module: what is wrong, where, and what to do.
public struct Diagnostic: Hashable, Sendable {
  /// A range of a file. The end is exclusive.
  public struct Location: Hashable, Sendable {
    /// The file: relative to the working folder where it lies below it; `<command line>` for the caller's own words.
    public var file: String
    /// The place of the first character, or nil for a file without lines, such as a binary property list.
    public var start: SourcePosition?
    /// The place behind the last character, or nil for a file without lines.
    public var end: SourcePosition?
    /// The file of the load: two files may have one name. Nil for what is no file of a load.
    package var source: FileID?

    /// A range of a file.
    public init(file: String, start: SourcePosition?, end: SourcePosition?) {
      self.file = file
      self.start = start
      self.end = end
    }
  }

  /// A further place, with words of its own.
  public struct Related: Hashable, Sendable {
    /// The place.
    public var location: Location
    /// What is to be seen there.
    public var message: String

    /// A further place.
    public init(location: Location, message: String) {
      self.location = location
      self.message = message
    }
  }

  /// A mechanical repair: replace a range by a text.
  public struct Fix: Hashable, Sendable {
    /// What to replace.
    public var location: Location
    /// The text to put there.
    public var text: String

    /// A mechanical repair.
    public init(location: Location, text: String) {
      self.location = location
      self.text = text
    }
  }

  /// What the finding is about.
  public var code: DiagnosticCode
  /// One sentence that says what is wrong. Names stand in double quotes; a secret never does.
  public var message: String
  /// The token that the finding is about.
  public var location: Location
  /// The token's path from the root of its document, such as `services.mailer.inject.logger`.
  public var path: String
  /// A few words for the place itself, or nil.
  public var label: String?
  /// Further places.
  public var related: [Related]
  /// Further facts.
  public var notes: [String]
  /// What to do, or nil.
  public var help: String?
  /// Mechanical repairs.
  public var fixes: [Fix]
  /// The environments in which the finding holds, as declared, or nil where it holds in all that were checked.
  public var environments: [String]?

  /// Whether the finding stops a load: as its code says, unless the module makes a warning an error.
  public var severity: Severity
  /// Why the module suppresses the finding, in its own words; nil for a finding that is shown.
  package var suppression: String?
}

extension Diagnostic.Location {
  /// Whether two places are shown as the same; the number of the file in its load does not count.
  public static func == (left: Self, right: Self) -> Bool {
    left.file == right.file && left.start == right.start && left.end == right.end
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(file)
    hasher.combine(start)
    hasher.combine(end)
  }
}
