// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import ConfigDITesting
import Testing

@Suite struct BuildRecorderTests {
  @Test func buildsAreRecordedInOrderWithTheirDependents() throws {
    let recorder = BuildRecorder()
    try withContainer(of: Greeting.module(), observers: [recorder]) { container in
      _ = try container.resolve(Desk.self)
      _ = try container.resolve(Desk.self)
      #expect(recorder.built == ["sink", "greeter", "desk"])
      #expect(recorder.builds.map(\.consumer) == ["greeter", "desk", nil])
      #expect(recorder.consumers(of: "sink") == ["greeter"])
      #expect(recorder.disposed.isEmpty)
    }
    #expect(recorder.disposed == ["desk", "greeter", "sink"])
    #expect(recorder.builds.allSatisfy { $0.duration > .zero && $0.error == nil })
  }

  @Test func transientServicesAreRecordedAtEachBuild() throws {
    let recorder = BuildRecorder()
    try withContainer(of: Greeting.module(sink: "transient", greeter: "transient"), observers: [recorder]) {
      for _ in 0..<3 { _ = try $0.resolve(Greeter.self) }
      _ = try $0.resolve(Desk.self)
    }
    #expect(recorder.count(of: "sink") == 4)
    #expect(recorder.count(of: "greeter") == 4)
    #expect(recorder.count(of: "desk") == 1)
    #expect(recorder.disposed == ["desk"])
  }

  @Test func decoratorsAreDistinguished() throws {
    let recorder = BuildRecorder()
    let module = TestModule(
      text: """
        { "configdi": 1, "module": "greeting", "services": {
            "sink": { "type": "NullSink", "decorate": [ { "type": "LoudSink" } ] } } }
        """, registry: Greeting.registry())
    try withContainer(of: module, observers: [recorder]) { _ = try $0.resolve((any Sink).self) }
    #expect(recorder.builds.map(\.decorator) == [nil, "LoudSink"])
    #expect(recorder.built == ["sink"])
    #expect(recorder.disposed == ["sink"])
    #expect(recorder.consumers(of: "sink").isEmpty)
  }

  @Test func failuresAreRecorded() throws {
    struct Failure: Error {}
    let recorder = BuildRecorder()
    let container = Container(observers: [recorder])
    container.register((any Sink).self) { throw Failure() }
    container.register { Greeter(sink: try $0.resolve(), name: "") }
    #expect(throws: ResolutionError.self) { try container.resolve(Greeter.self) }
    #expect(recorder.builds.count == 2)
    #expect(recorder.builds[0].error is Failure)
    #expect(recorder.builds[1].error is ResolutionError)
    #expect(recorder.built.isEmpty)
    #expect(recorder.notFound.isEmpty)
    #expect(throws: ResolutionError.self) { try container.resolve(Desk.self) }
    #expect(throws: ResolutionError.self) { try container.resolve(Desk.self, named: "desk") }
    #expect(try container.resolveOptional(Desk.self) == nil)
    #expect(recorder.notFound.map(\.code) == [.notRegistered, .notRegistered])
  }

  @Test(arguments: [true, false]) func `the output of a test does not show a secret in an error`(isSecret: Bool) throws
  {
    struct Refused: Error { let key: String }
    var registry = Registry()
    registry.add("Client", .value("key", String.self, secret: isSecret)) { (key: String) -> Int in
      throw Refused(key: key)
    }
    let recorder = BuildRecorder()
    let module = TestModule(
      text: """
        { "configdi": 1, "module": "m", "services": { "client": { "type": "Client", "values": { "key": "xyzzy" } } } }
        """, registry: registry)
    try withContainer(of: module, observers: [recorder]) { container in
      _ = #expect(throws: ResolutionError.self) { try container.resolve(Int.self) }
    }
    let build = try #require(recorder.builds.first)
    #expect((build.error as? Refused)?.key == "xyzzy")
    #expect(build.takesSecrets == isSecret)
    var dumped = ""
    dump(recorder, to: &dumped)
    for text in ["\(build)", "\([build])", dumped] {
      #expect(text.contains("Refused") && text.contains("xyzzy") != isSecret, "\(text)")
    }
  }

