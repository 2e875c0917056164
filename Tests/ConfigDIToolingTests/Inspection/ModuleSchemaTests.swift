// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct ModuleSchemaTests {
  /// The types of an application.
  private static let catalog = Catalog(types: [
    TypeDescriptor(
      name: "SMTPMailer", provides: ["Mailer"], deprecated: "use SESMailer", source: "App.swift:4",
      arguments: [
        ArgumentDescriptor(key: "host", kind: .value(.string)),
        ArgumentDescriptor(key: "port", kind: .value(.integer(.UInt16)), defaultValue: 25),
        ArgumentDescriptor(key: "wait", kind: .value(.optional(.duration)), isOptional: true),
        ArgumentDescriptor(key: "level", kind: .value(.oneOf(["low", "high"])), isSecret: true),
        ArgumentDescriptor(key: "sizes", kind: .value(.list(.size)), hasDefault: true),
        ArgumentDescriptor(key: "logger", kind: .service(type: "Logger", wrapper: .lazy)),
        ArgumentDescriptor(key: "user", kind: .runtime(type: "String", isHashable: true)),
      ]),
    TypeDescriptor(
      name: "RetryMailer", provides: ["Mailer"],
      arguments: [
        ArgumentDescriptor(key: "inner", kind: .decorated(type: "Mailer")),
        ArgumentDescriptor(key: "times", kind: .value(.integer(.Int))),
      ]),
  ])

  /// Returns whether a schema accepts a module file with the given members.
  private func accepts(
    _ members: String, _ schema: ModuleSchema = ModuleSchema(), location: SourceLocation = #_sourceLocation
  ) throws -> Bool {
    let document = try #require(Value(json: module(members), limits: Limits()), sourceLocation: location)
    return SchemaEvaluator(schema).accepts(document)
  }

  @Test(arguments: [[ModuleIDs.Kind.aliases], [.services], [.aliases, .services, .bindings], [.templates], [.tags]])
  func `the schema grows linearly with the ids`(kinds: [ModuleIDs.Kind]) {
    func size(_ count: Int) -> Int {
      var ids = ModuleIDs()
      for kind in kinds { ids.add((0..<count).map { "id\($0)" }, to: kind) }
      let sizes = [ModuleSchema(ids: ids), ModuleSchema()].map { JSONWriter.text(of: $0.value).utf8.count }
      return sizes[0] - sizes[1]
    }
    let count = LongTests.size(25, full: 100)
    #expect(size(4 * count) < 5 * size(count))
  }

  @Test func `every key of the format has a schema`() {
    var keys: Set<String> = []
    var pending = [ModuleSchema().value]
    while let schema = pending.popLast() {
      if case .list(let elements) = schema { pending += elements }
      guard case .map(let entries) = schema else { continue }
      pending += entries.map(\.value)
      guard case .map(let properties)? = entries.first(where: { $0.key == "properties" })?.value else { continue }
      for property in properties {
        keys.insert(property.key)
        #expect(property.value != true, "\(property.key) accepts anything")
      }
    }
    #expect(Keyword.allCases.filter { !keys.contains($0.text) } == [])
  }

  @Test(arguments: [
    #""doc": "d", "x-any": {"a": 1}, "$schema": "s", "autowire": true, "scopes": ["request"]"#,
    #""imports": ["a.json", {"path": "b.json", "optional": true}], "environments": {"dev": [], "prod": ["p.json"]}"#,
    #""parameters": {"a": "x", "b": 1, "c": 1.5, "d": true, "e": [1, {"k": 2}], "f.g": {"value": {"k": []}}}"#,
    #""parameters": {"a": {"env": "A"}, "b": {"file": "f", "type": "json", "default": {"k": 1}, "secret": true}}"#,
    #""parameters": {"a": {"env": "A", "type": "int", "default": 1, "min": 0, "max": 2, "oneOf": [1, 2]}}"#,
    #""parameters": {"a": {"value": "5s", "type": "duration", "min": "1ms"}, "b": {"value": "${a}", "type": "int"}}"#,
    #""templates": {"t": {"extends": "u", "inject": {"a": "b"}, "values": {"c": [1]}, "scope": "graph"}}"#,
    #""services": {"s": {"type": "Cache<String, Data>", "provides": ["A", "B<C>"], "eager": true, "private": false}}"#,
    #""services": {"s": {"extends": "t", "tags": ["a", "b"]}, "t": {"type": "T", "tags": {"a": {"order": 1, "key": "k"}}}}"#,
    #""services": {"s": {"type": "T", "inject": {"a": "b", "c": {"service": "d", "optional": true}, "e": ["f", ["g"]]}}}"#,
    #""services": {"s": {"type": "T", "inject": {"a": {"tagged": "t", "as": "map"}, "b": {"map": {"any key": "c"}}}}}"#,
    #""services": {"s": {"type": "T", "decorate": [{"type": "D", "values": {"n": 1}, "inject": {"a": "b"}}]}}"#,
    #""services": {"s": {"type": "T", "when": {"all": [{"environment": ["a", "b"]}, {"not": {"any": []}}]}}}"#,
    #""services": {"s": {"type": "T", "when": {"parameter": "p", "equals": 1}, "autowire": false, "deprecated": "d"}}"#,
    #""aliases": {"a": "b"}, "bindings": {"Cache<String, Data>": "a"}"#,
    #""tags": {"a": {}, "b.c": {"doc": "d", "x-a": 1}}"#,
    #""diagnostics": {"CDI0705": {"severity": "error"}, "CDI0710": {"severity": "ignore", "reason": "r", "doc": "d"}}"#,
    #""services": {"s": {"type": "T", "suppress": {"CDI0701": "r"}}}, "override": {"parameters": {"p": {"suppress": {}}}}"#,
    #""parameters": {"a": {"sources": [{"env": "A", "doc": "d"}, {"file": "f"}], "default": "x", "secret": true}}"#,
    #""override": {"services": {"s": {"unset": ["inject.a"], "decorate": {"append": [{"type": "D"}]}}}}"#,
    #""override": {"services": {"s": {"provides": {"prepend": ["A"], "append": ["B"]}}}, "parameters": {"p": {"max": 3}}}"#,
    #""replace": {"services": {"s": {"type": "T"}}, "aliases": {"a": "b"}}, "remove": {"services": ["s"], "bindings": ["B<C>"]}"#,
  ])
  func `valid modules match the schema`(members: String) throws {
    #expect(try accepts(members))
  }

  @Test(arguments: [
    #""service": {}"#, #""autowire": "yes""#, #""imports": "a.json""#, #""imports": [{"optional": true}]"#,
    #""environments": {"prod": "p.json"}"#, #""scopes": ["1"]"#,
    #""parameters": {"1a": 1}"#, #""parameters": {"a": {}}"#, #""parameters": {"a": {"env": "A", "file": "f"}}"#,
    #""parameters": {"a": {"value": 1, "default": 2}}"#, #""parameters": {"a": {"env": "A", "type": "integer"}}"#,
    #""parameters": {"a": {"env": "A", "type": "int", "default": "1"}}"#,
    #""parameters": {"a": {"env": "A", "type": "bool", "min": 1}}"#,
    #""parameters": {"a": {"value": "5", "type": "duration"}}"#,
    #""templates": {"t": {"eager": true}}"#, #""templates": {"t": {"unset": []}}"#,
    #""services": {"s": {}}"#, #""services": {"s": {"inject": {"a": "b"}}}"#, #""services": {"s": {"type": "a b"}}"#,
    #""services": {"s": {"type": "T", "colour": 1}}"#, #""services": {"s": {"type": "T", "unset": ["a"]}}"#,
    #""services": {"s": {"type": "T", "provides": {"append": ["A"]}}}"#,
    #""services": {"s": {"type": "T", "inject": {"a": 1}}}"#, #""services": {"s": {"type": "T", "inject": {"": "b"}}}"#,
    #""services": {"s": {"type": "T", "inject": {"a": {"service": "b", "tagged": "c"}}}}"#,
    #""services": {"s": {"type": "T", "inject": {"a": {"service": "b", "as": "map"}}}}"#,
    #""services": {"s": {"type": "T", "inject": {"a": {"tagged": "b", "as": "set"}}}}"#,
    #""services": {"s": {"type": "T", "tags": {"a": {"order": 1.5}}}}"#,
    #""services": {"s": {"type": "T", "decorate": [{"values": {}}]}}"#,
    #""services": {"s": {"type": "T", "when": {}}}"#, #""services": {"s": {"type": "T", "when": {"parameter": "p"}}}"#,
    #""services": {"s": {"type": "T", "when": {"environment": "a", "not": {"any": []}}}}"#,
    #""parameters": {"a": {"sources": []}}"#, #""parameters": {"a": {"sources": [{}]}}"#,
    #""parameters": {"a": {"sources": [{"env": "A", "file": "f"}]}}"#, #""parameters": {"a": {"sources": ["A"]}}"#,
    #""parameters": {"a": {"sources": [{"env": "A"}], "env": "A"}}"#,
    #""parameters": {"a": {"sources": [{"value": 1}]}}"#,
    #""tags": ["a"]"#, #""tags": {"a": {"order": 1}}"#, #""tags": {"1a": {}}"#, #""override": {"tags": {"a": {}}}"#,
    #""aliases": {"a": ["b"]}"#, #""remove": {"services": "s"}"#, #""override": {"imports": []}"#,
    #""replace": {"services": {"s": {"scope": "shared"}}}"#,
    #""diagnostics": {"CDI0705": {"severity": "ignore"}}"#, #""diagnostics": {"CDI0705": {"severity": "info"}}"#,
    #""diagnostics": {"CDI0705": {"reason": "r"}}"#, #""diagnostics": {"CDI0501": {"severity": "error"}}"#,
    #""suppress": {"CDI0705": " "}"#, #""suppress": {"CDI0999": "r"}"#,
  ])
  func `invalid modules do not match`(members: String) throws {
    #expect(try !accepts(members))
  }

  @Test func `version and name are required`() {
    let evaluator = SchemaEvaluator(ModuleSchema())
    #expect(evaluator.accepts(["configdi": 1, "module": "m"]))
    for document: Value in [["configdi": 1], ["module": "m"], ["configdi": 2, "module": "m"], [1]] {
      #expect(!evaluator.accepts(document))
    }
  }

  @Test(arguments: [
    #""services": {"s": {"type": "SMTPMailer", "values": {"host": "x", "port": 65535, "wait": "5s", "level": "low"}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "values": {"port": "${p}", "wait": "${n}s", "level": "${l}"}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "values": {"sizes": ["1MB", "${s}"]}, "inject": {"logger": "l"}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "provides": ["Mailer"], "decorate": [{"type": "RetryMailer", "values": {"times": 1}}]}}"#,
    #""override": {"services": {"s": {"values": {"anything": 1}}}}, "bindings": {"Mailer": "s"}"#,
    #""templates": {"t": {"type": "SMTPMailer"}}, "services": {"s": {"extends": "t", "values": {"host": "x"}}}"#,
  ])
  func `with a catalog, valid modules match the schema`(members: String) throws {
    #expect(try accepts(members, ModuleSchema(catalog: Self.catalog)))
  }

  @Test(arguments: [
    #""services": {"s": {"type": "SmtpMailer"}}"#, #""services": {"s": {"type": "RetryMailer"}}"#,
    #""services": {"s": {"type": "SMTPMailer", "values": {"hots": "x"}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "values": {"port": 65536}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "values": {"port": "25"}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "values": {"wait": 5}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "values": {"level": "middle"}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "values": {"sizes": ["1 MB"]}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "values": {"logger": "l"}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "inject": {"host": "l"}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "values": {"user": "u"}}}"#,
    #""services": {"s": {"type": "SMTPMailer", "provides": ["Logger"]}}"#,
    #""services": {"s": {"type": "SMTPMailer", "decorate": [{"type": "SMTPMailer"}]}}"#,
    #""services": {"s": {"type": "SMTPMailer", "decorate": [{"type": "RetryMailer", "inject": {"inner": "m"}}]}}"#,
    #""override": {"services": {"s": {"type": "SMTPMailer", "values": {"hots": "x"}}}}"#,
    #""templates": {"t": {"type": "SMTPMailer", "values": {"hots": "x"}}}"#, #""bindings": {"Logger": "s"}"#,
  ])
  func `with a catalog, invalid modules do not match`(members: String) throws {
    #expect(try !accepts(members, ModuleSchema(catalog: Self.catalog)))
    #expect(try accepts(members))
  }

  @Test func `arguments have their descriptions, types their source locations`() throws {
    let schema = ModuleSchema(catalog: Self.catalog).value
    let typed = try #require(schema.at("$defs", "typed", "allOf"))
    let name = try #require(typed.elements.last?.at("then", "$ref")?.text?.split(separator: "/").last)
    let mailer = try #require(schema.at("$defs", String(name), "properties"))
    #expect(mailer.at("values", "properties", "port", "description") == "UInt16")
    #expect(mailer.at("values", "properties", "port", "default") == 25)
    #expect(mailer.at("values", "properties", "host", "description") == "String, required")
    #expect(mailer.at("values", "properties", "wait", "description") == "Duration?, may stay away")
    #expect(mailer.at("inject", "properties", "logger", "description") == "Logger, lazy")
    #expect(
      mailer.at("type") == [
        "description": "SMTPMailer; a class; provides Mailer; registered at App.swift:4; deprecated: use SESMailer",
        "deprecated": true,
      ])
  }

  @Test func `the ids of a module are offered but not required`() throws {
    let module = CheckedModule(
      """
      "environments": { "dev": [], "prod": [] }, "scopes": ["request"],
      "parameters": { "p": "x" }, "templates": { "t": { "type": "T" } },
      "services": { "s": { "extends": "t", "tags": [«CDI0709»"g"], "values": { "v": "${p}" } },
        "u": { "type": "T", "when": { "environment": "prod" } } },
      "aliases": { "a": "s" }, "bindings": { "T": "s" }
      """)
    var ids = ModuleIDs()
    for definition in module.check.compositions.compactMap(\.definition) { ids.add(definition) }
    ids.add(module.check.environments, to: .environments)
    let schema = ModuleSchema(ids: ids)
    func offered(_ path: String...) -> Value? {
      path.reduce(schema.value.member("$defs")) { $0?.member($1) ?? $0?.elements.first?.member($1) }
    }
    #expect(offered("reference", "anyOf", "anyOf", "enum") == ["s", "u", "a"])
    #expect(
      offered("service", "properties", "scope", "anyOf", "enum") == ["shared", "weak", "transient", "graph", "request"])
    #expect(offered("template", "properties", "extends", "anyOf", "enum") == ["t"])
    #expect(offered("tags", "anyOf", "items", "anyOf", "enum") == ["g"])
    #expect(offered("condition", "anyOf", "properties", "environment", "anyOf", "anyOf", "enum") == ["dev", "prod"])
    let changes = schema.value.at("properties", "override", "properties")
    #expect(changes?.at("services", "properties")?.keys == ["s", "u"])
    #expect(changes?.at("parameters", "properties")?.keys == ["p"])
    #expect(changes?.at("bindings", "properties")?.keys == ["T"])
    #expect(try accepts(#""services": {"new": {"type": "N", "inject": {"x": "newer"}, "extends": "other"}}"#, schema))
  }

  @Test func `the files of the shop are valid, with and without its catalog`() throws {
    let folder = Markdown.root.appendingPathComponent("Configs/Shop")
    let catalog = try JSONDecoder().decode(
      Catalog.self, from: Data(contentsOf: folder.appendingPathComponent("catalog.json")))
    let paths = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    let files = paths.compactMap { $0 as? URL }
      .filter { $0.pathExtension == "json" && $0.lastPathComponent != "catalog.json" }
    #expect(files.count > 5)
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      let document = try #require(Value(json: text, limits: Limits()))
      for schema in [ModuleSchema(), ModuleSchema(catalog: catalog)] {
        #expect(SchemaEvaluator(schema).accepts(document), "\(file.lastPathComponent)")
      }
    }
  }
}
