// SPDX-License-Identifier: Apache-2.0

/// The files that `init` writes: a module with two environments, of which one has a layer.
enum StarterModule {
  /// A file by its name and text.
  struct File {
    /// The name.
    let name: String
    /// The content.
    let text: String
  }

  /// The entry module first, then its layer.
  static let files = [File(name: "app.json", text: entry), File(name: "prod.json", text: layer)]

  /// The entry module.
  private static let entry = #"""
    {
      "configdi": 1,
      "module": "app",
      "doc": "What the application is made of. The types are those that it registers.",

      "environments": {
        "dev": [],
        "prod": ["prod.json"]
      },

      "parameters": {
        "greeting": "Hello",
        "log.level": {
          "doc": "Messages below this level are dropped.",
          "env": "LOG_LEVEL",
          "default": "debug",
          "oneOf": ["debug", "info", "warning"]
        }
      },

      "services": {
        "logger": {
          "type": "ConsoleLogger",
          "values": { "level": "${log.level}" }
        },
        "greeter": {
          "type": "Greeter",
          "inject": { "logger": "logger" },
          "values": { "greeting": "${greeting}, world" },
          "eager": true
        }
      }
    }

    """#

  /// The layer of the environment prod.
  private static let layer = #"""
    {
      "configdi": 1,
      "module": "app.prod",
      "doc": "What is different in production.",

      "override": {
        "parameters": {
          "log.level": { "default": "info" }
        },
        "services": {
          "logger": {
            "type": "FileLogger",
            "values": { "path": "app.log" }
          }
        }
      }
    }

    """#
}
