// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import ConfigDITesting
import Testing
import _ConfigDITestSupport

@Suite struct ReplacingTests {
  /// Returns the message of the error that a replacement throws.
  private func errorMessage(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing was thrown"
    } catch { return "\(error)" }
  }

  @Test func aMockReplacesTheServiceInEveryLookUp() throws {
    try withContainer(of: Greeting.module()) { container in
      let mock = SinkMock()
      try container.replace(named: "sink", with: mock)
      try container.resolve(Desk.self).greeter.greet()
      #expect(mock.texts == ["hello world"])
      #expect(try container.resolve((any Sink).self) === mock)
      #expect(try container.resolve((any Sink).self, named: "sink") === mock)
      #expect(try container.registration(of: (any Sink).self)?.origin.file.hasSuffix("ReplacingTests.swift") == true)
    }
  }

  @Test func aMockReplacesTheDecoratorsToo() throws {
    let module = TestModule(
      text: """
        { "configdi": 1, "module": "greeting", "services": {
            "sink": { "type": "NullSink", "decorate": [ { "type": "LoudSink" } ] },
            "greeter": { "type": "Greeter", "inject": { "sink": "sink" } } } }
        """, registry: Greeting.registry())
    try withContainer(of: module) { container in
      let mock = SinkMock()
      try container.replace(named: "sink", with: mock)
      try container.resolve(Greeter.self).greet()
      #expect(mock.texts == ["hello world"])
    }
  }

  @Test func aServiceWithoutANameKeepsItsID() throws {
    let container = Container()
    container.register((any Sink).self) { NullSink() }
    container.register(named: "NullSink") { NullSink() }
    let mock = SinkMock()
    for instance in [SinkMock(), mock] {
      try container.replace(named: "Sink", with: instance)
      #expect(container.registrations.map(\.id) == ["NullSink", "Sink"])
    }
    #expect(try container.resolve((any Sink).self) === mock)
    #expect(try container.resolve([String: any Sink].self).keys.sorted() == ["Sink"])
    // It is not found by its id, and a registration without a name still replaces it.
    #expect(throws: ResolutionError.self) { try container.resolve((any Sink).self, named: "Sink") }
    container.register((any Sink).self) { NullSink() }
    #expect(try container.resolve((any Sink).self) is NullSink)
  }

  @Test(arguments: [true, false])
  func aReplacedServiceWithoutANameHidesThatOfAParent(isOfChild: Bool) throws {
    let parent = Container()
    parent.register((any Sink).self) { NullSink() }
    let child = Container(parent: parent)
    child.register((any Sink).self) { NullSink() }
    let mock = SinkMock()
    try (isOfChild ? child : parent).replace(named: "Sink", with: mock)
    let sinks = try child.resolve([String: any Sink].self)
    #expect(sinks.keys.sorted() == ["Sink"])
    #expect((sinks["Sink"] === mock) == isOfChild)
    #expect(child.registrations.count == 1)
  }

  @Test func aPrivateServiceStaysPrivate() throws {
    let module = TestModule(
      text: """
        { "configdi": 1, "module": "greeting", "services": {
            "sink": { "type": "NullSink", "private": true },
            "other": { "type": "NullSink" },
            "greeter": { "type": "Greeter", "inject": { "sink": "sink" } } } }
        """, registry: Greeting.registry())
    try withContainer(of: module) { container in
      let mock = SinkMock()
      try container.replace(named: "sink", with: mock)
      try container.resolve(Greeter.self).greet()
      #expect(mock.texts == ["hello world"])
      #expect(try container.resolve((any Sink).self) is NullSink)
      #expect(throws: ResolutionError.self) { try container.resolve((any Sink).self, named: "sink") }
    }
  }

  @Test func replacingAnUnknownServiceThrows() throws {
    try withContainer(of: Greeting.module()) { container in
      #expect(
        errorMessage { try container.replace(named: "snk", with: SinkMock()) }
          == "service \"snk\" cannot be replaced: the container has no such service; did you mean \"sink\"?")
    }
  }

  @Test func `a replacement in a container that was disposed of says so`() throws {
    let container = try withContainer(of: Greeting.module()) { $0 }
    #expect(
      errorMessage { try container.replace(named: "sink", with: SinkMock()) }
        == "service \"sink\" cannot be replaced: the container was disposed of")
  }

  @Test func aMockProvidesTheSameTypes() throws {
    try withContainer(of: Greeting.module()) { container in
      #expect(
        errorMessage { try container.replace(named: "greeter", with: SinkMock()) }
          == "service \"greeter\" cannot be replaced: \"SinkMock\" does not provide \"Greeter\"")
      // The failed replacement has changed nothing.
      let greeter = try container.resolve(Greeter.self)
      #expect(greeter.name == "world")
    }
  }

  @Test func replacingABuiltServiceThrows() throws {
    try withContainer(of: Greeting.module()) { container in
      _ = try container.resolve(Greeter.self)
      #expect(
        errorMessage { try container.replace(named: "sink", with: SinkMock()) }
          == "service \"sink\" cannot be replaced: it was built already; replace it before the first look-up")
    }
  }

  @Test(arguments: ["transient", "graph"]) func replacingATransientServiceThrowsIfAnInstanceIsHeld(scope: String) throws
  {
    try withContainer(of: Greeting.module(sink: scope, greeter: scope)) { container in
      _ = try container.resolve(Greeter.self)
      // The instances of the look-up are released already, so a replacement is not too late.
      try container.replace(named: "sink", with: SinkMock())
    }
    try withContainer(of: Greeting.module(sink: scope, greeter: scope)) { container in
      _ = try container.resolve(Desk.self)
      #expect(
        errorMessage { try container.replace(named: "sink", with: SinkMock()) }
          == "service \"sink\" cannot be replaced: service \"desk\" was built already, and holds an instance of it")
    }
  }

  @Test func replacingAScopedServiceThrowsWhileItsScopeIsOpen() throws {
    let module = TestModule(
      text: """
        { "configdi": 1, "module": "greeting", "scopes": ["request"], "services": {
            "sink": { "type": "NullSink", "scope": "request" },
            "greeter": { "type": "Greeter", "inject": { "sink": "sink" }, "scope": "request" } } }
        """, registry: Greeting.registry())
    try withContainer(of: module) { container in
      let scope = try container.openScope("request")
      _ = try scope.resolve(Greeter.self)
      #expect(throws: (any Error).self) { try container.replace(named: "sink", with: SinkMock()) }
      scope.close()
      let mock = SinkMock()
      try container.replace(named: "sink", with: mock)
      try container.scope("request") { try $0.resolve(Greeter.self).greet() }
      #expect(mock.texts == ["hello world"])
    }
  }

  @Test(arguments: ["shared", "transient"]) func replacingThrowsIfAChildHoldsAnInstance(scope: String) throws {
    let module = """
      { "configdi": 1, "module": "greeting", "services": {
          "sink": { "type": "NullSink", "scope": "\(scope)" },
          "greeter": { "type": "Greeter", "inject": { "sink": "sink" } } } }
      """
    let layer = ModuleLayer.text(
      #"{ "configdi": 1, "module": "l", "override": { "services": { "greeter": { "values": { "name": "child" } } } } }"#,
      name: "l.json")
    let base = try BaseContainer(ModuleSource(text: module), registry: Greeting.registry())
    let (early, late) = (try base.child(layers: [layer]), try base.child(layers: [layer]))
    _ = try early.resolve(Greeter.self)
    let reason =
      scope == "shared"
      ? "it was built already; replace it before the first look-up"
      : "service \"greeter\" was built already, and holds an instance of it"
    #expect(
      errorMessage { try base.container.replace(named: "sink", with: SinkMock()) }
        == "service \"sink\" cannot be replaced: \(reason)")
    early.reset()
    base.container.reset()
    let mock = SinkMock()
    try base.container.replace(named: "sink", with: mock)
    for child in [early, late, try base.child(layers: [layer])] { try child.resolve(Greeter.self).greet() }
    #expect(mock.texts == ["hello child", "hello child", "hello child"])
  }

  @Test func theErrorSaysThatAnInstanceWasGiven() throws {
    var registry = Greeting.registry()
    registry.given("Sink", (any Sink).self)
    let module = TestModule(
      text: """
        { "configdi": 1, "module": "greeting", "services": { "sink": { "type": "Sink" } } }
        """, given: NullSink(), registry: registry)
    try withContainer(of: module) { container in
      #expect(
        errorMessage { try container.replace(named: "sink", with: SinkMock()) }
          == "service \"sink\" cannot be replaced: its instance was given; give another one instead")
    }
  }

  @Test func servicesOfCodeAreReplacedByType() throws {
    let container = Container()
    container.register((any Sink).self) { NullSink() }
    container.register { Greeter(sink: try $0.resolve(), name: "code") }
    let mock = SinkMock()
    try container.replace(named: "Sink", with: mock)
    try container.resolve(Greeter.self).greet()
    #expect(mock.texts == ["hello code"])
  }

  /// The second type of a service.
  private protocol Rewinding: Sendable {}

  private final class Tape: Sink, Rewinding {
    func write(_ text: String) {}
  }

  /// Another service has one of the types before the service is replaced; the mock has the other one.
  @Test func aMockIsReleasedOnceOtherServicesHaveItsTypes() throws {
    let container = Container()
    container.register(Tape.self, as: [.type((any Sink).self) { $0 }, .type((any Rewinding).self) { $0 }]) { Tape() }
    container.register((any Sink).self) { SinkMock() }
    weak var mock: Tape?
    do {
      let instance = Tape()
      mock = instance
      try container.replace(named: "Tape", with: instance)
    }
    #expect(try container.resolve((any Rewinding).self) as? Tape === mock)
    #expect(try container.resolve((any Sink).self) is SinkMock)
    #expect(mock != nil)
    container.register((any Rewinding).self) { Tape() }
    #expect(mock == nil)
  }

  #if DEBUG
    @Test(arguments: ["transient", "shared"])
    func `a look-up with await takes the mock, though it had its arguments ready`(scope: String) async throws {
      let module = Greeting.module(sink: "transient", greeter: scope)
      try await withContainer(of: module) { container in
        let (mock, calls) = (SinkMock(), AtomicCounter())
        let desk = try await PausePoint.$hook.withValue({ point in
          guard point == .inputsReady, calls.next() == 1 else { return }
          do { try container.replace(named: "sink", with: mock) } catch { Issue.record(error) }
        }) { try await container.resolveAsync(Desk.self) }
        desk.greeter.greet()
        #expect(mock.texts == ["hello world"])
      }
    }
  #endif
}
