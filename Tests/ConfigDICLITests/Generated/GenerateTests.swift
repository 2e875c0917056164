// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// `configdi generate swift`, and the code that it generates.
///
/// `CONFIGDI_UPDATE_GENERATED=1 swift test --filter GenerateTests` rewrites `AccessServices.swift`.
@Suite struct GenerateTests {
  /// The generated file.
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("AccessServices.swift")

  /// Creates the files of the module, with the catalog of its registry.
  private func tool(_ more: [String: String] = [:]) throws -> BuiltTool {
    try BuiltTool(
      files: AccessExample.files.merging(["catalog.json": AccessExample.registry.catalog.json]) { own, _ in own }
        .merging(more) { _, own in own })
  }

  @Test func `the generated code equals the committed code and compiles with these tests`() throws {
    let tool = try tool()
    let arguments = ["generate", "swift", "app.json", "--catalog", "catalog.json", "--module", "ConfigDICLITests"]
    let run = try tool.run(arguments)
    #expect(run.status == 0)
    #expect(run.error.contains("hint: 5 services have no property"))
    if ProcessInfo.processInfo.environment["CONFIGDI_UPDATE_GENERATED"] == "1" {
      try Data(run.output.utf8).write(to: Self.file)
    }
    #expect(try String(contentsOf: Self.file, encoding: .utf8) == run.output)
    #expect(try tool.run(arguments + ["--output", "out.swift"]).output == "")
    #expect(try tool.text(of: "out.swift") == run.output)
  }

