// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Tests of the behaviour that Swinject promises for delayed injection.
@Suite struct SwinjectTests {
  /// A type with a number that is resolved when the type is built.
  private struct DirectCounter {
    /// The number.
    let integer: Int

    /// Records the number three times.
    func tell(_ journal: Journal) {
      journal.note("printing")
      for _ in 0..<3 { journal.note("\(integer)") }
    }
  }

  /// A type with a number that is resolved at the first use.
  private struct LazyCounter {
    /// The lazy number.
    let integer: Lazy<Int>

    /// Records the number three times.
    func tell(_ journal: Journal) {
      journal.note("printing")
      for _ in 0..<3 { journal.note("\(integer.value)") }
    }
  }

  /// A type with a number that is resolved at each use.
  private struct ProviderCounter {
    /// The provider of numbers.
    let integer: Provider<Int>

    /// Records three numbers.
    func tell(_ journal: Journal) throws {
      journal.note("printing")
      for _ in 0..<3 { journal.note("\(try integer.get())") }
    }
  }

  /// A type with a run-time argument.
  private struct Greeting: Hashable {
    /// The name to greet.
    let name: String
  }

  /// The events in order.
  private let journal = Journal()

  /// Creates a container with a number that counts its builds.
  private func counting() -> Container {
    let journal = journal
    let container = Container()
    let value = AtomicCounter()
    container.register(Int.self, scope: .transient) {
      journal.note("creating Int")
      return value.next()
    }
    return container
  }

  @Test func `direct injection builds once, before the use`() throws {
    let container = counting()
    container.register { DirectCounter(integer: try $0.resolve()) }
    let counter = try container.resolve(DirectCounter.self)
    counter.tell(journal)
    #expect(journal.entries == ["creating Int", "printing", "1", "1", "1"])
  }

  @Test func `lazy injection builds once, at the first use`() throws {
    let container = counting()
    container.register { LazyCounter(integer: try $0.resolve()) }
    let counter = try container.resolve(LazyCounter.self)
    counter.tell(journal)
    #expect(journal.entries == ["printing", "creating Int", "1", "1", "1"])
  }

  @Test func `provider injection builds at each use`() throws {
    let container = counting()
    container.register { ProviderCounter(integer: try $0.resolve()) }
    let counter = try container.resolve(ProviderCounter.self)
    try counter.tell(journal)
    #expect(
      journal.entries == ["printing", "creating Int", "1", "creating Int", "2", "creating Int", "3"])
  }

  @Test func `printing a wrapper shows the value`() throws {
    let container = counting()
    let integer = try container.resolve(Lazy<Int>.self)
    _ = try integer.get()
    #expect("\(integer)" == "1")
  }

  @Test func `a wrapper of a registered type needs no separate registration`() throws {
    let container = counting()
    let lazy = try container.resolve(Lazy<Int>.self)
    let provider: Provider<Int> = try container.resolve()
    #expect(journal.entries == [])
    #expect(try lazy.get() == 1)
    #expect(try provider.get() == 2)
  }

  @Test func `a wrapper of an unregistered type is nil in the optional form, and an error otherwise`() throws {
    let container = Container()
    #expect(try container.resolveOptional(Lazy<Int>.self) == nil)
    #expect(try container.resolveOptional(Provider<Int>.self) == nil)
    let lazy = #expect(throws: ResolutionError.self) { try container.resolve(Lazy<Int>.self) }
    let provider = #expect(throws: ResolutionError.self) { try container.resolve(Provider<Int>.self) }
    #expect(lazy?.code == .notRegistered)
    #expect(provider?.code == .notRegistered)
  }

  @Test func `a wrapper uses the name`() throws {
    let container = Container()
    container.register(named: "formal") { Greeting(name: "Dr. Jekyll") }
    container.register(named: "plain") { Greeting(name: "Henry") }
    let formal = try container.resolve(Lazy<Greeting>.self, named: "formal")
    let plain = try container.resolve(Provider<Greeting>.self, named: "plain")
    #expect(try formal.get().name == "Dr. Jekyll")
    #expect(try plain.get().name == "Henry")
    #expect(try container.resolveOptional(Lazy<Greeting>.self, named: "rude") == nil)
  }

  @Test func `a wrapper uses the arguments`() throws {
    let container = Container()
    container.register(scope: .transient) { (_, first: String, last: String) in Greeting(name: "\(first) \(last)") }
    let lazy = try container.resolve(Lazy<Greeting>.self, arguments: "Edward", "Hyde")
    let provider = try container.resolve(Provider<Greeting>.self, arguments: "Gabriel", "Utterson")
    #expect(try lazy.get().name == "Edward Hyde")
    #expect(try provider.get().name == "Gabriel Utterson")
    #expect(try container.resolveOptional(Lazy<Greeting>.self, named: "rude", arguments: "Edward", "Hyde") == nil)
  }

  @Test func `an argument of a provider can be passed at the use`() throws {
    let container = Container()
    container.register(scope: .transient) { (_, name: String) in Greeting(name: name) }
    let greetings = try container.resolve(Provider<Greeting>.self)
    #expect(try greetings.get(arguments: "Poole").name == "Poole")
    #expect(try greetings.get(arguments: "Lanyon").name == "Lanyon")
  }

  @Test func `a name and arguments can be combined in a wrapper`() throws {
    let container = Container()
    container.register(named: "loud", scope: .transient) { (_, name: String) in
      Greeting(name: name.uppercased())
    }
    container.register(named: "quiet", scope: .transient) { (_, name: String) in Greeting(name: name) }
    let loud = try container.resolve(Lazy<Greeting>.self, named: "loud", arguments: "Enfield")
    #expect(try loud.get().name == "ENFIELD")
  }
}
