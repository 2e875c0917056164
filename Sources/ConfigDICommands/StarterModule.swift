// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  /// The files that `init` writes: an entry module with two environments, a layer for one of them, the schema with which
  /// editors check both files, and settings of VS Code.
  enum StarterModule {
    /// A file with a name and a text.
    struct File {
      /// The name.
      let name: String
      /// The contents.
      let text: String
    }

    /// The entry module, its layer and the schema, in this order.
    static var files: [File] {
      [
        File(name: "app.json", text: entry), File(name: "prod.json", text: layer),
        File(name: schema, text: JSONWriter.text(of: ModuleSchema().value) + "\n"),
      ]
    }

    /// The settings of VS Code, which are written only if there are none.
    static let settings = File(name: ".vscode/settings.json", text: editorSettings)

    /// The name of the schema's file.
    private static let schema = "configdi.schema.json"

    /// Settings that assign the schema to files that do not name it, in JSON and in YAML.
    private static let editorSettings = #"""
      {
        "json.schemas": [
          { "fileMatch": ["app.json", "prod.json", "configs/*.json"], "url": "./configdi.schema.json" }
        ],
        "yaml.schemas": { "./configdi.schema.json": ["app.yaml", "configs/*.yaml"] }
      }

      """#

    /// The entry module.
    private static let entry = #"""
      {
        "$schema": "configdi.schema.json",
        "configdi": 1,
        "module": "app",
        "doc": "The services of the application. The application registers their types.",

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

    /// The layer of the environment `prod`.
    private static let layer = #"""
      {
        "$schema": "configdi.schema.json",
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
#endif
