// Written by configdi from the module "access"; what is changed here is lost.
// swift-format-ignore-file
import ConfigDI

nonisolated extension Resolving {
  /// The services of the module "access".
  var services: AccessServices<Self> { AccessServices(source: self) }
}

/// The services of the module "access", each by its id.
nonisolated struct AccessServices<Source: Resolving> {
  /// What looks them up.
  fileprivate let source: Source

  /// `clock`: Clock.
  var clock: Clock {
    get throws(ResolutionError) { try source.resolve(Clock.self, named: "clock") }
  }

  /// `database`: Database.
  func database(isolation: isolated (any Actor)? = #isolation) async throws(ResolutionError) -> Database {
    try await source.resolveAsync(Database.self, named: "database", isolation: isolation)
  }

  /// `default`: Clock.
  var `default`: Clock {
    get throws(ResolutionError) { try source.resolve(Clock.self, named: "default") }
  }

  /// `greeting`: Greeting.
  func greeting(`for`: Clock.Name) throws(ResolutionError) -> Greeting {
    try source.resolve(Greeting.self, named: "greeting", arguments: `for`)
  }

  /// `logger`: QuietLogger in dev; ConsoleLogger in prod.
  var logger: any Logger {
    get throws(ResolutionError) { try source.resolve((any Logger).self, named: "logger") }
  }

  /// `logger.audit`: ConsoleLogger.
  var loggerAudit: any Logger {
    get throws(ResolutionError) { try source.resolve((any Logger).self, named: "logger.audit") }
  }

  /// `names`: Names.
  var names: Swift.Array<Swift.String> {
    get throws(ResolutionError) { try source.resolve(Swift.Array<Swift.String>.self, named: "names") }
  }

  /// `old`: Old.
  @available(*, deprecated, message: "use \"clock\"")
  var old: Old {
    get throws(ResolutionError) { try source.resolve(Old.self, named: "old") }
  }

  /// `pool`: Database.
  var pool: Database {
    get throws(ResolutionError) { try source.resolve(Database.self, named: "pool") }
  }

  /// `self`: Clock.
  var self_: Clock {
    get throws(ResolutionError) { try source.resolve(Clock.self, named: "self") }
  }

  /// `shown`: Clock.
  var shown: Clock {
    get throws(ResolutionError) { try source.resolve(Clock.self, named: "shown") }
  }

  /// `store`: Store.
  func store(isolation: isolated (any Actor)? = #isolation) async throws(ResolutionError) -> Store {
    try await source.resolveAsync(Store.self, named: "store", isolation: isolation)
  }

  /// `store.later`: LaterStore.
  var storeLater: LaterStore {
    get throws(ResolutionError) { try source.resolve(LaterStore.self, named: "store.later") }
  }

  /// `store.pooled`: Store.
  var storePooled: Store {
    get throws(ResolutionError) { try source.resolve(Store.self, named: "store.pooled") }
  }

  /// `toolbar`: Toolbar in dev; nil elsewhere.
  var toolbar: Toolbar? {
    get throws(ResolutionError) { try source.resolveOptional(Toolbar.self, named: "toolbar") }
  }

  /// `window`: Window.
  @MainActor
  var window: Window {
    get throws(ResolutionError) { try source.resolve(Window.self, named: "window") }
  }
}

extension AccessServices: Sendable where Source: Sendable {}

nonisolated extension Scope {
  /// The services of the module "access" that need an open scope "request".
  var requestServices: AccessServicesOfRequest<Scope> { AccessServicesOfRequest(source: self) }
}

nonisolated extension Resolver {
  /// The services of the module "access" that need an open scope "request".
  var requestServices: AccessServicesOfRequest<Resolver> { AccessServicesOfRequest(source: self) }
}

/// The services of the module "access" that need an open scope "request", each by its id.
nonisolated struct AccessServicesOfRequest<Source: Resolving> {
  /// What looks them up.
  fileprivate let source: Source

  /// `handler`: Handler.
  var handler: Handler {
    get throws(ResolutionError) { try source.resolve(Handler.self, named: "handler") }
  }

  /// `request`: Request.
  var request: Request {
    get throws(ResolutionError) { try source.resolve(Request.self, named: "request") }
  }
}

extension AccessServicesOfRequest: Sendable where Source: Sendable {}

// "cache" has no property here: it is DiskCache in dev and MemoryCache in prod; register both types as one that they have in common.

// "mail-box" has no property here: "mail-box" and "mail.box" would both be "mailBox".

// "mail.box" has no property here: "mail-box" and "mail.box" would both be "mailBox".

// "secret" has no property here: the catalog does not say how Swift names what "Unnamed" is looked up by: the catalog is old, or the type is private.
