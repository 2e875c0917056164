// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  /// Of which program the commands are a part.
  struct ToolContext: Sendable {
    /// The version of the commands, by the rules of https://semver.org.
    static let version = "0.1.0"

    /// The name of the tool, for what the user may run next.
    var name = "configdi"
    /// The registered types, where no catalog is named.
    var types = KnownTypes.none

    /// The registry of the application, or nil.
    var registry: Registry? {
      if case .registry(let registry) = types { registry } else { nil }
    }

    /// The context of this run; set around the command, so that no function hands it on.
    @TaskLocal static var current = ToolContext()
  }
#endif
