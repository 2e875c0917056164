// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  /// The program that the commands are a part of.
  struct ToolContext: Sendable {
    /// The version of the commands, by the rules of https://semver.org.
    static let version = "0.1.0"

    /// The name of the tool, for commands that it suggests to the user.
    var name = "configdi"
    /// The registered types, unless `--catalog` is given.
    var types = KnownTypes.none

    /// The registry of the application, or `nil` for `configdi` itself.
    var registry: Registry? {
      if case .registry(let registry) = types { registry } else { nil }
    }

    /// The context of this run. Task-local, so that functions need not pass it on.
    @TaskLocal static var current = ToolContext()
  }
#endif
