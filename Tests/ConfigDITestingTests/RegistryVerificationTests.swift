// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import ConfigDITesting
import Synchronization
import Testing

/// Objects that outlive their container.
private let hoard = Mutex<[any AnyObject & Sendable]>([])

@Suite struct RegistryVerificationTests {
  /// Returns the messages of the failures of a registry, by type name.
  private func failures(_ registry: Registry, values: [String: Value] = [:]) async -> [String: String] {
    do {
      try await registry.verify(values: values)
      return [:]
    } catch let error as RegistryVerificationError {
      return Dictionary(error.failures.map { ($0.typeName, $0.message) }) { $0 + "; " + $1 }
    } catch { return ["": "\(error)"] }
  }

  @Test func aBuildableRegistryPasses() async throws {
    try await Greeting.registry().verify()
  }

  @Test func anErrorOfTheRegistryIsThrown() async {
    var registry = Greeting.registry()
    registry.add("Desk") { 1 }
    await #expect(throws: RegistryError.self) { try await registry.verify() }
  }

  @Test func unprovidedDependenciesAreReported() async {
    var registry = Registry()
    registry.add("Desk", .service("greeter", Greeter.self)) { Desk($0) }
    #expect(
      await failures(registry) == [
        "Desk": "no registered type provides \"Greeter\", which argument \"greeter\" needs"
      ])
  }

  /// A service that needs one of another type.
  private struct Layer<Below: Sendable>: Sendable {
    let below: Below
  }

  /// Adds layers on top of each other, with two types for each.
  private func addLayers<Below: Sendable>(_ count: Int, over _: Below.Type, to registry: inout Registry) {
    guard count > 0 else { return }
    for name in ["a\(count)", "b\(count)"] { registry.add(name, Layer<Below>.init, .service("below")) }
    addLayers(count - 1, over: Layer<Below>.self, to: &registry)
  }

  @Test func aTypeThatManyServicesNeedAndNobodyCanBuildIsTriedOnce() async throws {
    var registry = Registry()
    registry.given("Clock", ContinuousClock.self)
    // If all combinations were tried, each layer would double the time: these would take hours.
    addLayers(24, over: ContinuousClock.self, to: &registry)
    try await registry.verify()
  }

  @Test func aFailingBuilderIsReported() async {
    struct Failure: Error {}
    var registry = Registry()
    registry.add("Desk", .value("size", Int.self)) { (size: Int) -> Int in
      if size == 1 { throw Failure() }
      return size
    }
    #expect(await failures(registry)["Desk"]?.contains("Failure") == true)
    #expect(await failures(registry, values: ["Desk.size": 2]).isEmpty)
  }

  @Test func cyclesAreReported() async {
    var registry = Registry()
    registry.add("Greeter", .service("desk", Desk.self)) { $0.greeter }
    registry.add("Desk", .service("greeter", Greeter.self)) { Desk($0) }
    let found = await failures(registry)
    #expect(found["Greeter"] == "every way to build it is a cycle: Greeter -> Desk -> Greeter")
    #expect(found["Desk"] == "every way to build it is a cycle: Desk -> Greeter -> Desk")
  }

  @Test func leakedInstancesAreReported() async {
    var registry = Registry()
    registry.add("NullSink", as: (any Sink).self) {
      let sink = NullSink()
      hoard.withLock { $0.append(sink) }
      return sink
    }
    #expect(
      await failures(registry) == [
        "NullSink": "still retained after the container was disposed of: \"NullSink\""
      ])
    hoard.withLock { $0 = [] }
  }

  /// A class that threads cannot share, whose instances are transient.
  private final class Buffer {
    nonisolated(unsafe) static var hoard: [Buffer] = []
    var bytes: [UInt8] = []
  }

  @Test func `leaked instances of a type that is not Sendable are reported`() async {
    var registry = Registry()
    registry.add("Buffer") { Buffer() }
    #expect(await failures(registry).isEmpty)
    registry.add("Hoarded") {
      let buffer = Buffer()
      Buffer.hoard.append(buffer)
      return buffer
    }
    #expect(
      await failures(registry) == ["Hoarded": "still retained after the container was disposed of: \"Hoarded\""])
    Buffer.hoard = []
  }

  /// The task of an async builder may end after the look-up.
  @Test func anInstanceThatATaskHoldsForAMomentIsNoLeak() async throws {
    var registry = Registry()
    registry.add("Sink", as: NullSink.self, on: MainActor.shared) { NullSink() }
    registry.add("SlowSink", { (sink: NullSink) async -> NullSink in sink }, .decorated("sink"))
    for _ in 0..<50 { try await registry.verify() }
  }

  @Test func unusedValuesAreReported() async {
    #expect(
      await failures(Greeting.registry(), values: ["Greeter.nam": "x"]) == [
        "Greeter.nam": "a value is given, but no registered type has this argument"
      ])
  }

  @Test func givenTypesAreOmitted() async throws {
    var registry = Registry()
    registry.given("Clock", ContinuousClock.self)
    registry.add("Timer", .service("clock", ContinuousClock.self)) { (clock: ContinuousClock) in [clock] }
    registry.add("Opening", .scope("request"), .resolver()) { (opener: ScopeOpener, _: ContainerResolver) in opener.name
    }
    try await registry.verify()
  }

  @Test func aModuleReceivesGivenInstancesAndItsStartIsAwaited() async throws {
    var registry = Registry()
    registry.given("Number", Int.self)
    registry.add("Text", .service("number", Int.self)) { (number: Int) async throws in "\(number)" }
    let module = TestModule(
      text: """
        { "configdi": 1, "module": "m", "services": {
          "number": { "type": "Number" }, "text": { "type": "Text", "eager": true, "inject": { "number": "number" } } } }
        """, given: 7, registry: registry)
    let text = try await withContainer(of: module) { try await $0.resolveAsync(String.self) }
    #expect(text == "7")
  }

  @Test func aDecoratorMayNeedAnotherServiceOfItsWrappedType() async throws {
    var registry = Greeting.registry()
    registry.add(
      "DoubleSink", as: (any Sink).self, .decorated("inner", (any Sink).self), .service("copy", (any Sink).self)
    ) { (inner: any Sink, copy: any Sink) in
      #expect(inner !== copy)
      return LoudSink(inner)
    }
    try await registry.verify()
  }

  @Test func aProviderMayBeOfATypeWithRuntimeArguments() async throws {
    final class Session: Sendable { init(user: Int) {} }
    final class Sessions: Sendable { init(_ sessions: Provider<Session>) {} }
    final class Eager: Sendable { init(_ session: Lazy<Session>) {} }
    var registry = Registry()
    registry.add("Session", Session.init, .runtime("user"))
    registry.add("Sessions", Sessions.init, .service("sessions"))
    try await registry.verify()
    registry.add("Eager", Eager.init, .service("session"))
    #expect(
      await failures(registry) == [
        "Eager": "no registered type provides \"Session\", which argument \"session\" needs"
      ])
  }

  @Test(arguments: [true, false]) func deferredDependenciesMayFormACycle(isLazy: Bool) async throws {
    final class Parent: Sendable {
      init(_ child: Lazy<Child>) {}
      init(_ child: Provider<Child>) {}
    }
    final class Child: Sendable { init(_ parent: Parent) {} }
    var registry = Registry()
    if isLazy {
      registry.add("Parent", .service("child", Lazy<Child>.self)) { Parent($0) }
    } else {
      registry.add("Parent", .service("child", Provider<Child>.self)) { Parent($0) }
    }
    registry.add("Child", Child.init, .service("parent"))
    try await registry.verify()
  }

  @Test func listsAndMapsOfServicesMayBeEmpty() async throws {
    var registry = Greeting.registry()
    registry.add("All", .service("list", [any Sink].self), .service("map", [String: any Sink].self)) { list, map in
      list.count + map.count
    }
    try await registry.verify()
  }

  @Test func sampleValuesFitTheirTypes() async throws {
    var registry = Registry()
    registry.add(
      "Sampled", .value("text", String.self), .value("port", UInt16.self), .value("ratio", Float.self),
      .value("wait", Duration.self), .value("list", [Int].self), .value("map", [String: Bool].self),
      .value("maybe", Int?.self)
    ) { (text: String, _: UInt16, _: Float, _: Duration, _: [Int], _: [String: Bool], _: Int?) in text }
    try await registry.verify()
  }

  @Test func generatedIDsDoNotCollideWithTypeNames() async throws {
    var registry = Registry()
    registry.add("Box<Int>") { 7 }
    registry.add("type1", .service("box", Int.self)) { (box: Int) in "\(box)" }
    try await registry.verify()
  }

  /// An object that retains itself until it is closed.
  private final class Pool: AsyncDisposable {
    private let own = Mutex<Pool?>(nil)
    init() { own.withLock { $0 = self } }
    func disposeAsync() async { own.withLock { $0 = nil } }
  }

  @Test func asyncDisposableInstancesAreClosed() async throws {
    var registry = Registry()
    registry.add("Pool") { Pool() }
    registry.add("User", .service("pool", Pool.self)) { (_: Pool) in 7 }
    try await registry.verify()
  }
}
