// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// The forms of a type (optional, list, map, lazy, provider) compose in any nesting.
@Suite struct FormTests {
  /// A service of which there are two.
  final class Tool: Sendable {
    /// What it is called.
    let text: String

    /// A tool.
    init(_ text: String) { self.text = text }
  }

  /// A service of which there is none.
  final class Missing: Sendable {}

  /// A service of which there is one.
  final class Clock: Sendable {}

  /// A container with two tools.
  private static func container() -> Container {
    let container = Container()
    container.register(named: "a") { Tool("a") }
    container.register(named: "b", scope: .transient) { Tool("b") }
    container.register { Clock() }
    return container
  }

  /// What a list or a map is made of is awaited in any nesting.
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

  /// A list of lazy values has one for each service, none of which is built yet.
  @Test func aListOfLazyValuesHasOneForEachService() throws {
    let container = FormTests.container()
    let lazies = try container.resolve([Lazy<Tool>].self)
    #expect(lazies.count == 2)
    #expect(lazies.allSatisfy { !$0.isBuilt })
    #expect(container.registrations.allSatisfy { !$0.isBuilt })
    #expect(try lazies.map { try $0.get().text } == ["a", "b"])
  }

  /// A list of providers has one for each service.
  @Test func aListOfProvidersHasOneForEachService() throws {
    let container = FormTests.container()
    let providers = try container.resolve([Provider<Tool>].self)
    #expect(try providers.map { try $0.get().text } == ["a", "b"])
    #expect(try providers.first?.get() === container.resolve(Tool.self, named: "a"))
  }

  /// A list of lists is not empty without a word: it has all services, or the look-up throws.
  @Test func aListOfListsHasAllServicesOrThrows() throws {
    let container = FormTests.container()
    var lists: [[Tool]]?
    if try failure(of: { lists = try container.resolve([[Tool]].self) }) == nil {
      #expect(lists?.joined().map(\.text) == ["a", "b"])
    }
  }

  /// A lazy list is looked up at its first use.
  @Test func aLazyListIsLookedUpAtItsFirstUse() throws {
    let container = FormTests.container()
    let lazy = try container.resolve(Lazy<[Tool]>.self)
    #expect(!lazy.isBuilt)
    #expect(container.registrations.allSatisfy { !$0.isBuilt })
    #expect(try lazy.get().map(\.text) == ["a", "b"])
    #expect(try container.resolve(Lazy<[Missing]>.self).get().isEmpty)
  }

  /// A lazy optional is nil where nothing is registered, and the service otherwise.
  @Test func aLazyOptionalIsNilWhereNothingIsRegistered() throws {
    let container = FormTests.container()
    let clock = try container.resolve(Lazy<Clock?>.self)
    #expect(!clock.isBuilt)
    #expect(try clock.get() === container.resolve(Clock.self))
    let missing = try container.resolve(Lazy<Missing?>.self)
    #expect(try missing.get() == nil)
    #expect(missing.isBuilt)
  }

  /// A provider of a list looks up all services at each use.
  @Test func aProviderOfAListLooksUpAllAtEachUse() throws {
    let container = FormTests.container()
    let provider = try container.resolve(Provider<[Tool]>.self)
    let (first, second) = (try provider.get(), try provider.get())
    #expect(first.map(\.text) == ["a", "b"])
    #expect(first[0] === second[0])
    #expect(first[1] !== second[1])
  }

  /// A map of lazy values has one under each id.
  @Test func aMapOfLazyValuesHasOneUnderEachID() throws {
    let container = FormTests.container()
    let lazies = try container.resolve([String: Lazy<Tool>].self)
    #expect(lazies.keys.sorted() == ["a", "b"])
    #expect(lazies.values.allSatisfy { !$0.isBuilt })
    #expect(try lazies.mapValues { try $0.get().text } == ["a": "a", "b": "b"])
  }

  /// A map of providers has one under each id, and a provider of a map gives one.
  @Test func aMapOfProvidersAndAProviderOfAMap() throws {
    let container = FormTests.container()
    let providers = try container.resolve([String: Provider<Tool>].self)
    #expect(try providers.mapValues { try $0.get().text } == ["a": "a", "b": "b"])
    #expect(try container.resolve(Provider<[String: Tool]>.self).get().mapValues(\.text) == ["a": "a", "b": "b"])
  }

  /// An optional of an optional is a service as well.
  @Test func anOptionalOfAnOptional() throws {
    let container = FormTests.container()
    #expect(try container.resolve(Clock??.self).flatMap { $0 } === container.resolve(Clock.self))
    #expect(try container.resolve(Missing??.self).flatMap { $0 } == nil)
  }

  /// An optional of a form is the form where there is a service, and nil where there is none.
  @Test func anOptionalOfALazyValueOrAProvider() throws {
    let container = FormTests.container()
    #expect(try container.resolve(Lazy<Clock>?.self)?.get() === container.resolve(Clock.self))
    #expect(try container.resolve(Provider<Clock>?.self)?.get() === container.resolve(Clock.self))
    #expect(try container.resolve(Lazy<Missing>?.self) == nil)
    #expect(try container.resolve(Provider<Missing>?.self) == nil)
  }

  /// Lazy values and providers of each other.
  @Test func aLazyProviderAndAProviderOfLazyValues() throws {
    let container = FormTests.container()
    let clock = try container.resolve(Clock.self)
    #expect(try container.resolve(Lazy<Provider<Clock>>.self).get().get() === clock)
    #expect(try container.resolve(Provider<Lazy<Clock>>.self).get().get() === clock)
    #expect(try container.resolve(Lazy<Lazy<Clock>>.self).get().get() === clock)
    #expect(try container.resolve(Provider<Clock?>.self).get() === clock)
  }

  /// The awaiting look-up knows the same forms.
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
}
