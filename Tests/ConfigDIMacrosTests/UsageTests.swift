// SPDX-License-Identifier: Apache-2.0
#if Macros
  public import ConfigDI
  import Testing

  /// A service of the tests.
  protocol Logger: Sendable {
    /// What tells this one from others.
    var name: String { get }
  }

  /// An enumeration that files write by its raw value.
  enum Level: String, CaseIterable, Sendable {
    case low, high
  }

  @Resolvable final class ConsoleLogger: Logger {
    let name = "console"
  }

  @Resolvable final class Mailer: Sendable {
    private static let standardPort: Int64 = 25
    struct Options: Decodable, Sendable { var tries = 3 }

    let text: String

    init(
      host: String, port: Int64 = standardPort, ratio: Double = 1, level: Level = .low, options: Options = Options(),
      logger: any Logger = ConsoleLogger(), spare: (any Logger)?, all: [any Logger],
      file: String = #fileID
    ) {
      text =
        "\(host) \(port) \(ratio) \(level) \(options.tries) \(logger.name) \(spare?.name ?? "-") \(all.count) \(file)"
    }
  }

  @Resolvable final class Session: Sendable {
    let user: Int
    let token: String
    let store: any Logger
  }

  @Resolvable struct Session2: Sendable {
    let user: Int
    let token: String
    let store: any Logger
    init(user: Int, token: String) { self.user = user; self.token = token; store = ConsoleLogger() }
    @Injectable init(user: Int, store: any Logger) { self.user = user; self.store = store; token = "" }
  }

  public enum Outer<U: Sendable> {
    struct Config: Decodable, Sendable {}
    @Resolvable class Inner<T> {
      let config: Config; let u: U; let t: T
    }
    @Resolvable final class Final<T> {
      let config: Config; let u: U; let t: T
    }
  }
  @Resolvable actor Act { let x: Int; var y: String? }
  @MainActor class NS {}
  @Resolvable @MainActor final class VM { let ns: NS; init(ns: NS, x: Int) { self.ns = ns } }
  @Resolvable @MainActor final class VM2 { let ns: NS; var t: Int }
  @Resolvable @MainActor final class VM3 { init(ns: NS) async throws {} }
  @globalActor actor DBActor { static let shared = DBActor() }
  @Resolvable @DBActor final class DB { let x: Int; var y: String }
  @Resolvable final class Closures {
    let now: @Sendable () -> Int; let later: (() -> Void)?; let both: (@Sendable () -> Void);
    init(
      now: @escaping @Sendable () -> Int = { 3 }, later: (() -> Void)? = nil, both: @escaping @Sendable () -> Void,
      x: @autoclosure () -> Int
    ) { self.now = now; self.later = later; self.both = both }
  }
  @Resolvable final class Closures2 {
    let now: @Sendable () -> Int; let later: (() -> Void)?; let both: (@Sendable () -> Void)
  }
  public extension Outer { @Resolvable final class Pub { let logger: any Logger } }
  @Resolvable public final class Pub2 { let logger: any Logger }
  @Resolvable package final class Pub3 { package let logger: Int }
  @Resolvable final class Own: Resolvable { let logger: any Logger }

  @Suite struct UsageTests {
    @Test func `a`() throws {
      var registry = Registry()
      registry.add(ConsoleLogger.self)
      registry.add(Mailer.self)
      registry.add(Session.self)
      registry.add(Outer<Int>.Inner<String>.self)
      registry.add(Act.self)
      registry.add(VM.self)
      registry.add(Pub3.self)
      registry.add(Own.self)
      for t in registry.catalog.types { print(t) }
    }
  }
#endif
