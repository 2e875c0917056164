// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// Look-ups during a disposal or reset of their container end with an instance or a documented error.
@Suite struct DisposalRaceTests {
  /// A service whose content shows whether its memory was released.
  final class Tool: Sendable {
    /// The content.
    let text: String

    /// Creates a tool.
    init(_ text: String = "tool") { self.text = text }
  }

  /// A service with tools as dependencies.
  final class Box: Sendable {
    /// The dependencies.
    let tools: [Tool]

    /// Creates a box.
    init(_ tools: Tool...) { self.tools = tools }
  }

  /// Returns a registry for a box and its tools, the first of which is awaited until a gate opens.
  private static func registry(first: Gate, begun: Gate) -> Registry {
    var registry = Registry()
    registry.add("First", as: Tool.self) {
      begun.open()
      await first.waitAsync()
      return Tool("first")
    }
    registry.add("Second", as: Tool.self) { Tool("second") }
    registry.add("Box", .service("first", Tool.self), .service("second", Tool.self)) {
      (first: Tool, second: Tool) in Box(first, second)
    }
    return registry
  }

  /// Arguments that a reset disposes of while other arguments are awaited are looked up again.
  @Test func aResetBesideAwaitedArgumentsDisposesOfThem() async throws {
    let (first, begun) = (Gate(), Gate())
    let module = """
      { "configdi": 1, "module": "boxes", "services": { "first": { "type": "First" }, "second": { "type": "Second" },
        "box": { "type": "Box", "inject": { "first": "second", "second": "first" } } } }
      """
    let container = try await Container(text: module, registry: DisposalRaceTests.registry(first: first, begun: begun))
    let awaited = Task(priority: .aboveOtherTests) { try await container.resolveAsync(Box.self) }
    await begun.waitAsync()
    container.reset()
    first.open()
    let box = try await awaited.value
    #expect(try container.resolve(Box.self) === box)
    #expect(try box.tools[0] === container.resolve(Tool.self, named: "second"))
    #expect(try box.tools[1] === container.resolve(Tool.self, named: "first"))
  }

  /// Returns a module with a box and its tools.
  private static func module(box: String, tools: String) -> String {
    """
    { "configdi": 1, "module": "boxes", "services": {
      "first": { "type": "First", "scope": "\(tools)" },
      "second": { "type": "Second", "scope": "\(tools)" },
      "box": { "type": "Box", "scope": "\(box)", "inject": { "first": "first", "second": "second" } } } }
    """
  }

