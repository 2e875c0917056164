// SPDX-License-Identifier: Apache-2.0

import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// The product of a service or of one of its decorators.
private final class Layer: AsyncDisposable {
  let name: String
  let journal: Journal

  init(_ name: String, _ journal: Journal) {
    self.name = name
    self.journal = journal
    journal.note("build \(name)")
  }

  func disposeAsync() async { journal.note("close \(name)") }
}

/// Tests that decorated instances are disposed of after their decorators.
@Suite struct DecoratedDisposalTests {
  private let journal = Journal()
  private let attempts = AtomicCounter()

  private var registry: Registry {
    var registry = Registry()
    let dispose: @Sendable (Layer) -> Void = { [journal] in journal.note("dispose \($0.name)") }
    let wrap: @Sendable (Layer) -> Layer = { [journal] in Layer("(\($0.name))", journal) }
    registry.add("Base", as: Layer.self, onDispose: dispose) { [journal] in Layer("base", journal) }
    registry.add("MainBase", as: Layer.self, on: .shared, onDispose: dispose) { [journal] in Layer("base", journal) }
    registry.add("Slow", as: Layer.self, onDispose: dispose) { [journal] () async -> Layer in
      await Task.yield()
      return Layer("base", journal)
    }
    registry.add("Wrap", as: Layer.self, .decorated("inner", Layer.self), onDispose: dispose) { wrap($0) }
    registry.add("SlowWrap", as: Layer.self, .decorated("inner", Layer.self), onDispose: dispose) {
      (inner: Layer) async -> Layer in
      await Task.yield()
      return wrap(inner)
    }
    registry.add("MainWrap", as: Layer.self, on: .shared, .decorated("inner", Layer.self), onDispose: dispose) {
      wrap($0)
    }
    registry.add("FailingOnce", as: Layer.self, .decorated("inner", Layer.self), onDispose: dispose) {
      [attempts] inner in
      if attempts.next() == 1 { throw TestError() }
      return wrap(inner)
    }
    registry.add("Link", as: Layer.self, .service("next", Layer.self)) { [journal] _ in Layer("link", journal) }
    registry.add("Failing", as: Layer.self) { () throws -> Layer in throw TestError() }
    registry.add(
      "Beside", as: Layer.self, .service("next", Layer.self), .decorated("inner", Layer.self), onDispose: dispose
    ) {
      wrap($1)
    }
    registry.given("Given", Layer.self, onDispose: dispose)
    return registry
  }

