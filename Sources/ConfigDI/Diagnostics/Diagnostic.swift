// SPDX-License-Identifier: Apache-2.0

/// A finding about the files of a module: the problem, its location, and what to do about it.
public struct Diagnostic: Hashable, Sendable {
  /// A range of a file. The end is exclusive.
  public struct Location: Hashable, Sendable {
    /// The path of the file, relative to the working folder if it is below it; `<command line>` for text of the caller.
    public var file: String
    /// The position of the first character; `nil` for a file without lines, such as a binary property list.
    public var start: SourcePosition?
    /// The position after the last character; `nil` for a file without lines.
    public var end: SourcePosition?
    /// The file in its load, since two files may have the same name; `nil` for anything that is not a file of a load.
    package var source: FileID?

    /// Creates a range of a file.
    public init(file: String, start: SourcePosition?, end: SourcePosition?) {
      self.file = file
      self.start = start
      self.end = end
    }
  }

  /// A related location, with its own message.
  public struct Related: Hashable, Sendable {
    /// The related location.
    public var location: Location
    /// The message shown at the location.
    public var message: String

    /// Creates a related location.
    public init(location: Location, message: String) {
      self.location = location
      self.message = message
    }
  }

  /// A mechanical fix: the replacement of a range by a text.
  public struct Fix: Hashable, Sendable {
    /// The range to replace.
    public var location: Location
    /// The replacement text.
    public var text: String

    /// Creates a mechanical fix.
    public init(location: Location, text: String) {
      self.location = location
      self.text = text
    }
  }

  /// The code of the kind of problem.
  public var code: DiagnosticCode
  /// One sentence that states the problem. Names are in double quotes; secrets are never shown.
  public var message: String
  /// The location of the token that the finding is about.
  public var location: Location
  /// The token's path from the root of its document, such as `services.mailer.inject.logger`.
  public var path: String
  /// A short label shown at the location, or `nil`.
  public var label: String?
  /// Related locations.
  public var related: [Related]
  /// Additional information.
  public var notes: [String]
  /// What to do, or `nil`.
  public var help: String?
  /// Mechanical fixes.
  public var fixes: [Fix]
  /// The environments in which the finding occurs, in the order of the check; `nil` if in all that were checked.
  public var environments: [String]?
  /// Whether the finding occurs in each checked environment that applies its file. If not, its fixes would also change
  /// an environment in which the text is right.
  package var isInEachUse = true

  /// Whether the finding is an error, which stops a load, or a warning. The module can turn a warning into an error.
  public var severity: Severity
  /// The reason why the module suppresses the finding, as written there; `nil` for a finding that is shown.
  package var suppression: String?
}

extension Diagnostic.Location {
  /// Returns whether two locations are displayed in the same way. Ignores the number of the file in its load.
  public static func == (left: Self, right: Self) -> Bool {
    left.file == right.file && left.start == right.start && left.end == right.end
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(file)
    hasher.combine(start)
    hasher.combine(end)
  }
}
