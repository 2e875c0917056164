// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// Tests of the behaviour that LazyContainer promises.
@Suite struct LazyContainerTests {
  /// A type that is expensive to create.
  private final class Engine: Sendable {
    /// Creates an engine, and records it.
    init(_ journal: Journal) { journal.note("Engine") }
  }

  /// A structure: LazyContainer's `Builder` supports structures as well as classes.
  private struct Settings: Equatable {
    /// The value of the setting.
    let level: Int
  }

  // A dependency graph in which `ServiceB` and `ServiceC` share `ServiceD`.

  /// A service without dependencies.
  private final class ServiceD: Sendable {
    /// Creates the service, and records it.
    init(_ journal: Journal) { journal.note("D") }
  }

  /// A service that depends on `ServiceD`.
  private final class ServiceC: Sendable {
    /// The dependency.
    let serviceD: ServiceD

    /// Creates the service, and records it.
    init(serviceD: ServiceD, _ journal: Journal) {
      self.serviceD = serviceD
      journal.note("C")
    }
  }

  /// Another service that depends on `ServiceD`.
  private final class ServiceB: Sendable {
    /// The dependency.
    let serviceD: ServiceD

    /// Creates the service, and records it.
    init(serviceD: ServiceD, _ journal: Journal) {
      self.serviceD = serviceD
      journal.note("B")
    }
  }

  /// A service that depends on `ServiceB` and `ServiceC`.
  private final class ServiceA: Sendable {
    /// The first dependency.
    let serviceB: ServiceB
    /// The second dependency.
    let serviceC: ServiceC

    /// Creates the service, and records it.
    init(serviceB: ServiceB, serviceC: ServiceC, _ journal: Journal) {
      self.serviceB = serviceB
      self.serviceC = serviceC
      journal.note("A")
    }
  }

  /// The created instances, in order.
  private let journal = Journal()

  /// Registers the services of the graph.
  private func registerGraph(in container: Container) {
    let journal = journal
    container.register { _ in ServiceD(journal) }
    container.register { ServiceC(serviceD: try $0.resolve(), journal) }
    container.register { ServiceB(serviceD: try $0.resolve(), journal) }
    container.register { ServiceA(serviceB: try $0.resolve(), serviceC: try $0.resolve(), journal) }
  }

  @Test func `a one-line builder works without a container, runs at the first read, and keeps the result`() throws {
    let journal = journal
    let engine = Lazy { Engine(journal) }
    #expect(journal.entries == [])
    let first = try engine.get()
    #expect(journal.entries == ["Engine"])
    #expect(engine.value === first)
    #expect(journal.entries == ["Engine"])
  }

  @Test func `a builder may have several lines and make a structure`() throws {
    let journal = journal
    let settings = Lazy {
      journal.note("Settings")
      let settings = Settings(level: 3)
      return settings
    }
    #expect(!settings.isBuilt)
    #expect(try settings.get() == Settings(level: 3))
    #expect(settings.value.level == 3)
    #expect(journal.entries == ["Settings"])
  }

  @Test func `a builder can be registered and is then used by the container`() throws {
    let journal = journal
    let container = Container()
    let engine = Lazy { Engine(journal) }
    container.register { _ in try engine.get() }
    #expect(journal.entries == [])
    let resolved: Engine = try container.resolve()
    #expect(try engine.get() === resolved)
    #expect(journal.entries == ["Engine"])
  }

  @Test func `a closure that takes the container is registered and found by its result type`() throws {
    let journal = journal
    let container = Container()
    container.register { _ in Engine(journal) }
    #expect(journal.entries == [])
    let engine: Engine = try container.resolve()
    let again: Engine = try container.resolve()
    #expect(engine === again)
    #expect(journal.entries == ["Engine"])
  }

  @Test func `a closure without dependencies may ignore the container`() throws {
    let container = Container()
    container.register { Settings(level: 1) }
    #expect(try container.resolve(Settings.self) == Settings(level: 1))
  }

  @Test func `the optional form returns nil if nothing is registered`() throws {
    let container = Container()
    let missing: Settings? = try container.resolveOptional()
    #expect(missing == nil)
    container.register { Settings(level: 2) }
    let settings: Settings? = try container.resolveOptional()
    #expect(settings == Settings(level: 2))
  }

  @Test func `the trapping form returns the service, or stops`() async throws {
    let container = Container()
    container.register { Settings(level: 4) }
    let settings = container[Settings.self]
    #expect(settings == Settings(level: 4))
    await #expect(processExitsWith: .failure) { _ = Container()[Settings.self] }
  }

  @Test func `a graph is built bottom-up, and a common dependency is built once`() throws {
    let container = Container()
    registerGraph(in: container)
    let serviceA: ServiceA = try container.resolve()
    #expect(journal.entries == ["D", "B", "C", "A"])
    #expect(serviceA.serviceB.serviceD === serviceA.serviceC.serviceD)
  }

  @Test func `the order of registration does not matter`() throws {
    let journal = journal
    let container = Container()
    container.register { ServiceA(serviceB: try $0.resolve(), serviceC: try $0.resolve(), journal) }
    container.register { ServiceB(serviceD: try $0.resolve(), journal) }
    container.register { ServiceC(serviceD: try $0.resolve(), journal) }
    container.register { _ in ServiceD(journal) }
    _ = try container.resolve(ServiceA.self)
    #expect(journal.entries == ["D", "B", "C", "A"])
  }

  @Test func `a second registration of a type replaces the first, also after a look-up`() throws {
    let container = Container()
    container.register { Settings(level: 1) }
    container.register { Settings(level: 2) }
    #expect(try container.resolve(Settings.self).level == 2)
    container.register { Settings(level: 3) }
    #expect(try container.resolve(Settings.self).level == 3)
  }

  @Test func `nothing is built before its look-up, and only what it needs`() throws {
    let container = Container()
    registerGraph(in: container)
    #expect(journal.entries == [])
    _ = try container.resolve(ServiceC.self)
    #expect(journal.entries == ["D", "C"])
  }
}
