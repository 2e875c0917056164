// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// The completions that an editor offers in a module file, if it knows only the schema.
@Suite struct SchemaOffersTests {
  /// The registered types.
  private static let catalog = Catalog(types: [
    TypeDescriptor(name: "ConsoleLogger", provides: ["ConsoleLogger", "Logger"]),
    TypeDescriptor(
      name: "FileLogger", provides: ["FileLogger", "Logger"],
      arguments: [
        ArgumentDescriptor(key: "path", kind: .value(.string)),
        ArgumentDescriptor(key: "rotate", kind: .value(.boolean), hasDefault: true),
      ]),
    TypeDescriptor(
      name: "Mailer", provides: ["Mailer"], deprecated: "use Sender",
      arguments: [
        ArgumentDescriptor(key: "logger", kind: .service(type: "Logger", wrapper: .direct)),
        ArgumentDescriptor(key: "host", kind: .value(.string)),
        ArgumentDescriptor(key: "port", kind: .value(.integer(.UInt16)), defaultValue: 25),
        ArgumentDescriptor(key: "level", kind: .value(.oneOf(["low", "high"]))),
      ]),
    TypeDescriptor(
      name: "Retry", provides: ["Mailer"],
      arguments: [
        ArgumentDescriptor(key: "inner", kind: .decorated(type: "Mailer")),
        ArgumentDescriptor(key: "times", kind: .value(.integer(.Int))),
        ArgumentDescriptor(key: "clock", kind: .service(type: "Clock", wrapper: .lazy)),
      ]),
    TypeDescriptor(
      name: "News", provides: ["News"],
      arguments: [
        ArgumentDescriptor(key: "mailer", kind: .service(type: "Mailer", wrapper: .direct)),
        ArgumentDescriptor(key: "loggers", kind: .service(type: "Logger", wrapper: .list)),
      ]),
  ])

