// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// The forms of a type (optional, list, map, lazy, provider) can be nested in any way.
@Suite struct FormTests {
  /// A type with two services.
  final class Tool: Sendable {
    /// The content.
    let text: String

    /// Creates a tool.
    init(_ text: String) { self.text = text }
  }

  /// A type that is not registered.
  final class Missing: Sendable {}

  /// A type with one service.
  final class Clock: Sendable {}

  /// Returns a container with two tools and a clock.
  private static func container() -> Container {
    let container = Container()
    container.register(named: "a") { Tool("a") }
    container.register(named: "b", scope: .transient) { Tool("b") }
    container.register { Clock() }
    return container
  }

  /// The elements of a list or map are awaited in any nesting.
  @Test func elementsOfAnyFormAreAwaited() async throws {
    let container = FormTests.container()
    container.register(named: "c") { () async -> Tool in
      await Task.yield()
      return Tool("c")
    }
    #expect(try await container.resolveAsync([Tool?].self).map { $0?.text } == ["a", "b", "c"])
    #expect(try await container.resolveAsync([String: Tool?].self)["c"]??.text == "c")
    #expect(try await container.resolveAsync([[Tool]].self).map { $0.map(\.text) } == [["a", "b", "c"]])
    #expect(try await container.resolveAsync([Lazy<Tool>].self).count == 3)
    let text = try container.resolve([Lazy<Tool>].self)
    #expect(try await text[2].getAsync().text == "c")
  }

  /// A list of lazy values has one for each service, and builds none of them.
  @Test func aListOfLazyValuesHasOneElementPerService() throws {
    let container = FormTests.container()
    let lazies = try container.resolve([Lazy<Tool>].self)
    #expect(lazies.count == 2)
    #expect(lazies.allSatisfy { !$0.isBuilt })
    #expect(container.registrations.allSatisfy { !$0.isBuilt })
    #expect(try lazies.map { try $0.get().text } == ["a", "b"])
  }

  /// A list of providers has one for each service.
  @Test func aListOfProvidersHasOneElementPerService() throws {
    let container = FormTests.container()
    let providers = try container.resolve([Provider<Tool>].self)
    #expect(try providers.map { try $0.get().text } == ["a", "b"])
    #expect(try providers.first?.get() === container.resolve(Tool.self, named: "a"))
  }

  /// The elements of a list or map may be deferred look-ups of any form of their service.
  @Test func elementsMayBeDeferredFormsOfForms() async throws {
    let container = FormTests.container()
    let (disposed, dispose) = AsyncStream.makeStream(of: String.self)
    container.register(named: "b", scope: .transient, onDispose: { dispose.yield($0.text) }) { Tool("b") }
    let optional = try container.resolve([Lazy<Tool?>].self)
    #expect(try optional.map { try $0.get()?.text } == ["a", "b"])
    optional[1].dispose()
    let awaited = try container.resolve([Lazy<Tool?>].self)
    #expect(try await awaited[1].getAsync()?.text == "b")
    awaited[1].dispose()
    let isolated = try container.resolve([String: Isolated<Tool?>].self)
    #expect(try await isolated["b"]?.use { $0?.text } == "b")
    dispose.finish()
    #expect(await disposed.reduce(into: []) { $0.append($1) } == ["b", "b", "b"])
    #expect(try container.resolve([Provider<Lazy<Tool>>].self).map { try $0.get().get().text } == ["a", "b"])
    #expect(try await container.resolve([Provider<Tool?>].self)[0].getAsync()?.text == "a")
    container.dispose()
    #expect(throws: ResolutionError.self) { try optional[1].get() }
  }

  /// A service may itself be a list, a map or an optional, also as an element.
  @Test func aServiceMayItselfBeOfTheTypeOfAForm() throws {
    let container = Container()
    container.register(named: "list") { [1, 2] }
    container.register(named: "map") { ["k": 1.5] }
    container.register(named: "optional") { Optional("text") }
    #expect(try container.resolve([String: [Int]].self) == ["list": [1, 2]])
    #expect(try container.resolve([[Int]?].self) == [[1, 2]])
    #expect(try container.resolve([Lazy<[Int]>].self).map { try $0.get() } == [[1, 2]])
    #expect(try container.resolve([String: [String: Double]].self) == ["map": ["k": 1.5]])
    #expect(try container.resolve([String: Lazy<[String: Double]?>].self)["map"]?.get() == ["k": 1.5])
    #expect(try container.resolve(Lazy<String?>.self).get() == "text")
  }