  /// While another thread disposes of the container, look-ups of a transient service by type, by name, by a provider
  /// and by a lazy value return an instance or throw `closed`. Afterwards they always throw it.
  @Test func disposingBesideAPreparedLookUpOfATransientService() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess {
        let unexpected = Journal<String>()
        for _ in 0..<100 {
          let container = Container()
          container.register(scope: .transient) { Tool() }
          container.register(named: "named", scope: .transient) { Tool() }
          let provider = try withoutAwaiting { try container.resolve(Provider<Tool>.self) }
          let looks: [@Sendable () throws -> Tool] = [
            { try container.resolve(Tool.self) }, { try container.resolve(Tool.self, named: "named") },
            { try provider.get() }, { try provider.lazy().get() },
          ]
          onThreads(3) { thread in
            if thread == 0 { return container.dispose() }
            for step in 0..<60 {
              do {
                let tool = try looks[step % looks.count]()
                if tool.text != "tool" { unexpected.note(tool.text) }
              } catch {
                if (error as? ResolutionError)?.code != .closed { unexpected.note("\(error)") }
              }
            }
          }
          for look in looks where try failure(of: look)?.code != .closed { unexpected.note("found after dispose") }
        }
        #expect(unexpected.entries.isEmpty, "\(unexpected.entries.count), first \(unexpected.entries.first ?? "")")
      }
    }
  }

  /// While another thread disposes of a child, a look-up by tag returns the child's service or throws `closed`.
  @Test func disposingOfAChildBesideALookUpByTag() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess {
        var registry = Registry()
        registry.add("Tool") { Tool("module") }
        let module = """
          { "configdi": 1, "module": "tools", "services": {
            "a": { "type": "Tool", "tags": ["tool"] }, "b": { "type": "Tool", "tags": ["tool"] } } }
          """
        let container = try Container(text: module, registry: registry)
        let unexpected = Journal<String>()
        for round in 0..<LongTests.size(30, full: 2_000) {
          let child = Container(parent: container)
          child.register(named: "a") { Tool("child") }
          onThreads(2) { thread in
            if thread == 0 {
              for _ in 0..<round % 20 { sched_yield() }
              return child.dispose()
            }
            do {
              while true {
                let texts = try child.resolve([Tool].self, tagged: "tool").map(\.text)
                if texts != ["child", "module"] { unexpected.note("\(texts)") }
              }
            } catch {
              if (error as? ResolutionError)?.code != .closed { unexpected.note("\(error)") }
            }
          }
        }
        #expect(unexpected.entries.isEmpty, "\(unexpected.entries.count), first \(unexpected.entries.first ?? "")")
      }
    }
  }

  /// An asynchronous look-up retains what it uses while it awaits the arguments of a service, so that the container may
  /// be disposed of and released meanwhile.
  @Test func disposingWhileTransientArgumentsAreAwaited() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess {
        for (box, tools) in [("shared", "transient"), ("transient", "transient"), ("transient", "shared")] {
          for disposes in [true, false] {
            let (first, begun) = (Gate(), Gate())
            var container: Container? = try await Container(
              text: DisposalRaceTests.module(box: box, tools: tools),
              registry: DisposalRaceTests.registry(first: first, begun: begun))
            // A provider does not retain the container.
            let provider = try withoutAwaiting { try container?.resolve(Provider<Box>.self) }
            let look = Task.detached {
              try await failureAsync { try await provider?.getAsync().tools.map(\.text) == ["first", "second"] }
            }
            await begun.waitAsync()
            if disposes { container?.dispose() }
            container = nil
            first.open()
            let error = try await look.value
            #expect(error == nil || error?.code == .closed, "\(box), \(tools)")
          }
        }
      }
    }
  }

  /// A look-up that waits for the main actor retains what it uses, so that the container may be disposed of and
  /// released meanwhile.
  @Test func disposingWhileAMainActorBuilderIsAwaited() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess {
        for scope in [ServiceScope.shared, .transient, .weak, .graph] {
          for disposes in [true, false] {
            try await DisposalRaceTests.endContainerBeforeTheMainActor(scope, disposes: disposes)
          }
        }
      }
    }
  }

  /// The same for services of a module, whose arguments are looked up on the main actor.
  @Test(arguments: ["shared", "transient"])
  func disposingWhileAMainActorBuilderOfAModuleIsAwaited(scope: String) async {
    await #expect(processExitsWith: .success) { [scope] in
      await inOwnProcess {
        var registry = Registry()
        registry.add("Tool") { Tool() }
        registry.add("Box", on: MainActor.shared, .service("first", Tool.self), .service("second", Tool.self)) {
          (first: Tool, second: Tool) in Box(first, second)
        }
        registry.add("Crate", as: [Box].self, .service("box", Box.self)) { (box: Box) in [box] }
        let text = """
          { "configdi": 1, "module": "boxes", "services": {
            "tool": { "type": "Tool", "scope": "\(scope)" },
            "box": { "type": "Box", "scope": "\(scope)", "inject": { "first": "tool", "second": "tool" } },
            "crate": { "type": "Crate", "scope": "\(scope)", "inject": { "box": "box" } } } }
          """
        for disposes in [true, false] {
          var container: Container? = try await Container(text: text, registry: registry)
          let boxes = try withoutAwaiting { try container?.resolve(Provider<Box>.self) }
          let crates = try withoutAwaiting { try container?.resolve(Provider<[Box]>.self, named: "crate") }
          try await DisposalRaceTests.endBeforeTheMainActor(
            [{ try await boxes?.getAsync().tools.count }, { try await crates?.getAsync().first?.tools.count }]
          ) {
            if disposes { container?.dispose() }
            container = nil
          }
        }
      }
    }
  }

  /// Ends a container while look-ups wait for the main actor.
  private static func endContainerBeforeTheMainActor(_ scope: ServiceScope, disposes: Bool) async throws {
    var container: Container? = Container()
    container?.register(Tool.self, on: MainActor.shared, scope: scope) { _ in Tool() }
    container?.register(Box.self, scope: scope) { (resolver: Resolver) async throws in
      Box(try await resolver.resolveAsync(Tool.self))
    }
    // Providers do not retain the container.
    let tools = try withoutAwaiting { try container?.resolve(Provider<Tool>.self) }
    let boxes = try withoutAwaiting { try container?.resolve(Provider<Box>.self) }
    try await endBeforeTheMainActor(
      [{ try await tools?.getAsync().text.count }, { try await boxes?.getAsync().tools.count }]
    ) {
      if disposes { container?.dispose() }
      container = nil
    }
  }

  /// Blocks the main actor until look-ups wait for it, ends their container, and expects an instance or `closed`.
  private static func endBeforeTheMainActor(
    _ looks: [@Sendable () async throws -> Int?], end: () -> Void
  ) async throws {
    let (busy, free) = (Gate(), Gate())
    let main = Task { @MainActor in
      busy.open()
      free.wait()
    }
    await busy.waitAsync()
    let tasks = looks.map { look in Task.detached { try await failureAsync(of: look) } }
    // Time for both to reach the main actor. If one does not, the test is only less strict.
    try await Task.sleep(for: .milliseconds(20))
    end()
    free.open()
    await main.value
    for task in tasks {
      let error = try await task.value
      #expect(error == nil || error?.code == .closed)
    }
  }

  /// A value of several words, which takes longer to copy than a reference.
  struct Kit: Sendable {
    /// The content.
    let tools: (Tool, Tool, Tool, Tool, Tool, Tool, Tool, Tool)

    /// Creates a kit.
    init() { tools = (Tool(), Tool(), Tool(), Tool(), Tool(), Tool(), Tool(), Tool()) }

    /// Whether none of the content was released.
    var isWhole: Bool { tools.0.text + tools.7.text == "tooltool" }
  }

  /// Which builder is asynchronous: none, that of the first service, or that of the second, which depends on the first.
  enum Awaited: String, Codable, CaseIterable {
    case none, first, second
  }

  /// `reset` during asynchronous look-ups of module services: each look-up gets a valid instance, whether its own
  /// builder is asynchronous, that of its dependency, or none.
  @Test(arguments: Awaited.allCases, ["shared", "transient"])
  func resettingBesideAwaitedLookUpsOfModuleServices(awaited: Awaited, scope: String) async {
    await #expect(processExitsWith: .success) { [awaited, scope] in
      await inOwnProcess {
        let container = try await Container(
          text: """
            { "configdi": 1, "module": "boxes", "services": {
              "kit": { "type": "Kit" }, "box": { "type": "Box", "scope": "\(scope)", "inject": { "kit": "kit" } } } }
            """, registry: DisposalRaceTests.registry(awaited))
        let end = Gate()
        Thread.detachNewThread {
          while !end.isOpen { container.reset() }
        }
        let unexpected = await withTaskGroup(of: [String].self) { group in
          for _ in 0..<4 {
            group.addTask {
              var unexpected: [String] = []
              for _ in 0..<LongTests.size(100, full: 1_500) {
                do {
                  let isWhole = try await container.resolveAsync([Bool].self, named: "box")
                  if isWhole != [true] { unexpected.append("\(isWhole)") }
                } catch {
                  // An instance that is being built during a reset cannot be cached, so the look-up may throw.
                  if (error as? ResolutionError)?.code != .closed { unexpected.append("\(error)") }
                }
              }
              return unexpected
            }
          }
          return await group.reduce(into: []) { $0 += $1 }
        }
        end.open()
        #expect(unexpected.isEmpty, "\(unexpected.count), first \(unexpected.first ?? "")")
      }
    }
  }

  /// Returns a registry for a kit, and for a box that checks the kit.
  private static func registry(_ awaited: Awaited) -> Registry {
    var registry = Registry()
    if awaited == .first {
      registry.add("Kit") { () async throws in Kit() }
    } else {
      registry.add("Kit") { Kit() }
    }
    if awaited == .second {
      registry.add("Box", as: [Bool].self, .service("kit", Kit.self)) { (kit: Kit) async throws in [kit.isWhole] }
    } else {
      registry.add("Box", as: [Bool].self, .service("kit", Kit.self)) { (kit: Kit) in [kit.isWhole] }
    }
    return registry
  }
}
