// SPDX-License-Identifier: Apache-2.0
#if Macros
  public import ConfigDI
  import Synchronization

  // Types of every shape on which `@Resolvable` can stand. That this file compiles, is the first of the tests.

  /// A service that others need.
  public protocol Logger: Sendable {
    /// What tells this one from others.
    var name: String { get }
  }

  /// A logger without needs.
  @Resolvable final class ConsoleLogger: Logger {
    let name = "console"
  }

  /// A logger that says all of its registration itself.
  @Resolvable(as: (any Logger).self, asItself: true, keys: ["name": "title"], onDispose: "close")
  final class ClosedLogger: Logger {
    let name: String
    /// Whether the logger has been closed.
    private let ended = Mutex(false)

    init(name: String) { self.name = name }

    /// Whether the logger has been closed.
    var isClosed: Bool { ended.withLock { $0 } }

    /// Closes the logger.
    ///
    /// - Returns: Whether it was open.
    func close() -> Bool {
      ended.withLock { ended in
        defer { ended = true }
        return !ended
      }
    }
  }

  /// A datum, of which a type takes many.
  struct Piece: Decodable, Sendable {
    /// What tells it from others.
    var number: Int
  }

  /// Has as many parameters that decode themselves as make a single expression too much for the compiler.
  @Resolvable final class Collector: Sendable {
    /// The sum of all pieces.
    let sum: Int

    init(
      a: Piece, b: Piece, c: Piece, d: Piece, e: Piece, f: Piece, g: Piece, h: Piece, i: Piece, j: Piece, k: Piece,
      l: Piece, m: Piece, n: Piece, o: Piece, p: Piece
    ) {
      sum = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p].reduce(0) { $0 + $1.number }
    }
  }

  /// Has a property that is looked up when it is read, and a label that is a keyword.
  @Resolvable final class Clerk {
    /// What the instance was made of.
    let word: String
    /// A service of the container that made the instance.
    @Injected(named: "logger") var logger: any Logger

    init(`default` word: String) { self.word = word }
  }

  /// An enumeration that files write by its raw value.
  enum Level: String, CaseIterable, Sendable {
    case low, high
  }

  /// Has an initializer with parameters of every kind, most of which need not be given.
  @Resolvable final class Mailer: Sendable {
    /// What decodes itself. Only the type itself sees the name without that of the type before it.
    struct Options: Decodable, Sendable {
      var tries = 3
    }

    /// What a default names.
    private static let standardPort: Int64 = 25

    /// What the instance was made of.
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

  /// Has two initializers.
  @Resolvable struct Marked: Sendable {
    let text: String

    init(text: String) { self.text = text }

    @Injectable init(number: Int) { text = "\(number)" }
  }

  /// Receives what a look-up brings along, and a secret.
  @Resolvable(runtime: "user", "pair", secrets: "token") final class Session: Sendable {
    let user: Int
    let pair: (Int, String)
    let token: String
    private let logger: any Logger

    /// The name of the logger.
    var loggerName: String { logger.name }
  }

  /// Wraps a logger.
  @Resolvable(decorates: "inner") struct Loud: Logger {
    let inner: any Logger
    let mark: String

    var name: String { inner.name + mark }
  }

  /// May fail.
  @Resolvable struct Picky: Sendable {
    /// Why it fails.
    struct Failure: Error {}

    init(number: Int) throws { if number < 0 { throw Failure() } }
  }

  /// Takes what is made anew for each.
  @Resolvable struct Numbered: Sendable {
    /// Counts from 1.
    final class Count: @unchecked Sendable {
      /// The count so far; the tests that use it run on one thread.
      nonisolated(unsafe) static var last = 0
      /// The number of this one.
      let number: Int

      init() {
        Count.last += 1
        number = Count.last
      }
    }

    let count: Count

    init(count: Count = Count()) { self.count = count }
  }

  /// Generic, and has members of both its own kind and that of what it stands in.
  public enum Outer<Key: Sendable> {
    /// Only in here called by this name.
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
    /// Public, because the extension is.
    @Resolvable struct Extended: Sendable { let size: Int }
  }

  /// Is public, while not all that it holds is.
  @Resolvable public final class Published: Sendable {
    private let level: Level

    /// The level's name.
    public var name: String { level.rawValue }
  }

  /// Can be seen in the package, with its initializer.
  @Resolvable package struct Packaged: Sendable {
    package let size: Int
  }

  /// Says itself that it is `Resolvable`.
  @Resolvable struct Stated: Resolvable, Sendable { let size: Int }

  /// Is an actor.
  @Resolvable actor Counter {
    let start: Int
    var label: String?
  }

  /// Takes closures, and what is evaluated by one.
  @Resolvable(runtime: "now", "later") final class Timer {
    let text: String

    init(now: @escaping @Sendable () -> Int, later: (@Sendable () -> Int)? = nil, size: @autoclosure () -> Int) {
      text = "\(now()) \(later?() ?? 0) \(size())"
    }
  }

  /// Stores closures.
  @Resolvable(runtime: "now", "twice") final class Stopwatch {
    let now: @Sendable () -> Int
    let twice: (@Sendable () -> Int)
    var third: (() -> Int)?
  }

  /// Something that no other thread may see.
  final class Handle {}

  /// Is made on the main actor, of what only that sees.
  @Resolvable @MainActor final class View {
    let handle: Handle
    let size: Int

    init(handle: Handle, size: Int = 3) {
      self.handle = handle
      self.size = size
    }
  }

  /// Is made on the main actor by what is written.
  @Resolvable @MainActor final class Window {
    let title: String
    var view: View?
  }

  /// Waits on the main actor.
  @Resolvable @MainActor final class Page {
    init(handle: Handle) async throws {}
  }

  /// Is made anywhere, although its members are used on the main actor.
  @Resolvable @MainActor final class Model {
    let size: Int
    nonisolated init(size: Int) { self.size = size }
  }

  /// An actor for others.
  @globalActor actor DatabaseActor {
    static let shared = DatabaseActor()
  }

  /// Is made on a global actor.
  @Resolvable @DatabaseActor final class Database {
    let path: String
    var rows: Int
  }

  /// Waits.
  @Resolvable struct Connection: Sendable {
    let url: String

    init(url: String) async throws {
      await Task.yield()
      self.url = url
    }
  }

  /// Needs another one, and has what is left out.
  @Resolvable final class Chain: Sendable {
    let link: Link
    let length = 3
  }

  /// Needs a logger.
  @Resolvable final class Link: Sendable {
    let logger: any Logger
  }

  /// Needs a logger and what a look-up brings along.
  @Resolvable(runtime: "name") struct Greeter: Sendable {
    let name: String
    let logger: any Logger

    /// Both.
    var text: String { "\(name) \(logger.name)" }
  }
#endif
