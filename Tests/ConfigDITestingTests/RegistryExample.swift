// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import ConfigDITesting

/// The code of `Documentation/Registry.md`. Each line of the page's code blocks is in this file.
enum RegistryExample {
  protocol Logger: Sendable {}
  protocol Mailer: Sendable {}
  protocol HealthCheck: Sendable {}
  protocol Parser {}
  protocol Store: Sendable {}
  struct ConsoleLogger: Logger {}
  struct SMTPMailer: Mailer {
    let host: String
    let port: Int
    let logger: any Logger
  }
  struct RelayMailer: Mailer, HealthCheck { let host: String }
  struct RetryingMailer: Mailer {
    let inner: any Mailer
    let attempts: Int
  }
  enum Policy: String, Sendable { case oldest, largest }
  struct Cache: Sendable {
    let size: Int
    let policy: Policy
    let hosts: [String]
  }
  struct Percentage: ModuleValue {
    var share: Double

    static var moduleValueType: ValueType { .real(isSingle: false) }
    var moduleValue: Value? { .real(share * 100) }

    init(moduleValue: Value) throws(ValueMismatch) {
      share = try Double(moduleValue: moduleValue) / 100
      guard (0...1).contains(share) else { throw ValueMismatch(expected: "a number from 0 to 100", found: moduleValue) }
    }
  }
  final class File: Sendable {
    init(_ path: String) throws {}
    func close() {}
  }
  struct FileLog: Logger {
    let file: File
    init(_ file: File) { self.file = file }
  }
  final class Counter {
    var count: Int
    init(first: Int) { count = first }
  }
  final class Importer: Sendable {
    let parsers: Provider<any Parser>
    let store: Lazy<any Store>
    init(parsers: Provider<any Parser>, store: Lazy<any Store>) { (self.parsers, self.store) = (parsers, store) }
  }
  struct UserID: Hashable, Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }
  struct Session: Sendable {
    let user: UserID
    let store: any Store
  }
  final class Database: Sendable { init(path: String) async throws {} }
  @MainActor final class InboxModel { init(mailer: any Mailer) {} }
  @MainActor final class Navigation {}
  struct RequestInfo: Sendable { let id: String }
  struct Handler: Sendable {
    let info: RequestInfo
    let store: any Store
    func run() {}
  }
  final class HTTPServer: Sendable { init(port: Int, requests: ScopeOpener) {} }
  struct MemoryStore: Store {}
  struct LineParser: Parser {}

  /// Returns the registry of the page.
  static func registry() -> Registry {
    var registry = Registry()
    registry.add("ConsoleLogger", as: (any Logger).self, ConsoleLogger.init)
    // swift-format-ignore
    registry.add("SMTPMailer", as: (any Mailer).self, SMTPMailer.init, .value("host"), .value("port", default: 25), .service("logger"))
    registry.add("Cache", Cache.init, .value("size"), .value("policy", default: .oldest), .value("hosts", default: []))
    registry.add("FileLog", as: (any Logger).self, { (path: String) in FileLog(try File(path)) }, .value("path"))
    registry.add("RawLog", as: (any Logger).self, .value("path", String.self)) { path in FileLog(try File(path)) }
    registry.add("SystemLogger", as: (any Logger).self, ConsoleLogger.init, deprecated: "use ConsoleLogger")
    registry.add("RelayMailer", as: { ($0 as any Mailer, $0 as any HealthCheck, $0) }, RelayMailer.init, .value("host"))
    registry.add("Counter", Counter.init, .value("first", default: 0), sharedSafely: true)
    registry.add("Importer", Importer.init, .service("parsers"), .service("store"))
    // swift-format-ignore
    registry.add("RetryingMailer", as: (any Mailer).self, RetryingMailer.init, .decorated("inner"), .value("attempts", default: 3))
    registry.add("Session", Session.init, .runtime("user"), .service("store"))
    registry.add("Database", Database.init, .value("path"))
    registry.add("InboxModel", on: MainActor.shared, InboxModel.init, .service("mailer"))
    registry.add("File", File.init, .value("path"), onDispose: { $0.close() })
    registry.given("RequestInfo", RequestInfo.self)
    registry.add("Handler", Handler.init, .service("info"), .service("store"))
    registry.add("HTTPServer", HTTPServer.init, .value("port"), .scope("request"))
    registry.add("MemoryStore", as: (any Store).self, MemoryStore.init)
    registry.add("LineParser", as: (any Parser).self, { LineParser() })
    return registry
  }

  /// Resolves services as the page does.
  static func lookUp(in container: Container) throws {
    let session = try container.resolve(Session.self, arguments: UserID(7))
    _ = session
    try container.scope("request", given: RequestInfo(id: "17")) { request in
      try request.resolve(Handler.self).run()
    }
    let request = try container.openScope("request", given: RequestInfo(id: "18"))
    try request.resolve(Handler.self).run()
    request.close()
  }

  /// Registers services in code as the page does.
  static func register(in container: Container) {
    // swift-format-ignore
    container.register(RelayMailer.self, as: [.type((any Mailer).self) { $0 }, .itself]) { RelayMailer(host: "localhost") }
    container.register(on: MainActor.shared) { Navigation() }
    container.autoregister(on: MainActor.shared, InboxModel.init)
    container.autoregister(Handler.init, scope: .scope("request"))
    container.register((any Logger).self) { ConsoleLogger() }
    container.register { resolver in SMTPMailer(host: "localhost", port: 25, logger: try resolver.resolve()) }
    container.register { (resolver, user: UserID) in Session(user: user, store: try resolver.resolve()) }
  }

  /// Verifies a registry as the page does.
  static func verify(_ registry: Registry) async throws {
    try await registry.verify(values: ["File.path": "/dev/null", "Database.path": "/dev/null"])
  }
}
