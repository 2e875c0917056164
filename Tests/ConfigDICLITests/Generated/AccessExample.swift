// SPDX-License-Identifier: Apache-2.0
import ConfigDI

/// A module with services of every kind for which code is generated, and the types that it names.
enum AccessExample {
  /// The files of the module.
  static let files = [
    "app.json": #"""
    { "configdi": 1, "module": "access", "scopes": ["request"], "autowire": true,
      "environments": { "dev": ["dev.json"], "prod": [] },
      "services": {
        "logger": { "type": "ConsoleLogger" },
        "logger.audit": { "type": "ConsoleLogger" },
        "clock": { "type": "Clock" },
        "composed": { "type": "Composed" },
        "entry": { "type": "Entry" },
        "items": { "type": "Items" },
        "default": { "type": "Clock" },
        "self": { "type": "Clock" },
        "names": { "type": "Names" },
        "database": { "type": "Database" },
        "pool": { "type": "Database", "eager": true },
        "store": { "type": "Store", "inject": { "database": "database" } },
        "store.pooled": { "type": "Store", "inject": { "database": "pool" } },
        "store.later": { "type": "LaterStore", "inject": { "database": "database" } },
        "window": { "type": "Window" },
        "greeting": { "type": "Greeting", "scope": "transient" },
        "request": { "type": "Request", "scope": "request" },
        "handler": { "type": "Handler", "scope": "transient" },
        "old": { "type": "Old" },
        "hidden": { "type": "Clock", "private": true },
        "mail-box": { "type": "Clock" },
        "mail.box": { "type": "Clock" },
        "cache": { "type": "MemoryCache" },
        "Panel": { "type": "Panel" },
        "source.main": { "type": "Source" },
        "scope": { "type": "Scope" },
        "secret": { "type": "Unnamed" } },
      "bindings": { "Logger": "logger", "Clock": "clock" },
      "aliases": { "shown": "hidden" } }
    """#,
    "dev.json": #"""
    { "configdi": 1, "module": "dev", "services": { "toolbar": { "type": "Toolbar" } },
      "replace": { "services": { "logger": { "type": "QuietLogger" }, "cache": { "type": "DiskCache" } } } }
    """#,
  ]

  /// The registered types.
  static var registry: Registry {
    var registry = Registry()
    registry.add("ConsoleLogger", as: (any Logger).self) { ConsoleLogger() }
    registry.add("QuietLogger", as: (any Logger).self) { QuietLogger() }
    registry.add("Clock") { Clock() }
    registry.add("Composed", as: (any Logger & Health).self) { Composed() }
    registry.add("Entry") { Book<Int>.Entry() }
    registry.add("Items", as: (any Items<Int>).self) { Numbers() }
    registry.add("Names") { ["a", "b"] }
    registry.add("Database") { () async in Database() }
    registry.add("Store", Store.init, .service("database"))
    registry.add("LaterStore", .service("database", Lazy<Database>.self)) { database in LaterStore(database: database) }
    registry.add("Window", on: MainActor.shared) { Window() }
    registry.add("Greeting", .runtime("for", Clock.Name.self), .service("logger", (any Logger).self)) { name, _ in
      Greeting(name: name)
    }
    registry.add("Request") { Request() }
    registry.add("Handler", Handler.init, .service("request"))
    registry.add("Old", deprecated: #"use "clock""#) { Old() }
    registry.add("MemoryCache") { MemoryCache() }
    registry.add("DiskCache") { DiskCache() }
    registry.add("Toolbar") { Toolbar() }
    registry.add("Panel") { Panel() }
    registry.add("Source") { Source() }
    registry.add("Scope") { Scope() }
    registry.add("Unnamed") { Unnamed() }
    return registry
  }
}

protocol Logger: Sendable {}
struct ConsoleLogger: Logger {}
struct QuietLogger: Logger {}
struct Book<Page> { struct Entry: Sendable {} }
protocol Health: Sendable {}
struct Composed: Logger, Health {}
protocol Items<Item>: Sendable { associatedtype Item }
struct Numbers: Items { typealias Item = Int }
struct Clock: Sendable {
  struct Name: Hashable, Sendable { let text: String }
}
final class Database: Sendable {}
struct Store: Sendable { let database: Database }
struct LaterStore: Sendable { let database: Lazy<Database> }
@MainActor final class Window {}
struct Greeting: Sendable { let name: Clock.Name }
final class Request: Sendable {}
struct Handler: Sendable { let request: Request }
struct Old: Sendable {}
struct MemoryCache: Sendable {}
struct DiskCache: Sendable {}
struct Toolbar: Sendable {}
struct Panel: Sendable {}
/// Named like parts of the generated code, and of what it uses.
struct Source: Sendable {}
struct Scope: Sendable {}
private struct Unnamed: Sendable {}
