// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDITooling

  /// The style of the output of one run of the tool.
  struct OutputStyle: Sendable {
    /// When output is coloured.
    enum Colors: String, CaseIterable, Sendable {
      /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
      case auto
      /// Always, also in files and pipes.
      case always
      /// Never.
      case never
    }

    /// When output is coloured.
    var colors = Colors.auto
    /// Whether hints, tables and closing lines are left out.
    var isQuiet = false

    /// The style of this run. Task-local, so that functions need not pass it on.
    @TaskLocal static var current = OutputStyle()
  }

  extension StandardStream {
    /// Whether output to the stream is coloured.
    var usesColor: Bool {
      switch OutputStyle.current.colors {
      case .auto: isTerminal && allowsColor
      case .always: true
      case .never: false
      }
    }

    /// Writes a hint, which is a remark about the result that is not a finding. Quiet runs print no hints.
    func writeHint(_ hint: String) {
      if !OutputStyle.current.isQuiet { write("hint: \(hint.wrapped(to: width, indent: "      "))\n") }
    }
  }
#endif
