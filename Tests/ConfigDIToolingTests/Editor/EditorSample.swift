// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDITooling
import _ConfigDITestSupport

/// A module of four files with a catalog, in which all kinds of names occur.
enum EditorSample {
  /// The files by name.
  static let files = [
    "app.json": """
    {
      "configdi": 1,
      "module": "app",
      "imports": ["parts/mail.json"],
      "environments": { "dev": [], "prod": ["prod.json"] },
      "scopes": ["request"],
      "parameters": {
        "host": { "doc": "Where mail goes.", "env": "HOST", "default": "localhost" },
        "level": { "value": "info", "oneOf": ["debug", "info"] },
        "key": { "env": "KEY", "default": "hunter2", "secret": true },
        "url": "smtp://${host}?key=${key}"
      },
      "templates": { "base": { "type": "FileLogger", "values": { "path": "${host}.log" } } },
      "services": {
        "logger": { "extends": "base", "doc": "Writes lines.", "tags": ["sink"] },
        "clock": { "type": "SystemClock", "scope": "request", "x-mailer": "mailer" },
        "news": { "type": "News", "inject": { "mailer": "post", "loggers": { "tagged": "sink" } } }
      },
      "aliases": { "post": "mailer" },
      "bindings": { "Logger": "logger" }
    }
    """,
    "parts/mail.json": """
    {
      "configdi": 1,
      "module": "mail",
      "services": {
        "mailer": {
          "type": "Mailer",
          "inject": { "logger": "logger" },
          "values": { "url": "${url}", "level": "high", "text": "mailer" },
          "when": { "not": { "parameter": "level", "equals": "debug" } }
        }
      }
    }
    """,
    "prod.json": """
    {
      "configdi": 1,
      "module": "prod",
      "override": {
        "services": { "logger": { "unset": ["tags.sink"] }, "mailer": { "values": { "level": "low" } } },
        "parameters": { "host": { "default": "mail.example" } }
      },
      "remove": { "aliases": [] }
    }
    """,
    "catalog.json": Catalog(types: [
      TypeDescriptor(
        name: "Mailer", provides: ["Mailer", "Sender"], source: "App/Types.swift:3",
        arguments: [
          ArgumentDescriptor(key: "logger", kind: .service(type: "Logger", wrapper: .direct)),
          ArgumentDescriptor(key: "clock", kind: .service(type: "Clock", wrapper: .direct), isOptional: true),
          ArgumentDescriptor(key: "url", kind: .value(.string), isSecret: true),
          ArgumentDescriptor(key: "level", kind: .value(.oneOf(["low", "high"]))),
          ArgumentDescriptor(key: "text", kind: .value(.string), defaultValue: "hello"),
        ]),
      TypeDescriptor(
        name: "FileLogger", provides: ["Logger"], arguments: [ArgumentDescriptor(key: "path", kind: .value(.string))]),
      TypeDescriptor(name: "SystemClock", provides: ["Clock"]),
      TypeDescriptor(
        name: "News", provides: ["News"],
        arguments: [
          ArgumentDescriptor(key: "mailer", kind: .service(type: "Mailer", wrapper: .direct)),
          ArgumentDescriptor(key: "loggers", kind: .service(type: "Logger", wrapper: .list)),
        ]),
      TypeDescriptor(
        name: "Retry", provides: ["Mailer"],
        arguments: [
          ArgumentDescriptor(key: "inner", kind: .decorated(type: "Mailer")),
          ArgumentDescriptor(key: "times", kind: .value(.integer(.Int)), defaultValue: 3),
        ]),
    ]).json,
  ]

  /// Opens a workspace in which a part of a file is replaced by a text with `‸` at the position of the cursor.
  static func open(
    _ file: String, _ old: String = "", _ new: String = "‸", encoding: PositionEncoding = .utf16,
    variables: [String: String] = [:]
  ) -> OpenWorkspace {
    var files = EditorSample.files
    let text = files[file] ?? ""
    files[file] = old.isEmpty ? new : text.replacing(old, with: new, maxReplacements: 1)
    return OpenWorkspace(files, variables: variables, encoding: encoding)
  }

  /// Opens a workspace with the cursor after the first occurrence of a text.
  static func pointing(_ file: String, behind text: String, encoding: PositionEncoding = .utf16) -> OpenWorkspace {
    open(file, text, text + "‸", encoding: encoding)
  }
}
