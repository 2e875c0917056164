// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import ConfigDITesting
import Foundation
import Synchronization
import Testing
import _ConfigDITestSupport

/// The number of live instances of `Counted`.
private let live = Atomic(0)

/// A service that counts its live instances.
private final class Counted: Sendable {
  init() { live.add(1, ordering: .relaxed) }
  deinit { live.subtract(1, ordering: .relaxed) }
}

extension TestModule {
  /// The sample module of these tests.
  fileprivate static let greeting = Greeting.module()
}

@Suite(.container(.greeting)) struct ContainerTraitTests {
  @Test func theContainerIsCurrentInTheTest() throws {
    #expect(try Container.current.resolve(Greeter.self).name == "world")
    #expect(Container.current !== Container.shared)
  }

  @Test func theContainerIsCurrentInTasks() async throws {
    let current = Container.current
    await Task { #expect(Container.current === current) }.value
    async let other = Container.current
    #expect(await other === current)
  }

  @Test(arguments: 0..<200) func eachTestHasItsOwnMock(number: Int) async throws {
    let container = Container.current
    let mock = SinkMock()
    try container.replace(named: "sink", with: mock)
    for _ in 0..<5 {
      try container.resolve(Desk.self).greeter.greet()
      await Task.yield()
    }
    #expect(Container.current === container)
    #expect(mock.texts == Array(repeating: "hello world", count: 5))
  }

  @Test(
    .container(
      Greeting.module(
        more: #", "late": { "type": "LateDesk", "inject": { "greeter": "greeter" }, "eager": true }"#)))
  func theInnermostTraitIsUsed() throws {
    #expect(Container.current.registrations.contains { $0.id == "late" && $0.isBuilt })
  }

  @Test(.container { Container() }) func aClosureMakesTheContainer() {
    #expect(Container.current.registrations.isEmpty)
  }
}

@Suite(.container(.greeting)) struct InjectedPropertyTests {
  @Injected private var greeter: Greeter

  @Test func injectedPropertiesUseTheContainer() throws {
    #expect(greeter === (try Container.current.resolve(Greeter.self)))
  }
}

@Suite struct TestModuleTests {
  @Test func theContainerIsDisposedOf() throws {
    var registry = Registry()
    registry.add("Counted") { Counted() }
    let module = TestModule(
      text: #"{ "configdi": 1, "module": "m", "services": { "counted": { "type": "Counted", "eager": true } } }"#,
      registry: registry)
    let container = try withContainer(of: module) { container in
      #expect(live.load(ordering: .relaxed) == 1)
      return container
    }
    #expect(live.load(ordering: .relaxed) == 0)
    #expect(throws: ResolutionError.self) { try container.resolve(Counted.self) }
  }

  @Test func errorsOfTheModuleAreThrown() {
    let module = TestModule(text: #"{ "configdi": 1, "module": "m", "services": { "a": {} } }"#, registry: Registry())
    #expect(throws: LoadError.self) { try withContainer(of: module) { _ in } }
  }

  @Test(arguments: ["one.json", "two.json"]) func `an error has the name of its own module`(name: String) {
    let text = #"{ "configdi": 1, "module": "m", "services": { "twice": {} } }"#
    let module = TestModule(text: text, name: name, registry: Registry())
    let error = #expect(throws: LoadError.self) { try withContainer(of: module) { _ in } }
    #expect(Set(error?.diagnostics.map(\.location.file) ?? []) == [name])
  }

  @Test func `a description shows the module and its environment, and no variables`() {
    func texts(of value: Any) -> [String] {
      var dumped = ""
      dump(value, to: &dumped)
      return ["\(value)", "\([value])", String(reflecting: value), dumped]
    }
    let (path, variables) = ("Configs/Shop/app.json", ["TOKEN": "xyzzy"])
    let source = ModuleSource(path, environment: "dev", settings: ["a=xyzzy"], variables: variables)
    let test = TestModule(path, environment: "dev", settings: ["a=xyzzy"], variables: variables, registry: Registry())
    for module in [source, test] as [Any] {
      #expect("\(module)" == "Configs/Shop/app.json (dev)")
      for text in texts(of: module) {
        #expect(text.contains(path) && text.contains("dev") && !text.contains("xyzzy"), "\(text)")
      }
    }
    let text = TestModule(text: "xyzzy", name: "text.json", variables: [:], registry: Registry())
    #expect("\(text)" == "text.json")
    #expect(!texts(of: text).contains { $0.contains("xyzzy") })
    #expect(String(describingForTest: text) == "text.json")
  }

  @Test func pathsAreRelativeToTheSourceFile() throws {
    // The path is relative to the package's folder, whatever the working directory of the tests is.
    let module = TestModule("Configs/Shop/app.json", environment: "dev", registry: Registry())
    #expect(throws: LoadError.self) { try withContainer(of: module) { _ in } }
    do {
      try withContainer(of: module) { _ in }
    } catch let error as LoadError {
      #expect(error.diagnostics.allSatisfy { $0.code == .unknownType })
      #expect(!error.diagnostics.isEmpty)
    }
  }

  @Test func `the finding of a missing file says where it was sought`() {
    let missing = TestModule("Configs/Absent/app.json", registry: Registry())
    #expect(
      expectFindings(.unreadableFile, in: missing).map(\.help) == [
        "the path is relative to the nearest folder above \(#filePath) that contains it, or else to the working folder"
      ])
    let layered = TestModule("Configs/Shop/app.json", layers: ["absent.json"], registry: Registry())
    #expect(
      expectFindings(.fileNotFound, in: layered).map(\.help) == ["the path is relative to \(Markdown.root.path)"])
  }

  @Test func eagerServicesCanBeDeferred() throws {
    let module = Greeting.module(
      more: #", "eager": { "type": "Greeter", "inject": { "sink": "sink" }, "eager": true }"#)
    try withContainer(of: module, starts: false) { container in
      let mock = SinkMock()
      try container.replace(named: "sink", with: mock)
      try container.buildEagerServices()
      #expect(container.registrations.first { $0.id == "eager" }?.isBuilt == true)
      try container.resolve(Greeter.self, named: "eager").greet()
      #expect(mock.texts == ["hello world"])
    }
    #expect(throws: (any Error).self) {
      try withContainer(of: module) { try $0.replace(named: "sink", with: SinkMock()) }
    }
  }

  @Test func anAsyncTestAwaitsEagerServices() async throws {
    let module = Greeting.module(
      more: #", "late": { "type": "LateDesk", "inject": { "greeter": "greeter" }, "eager": true }"#)
    // Eager services are awaited even if the body does not await.
    let name = try await withContainer(of: module) { try $0.resolve(Desk.self, named: "late").greeter.name }
    #expect(name == "world")
  }

  @Test func `a test that awaits nothing reports eager services that have to be awaited`() throws {
    let module = Greeting.module(
      more: #", "late": { "type": "LateDesk", "inject": { "greeter": "greeter" }, "eager": true }"#)
    let error = #expect(throws: LoadError.self) { try withContainer(of: module) { _ in } }
    #expect(error?.diagnostics.map(\.code).contains(.needsAwaitedLoad) == true)
    let name = try withContainer(of: module, starts: false) { try $0.resolve(Greeter.self).name }
    #expect(name == "world")
    try module.validate()
    #expect(throws: LoadError.self) { try module.validate(awaits: false) }
    expectValid(module)
    withKnownIssue {
      expectValid(module, awaits: false)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("CDI0616") }
    }
  }

  @Test func `a test on the main actor need not await its builders`() async throws {
    var registry = Registry()
    registry.add("Sink", as: NullSink.self, on: MainActor.shared) { NullSink() }
    let module = TestModule(
      text: #"{ "configdi": 1, "module": "m", "services": { "sink": { "type": "Sink", "eager": true } } }"#,
      registry: registry)
    @Sendable func start() throws { try withContainer(of: module) { _ in } }
    #expect(throws: LoadError.self) { try start() }
    try await MainActor.run { try start() }
    #expect(throws: LoadError.self) { try start() }
  }

  @Test func aCancelledTestDisposesInATaskThatIsNotCancelled() async throws {
    final class Resource: AsyncDisposable {
      let wasCancelled = Mutex<Bool?>(nil)
      func disposeAsync() async { wasCancelled.withLock { $0 = Task.isCancelled } }
    }
    let resource = Resource()
    try await Task {
      try await withContainer(of: Greeting.module()) { container in
        container.register(instance: resource)
        _ = try container.resolve(Resource.self)
        withUnsafeCurrentTask { $0?.cancel() }
        await Task.yield()
      }
    }.value
    #expect(resource.wasCancelled.withLock { $0 } == false)
  }

  @Test func layersAndSettingsApply() throws {
    let module = TestModule(
      text: """
        { "configdi": 1, "module": "m", "services": {
            "greeter": { "type": "Greeter", "inject": { "sink": "sink" }, "values": { "name": "file" } },
            "sink": { "type": "NullSink" } } }
        """,
      layers: [
        .text(
          """
          { "configdi": 1, "module": "l",
            "override": { "services": { "greeter": { "values": { "name": "layer" } } } } }
          """)
      ],
      settings: ["services.greeter.values.name=set"], registry: Greeting.registry())
    let name = try withContainer(of: module) { try $0.resolve(Greeter.self).name }
    #expect(name == "set")
  }
}

@Suite struct ExpectationTests {
  @Test func aValidModulePasses() {
    #expect(expectValid(Greeting.module(), strictly: true).isEmpty)
  }

  @Test func `a mistake of the registry is an issue`() {
    var registry = Greeting.registry()
    registry.add("Desk") { 1 }
    let module = TestModule(
      text: #"{ "configdi": 1, "module": "m", "services": { "sink": { "type": "NullSink" } } }"#, registry: registry)
    let isDuplicate: @Sendable (Issue) -> Bool = {
      $0.comments.contains { $0.rawValue.contains(#"type "Desk" is registered twice"#) }
    }
    withKnownIssue {
      expectValid(module)
    } matching: {
      isDuplicate($0)
    }
    withKnownIssue {
      expectFindings(in: module)
    } matching: {
      isDuplicate($0)
    }
  }

  @Test func anErrorIsAnIssue() {
    let broken = Greeting.module(more: #", "bad": { "type": "Desk", "inject": { "greeter": "greter" } }"#)
    withKnownIssue {
      expectValid(broken)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("CDI0501") && $0.rawValue.contains("did you mean \"greeter\"?") }
    }
    expectFindings(.unknownService, .ambiguousType, in: broken)
    withKnownIssue { expectFindings(in: broken) }
    withKnownIssue { expectFindings(.unknownService, .unknownService, in: broken) }
  }

  @Test func `a module is checked by a function that throws`() throws {
    try Greeting.module().validate(strictly: true)
    let broken = Greeting.module(more: #", "bad": { "type": "Desk", "inject": { "greeter": "greter" } }"#)
    let error = #expect(throws: LoadError.self) { try broken.validate() }
    #expect(error?.diagnostics.map(\.code).contains(.unknownService) == true)
    let warned = Greeting.module(more: #", "other": { "type": "NullSink", "tags": ["useless"] }"#)
    try warned.validate()
    #expect(throws: LoadError.self) { try warned.validate(strictly: true) }
    var registry = Greeting.registry()
    registry.add("Desk") { 1 }
    let module = TestModule(text: #"{ "configdi": 1, "module": "m" }"#, registry: registry)
    #expect(throws: RegistryError.self) { try module.validate() }
  }

  /// A detached task belongs to no test, like the code of a test of XCTest.
  @Test func `an expectation that no test can report stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await Task.detached {
        expectValid(Greeting.module())
        expectFindings(.unknownService, in: Greeting.module())
      }.value
    }
    let reported = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(reported.contains("expected [CDI0501], found []"), "\(reported)")
    #expect(reported.contains("try module.validate()"), "\(reported)")
  }
}