  /// A list of lists is not silently empty: it has all services.
  @Test func aListOfListsHasAllServices() throws {
    let lists = try FormTests.container().resolve([[Tool]].self)
    #expect(lists.map { $0.map(\.text) } == [["a", "b"]])
  }

  /// Services whose own type is a list are the elements of a list of that type, by code, as arguments and by tag, also
  /// if there are services of the type of their elements. A single one is found before the list of these.
  @Test(arguments: [false, true])
  func servicesThatAreListsAreTheElementsOfAListOfLists(withElements: Bool) async throws {
    struct Owner: Sendable {
      let lists: [[Int]]
      let lazy: [Lazy<[Int]>]
    }
    let container = Container()
    if withElements { for number in [7, 8] { container.register(named: "n\(number)") { number } } }
    container.register([Int].self, named: "a") { _ in [1, 2] }
    #expect(try container.resolve([Int].self) == [1, 2])
    #expect(try container.resolve([[Int]].self) == [[1, 2]])
    container.register([Int].self, named: "b", scope: .transient) { _ in [3] }
    #expect(try container.resolve([[Int]].self) == [[1, 2], [3]])
    #expect(try await container.resolveAsync([[Int]].self) == [[1, 2], [3]])
    #expect(try container.resolve([[Int]?].self) == [[1, 2], [3]])
    #expect(try container.resolve([Lazy<[Int]>].self).map { try $0.get() } == [[1, 2], [3]])
    #expect(try container.resolve(Lazy<[[Int]]>.self).get() == [[1, 2], [3]])
    #expect(try container.resolve([[[Int]]].self) == [[[1, 2], [3]]])
    #expect(try container.resolve([String: [Int]].self) == ["a": [1, 2], "b": [3]])
    #expect(try container.resolve([[String: [Int]]].self) == [["a": [1, 2], "b": [3]]])
    container.autoregister(Owner.init)
    #expect(try container.resolve(Owner.self).lists == [[1, 2], [3]])
    #expect(try container.resolve(Owner.self).lazy.map { try $0.get() } == [[1, 2], [3]])
    // Services with run-time arguments are no elements.
    let other = Container()
    if withElements { for number in [7, 8] { other.register(named: "n\(number)") { number } } }
    other.register([Int].self, named: "r") { (_, number: Int) in [number] }
    #expect(try other.resolve([[Int]].self) == [withElements ? [7, 8] : []])
  }

  /// A list of lists of the services with a tag has the services that are lists.
  @Test func servicesThatAreListsAreFoundByTag() async throws {
    var registry = Registry()
    registry.add("Numbers", .value("count")) { (count: Int) in Array(0..<count) }
    let container = try await Container(
      text: """
        { "configdi": 1, "module": "m", "tags": { "t": {} }, "services": {
          "a": { "type": "Numbers", "values": { "count": 1 }, "tags": ["t"] },
          "b": { "type": "Numbers", "values": { "count": 2 }, "tags": ["t"] } } }
        """, registry: registry)
    #expect(try container.resolve([[Int]].self) == [[0], [0, 1]])
    #expect(try container.resolve([[Int]].self, tagged: "t") == [[0], [0, 1]])
    #expect(try container.resolve([Lazy<[Int]>].self, tagged: "t").map { try $0.get() } == [[0], [0, 1]])
    #expect(try container.resolve([String: [Int]].self, tagged: "t") == ["a": [0], "b": [0, 1]])
    let child = Container(parent: container)
    child.register([Int].self, named: "b") { _ in [7] }
    #expect(try child.resolve([[Int]].self, tagged: "t") == [[0], [7]])
    #expect(throws: ResolutionError.self) { try container.resolve([[String]].self, tagged: "t") }
  }

  /// A lazy list is looked up when it is first used.
  @Test func aLazyListIsLookedUpAtItsFirstUse() throws {
    let container = FormTests.container()
    let lazy = try container.resolve(Lazy<[Tool]>.self)
    #expect(!lazy.isBuilt)
    #expect(container.registrations.allSatisfy { !$0.isBuilt })
    #expect(try lazy.get().map(\.text) == ["a", "b"])
    #expect(try container.resolve(Lazy<[Missing]>.self).get().isEmpty)
  }

