// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser

  /// The tool `configdi`.
  @main
  struct Tool: AsyncParsableCommand {
    /// Name, words for the help, and the commands.
    static let configuration = CommandConfiguration(
      commandName: "configdi",
      abstract: "Checks and shows ConfigDI module files.")
  }
#endif
