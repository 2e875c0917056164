// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// The new lines of the guide for those who come from LazyContainer.
@Suite struct LazyContainerGuide {
  /// Something heavy.
  private final class Engine: Sendable {}

  /// Something that no two threads may share.
  private final class Canvas {
    /// How often it was drawn on.
    var strokes = 0
  }

  // A graph in which two services share a third.

  /// Needs nothing.
  private final class ServiceD: Sendable {}

  /// Needs `ServiceD`.
  private struct ServiceC {
    /// What it needs.
    let serviceD: ServiceD
  }

  /// Needs `ServiceD`, too.
  private struct ServiceB {
    /// What it needs.
    let serviceD: ServiceD
  }

  /// Needs `ServiceB` and `ServiceC`.
  private struct ServiceA {
    /// What it needs first.
    let serviceB: ServiceB
    /// What it needs then.
    let serviceC: ServiceC
  }

  @Test func `a value of its own`() throws {
    let builder = Lazy { Engine() }
    let engine = try builder.get()
    let same = builder.value
    #expect(engine === same)
  }

  @Test func `a container`() throws {
    let container = Container()
    let builder = Lazy { Engine() }
    container.register { try builder.get() }
    let engine: Engine = try container.resolve()
    let perhaps: Engine? = try container.resolveOptional()
    let surely = container[Engine.self]
    #expect(engine === perhaps)
    #expect(engine === surely)
    container.register { Engine() }
    #expect(try container.resolve(Engine.self) !== engine)
  }

  @Test func `a graph`() throws {
    let container = Container()
    container.register { ServiceD() }
    container.register { ServiceC(serviceD: try $0.resolve()) }
    container.register { ServiceB(serviceD: try $0.resolve()) }
    container.register { ServiceA(serviceB: try $0.resolve(), serviceC: try $0.resolve()) }

    let serviceA: ServiceA = try container.resolve()
    #expect(serviceA.serviceB.serviceD === serviceA.serviceC.serviceD)
  }

  @Test func `what is not Sendable`() throws {
    let container = Container()
    container.register(scope: .transient) { Canvas() }
    let first = try container.resolve(Canvas.self)
    first.strokes += 1
    #expect(try container.resolve(Canvas.self).strokes == 0)
    container.register(sharedSafely: true) { _ in Canvas() }
    try container.resolve(Canvas.self).strokes += 1
    #expect(try container.resolve(Canvas.self).strokes == 1)
  }
}