  private func module(_ type: String, _ scope: String, _ decorators: [String]) -> String {
    let decorate = decorators.map { #"{ "type": "\#($0)" }"# }.joined(separator: ", ")
    return #"""
      { "configdi": 1, "module": "m", "scopes": ["request"],
        "services": { "layer": { "type": "\#(type)", "scope": "\#(scope)", "decorate": [\#(decorate)] } } }
      """#
  }

  private func container(_ type: String, _ scope: String, _ decorators: [String]) throws -> Container {
    try Container(text: module(type, scope, decorators), registry: registry)
  }

  /// Returns the entries that begin with a word, without this word.
  private func noted(_ word: String) -> [String] {
    journal.entries.filter { $0.hasPrefix(word) }.map { String($0.dropFirst(word.count + 1)) }
  }

  @Test(
    arguments: [
      ("Base", ["Wrap", "Wrap"]), ("Slow", ["Wrap", "Wrap"]), ("Base", ["Wrap", "SlowWrap"]),
      ("Slow", ["MainWrap", "Wrap"]), ("Base", ["Wrap", "MainWrap"]),
    ], ["shared", "request"])
  func `in a container and in a scope, the outermost decorator is disposed of first`(
    types: (service: String, decorators: [String]), scope: String
  ) async throws {
    let container = try container(types.service, scope, types.decorators)
    let request = try container.openScope("request")
    let layer = try await request.resolveAsync(Layer.self)
    #expect(layer.name == "((base))")
    let again = try await request.resolveAsync(Layer.self)
    #expect(layer === again)
    if scope == "request" { request.close() } else { container.dispose() }
    #expect(noted("build") == ["base", "(base)", "((base))"])
    #expect(noted("dispose") == ["((base))", "(base)", "base"])
  }

  @Test(
    arguments: [["FailingOnce"], ["Wrap", "FailingOnce"], ["SlowWrap", "FailingOnce"]],
    ["shared", "request", "transient"])
  func `the instances that a failed decorator should wrap are closed with await`(
    decorators: [String], scope: String
  ) async throws {
    let container = try container("Slow", scope, decorators)
    try await container.scope("request") { request in
      let error = await #expect(throws: ResolutionError.self) { try await request.resolveAsync(Layer.self) }
      #expect(error?.underlyingError is TestError)
      let ended = decorators.count == 1 ? ["base"] : ["(base)", "base"]
      #expect(journal.entries.filter { !$0.hasPrefix("build") } == ended.flatMap { ["close \($0)", "dispose \($0)"] })
      _ = try await request.resolveAsync(Layer.self)
    }
  }

  @Test(arguments: ["shared", "request"]) func `instances of sync look-ups are disposed of`(scope: String) throws {
    let container = try container("Base", scope, ["Wrap", "Wrap"])
    try container.scope("request") { _ = try $0.resolve(Layer.self) }
    container.reset()
    #expect(noted("dispose") == ["((base))", "(base)", "base"])
    try container.scope("request") { _ = try $0.resolve(Layer.self) }
    container.dispose()
    #expect(noted("build").count == 6)
    #expect(noted("dispose").count == 6)
  }

  @Test(arguments: ["transient", "weak", "graph"])
  func `a container that does not keep the outermost instance disposes of none`(scope: String) async throws {
    let container = try container("Base", scope, ["Wrap"])
    _ = try container.resolve(Layer.self)
    _ = try await container.resolveAsync(Layer.self)
    container.dispose()
    #expect(noted("dispose") == [])
  }

  @Test(arguments: [("Base", ["Wrap", "Wrap"]), ("Slow", ["Wrap", "SlowWrap"])])
  func `an isolated use disposes of wrapped instances`(
    types: (service: String, decorators: [String])
  ) async throws {
    let container = try container(types.service, "transient", types.decorators)
    let isolated = try container.resolve(Isolated<Layer>.self)
    let lazy = try container.resolve(Lazy<Layer>.self)
    var uses = 1
    try await isolated.use { layer in
      await Task.yield()
      #expect(layer.name == "((base))")
      #expect(noted("dispose") == [])
    }
    if types.service == "Base" {
      try { try isolated.use { #expect($0.name == "((base))") } }()
      #expect(throws: TestError.self) { try isolated.use { _ in throw TestError() } }
      uses = 3
    }
    _ = try await lazy.getAsync()
    // The instance belongs to its user, even if the container is disposed of.
    container.dispose()
    #expect(noted("dispose").count == 3 * uses)
    for _ in 0..<2 { lazy.dispose() }
    #expect(noted("build").count == 3 * (uses + 1))
    #expect(noted("dispose") == Array(repeating: ["((base))", "(base)", "base"], count: uses + 1).flatMap { $0 })
  }

  @Test func `a lazy argument that was built before a reload disposes of wrapped instances`() async throws {
    let files = MemoryFiles(texts: ["/m.json": module("Base", "transient", ["Wrap"])])
    let source = ModuleSource(ModuleRequest(entry: .file("/m.json"), missing: .refused), files: files)
    let services = try await ReloadingContainer(source, registry: registry)
    let lazy = try services.resolve(Lazy<Layer>.self)
    _ = try lazy.get()
    try await services.reload()
    lazy.dispose()
    #expect(noted("dispose") == ["(base)", "base"])
    #expect(try lazy.get().name == "(base)")
    lazy.dispose()
    #expect(noted("dispose").count == 4)
    try await services.shutdown()
  }

  @Test func `a deferred async look-up is disposed of by the container that keeps it`() async throws {
    let container = try container("Base", "shared", ["Wrap"])
    let lazy = try container.resolve(Lazy<Layer>.self)
    let isolated = try container.resolve(Isolated<Layer>.self)
    let layer = try await lazy.getAsync()
    try await isolated.use { used in
      await Task.yield()
      #expect(used === layer)
    }
    lazy.dispose()
    #expect(noted("dispose") == [])
    container.dispose()
    #expect(noted("dispose") == ["(base)", "base"])
  }

  @Test(arguments: ["Base", "MainBase"]) func `concurrent look-ups build a service once`(type: String) async throws {
    // The slow argument lets all look-ups start before the first one builds the service.
    let services = #"""
      "layer": { "type": "\#(type)", "decorate": [{ "type": "Beside", "inject": { "next": "slow" } }] },
      "slow": { "type": "Slow" }
      """#
    let module = #"{ "configdi": 1, "module": "m", "services": { \#(services) } }"#
    let container = try await Container(text: module, registry: registry)
    let layers = try await withThrowingTaskGroup(of: Layer.self) { group in
      for _ in 0..<8 { group.addTask { try await container.resolveAsync(Layer.self, named: "layer") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(layers.map { ObjectIdentifier($0) }).count == 1)
    // One instance is the service's, the other is the argument's.
    #expect(noted("build").count { $0 == "base" } == 2)
    container.dispose()
    #expect(noted("dispose").count == 3)
  }

  @Test func `a shutdown awaits all wrapped instances`() async throws {
    let container = try container("Base", "shared", ["Wrap"])
    _ = try container.resolve(Layer.self)
    try await container.shutdown()
    #expect(journal.entries.dropFirst(2) == ["close (base)", "dispose (base)", "close base", "dispose base"])
  }

  @Test(arguments: [false, true]) func `a failing decorator disposes of built instances`(awaits: Bool) async throws {
    let container = try container("Base", "shared", ["Wrap", "FailingOnce"])
    func resolve() async throws -> Layer {
      awaits ? try await container.resolveAsync(Layer.self) : try container.resolve(Layer.self)
    }
    await #expect(throws: ResolutionError.self) { _ = try await resolve() }
    #expect(noted("dispose") == ["(base)", "base"])
    _ = try await resolve()
    container.dispose()
    #expect(noted("dispose") == ["(base)", "base", "((base))", "(base)", "base"])
  }

  @Test(arguments: ["Base", "Slow"]) func `a failing decorator of a transient service disposes of what it wraps`(
    type: String
  ) async throws {
    let container = try container(type, "transient", ["Wrap", "FailingOnce"])
    let isolated = try container.resolve(Isolated<Layer>.self)
    await #expect(throws: ResolutionError.self) { try await isolated.use { _ in await Task.yield() } }
    #expect(noted("dispose") == ["(base)", "base"])
    try await isolated.use { _ in await Task.yield() }
    #expect(noted("dispose") == ["(base)", "base", "((base))", "(base)", "base"])
  }

  @Test func `a failing decorator of a transient service disposes of what it wraps in a synchronous look-up`() throws {
    let container = try container("Base", "transient", ["Wrap", "FailingOnce"])
    let lazy = try container.resolve(Lazy<Layer>.self)
    #expect(throws: ResolutionError.self) { try lazy.get() }
    #expect(noted("dispose") == ["(base)", "base"])
    #expect(try lazy.get().name == "((base))")
    lazy.dispose()
    #expect(noted("dispose").count == 5)
  }

  @Test(arguments: [false, true])
  func `a failing decorator of a transient service disposes of what it wraps in a look-up by type`(
    awaits: Bool
  ) async throws {
    let container = try container("Base", "transient", ["Wrap", "FailingOnce"])
    func resolve() async throws -> Layer {
      awaits ? try await container.resolveAsync(Layer.self) : try container.resolve(Layer.self)
    }
    await #expect(throws: ResolutionError.self) { _ = try await resolve() }
    #expect(noted("dispose") == ["(base)", "base"])
    #expect(try await resolve().name == "((base))")
    #expect(noted("dispose") == ["(base)", "base"])
  }

  /// Creates a container whose service has a decorator that depends on the last service of a chain.
  private func container(besideChainOf count: Int, from first: String) throws -> Container {
    let links = (1..<count).map { #""s\#($0)": { "type": "Link", "inject": { "next": "s\#($0 - 1)" } }"# }
    let services =
      [#""s0": { "type": "\#(first)" }"#] + links + [
        #""layer": { "type": "Base", "decorate": [{ "type": "Beside", "inject": { "next": "s\#(count - 1)" } }] }"#
      ]
    return try Container(
      text: #"{ "configdi": 1, "module": "m", "services": { \#(services.joined(separator: ", ")) } }"#,
      registry: registry)
  }

  @Test(arguments: [1, 2, 60, 200], [false, true])
  func `a failing argument of the decorator disposes of built instances`(count: Int, awaits: Bool) async throws {
    let container = try container(besideChainOf: count, from: "Failing")
    await #expect(throws: ResolutionError.self) {
      _ =
        awaits
        ? try await container.resolveAsync(Layer.self, named: "layer")
        : try container.resolve(Layer.self, named: "layer")
    }
    // A look-up with `await` resolves other arguments first. If one fails, nothing was built that must be disposed of.
    if !awaits || count > 32 { #expect(noted("build") == ["base"]) }
    #expect(noted("dispose") == noted("build"))
    container.dispose()
    #expect(noted("dispose") == noted("build"))
  }

  @Test(arguments: [60, 200]) func `nested services on many threads are disposed of`(count: Int) throws {
    let container = try container(besideChainOf: count, from: "Base")
    onThreads(8) { _ in _ = try? container.resolve(Layer.self, named: "layer") }
    container.dispose()
    let built = noted("build").count { $0 != "link" }
    #expect(noted("dispose").count == built)
    #expect(noted("dispose").count { $0 == "(base)" } == 1)
  }

  @Test func `a decorated service is built once, however many tasks await it`() async throws {
    let container = try container("Slow", "shared", ["Wrap"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 { group.addTask { _ = try await container.resolveAsync(Layer.self) } }
      try await group.waitForAll()
    }
    #expect(noted("build") == ["base", "(base)"])
  }

  @Test func `async and sync look-ups find the same decorated instance`() async throws {
    for _ in 0..<LongTests.size(20, full: 500) {
      let container = try container("Base", "shared", ["Wrap"])
      let found = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
        for number in 0..<8 {
          group.addTask {
            let layer: Layer
            if number.isMultiple(of: 2) {
              layer = try await container.resolveAsync(Layer.self)
            } else {
              layer = try container.resolve(Layer.self)
            }
            return ObjectIdentifier(layer)
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(found.count == 1)
      container.dispose()
    }
    #expect(noted("build").sorted() == noted("dispose").sorted())
  }

  @Test func `replacing the service disposes of its wrapped instances`() throws {
    let container = try container("Base", "shared", ["Wrap"])
    _ = try container.resolve(Layer.self, named: "layer")
    container.register(named: "layer") { [journal] in Layer("other", journal) }
    #expect(noted("dispose") == ["(base)", "base"])
    container.dispose()
    #expect(noted("dispose") == ["(base)", "base"])
  }

  @Test func `a wrapped given instance is disposed of once`() throws {
    let container = try container("Given", "request", ["Wrap"])
    try container.scope("request", given: Layer("given", journal)) { _ = try $0.resolve(Layer.self) }
    #expect(noted("dispose") == ["(given)", "given"])
  }

  @Test func `a reload that keeps the service does not dispose of it, the final disposal does once`() async throws {
    let files = MemoryFiles(texts: ["/m.json": module("Base", "shared", ["Wrap", "Wrap"])])
    let source = ModuleSource(ModuleRequest(entry: .file("/m.json"), missing: .refused), files: files)
    let services = try await ReloadingContainer(source, registry: registry)
    let first = try services.resolve(Layer.self)
    for _ in 0..<2 {
      try await services.reload()
      #expect(try services.resolve(Layer.self) === first)
    }
    #expect(noted("dispose") == [])
    try await services.shutdown()
    #expect(noted("close") == ["((base))", "(base)", "base"])
    #expect(noted("dispose") == ["((base))", "(base)", "base"])
  }

  @Test func `very many decorators are disposed of`() throws {
    let count = 2_000
    let container = try container("Base", "shared", Array(repeating: "Wrap", count: count))
    _ = try container.resolve(Layer.self)
    container.dispose()
    #expect(noted("dispose") == noted("build").reversed())
    #expect(noted("dispose").count == count + 1)
  }
}
