// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// The ConfigDI code of the guide for users of LazyContainer.
@Suite struct LazyContainerGuide {
  /// A type that is expensive to create.
  private final class Engine: Sendable {}

  /// A class that is not `Sendable`.
  private final class Canvas {
    /// The number of strokes.
    var strokes = 0
  }

  // A dependency graph in which `ServiceB` and `ServiceC` share `ServiceD`.

  /// A service without dependencies.
  private final class ServiceD: Sendable {}

  /// A service that depends on `ServiceD`.
  private struct ServiceC {
    /// The dependency.
    let serviceD: ServiceD
  }

  /// Another service that depends on `ServiceD`.
  private struct ServiceB {
    /// The dependency.
    let serviceD: ServiceD
  }

  /// A service that depends on `ServiceB` and `ServiceC`.
  private struct ServiceA {
    /// The first dependency.
    let serviceB: ServiceB
    /// The second dependency.
    let serviceC: ServiceC
  }

  @Test func `a standalone lazy value`() throws {
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

  @Test func `unsendable services`() throws {
    let container = Container()
    container.register(scope: .transient) { Canvas() }
    let first = try container.resolve(Canvas.self)
    first.strokes += 1
    #expect(try container.resolve(Canvas.self).strokes == 0)
    container.register(sharedSafely: true) { Canvas() }
    try container.resolve(Canvas.self).strokes += 1
    #expect(try container.resolve(Canvas.self).strokes == 1)
  }
}
