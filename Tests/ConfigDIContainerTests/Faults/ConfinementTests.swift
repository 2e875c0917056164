// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// Objects that are not `Sendable` stay in one isolation domain: either the compiler rejects code by which they would
/// leave it, or the load rejects the module.
@Suite struct ConfinementTests {
  /// A type that is not `Sendable`.
  final class Canvas {}

  /// A `Sendable` service that records which canvas its builder received.
  struct Painter: Sendable {
    /// The identity of the canvas.
    let canvas: ObjectIdentifier
  }

  /// The declarations in front of each snippet.
  private static let types = """
    final class Canvas { var strokes = 0 }
    final class Album: Sendable { init() {} }
    final class Key: Hashable {
      var text = ""
      static func == (left: Key, right: Key) -> Bool { left.text == right.text }
      func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }

    """

  // MARK: - Graph instances in two tasks

  /// The resolver of a builder cannot be used in two tasks concurrently, so that a non-`Sendable` instance of its
  /// look-up stays in one. Sequential uses are allowed.
  @Test func theResolverOfABuilderStaysInItsTask() async throws {
    let registration = { (body: String) in
      ConfinementTests.types + """
        func fill(_ container: Container) {
          container.register(Canvas.self, scope: .graph) { Canvas() }
          container.register(Album.self) { (resolver: Resolver) async throws -> Album in
            \(body)
            return Album()
          }
        }
        """
    }
    try await expectCompileError(
      registration(
        """
        async let left: Void = { try resolver.resolve(Canvas.self).strokes += 1 }()
        async let right: Void = { try resolver.resolve(Canvas.self).strokes += 1 }()
        _ = try await (left, right)
        """), containing: "non-Sendable", "non-'Sendable'", "risks causing data races", "data race")
    try await expectCompileError(
      registration(
        """
        async let left = resolver.resolveAsync(Canvas.self)
        async let right = resolver.resolveAsync(Canvas.self)
        _ = try await (left.strokes, right.strokes)
        """), containing: "non-Sendable", "non-'Sendable'", "risks causing data races", "data race")
    try await expectCompiles(
      registration(
        """
        let left = try await resolver.resolveAsync(Canvas.self)
        let right = try resolver.resolve(Canvas.self)
        left.strokes += right.strokes
        """))
  }

  // MARK: - The main actor