  /// The module whose names are offered.
  private static let module = #"""
    { "configdi": 1, "module": "app", "environments": { "dev": [], "prod": ["prod.json"] }, "scopes": ["request"],
      "parameters": { "host": { "doc": "Where mail goes.", "value": "h" }, "level": "low" },
      "templates": { "filed": { "doc": "Writes to a file.", "type": "FileLogger" }, "rotated": { "extends": "filed" } },
      "services": {
        "console": { "doc": "Writes to the terminal.", "type": "ConsoleLogger" },
        "files": { "extends": "rotated", "values": { "path": "a.log" }, "tags": ["sink"] },
        "mailer": { "type": "Mailer", "inject": { "logger": "console" }, "values": { "host": "${host}", "level": "low" } },
        "news": { "type": "News", "inject": { "mailer": "post", "loggers": ["files"] } },
        "odd": { "type": "Unregistered" } },
      "aliases": { "post": "mailer" }, "bindings": { "Logger": "console" } }
    """#

  /// The names of the module in both environments, with their documentation.
  private static let ids: ModuleIDs = {
    let files = MemoryFiles(texts: [
      "app.json": module,
      "prod.json":
        #"{ "configdi": 1, "module": "p", "override": { "services": { "console": { "type": "FileLogger" } } } }"#,
    ])
    var ids = ModuleIDs()
    let check = ModuleCheck(
      checking: ModuleRequest(entry: .file("app.json")), environments: nil, files: files, catalog: nil)
    for definition in check.compositions.compactMap(\.definition) { ids.add(definition) }
    ids.add(check.environments, to: .environments)
    for document in check.documents.documents { ids.add(document) }
    return ids
  }()

  /// Returns the offers at the cursor of a file with some members.
  private static func offers(_ members: String, _ schema: ModuleSchema) throws -> SchemaOffers {
    let document = try #require(Value(json: _ConfigDITestSupport.module(members), limits: Limits()))
    return try #require(SchemaOffers(schema, document))
  }

  /// Returns a service with some members.
  private static func service(_ members: String) -> String { #""services": {"s": {\#(members)}}"# }
  /// Returns an override of a service.
  private static func change(_ id: String, _ members: String) -> String {
    #""override": {"services": {"\#(id)": {\#(members)}}}"#
  }

  /// Members with a cursor, and the completions there.
  static let positions: [(members: String, offered: [String])] = [
    // The entries that can be changed, and the arguments of their types.
    (#""override": {"services": {"‸": {}}}"#, ["console", "files", "mailer", "news", "odd"]),
    (#""override": {"parameters": {"‸": {}}}"#, ["host", "level"]),
    (#""override": {"templates": {"‸": {}}}"#, ["filed", "rotated"]),
    (#""replace": {"aliases": {"‸": ""}}"#, ["post"]),
    (#""remove": {"services": ["console", "‸"]}"#, ["console", "files", "mailer", "news", "odd"]),
    (change("mailer", #""values": {"‸": 1}"#), ["host", "level", "port"]),
    (change("mailer", #""values": {"host": "x", "‸": 1}"#), ["level", "port"]),
    (change("mailer", #""values": {"level": "‸"}"#), ["high", "low"]),
    (change("mailer", #""values": {"port": "‸"}"#), ["25"]),
    (change("mailer", #""inject": {"‸": ""}"#), ["logger"]),
    (change("mailer", #""inject": {"logger": "‸"}"#), ["console", "files", "odd"]),
    // The members that an `unset` can remove, also those from templates.
    (
      change("mailer", #""unset": ["‸"]"#),
      ["inject", "inject.logger", "type", "values", "values.host", "values.level"]
    ),
    (change("files", #""unset": ["‸"]"#), ["extends", "tags", "tags.sink", "type", "values", "values.path"]),
    (#""override": {"parameters": {"host": {"unset": ["value", "‸"]}}}"#, ["value"]),
    // Arguments of types from templates, and of a type that a layer sets.
    (change("files", #""values": {"‸": 1}"#), ["path", "rotate"]),
    (change("files", #""values": {"rotate": "‸"}"#), ["false", "true"]),
    (change("console", #""values": {"‸": 1}"#), ["path", "rotate"]),
    (change("console", #""type": "Mailer", "values": {"‸": 1}"#), ["host", "level", "port"]),
    (#""override": {"templates": {"rotated": {"values": {"‸": 1}}}}"#, ["path", "rotate"]),
    // Services that extend a template or have a type.
    (service(#""extends": "‸""#), ["filed", "rotated"]),
    (service(#""extends": "rotated", "values": {"‸": 1}"#), ["path", "rotate"]),
    (service(#""extends": "filed", "type": "Mailer", "inject": {"‸": ""}"#), ["logger"]),
    (#""templates": {"t": {"extends": "filed", "values": {"‸": 1}}}"#, ["path", "rotate"]),
    (service(#""type": "‸""#), ["ConsoleLogger", "FileLogger", "Mailer", "News"]),
    // The services that provide the type of an argument.
    (service(#""type": "News", "inject": {"mailer": "‸"}"#), ["mailer", "odd", "post"]),
    (service(#""type": "News", "inject": {"mailer": {"service": "‸"}}"#), ["mailer", "odd", "post"]),
    (service(#""type": "News", "inject": {"loggers": ["files", "‸"]}"#), ["console", "files", "odd"]),
    (service(#""type": "News", "inject": {"loggers": {"map": {"k": "‸"}}}"#), ["console", "files", "odd"]),
    (service(#""type": "News", "inject": {"loggers": {"tagged": "‸"}}"#), ["sink"]),
    (service(#""type": "Mailer", "decorate": [{"type": "‸"}]"#), ["Retry"]),
    (service(#""type": "Mailer", "decorate": [{"type": "Retry", "values": {"‸": 1}}]"#), ["times"]),
    (
      service(#""type": "Mailer", "decorate": [{"type": "Retry", "inject": {"clock": "‸"}}]"#),
      [
        // No service provides the type of the argument, so all are offered.
        "console", "files", "mailer", "news", "odd", "post",
      ]
    ),
    (#""bindings": {"‸": ""}"#, ["ConsoleLogger", "FileLogger", "Logger", "Mailer", "News"]),
    (#""bindings": {"Mailer": "‸"}"#, ["mailer", "odd", "post"]),
    (#""override": {"bindings": {"Logger": "‸"}}"#, ["console", "files", "odd"]),
    (#""aliases": {"a": "‸"}"#, ["console", "files", "mailer", "news", "odd", "post"]),
    // Conditions, scopes, tags, provided names, parameters, warnings.
    (service(#""type": "News", "when": {"parameter": "‸", "equals": 1}"#), ["host", "level"]),
    (service(#""type": "News", "when": {"environment": ["‸"]}"#), ["dev", "prod"]),
    (service(#""type": "News", "scope": "‸""#), ["graph", "request", "shared", "transient", "weak"]),
    (service(#""type": "News", "tags": ["‸"]"#), ["sink"]),
    (
      service(#""type": "FileLogger", "provides": ["‸"]"#), ["ConsoleLogger", "FileLogger", "Logger", "Mailer", "News"]
    ),
    (
      #""parameters": {"p": {"env": "P", "type": "‸"}}"#,
      [
        "bool", "double", "duration", "int", "json", "list", "size", "string",
      ]
    ),
    (#""diagnostics": {"CDI0705": {"severity": "‸"}}"#, ["error", "ignore", "warning"]),
  ]

  @Test(arguments: positions)
  func `matching entries are offered, and no others`(members: String, offered: [String]) throws {
    let schema = ModuleSchema(catalog: Self.catalog, ids: Self.ids)
    #expect(try Self.offers(members, schema).texts == offered)
  }

  @Test func `the number of offered positions is large enough`() { #expect(Self.positions.count >= 30) }

  @Test(arguments: [
    (#""override": {"services": {"‸": {}}}"#, "console", "Writes to the terminal."),
    (#""override": {"parameters": {"‸": {}}}"#, "host", "Where mail goes."),
    (#""replace": {"templates": {"‸": {}}}"#, "filed", "Writes to a file."),
    (service(#""type": "Mailer", "inject": {"logger": "‸"}"#), "console", "Writes to the terminal."),
    (service(#""extends": "‸""#), "filed", "Writes to a file."),
    (service(#""type": "News", "when": {"parameter": "‸", "equals": 1}"#), "host", "Where mail goes."),
    (service(#""type": "‸""#), "Mailer", "Mailer; a class; provides Mailer; deprecated: use Sender"),
    (change("mailer", #""values": {"‸": 1}"#), "port", "UInt16"),
    (change("mailer", #""inject": {"‸": 1}"#), "logger", "Logger"),
    (#""suppress": {"‸": ""}"#, "CDI0701", "Why this is suppressed: private service never used."),
  ])
  func `doc texts of files and types are shown with the offer`(members: String, text: String, doc: String) throws {
    let offers = try Self.offers(members, ModuleSchema(catalog: Self.catalog, ids: Self.ids)).offers
    #expect(offers.first { $0.text == text }?.doc == doc)
  }

  @Test func `the keys of the format are offered with those of the type`() throws {
    let keys = try Self.offers(Self.change("mailer", #""‸": 1"#), ModuleSchema(catalog: Self.catalog, ids: Self.ids))
      .texts
    for key in ["type", "inject", "values", "unset", "suppress", "doc"] { #expect(keys.contains(key)) }
    // Without a catalog and a module, only the keys of the format are known.
    #expect(try Self.offers(Self.change("mailer", #""values": {"‸": 1}"#), ModuleSchema()).texts.isEmpty)
    #expect(
      try Self.offers(Self.service(#""type": "T", "inject": {"a": "‸"}"#), ModuleSchema(ids: Self.ids)).texts.count == 6
    )
  }

  @Test(arguments: [
    (change("mailer", #""values": {"hots": "x"}"#), false), (change("mailer", #""values": {"port": "x"}"#), false),
    (change("mailer", #""values": {"port": 26}, "inject": {"logger": "new"}"#), true),
    (change("mailer", #""type": "News", "values": {"hots": "x"}"#), false),
    (change("mailer", #""extends": "filed", "values": {"path": "x"}"#), true),
    (change("mailer", #""unset": ["values.new"]"#), true), (change("mailer", #""unset": [1]"#), false),
    (change("odd", #""values": {"anything": 1}"#), true), (change("new", #""values": {"anything": 1}"#), true),
    (change("console", #""values": {"path": "x"}"#), true),
    (service(#""extends": "filed", "values": {"pth": 1}"#), false),
    (service(#""extends": "unknown", "values": {"pth": 1}"#), true),
  ])
  func `overrides are checked by the types of the composed module`(members: String, isValid: Bool) throws {
    let document = try #require(Value(json: _ConfigDITestSupport.module(members), limits: Limits()))
    #expect(SchemaEvaluator(ModuleSchema(catalog: Self.catalog, ids: Self.ids)).accepts(document) == isValid)
  }
}