  @Test func `types of the parts of Foundation are imported on all platforms`() throws {
    let tool = try BuiltTool(files: [
      "app.json": #"{ "configdi": 1, "module": "app", "services": { "report": { "type": "Report" } } }"#,
      "catalog.json": #"""
      { "configdi-catalog": 1, "types": [
        { "name": "Report", "provides": ["Report"], "kind": "struct", "sendable": true, "swiftType": "App.Report", "arguments": [
          { "key": "day", "kind": "runtime", "type": "Date", "hashable": true, "swiftType": "FoundationEssentials.Date" },
          { "key": "by", "kind": "runtime", "type": "URLRequest", "hashable": true,
            "swiftType": "FoundationNetworking.URLRequest" } ] } ] }
      """#,
    ])
    let arguments = ["app.json", "--catalog", "catalog.json", "--module", "App", "--access", "package"]
    let code = try tool.run(["generate", "swift"] + arguments).output
    #expect(
      code.contains(
        """
        package import ConfigDI
        #if canImport(FoundationEssentials)
        package import FoundationEssentials
        #else
        package import Foundation
        #endif
        #if canImport(FoundationNetworking)
        package import FoundationNetworking
        #else
        package import Foundation
        #endif
        """))
    #expect(code.contains("func report(day: Date, by: URLRequest) throws"))
  }

  /// Returns a container of the module in an environment.
  private func container(_ environment: String) async throws -> Container {
    let tool = try tool()
    return try await Container(
      module: tool.folder.appendingPathComponent("app.json").path, environment: environment,
      registry: AccessExample.registry)
  }

  @Test func `properties find their services`() async throws {
    let container = try await container("prod")
    let services = container.services
    #expect(try services.logger is ConsoleLogger)
    #expect(try services.loggerAudit is ConsoleLogger)
    let _: any Health & Logger = try services.composed
    let _: Clock = try services.default
    let _: Clock = try services.self_
    let _: Clock = try services.shown
    // Named like their types, or like a part of the generated code.
    let _: Panel = try services.Panel
    let _: Source = try services.sourceMain
    let _: ConfigDICLITests.Scope = try services.scope
    #expect(try services.names == ["a", "b"])
    #expect(try services.toolbar == nil)
    let dev = try await self.container("dev").services
    #expect(try dev.logger is QuietLogger)
    #expect(try dev.toolbar != nil)
  }

  @Test func `async services are functions, services built by the load are properties`() async throws {
    let container = try await container("prod")
    let database = try await container.services.database()
    #expect(try await container.services.store().database === database)
    #expect(try container.services.storePooled.database === container.services.pool)
    #expect(try await container.services.storeLater.database.getAsync() === database)
  }

  @Test @MainActor func `main-actor services are found on the main actor`() async throws {
    let container = try await container("prod")
    #expect(try container.services.window === container.services.window)
  }

  @Test func `main-actor services are awaited from other isolation domains`() async throws {
    let container = try await container("prod")
    let window = try await container.services.window
    #expect(try await container.services.window === window)
  }

  @Test func `run-time arguments are parameters`() async throws {
    #expect(try await container("prod").services.greeting(for: Clock.Name(text: "you")).name.text == "you")
  }

  @Test func `scoped services are found from their scope and from the resolver of a builder`() async throws {
    let container = try await container("prod")
    let scope = try container.openScope("request")
    let request = try scope.requestServices.request
    #expect(try scope.requestServices.handler.request === request)
    #expect(try scope.resolver.requestServices.request === request)
    #expect(try scope.services.logger is ConsoleLogger)
    scope.close()
  }

  @Test func `names, access level and module follow the options`() throws {
    let tool = try tool()
    let run = try tool.run(
      "generate", "swift", "app.json", "--catalog", "catalog.json", "--accessor", "named", "--type", "Named",
      "--access",
      "public", "-e", "dev", "-q")
    #expect(run.status == 0 && !run.error.contains("hint"))
    #expect(run.output.contains("\npublic import ConfigDI\npublic import ConfigDICLITests\n"))
    #expect(run.output.contains("\n  public var named: Named<Self> {"))
    #expect(run.output.contains("\n  public var loggerAudit: any ConfigDICLITests.Logger {"))
    #expect(run.output.contains("\n  public var cache: ConfigDICLITests.DiskCache {"))
    #expect(run.output.contains("\n  public var toolbar: ConfigDICLITests.Toolbar {"))
  }

  @Test(
    arguments: LongTests.sample(["x\n}\nlet pwned = 1 //", "my app", "a*/b", "__", "9app", "ä"], every: 3))
  func `any name of a module generates valid code`(name: String) throws {
    let quoted = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
    let services = #""services": { "logger": { "type": "ConsoleLogger" } }"#
    let tool = try tool(["app.json": #"{ "configdi": 1, "module": \#(quoted), \#(services) }"#])
    let run = try tool.run("generate", "swift", "app.json", "--catalog", "catalog.json")
    #expect(run.status == 0, "\(run.error)")
    #expect(!run.output.contains("\nlet pwned"))
    let type = try #require(run.output.firstMatch(of: /struct (.*?)<_Source/)?.1)
    #expect(type.hasSuffix("Services") && type.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil)
  }

  @Test func `arguments whose keys give the same Swift name differ by their labels`() throws {
    let arguments = ["user-id", "user.id", "isolation", "class"].map {
      #"{ "key": "\#($0)", "kind": "runtime", "type": "Int", "hashable": true, "swiftType": "Swift.Int" }"#
    }
    let catalog = """
      { "configdi-catalog": 1, "types": [
        { "name": "T", "provides": ["T"], "kind": "class", "sendable": true, "swiftType": "App.T",
          "arguments": [\(arguments.joined(separator: ", "))] } ] }
      """
    let module =
      #"{ "configdi": 1, "module": "m", "services": { "t": { "type": "T", "scope": "transient" } } }"#
    let run = try BuiltTool(files: ["app.json": module, "catalog.json": catalog]).run(
      "generate", "swift", "app.json", "--catalog", "catalog.json")
    #expect(run.status == 0, "\(run.error)\(run.output)")
    let parameters = "userId: Swift.Int, userId userId2: Swift.Int, isolation isolation2: Swift.Int, `class`: Swift.Int"
    #expect(run.output.contains("func t(\(parameters)) "), "\(run.output)")
    #expect(run.output.contains("arguments: userId, userId2, isolation2, `class`)"))
  }

  @Test func `services of scopes without a Swift name of their own are left out`() throws {
    let catalog = """
      { "configdi-catalog": 1, "types": [
        { "name": "T", "provides": ["T"], "kind": "class", "sendable": true, "swiftType": "App.T", "arguments": [] } ] }
      """
    let scopes = ["a.b", "A-b", "_", "c"]
    let services = scopes.enumerated().map { #""t\#($0)": { "type": "T", "scope": "\#($1)" }"# }
    let module = """
      { "configdi": 1, "module": "m", "scopes": \(scopes), "services": { \(services.joined(separator: ", ")) } }
      """
    let run = try BuiltTool(files: ["app.json": module, "catalog.json": catalog]).run(
      "generate", "swift", "app.json", "--catalog", "catalog.json")
    #expect(run.status == 0, "\(run.error)\(run.output)")
    #expect(run.output.components(separatedBy: "struct ").count == 2 + 1, "\(run.output)")
    #expect(run.output.contains("var t3: App.T {"))
    for id in ["t0", "t1"] {
      #expect(run.output.contains(#"// "\#(id)" has no property here: the scopes "A-b" and "a.b" would both be "AB"."#))
    }
    #expect(run.output.contains(#"// "t2" has no property here: no name in Swift can be made of its scope."#))
  }

  /// Options with names that are not valid in Swift. The usual run takes a sample.
  private static let misnamed = LongTests.sample(
    ["--type", "--accessor", "--module"].flatMap { option in
      ["class", "Self", "_", "a b", "1x"].map { (option: option, name: $0) }
    }, every: 8)

  @Test(arguments: misnamed) func `an invalid Swift name is a usage error`(option: String, name: String) throws {
    let run = try tool().run("generate", "swift", "app.json", "--catalog", "catalog.json", option, name)
    #expect(run.status == 64 && run.error.contains("is not a valid Swift identifier"))
  }

  @Test func `generation without types, with an old catalog and with errors`() throws {
    let tool = try tool(["old.json": Self.oldCatalog])
    let untyped = try tool.run("generate", "swift", "app.json")
    #expect(untyped.status == 64 && untyped.error.contains("generate requires --catalog"))
    #expect(try tool.run("generate", "swift", "app.json", "--catalog", "none.json").status == 1)
    let broken = try tool.run("generate", "swift", "app.json", "--catalog", "old.json")
    #expect(broken.status == 1 && broken.output == "" && broken.error.contains("error[CDI0601]"))
    let old = try BuiltTool(files: [
      "app.json": #"{ "configdi": 1, "module": "m", "services": { "clock": { "type": "Clock" } } }"#,
      "old.json": Self.oldCatalog,
    ]).run("generate", "swift", "app.json", "--catalog", "old.json")
    #expect(old.status == 0 && old.output.contains("// \"clock\" has no property here: the catalog does not say"))
  }

  /// A catalog without the Swift names of types.
  private static let oldCatalog = #"""
    { "configdi-catalog": 1, "types": [
      { "name": "Clock", "provides": ["Clock"], "kind": "struct", "sendable": true, "arguments": [] } ] }
    """#

  @Test func `a build generates code for the modules that request it`() throws {
    let list = #"{ "modules": [ { "module": "app.json", "accessor": "services" } ] }"#
    let tool = try tool(["configdi-modules.json": list])
    let arguments = ["build", "configdi-modules.json", "--module", "ConfigDICLITests", "--output", "out.swift"]
    #expect(try tool.run(arguments).status == 0)
    #expect(try tool.text(of: "out.swift").hasSuffix(String(contentsOf: Self.file, encoding: .utf8)))
    let untyped = try BuiltTool(files: [
      "app.json": UsageTests.clean,
      "configdi-modules.json": list,
    ])
    let run = try untyped.run(arguments)
    #expect(run.status == 1 && run.output.contains("error: \"accessor\" requires a catalog of registered types"))
    let misnamed = try BuiltTool(files: [
      "configdi-modules.json": list.replacingOccurrences(of: "\"services\"", with: "\"my services\"")
    ]).run(arguments)
    #expect(
      misnamed.status == 1 && misnamed.output.contains("configdi-modules.json:1:52: error: \"my services\" is not"))
  }

  @Test func `an application with embedded commands takes types from its own registry`() throws {
    let module = #"{ "configdi": 1, "module": "m", "services": { "c": { "type": "Clock" } } }"#
    let run = try BuiltTool(files: ["app.json": module]).runEmbedded("configdi", "generate", "swift", "app.json")
    #expect(run.status == 0 && run.output.contains("\n  var c: _configdi_embedded.Clock {"))
  }

  @Test func `the reason for an omission stays within its comment`() throws {
    let catalog = #"""
      { "configdi-catalog": 1, "types": [
        { "name": "T", "provides": ["T"], "kind": "class", "sendable": true, "swiftType": "App.T",
          "arguments": [{ "key": "a\nfatalError()", "kind": "runtime", "type": "Int", "hashable": true }] } ] }
      """#
    let module = #"{ "configdi": 1, "module": "m", "services": { "t": { "type": "T", "scope": "transient" } } }"#
    let run = try BuiltTool(files: ["app.json": module, "catalog.json": catalog]).run(
      "generate", "swift", "app.json", "--catalog", "catalog.json")
    #expect(run.status == 0 && run.output.contains(#"// "t" has no property here: "#), "\(run.error)")
    #expect(run.output.contains("fatalError()") && !run.output.contains("\nfatalError()"), "\(run.output)")
  }

  @Test func `a pipe is written to, and an input is not`() throws {
    let tool = try tool([
      "key.txt": "k", "variables.env": "A=b",
      "layer.json": #"{ "configdi": 1, "module": "l", "parameters": { "file.key": { "file": "key.txt" } } }"#,
    ])
    let command = "$TOOL generate swift app.json --catalog catalog.json --module ConfigDICLITests --output"
    let code = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(try tool.shell("\(command) /dev/stdout | cat").output == code)
    let piped = try tool.shell("mkfifo pipe; cat pipe & \(command) pipe && test -p pipe && wait")
    #expect(piped.status == 0 && piped.output == code)
    for input in LongTests.sample(["key.txt", "variables.env", "app.json", "catalog.json"], every: 2) {
      let before = try tool.text(of: input)
      let run = try tool.shell("\(command) \(input) --layer layer.json --env-file variables.env")
      #expect(run.status == 64 && run.error.contains("--output: the command reads this file"))
      #expect(try tool.text(of: input) == before)
    }
  }
}