  /// A lazy optional is `nil` if the type is not registered, otherwise the service.
  @Test func aLazyOptionalIsNilIfNothingIsRegistered() throws {
    let container = FormTests.container()
    let clock = try container.resolve(Lazy<Clock?>.self)
    #expect(!clock.isBuilt)
    #expect(try clock.get() === container.resolve(Clock.self))
    let missing = try container.resolve(Lazy<Missing?>.self)
    #expect(try missing.get() == nil)
    #expect(missing.isBuilt)
  }

  /// A provider of a list looks up all services at each use.
  @Test func aProviderOfAListLooksUpAllServicesAtEachCall() throws {
    let container = FormTests.container()
    let provider = try container.resolve(Provider<[Tool]>.self)
    let (first, second) = (try provider.get(), try provider.get())
    #expect(first.map(\.text) == ["a", "b"])
    #expect(first[0] === second[0])
    #expect(first[1] !== second[1])
  }

  /// A map of lazy values has one for each service name.
  @Test func aMapOfLazyValuesHasOneEntryPerID() throws {
    let container = FormTests.container()
    let lazies = try container.resolve([String: Lazy<Tool>].self)
    #expect(lazies.keys.sorted() == ["a", "b"])
    #expect(lazies.values.allSatisfy { !$0.isBuilt })
    #expect(try lazies.mapValues { try $0.get().text } == ["a": "a", "b": "b"])
  }

  /// A map of providers has one for each service name, and a provider of a map returns a map.
  @Test func aMapOfProvidersAndAProviderOfAMap() throws {
    let container = FormTests.container()
    let providers = try container.resolve([String: Provider<Tool>].self)
    #expect(try providers.mapValues { try $0.get().text } == ["a": "a", "b": "b"])
    #expect(try container.resolve(Provider<[String: Tool]>.self).get().mapValues(\.text) == ["a": "a", "b": "b"])
  }

  /// An optional of an optional resolves to the service as well.
  @Test func anOptionalOfAnOptional() throws {
    let container = FormTests.container()
    #expect(try container.resolve(Clock??.self).flatMap { $0 } === container.resolve(Clock.self))
    #expect(try container.resolve(Missing??.self).flatMap { $0 } == nil)
  }

  /// An optional of a lazy value or provider is `nil` if the type is not registered.
  @Test func anOptionalOfALazyValueOrAProvider() throws {
    let container = FormTests.container()
    #expect(try container.resolve(Lazy<Clock>?.self)?.get() === container.resolve(Clock.self))
    #expect(try container.resolve(Provider<Clock>?.self)?.get() === container.resolve(Clock.self))
    #expect(try container.resolve(Lazy<Missing>?.self) == nil)
    #expect(try container.resolve(Provider<Missing>?.self) == nil)
  }

  /// Lazy values and providers can contain each other.
  @Test func aLazyProviderAndAProviderOfLazyValues() throws {
    let container = FormTests.container()
    let clock = try container.resolve(Clock.self)
    #expect(try container.resolve(Lazy<Provider<Clock>>.self).get().get() === clock)
    #expect(try container.resolve(Provider<Lazy<Clock>>.self).get().get() === clock)
    #expect(try container.resolve(Lazy<Lazy<Clock>>.self).get().get() === clock)
    #expect(try container.resolve(Provider<Clock?>.self).get() === clock)
  }

  /// Asynchronous look-ups support the same forms.
  @Test func awaitedForms() async throws {
    let container = FormTests.container()
    let lazies = try await container.resolveAsync([Lazy<Tool>].self)
    var texts: [String] = []
    for lazy in lazies { texts.append(try await lazy.getAsync().text) }
    #expect(texts == ["a", "b"])
    let list = try await container.resolveAsync(Lazy<[Tool]>.self).getAsync()
    #expect(list.map(\.text) == ["a", "b"])
    let missing = try await container.resolveAsync(Lazy<Missing?>.self).getAsync()
    #expect(missing == nil)
    let map = try await container.resolveAsync([String: Lazy<Tool>].self)
    #expect(map.keys.sorted() == ["a", "b"])
  }