  /// A closure that has to run on an actor is no builder, and is not registered as a service itself either.
  @Test func aClosureOfTheMainActorIsNotRegistered() async throws {
    let registration = { (text: String) in "func fill(_ container: Container) { container.register\(text) }" }
    for form in [" { @MainActor in 7 }", #"(named: "number") { @MainActor in 7 }"#] {
      try await expectCompileError(registration(form), containing: "loses global actor")
    }
    try await expectCompiles(registration(#"(named: "number") { 7 }"#))
    try await expectCompiles(registration("(dependency: 7)"))
  }

  /// A part of a screen, which records the canvas that its builder received.
  @MainActor final class Toolbar {
    let canvas: ObjectIdentifier
    init(_ canvas: Canvas) { self.canvas = ObjectIdentifier(canvas) }
  }

  /// A screen with a toolbar.
  @MainActor final class Screen {
    let canvas: ObjectIdentifier
    let toolbar: Toolbar
    init(_ canvas: Canvas, _ toolbar: Toolbar) { (self.canvas, self.toolbar) = (ObjectIdentifier(canvas), toolbar) }
  }

  /// A screen and an object outside of the main actor that is looked up with it.
  final class Pair {
    let canvas: ObjectIdentifier
    let screen: Screen
    init(_ canvas: Canvas, _ screen: Screen) { (self.canvas, self.screen) = (ObjectIdentifier(canvas), screen) }
  }

  /// A builder of the main actor shares instances that are not `Sendable` with the main-actor builders within it, but
  /// not with the builder that needs it: the compiler lets that builder's instance move to another thread.
  @Test(arguments: [false, true])
  @MainActor func aMainActorBuilderReceivesNoSharedUnsendableInstance(isAwaiting: Bool) async throws {
    let container = Container()
    container.register(Canvas.self, scope: .graph) { Canvas() }
    container.register(on: MainActor.shared, scope: .transient) { resolver in
      Toolbar(try resolver.resolve(Canvas.self))
    }
    container.register(on: MainActor.shared, scope: .transient) { resolver in
      Screen(try resolver.resolve(Canvas.self), try resolver.resolve(Toolbar.self))
    }
    container.register(Pair.self, scope: .transient) { resolver in
      Pair(try resolver.resolve(Canvas.self), try resolver.resolve(Screen.self))
    }
    if !isAwaiting {
      let pair = try container.resolve(Pair.self)
      #expect(pair.canvas != pair.screen.canvas)
      #expect(pair.screen.canvas == pair.screen.toolbar.canvas)
    }
    let screen = isAwaiting ? try await container.resolveAsync(Screen.self) : try container.resolve(Screen.self)
    #expect(screen.canvas == screen.toolbar.canvas)
  }

  /// Two canvases that a builder of the main actor received.
  @MainActor final class Gallery {
    let canvases: [Canvas]
    init(_ canvases: Canvas...) { self.canvases = canvases }
  }

  /// The arguments of a main-actor builder share instances that are not `Sendable`, also if another argument needs a
  /// long chain of services.
  @Test(arguments: [1, 50])
  @MainActor func theArgumentsOfAMainActorBuilderShareUnsendableInstances(length: Int) throws {
    var registry = Registry()
    registry.add("End", as: Int.self) { 0 }
    registry.add("Link", as: Int.self, .service("next", Int.self)) { $0 + 1 }
    registry.add("Canvas") { Canvas() }
    registry.add(
      "Gallery", on: MainActor.shared, .service("chain", Int.self), .service("left", Canvas.self),
      .service("right", Canvas.self)
    ) { Gallery($1, $2) }
    let links = (1..<length).map { #""s\#($0)": { "type": "Link", "inject": { "next": "s\#($0 - 1)" } }, "# }.joined()
    let container = try Container(
      text: """
        { "configdi": 1, "module": "m", "services": { "s0": { "type": "End" }, \(links)
          "canvas": { "type": "Canvas", "scope": "graph" },
          "gallery": { "type": "Gallery", "scope": "transient",
            "inject": { "chain": "s\(length - 1)", "left": "canvas", "right": "canvas" } } } }
        """, registry: registry)
    let gallery = try container.resolve(Gallery.self)
    #expect(gallery.canvases[0] === gallery.canvases[1])
  }

  // MARK: - Lazy values

  /// A service that is not `Sendable`, and a view of it that is.
  final class Studio {
    let painter: Painter
    init(_ canvas: Canvas) { painter = Painter(canvas: ObjectIdentifier(canvas)) }
  }

  /// A lazy value of a `Sendable` type can move to another thread, also if it is a view of a service that cannot.
  @Test func aLazyViewOfAnUnsendableServiceReceivesNoUnsendableInstance() throws {
    let container = Container()
    container.register(Canvas.self, scope: .graph) { Canvas() }
    container.register(Studio.self, as: [.itself, .type(Painter.self) { $0.painter }], scope: .graph) { resolver in
      Studio(try resolver.resolve(Canvas.self))
    }
    container.register([Bool].self, scope: .transient) { resolver in
      let canvas = ObjectIdentifier(try resolver.resolve(Canvas.self))
      let view = try resolver.resolve(Lazy<Painter>.self).get()
      return [view.canvas == canvas, try resolver.resolve(Lazy<Studio>.self).get().painter.canvas == canvas]
    }
    #expect(try container.resolve([Bool].self) == [false, true])
  }

  /// A lazy value of a `Sendable` service does not carry non-`Sendable` instances of its look-up to another thread. A
  /// builder that runs there gets a new instance.
  @Test(arguments: [false, true])
  func aLazyValuePassesNoUnsendableInstanceToAnotherThread(isAwaiting: Bool) async throws {
    let container = Container()
    container.register(Canvas.self, scope: .graph) { Canvas() }
    container.register(Painter.self, scope: .transient) { resolver in
      Painter(canvas: ObjectIdentifier(try resolver.resolve(Canvas.self)))
    }
    let seen = Journal<ObjectIdentifier>()
    container.register(Bool.self, scope: .transient) { resolver in
      let canvas = try resolver.resolve(Canvas.self)
      let lazy = try resolver.resolve(Lazy<Painter>.self)
      seen.note(ObjectIdentifier(canvas))
      let done = Gate()
      let note = { @Sendable (painter: Painter?) in
        if let painter { seen.note(painter.canvas) }
        done.open()
      }
      if isAwaiting {
        Task.detached(priority: .aboveOtherTests) { note(try? await lazy.getAsync()) }
      } else {
        Thread.detachNewThread { note(try? lazy.get()) }
      }
      // The first canvas is retained until here, so that a second one cannot have the same address.
      return withExtendedLifetime(canvas) { done.wait(seconds: 120) }
    }
    let isDone = try await withWatchdog { try container.resolve(Bool.self) }
    #expect(isDone == true)
    #expect(seen.entries.count == 2)
    #expect(Set(seen.entries).count == 2, "two threads share a canvas")
  }

  /// A `Sendable` service with an asynchronous initializer.
  final class Album: Sendable {
    init() async {}
  }

  /// A service with a non-`Sendable` dependency. It is built in a task if the album has to be awaited.
  final class Work {
    let canvas: Canvas

    init(_ album: Album, _ canvas: Canvas) { self.canvas = canvas }
  }

  /// A service with the same dependency, and a lazy value of the other service.
  final class Desk {
    let canvas: Canvas
    let work: Lazy<Work>

    init(_ canvas: Canvas, _ work: Lazy<Work>) { (self.canvas, self.work) = (canvas, work) }
  }

  /// A lazy value that has to be built in a task does not receive non-`Sendable` instances of its look-up, even if it
  /// is not `Sendable` itself.
  @Test(arguments: [false, true])
  func aLazyValueBuiltByATaskReceivesNoUnsendableInstance(isBuilt: Bool) async throws {
    let container = Container()
    container.register(Canvas.self, scope: .graph) { Canvas() }
    container.autoregister(Desk.init, scope: .transient)
    if isBuilt {
      container.register(Work.self, scope: .transient) { Work(try $0.resolve(), try $0.resolve()) }
    } else {
      container.autoregister(Work.init, scope: .transient)
    }
    container.register { await Album() }
    if isBuilt { _ = try await container.resolveAsync(Album.self) }
    let desk = try container.resolve(Desk.self)
    let work = try await desk.work.getAsync()
    // If nothing has to be awaited, the value is built where it is used.
    #expect((work.canvas === desk.canvas) == isBuilt)
  }

  /// A product of a builder on the main actor may be retained there, so it has to be `Sendable`.
  @Test func aMainActorServiceMustBeSendable() async throws {
    let injection = { (type: String) in
      ConfinementTests.types + """
        extension \(type): Resolvable {
          static var injection: Injection<\(type)> { Injection<\(type)>(on: MainActor.shared) { \(type)() } }
        }
        """
    }
    try await expectCompileError(injection("Canvas"), containing: "Sendable")
    try await expectCompiles(injection("Album"))
  }

  /// Arguments bound to a lazy value or a provider are passed on with it, so they have to be `Sendable`.
  @Test func anArgumentBoundToALazyValueMustBeSendable() async throws {
    let uses = { (argument: String) in
      ConfinementTests.types + """
        func use(_ container: Container, _ provider: Provider<Album>) throws -> Lazy<Album> {
          _ = provider.binding(arguments: \(argument))
          _ = try container.resolve(Lazy<Album>.self, arguments: \(argument))
          return provider.lazy(arguments: \(argument))
        }
        """
    }
    try await expectCompileError(uses("Canvas()"), containing: "Sendable")
    try await expectCompiles(uses("Album()"))
  }

  // MARK: - Arguments as keys

  /// Arguments that are the key of a cached instance are compared by every thread that looks one up, so they have to be
  /// `Sendable`, both for the registration and for the look-up.
  @Test func anArgumentKeptAsAKeyMustBeSendable() async throws {
    let uses = { (key: String) in
      ConfinementTests.types + """
        func fill(_ container: Container) {
          container.register(Album.self, scope: .shared) { (_: Resolver, _: \(key)) in Album() }
        }
        """
    }
    try await expectCompileError(uses("Key"), containing: "Sendable")
    try await expectCompiles(uses("String"))
    try await expectCompileError(
      ConfinementTests.types + """
        func look(_ container: Container) throws -> Album { try container.resolve(Album.self, arguments: Key()) }
        """, containing: "Sendable")
  }

  // MARK: - Module files

  /// A service of a non-`Sendable` type cannot be in a named scope, which threads share. The load rejects the module,
  /// unless the registration declares the type as safe to share.
  @Test func aModuleWithAnUnsendableServiceInANamedScopeIsRejected() throws {
    let text = """
      { "configdi": 1, "module": "canvases", "scopes": ["request"],
        "services": { "canvas": { "type": "Canvas", "scope": "request" } } }
      """
    var registry = Registry()
    registry.add("Canvas") { Canvas() }
    let error = #expect(throws: LoadError.self) { try Container(text: text, registry: registry) }
    #expect(error?.diagnostics.map(\.code.description) == ["CDI0609"])
    var safe = Registry()
    safe.add("Canvas", sharedSafely: true) { Canvas() }
    #expect(throws: Never.self) { try Container(text: text, registry: safe) }
  }

  // MARK: - Closures and instances

  /// A `@Sendable` closure is a builder, not an instance. If its product is not `Sendable`, the registration is
  /// rejected by the compiler or registers the product.
  @Test func aSendableClosureIsRegisteredAsABuilder() async throws {
    let text =
      ConfinementTests.types + "func fill(_ container: Container) { container.register { @Sendable in Canvas() } }"
    let snippet = try #require(try await withWatchdog(seconds: 240) { try Snippet(text, showsCode: true) })
    #expect(
      !snippet.compiles || !snippet.output.contains("<Container, @Sendable () -> Canvas>"),
      "the closure itself is registered")
    // With the scope that a non-`Sendable` service needs, the closure is a builder.
    let container = Container()
    container.register(scope: .transient) { @Sendable in Canvas() }
    container.register { @Sendable in Painter(canvas: ObjectIdentifier(Canvas.self)) }
    #expect(container.registrations.flatMap(\.typeNames) == ["Canvas", "Painter"])
  }

  /// In asynchronous code, a look-up without `await` uses the synchronous overload.
  @Test func aLookUpInAsynchronousCodeNeedsNoAwait() async throws {
    try await expectCompiles(
      ConfinementTests.types + """
        func look(_ container: Container, _ lazy: Lazy<Album>, _ provider: Provider<Album>) async throws -> [Album] {
          let first: Album = try container.resolve()
          return [
            first, try container.resolve(Album.self), try container.resolve(Album.self, named: "album"),
            try container.resolve(Album.self, arguments: 1), try lazy.get(), try provider.get(),
            try await container.resolveAsync(Album.self), try await container.resolveAsync(named: "album"),
            try await container.resolveAsync(Album.self, arguments: 1), try await lazy.getAsync(),
            try await provider.getAsync(),
          ]
        }
        """)
  }
}