  @Test func asyncBuildersAreRecordedOnce() async throws {
    let recorder = BuildRecorder()
    let module = Greeting.module(more: #", "late": { "type": "LateDesk", "inject": { "greeter": "greeter" } }"#)
    try await withContainer(of: module, observers: [recorder]) { container in
      #expect(throws: ResolutionError.self) { try container.resolve(Desk.self, named: "late") }
      #expect(!recorder.builds.contains { $0.id == "late" })
      async let one = container.resolveAsync(Desk.self, named: "late")
      async let two = container.resolveAsync(Desk.self, named: "late")
      let both = try await (one, two)
      #expect(both.0 === both.1)
    }
    #expect(recorder.count(of: "late") == 1)
    #expect(recorder.count(of: "greeter") == 1)
  }

  @Test @MainActor func mainActorBuildersAreRecorded() async throws {
    let recorder = BuildRecorder()
    let container = Container(observers: [recorder])
    container.register(NullSink.self, on: MainActor.shared, scope: .transient) { (_: Resolver) in NullSink() }
    _ = try container.resolve(NullSink.self)
    _ = try await container.resolveAsync(NullSink.self)
    await Task.detached {
      #expect(throws: ResolutionError.self) { try container.resolve(NullSink.self) }
      _ = try? await container.resolveAsync(NullSink.self)
    }.value
    #expect(recorder.built == ["NullSink", "NullSink", "NullSink"])
  }

  @Test func childrenAreRecordedLikeTheirParents() throws {
    let (outer, inner) = (BuildRecorder(), BuildRecorder())
    let parent = Container(observers: [outer])
    parent.register((any Sink).self) { NullSink() }
    let child = Container(parent: parent, observers: [inner])
    child.register { Greeter(sink: try $0.resolve(), name: "") }
    _ = try child.resolve(Greeter.self)
    #expect(outer.built == ["Sink", "Greeter"])
    #expect(inner.built == ["Greeter"])
  }

  @Test func scopesAreRecorded() throws {
    let recorder = BuildRecorder()
    let container = Container(scopes: ["request"], observers: [recorder])
    container.register((any Sink).self, scope: .scope("request")) { NullSink() }
    for _ in 0..<2 { try container.scope("request") { _ = try $0.resolve((any Sink).self) } }
    #expect(recorder.built == ["Sink", "Sink"])
    #expect(recorder.disposed == ["Sink", "Sink"])
  }

  @Test func aServiceOfSeveralTypesIsBuiltOnce() throws {
    let recorder = BuildRecorder()
    let container = Container(observers: [recorder])
    container.register(NullSink.self, as: [.itself, .type((any Sink).self) { $0 }]) { NullSink() }
    #expect(try container.resolve((any Sink).self) === (try container.resolve(NullSink.self)))
    container.register(
      Greeter.self, as: [.itself, .type(AnyObject.self) { $0 }], scope: .transient
    ) { Greeter(sink: NullSink(), name: "") }
    _ = try container.resolve(AnyObject.self)
    #expect(recorder.built == ["NullSink", "Greeter"])
  }

  @Test func `a look-up of a task after the end of its builder is not recorded for that builder`() async throws {
    let recorder = BuildRecorder()
    let container = Container(observers: [recorder])
    let ended = AsyncStream<Void>.makeStream()
    container.register(named: "needed", scope: .transient) { "needed" }
    container.register(named: "server") { () -> Task<String, any Error> in
      _ = try container.resolve(String.self, named: "needed")
      return Task {
        for await _ in ended.stream {}
        return try container.resolve(String.self, named: "needed")
      }
    }
    let task = try container.resolve(Task<String, any Error>.self)
    ended.continuation.finish()
    _ = try await task.value
    #expect(recorder.builds.map(\.id) == ["needed", "server", "needed"])
    #expect(recorder.builds.map(\.consumer) == ["server", nil, nil])
    container.dispose()
  }
}