  /// Forms nest inside the elements of a list to any depth.
  @Test func formsNestInsideTheElementsOfAList() async throws {
    let container = FormTests.container()
    let optionals = try container.resolve([Lazy<Tool?>].self)
    #expect(try optionals.map { try $0.get()?.text } == ["a", "b"])
    let lists = try container.resolve([Provider<[Tool]>].self)
    #expect(try lists.map { try $0.get().map(\.text) } == [["a", "b"]])
    let lazies = try container.resolve([Lazy<Provider<Tool>>].self)
    #expect(try lazies.map { try $0.get().get().text } == ["a", "b"])
    let isolated = try container.resolve([Isolated<Tool?>].self)
    #expect(try isolated.map { try $0.use { $0?.text } } == ["a", "b"])
    let map = try container.resolve([String: Lazy<[String: Tool]>].self)
    #expect(try map.mapValues { try $0.get().mapValues(\.text) } == ["a": ["a": "a"], "b": ["b": "b"]])
    var texts: [String?] = []
    for lazy in try container.resolve([Lazy<Tool?>].self) { texts.append(try await lazy.getAsync()?.text) }
    #expect(texts == ["a", "b"])
  }

  /// A service whose type is itself a form is found in lists.
  @Test func aServiceWhoseTypeIsAFormIsFoundInAList() throws {
    let container = Container()
    container.register(Lazy<Tool>.self, named: "late") { _ in Lazy { Tool("late") } }
    #expect(try container.resolve([Lazy<Tool>].self).map { try $0.get().text } == ["late"])
    #expect(try container.resolve(Lazy<[Lazy<Tool>]>.self).get().map { try $0.get().text } == ["late"])
  }

  /// Arguments of services from a file are forms of any nesting. The file gives one reference, a list or a map.
  @Test(arguments: [false, true])
  func argumentsFromFilesAreFormsOfAnyNesting(isAwaiting: Bool) async throws {
    struct Hub: Sendable {
      let lazyList: Lazy<[Tool]>
      let lazyMap: Lazy<[String: Tool]>
      let providers: [Lazy<Provider<Tool>>]
      let list: [Tool]?
      let noList: [Tool]?
      let lazyNone: Lazy<Tool?>
      let lazySome: Provider<Lazy<Tool?>>
      let isolated: Isolated<[Lazy<Tool>]>
    }
    let built = Locked(0)
    var registry = Registry()
    registry.add("Tool", .value("text")) { (text: String) in
      built.withLock { $0 += 1 }
      return Tool(text)
    }
    registry.add(
      "Hub", .service("lazyList"), .service("lazyMap"), .service("providers"), .service("list"), .service("noList"),
      .service("lazyNone"), .service("lazySome"), .service("isolated"), build: Hub.init)
    let container = try await Container(
      text: """
        { "configdi": 1, "module": "m", "services": {
          "a": { "type": "Tool", "values": { "text": "a" } }, "b": { "type": "Tool", "values": { "text": "b" } },
          "hub": { "type": "Hub", "inject": { "lazyList": ["a", "b"], "lazyMap": { "map": { "x": "b" } },
            "providers": ["b", "a"], "list": ["b"], "lazySome": "a", "isolated": ["a"] } } } }
        """, registry: registry)
    let hub = isAwaiting ? try await container.resolveAsync(Hub.self) : try container.resolve(Hub.self)
    #expect(built.withLock { $0 } == 1)
    if isAwaiting {
      let list = try await hub.lazyList.getAsync()
      #expect(list.map(\.text) == ["a", "b"])
    }
    #expect(try hub.lazyList.get().map(\.text) == ["a", "b"])
    #expect(try hub.lazyMap.get().mapValues(\.text) == ["x": "b"])
    #expect(try hub.providers.map { try $0.get().get().text } == ["b", "a"])
    #expect(hub.list?.map(\.text) == ["b"])
    #expect(hub.noList == nil)
    #expect(try hub.lazyNone.get() == nil)
    #expect(try hub.lazySome.get().get()?.text == "a")
    #expect(try await hub.isolated.use { try $0.map { try $0.get().text } } == ["a"])
    #expect(built.withLock { $0 } == 2)
    let descriptors = try #require(registry.catalog.types.first { $0.name == "Hub" }).arguments
    let kinds = descriptors.map { descriptor in
      if case .service("Tool", let wrapper) = descriptor.kind {
        "\(wrapper.rawValue) \(descriptor.isOptional)"
      } else {
        ""
      }
    }
    #expect(
      kinds == [
        "list false", "map false", "list false", "list true", "list true", "lazy true", "provider true", "list false",
      ])
  }
}
