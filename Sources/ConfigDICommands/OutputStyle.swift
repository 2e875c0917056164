// SPDX-License-Identifier: Apache-2.0
internal import ConfigDITooling

/// How the tool prints in one run.
struct OutputStyle: Sendable {
  /// When texts are coloured.
  enum Colors: String, CaseIterable, Sendable {
    /// On a terminal that wants them.
    case auto
    /// Wherever the text goes.
    case always
    /// Never.
    case never
  }

  /// When texts are coloured.
  var colors = Colors.auto
  /// Whether hints, tables and closing lines are left out.
  var isQuiet = false

  /// The style of this run; set around the command, so that no function hands it on.
  @TaskLocal static var current = OutputStyle()
}

extension StandardStream {
  /// Whether texts for the stream are coloured.
  var usesColor: Bool {
    switch OutputStyle.current.colors {
    case .auto: isTerminal && wantsColor
    case .always: true
    case .never: false
    }
  }

  /// Writes a hint: something to know about the result that is no finding.
  func writeHint(_ hint: String) {
    if !OutputStyle.current.isQuiet { write("hint: \(hint.wrapped(to: width, indent: "      "))\n") }
  }
}
