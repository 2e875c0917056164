// SPDX-License-Identifier: Apache-2.0
internal import ConfigDICommands

/// The program `configdi`.
@main
enum Main {
  /// Runs the command that the arguments name.
  static func main() { StandaloneTool.main() }
}
