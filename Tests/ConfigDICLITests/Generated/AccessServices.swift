// Written by configdi from the module "access"; what is changed here is lost.
// swift-format-ignore-file
import ConfigDI

nonisolated extension ConfigDI.Resolving {
  /// The services of the module "access".
  var services: AccessServices<Self> { AccessServices(source: self) }
}

/// The services of the module "access", each by its id.
nonisolated struct AccessServices<_Source: ConfigDI.Resolving> {
  /// What looks them up.
  fileprivate let source: _Source

  /// `Panel`: Panel.
  var Panel: Panel {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "Panel") }
  }

  /// `clock`: Clock.
  var clock: Clock {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "clock") }
  }

  /// `composed`: Composed.
  var composed: any Health & Logger {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "composed") }
  }

  /// `database`: Database.
  func database(isolation: isolated (any Actor)? = #isolation) async throws(ConfigDI.ResolutionError) -> Database {
    try await source.resolveAsync(named: "database", isolation: isolation)
  }

  /// `default`: Clock.
  var `default`: Clock {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "default") }
  }

  /// `entry`: Entry.
  var entry: Book<Swift.Int>.Entry {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "entry") }
  }

  /// `greeting`: Greeting.
  func greeting(`for`: Clock.Name) throws(ConfigDI.ResolutionError) -> Greeting {
    try source.resolve(named: "greeting", arguments: `for`)
  }

  /// `logger`: QuietLogger in dev; ConsoleLogger in prod.
  var logger: any Logger {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "logger") }
  }

  /// `logger.audit`: ConsoleLogger.
  var loggerAudit: any Logger {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "logger.audit") }
  }

  /// `names`: Names.
  var names: Swift.Array<Swift.String> {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "names") }
  }

  /// `old`: Old.
  @available(*, deprecated, message: "use \"clock\"")
  var old: Old {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "old") }
  }

  /// `pool`: Database.
  var pool: Database {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "pool") }
  }

  /// `scope`: Scope.
  var scope: Scope {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "scope") }
  }

  /// `self`: Clock.
  var self_: Clock {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "self") }
  }

  /// `shown`: Clock.
  var shown: Clock {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "shown") }
  }

  /// `source.main`: Source.
  var sourceMain: Source {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "source.main") }
  }

  /// `store`: Store.
  func store(isolation: isolated (any Actor)? = #isolation) async throws(ConfigDI.ResolutionError) -> Store {
    try await source.resolveAsync(named: "store", isolation: isolation)
  }

  /// `store.later`: LaterStore.
  var storeLater: LaterStore {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "store.later") }
  }

  /// `store.pooled`: Store.
  var storePooled: Store {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "store.pooled") }
  }

  /// `toolbar`: Toolbar in dev; nil elsewhere.
  var toolbar: Toolbar? {
    get throws(ConfigDI.ResolutionError) { try source.resolveOptional(named: "toolbar") }
  }

  /// `window`: Window.
  @MainActor
  var window: Window {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "window") }
  }
}

extension AccessServices: Sendable where _Source: Sendable {}

nonisolated extension ConfigDI.Scope {
  /// The services of the module "access" that need an open scope "request".
  var requestServices: AccessServicesOfRequest<ConfigDI.Scope> { AccessServicesOfRequest(source: self) }
}

nonisolated extension ConfigDI.Resolver {
  /// The services of the module "access" that need an open scope "request".
  var requestServices: AccessServicesOfRequest<ConfigDI.Resolver> { AccessServicesOfRequest(source: self) }
}

/// The services of the module "access" that need an open scope "request", each by its id.
nonisolated struct AccessServicesOfRequest<_Source: ConfigDI.Resolving> {
  /// What looks them up.
  fileprivate let source: _Source

  /// `handler`: Handler.
  var handler: Handler {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "handler") }
  }

  /// `request`: Request.
  var request: Request {
    get throws(ConfigDI.ResolutionError) { try source.resolve(named: "request") }
  }
}

extension AccessServicesOfRequest: Sendable where _Source: Sendable {}

// "cache" has no property here: it is DiskCache in dev and MemoryCache in prod; register both types as one that they have in common.

// "items" has no property here: the catalog does not say how Swift names what "Items" is looked up by: the catalog is old, or the code cannot name the type.

// "mail-box" has no property here: "mail-box" and "mail.box" would both be "mailBox".

// "mail.box" has no property here: "mail-box" and "mail.box" would both be "mailBox".

// "secret" has no property here: the catalog does not say how Swift names what "Unnamed" is looked up by: the catalog is old, or the code cannot name the type.
