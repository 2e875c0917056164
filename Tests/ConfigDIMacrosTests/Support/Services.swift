// SPDX-License-Identifier: Apache-2.0
#if Macros
  public import ConfigDI
  import Synchronization

  // Types of every kind that `@Resolvable` supports. Compiling this file is itself a test of the macro's output.

  /// A service that other services need.
  public protocol Logger: Sendable {
    /// The name that identifies the logger in results.
    var name: String { get }
  }

  /// A logger without dependencies.
  @Resolvable final class ConsoleLogger: Logger {
    let name = "console"
  }

  /// A logger whose attribute uses every argument for provided types, keys and disposal.
  @Resolvable(as: (any Logger).self, asItself: true, keys: ["name": "title"], onDispose: "close")
  final class ClosedLogger: Logger {
    let name: String
    /// Whether the logger was closed; see `isClosed`.
    private let ended = Mutex(false)

    init(name: String) { self.name = name }

    /// Whether the logger was closed.
    var isClosed: Bool { ended.withLock { $0 } }

    /// Closes the logger.
    ///
    /// - Returns: Whether the logger was open before.
    func close() -> Bool {
      ended.withLock { ended in
        defer { ended = true }
        return !ended
      }
    }
  }

  /// A decodable value.
  struct Piece: Decodable, Sendable {
    /// The number that is summed up.
    var number: Int
  }

  /// A type with so many decodable parameters that the compiler could not type-check them in a single expression.
  @Resolvable final class Collector: Sendable {
    /// The sum of the numbers of all pieces.
    let sum: Int

    init(
      a: Piece, b: Piece, c: Piece, d: Piece, e: Piece, f: Piece, g: Piece, h: Piece, i: Piece, j: Piece, k: Piece,
      l: Piece, m: Piece, n: Piece, o: Piece, p: Piece
    ) {
      sum = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p].reduce(0) { $0 + $1.number }
    }
  }

  /// A type with an injected property, and with a parameter whose label is a keyword.
  @Resolvable final class Clerk {
    /// The value of the parameter.
    let word: String
    /// A service that is resolved when the property is read.
    @Injected(named: "logger") var logger: any Logger

    init(`default` word: String) { self.word = word }
  }

  /// An enumeration that module files write by its raw value.
  enum Level: String, CaseIterable, Sendable {
    case low, high
  }

  /// A type with parameters of every kind, most of which are optional.
  @Resolvable final class Mailer: Sendable {
    /// A decodable parameter type. Only `Mailer` itself can use its name without qualification.
    struct Options: Decodable, Sendable {
      var tries = 3
    }

    /// A constant that a default value refers to.
    private static let standardPort: Int64 = 25

    /// The values of all parameters.
    let text: String

    init(
      host: String, port: Int64 = standardPort, ratio: Double = 1, level: Level = .low, options: Options = Options(),
      logger: any Logger = ConsoleLogger(), spare: (any Logger)?, all: [any Logger] = [], words: [String] = ["a"],
      from file: StaticString = #fileID
    ) {
      text = [
        host, "\(port)", "\(ratio)", "\(level)", "\(options.tries)", logger.name, spare?.name ?? "none",
        "\(all.map(\.name))", "\(words)", "\(file)",
      ].joined(separator: " ")
    }
  }

  /// A type with two initializers, one of which is marked.
  @Resolvable struct Marked: Sendable {
    let text: String

    init(text: String) { self.text = text }

    @Injectable init(number: Int) { text = "\(number)" }
  }

  /// A type with run-time arguments and a secret.
  @Resolvable(runtime: "user", "pair", secrets: "token") final class Session: Sendable {
    let user: Int
    let pair: (Int, String)
    let token: String
    private let logger: any Logger

    /// The name of the logger, which is stored in a private property.
    var loggerName: String { logger.name }
  }

  /// A decorator of a logger.
  @Resolvable(decorates: "inner") struct Loud: Logger {
    let inner: any Logger
    let mark: String

    var name: String { inner.name + mark }
  }

  /// A type whose initializer may throw.
  @Resolvable struct Picky: Sendable {
    /// The error of the initializer.
    struct Failure: Error {}

    init(number: Int) throws { if number < 0 { throw Failure() } }
  }

  /// A type whose default argument is evaluated for each instance.
  @Resolvable struct Numbered: Sendable {
    /// An object that numbers its instances, starting at 1.
    final class Count: @unchecked Sendable {
      /// The number of instances so far. Unsynchronized, because the tests that use it run on one thread.
      nonisolated(unsafe) static var last = 0
      /// The number of this instance.
      let number: Int

      init() {
        Count.last += 1
        number = Count.last
      }
    }

    let count: Count

    init(count: Count = Count()) { self.count = count }
  }

  /// A generic type that contains generic types, which use its type parameter.
  public enum Outer<Key: Sendable> {
    /// A type that only `Outer` and its members can use without qualification.
    struct Settings: Decodable, Sendable {
      var size: Int
    }

    @Resolvable class Open<Element> {
      let settings: Settings
      let elements: [Element]
      var key: Key?
    }

    @Resolvable final class Closed<Element: Sendable>: Sendable {
      let settings: Settings
      let elements: [Element]
    }
  }

  public extension Outer where Key == Int {
    /// Public, because the extension is public.
    @Resolvable struct Extended: Sendable { let size: Int }
  }

  /// A public type with a private property.
  @Resolvable public final class Published: Sendable {
    private let level: Level

    /// The raw value of the level.
    public var name: String { level.rawValue }
  }

  /// A type with package access, whose generated initializer has package access too.
  @Resolvable package struct Packaged: Sendable {
    package let size: Int
  }

  /// A type that declares its conformance to `Resolvable` itself.
  @Resolvable struct Stated: Resolvable, Sendable { let size: Int }

  /// An actor.
  @Resolvable actor Counter {
    let start: Int
    var label: String?
  }

  /// A type whose initializer takes closures and an autoclosure.
  @Resolvable(runtime: "now", "later") final class Timer {
    let text: String

    init(now: @escaping @Sendable () -> Int, later: (@Sendable () -> Int)? = nil, size: @autoclosure () -> Int) {
      text = "\(now()) \(later?() ?? 0) \(size())"
    }
  }

  /// A type that stores closures.
  @Resolvable(runtime: "now", "twice") final class Stopwatch {
    let now: @Sendable () -> Int
    let twice: (@Sendable () -> Int)
    var third: (() -> Int)?
  }

  /// A type that is not `Sendable`.
  final class Handle {}

  /// A type that is created on the main actor and depends on a type that is not `Sendable`.
  @Resolvable @MainActor final class View {
    let handle: Handle
    let size: Int

    init(handle: Handle, size: Int = 3) {
      self.handle = handle
      self.size = size
    }
  }

  /// A type on the main actor whose initializer is generated.
  @Resolvable @MainActor final class Window {
    let title: String
    var view: View?
  }

  /// A type on the main actor whose initializer is `async`.
  @Resolvable @MainActor final class Page {
    init(handle: Handle) async throws {}
  }

  /// A type on the main actor whose initializer is `nonisolated`.
  @Resolvable @MainActor final class Model {
    let size: Int
    nonisolated init(size: Int) { self.size = size }
  }

  /// A global actor.
  @globalActor actor DatabaseActor {
    static let shared = DatabaseActor()
  }

  /// A type on a global actor whose initializer is generated.
  @Resolvable @DatabaseActor final class Database {
    let path: String
    var rows: Int
  }

  /// A type whose initializer is `async`.
  @Resolvable struct Connection: Sendable {
    let url: String

    init(url: String) async throws {
      await Task.yield()
      self.url = url
    }
  }

  /// A type that depends on another one, and has a property with a value, which is not a parameter.
  @Resolvable final class Chain: Sendable {
    let link: Link
    let length = 3
  }

  /// A type that depends on a logger.
  @Resolvable final class Link: Sendable {
    let logger: any Logger
  }

  /// A type with a service and a run-time argument.
  @Resolvable(runtime: "name") struct Greeter: Sendable {
    let name: String
    let logger: any Logger

    /// The run-time argument and the name of the logger.
    var text: String { "\(name) \(logger.name)" }
  }

  /// A type whose dispose action has no result. The generated code compiles without a warning.
  @Resolvable(onDispose: "stop") final class Stopped: Sendable {
    /// Does nothing.
    func stop() {}
  }
#endif
