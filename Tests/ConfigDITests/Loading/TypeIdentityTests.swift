// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// A namespace with a type `Config`. `Store` has another type with the same short name.
enum Mail {
  struct Config { let host: String }
}

enum Store {
  struct Config { let path: String }
}

/// A type that needs one of them.
struct Postman { let config: Mail.Config }

@Suite struct TypeIdentityTests {
  /// A registry in which the name `Config` alone would be ambiguous.
  private var registry: Registry {
    var registry = Registry()
    registry.add("MailConfig", .value("host", String.self)) { Mail.Config(host: $0) }
    registry.add("Postman", .service("config", Mail.Config.self)) { Postman(config: $0) }
    registry.add("StoreConfig", .value("path", String.self)) { Store.Config(path: $0) }
    return registry
  }

  private func module(config: String) -> String {
    """
    { "configdi": 1, "module": "types", "services": {
      "mail": { "type": "MailConfig", "values": { "host": "mx" } },
      "store": { "type": "StoreConfig", "values": { "path": "p" } },
      "postman": { "type": "Postman", "inject": { "config": "\(config)" } } } }
    """
  }

  @Test func `types with the same short name have qualified names in the catalog`() {
    let provides = registry.catalog.types.map(\.provides)
    #expect(provides == [["ConfigDITests.Mail.Config"], ["Postman"], ["ConfigDITests.Store.Config"]])
    #expect(
      registry.catalog.types[1].arguments.map(\.kind)
        == [.service(type: "ConfigDITests.Mail.Config", wrapper: .direct)])
  }

  @Test func `each is looked up by its own type`() throws {
    let container = try Container(text: module(config: "mail"), registry: registry)
    #expect(try container.resolve(Mail.Config.self).host == "mx")
    #expect(try container.resolve(Store.Config.self).path == "p")
    #expect(try container.resolve(Postman.self).config.host == "mx")
  }

  @Test func `a mix-up of two types with the same short name is reported by the load`() {
    let error = #expect(throws: LoadError.self) { try Container(text: module(config: "store"), registry: registry) }
    #expect(error?.diagnostics.map(\.code) == [.serviceMismatch])
    #expect(error?.diagnostics.first?.path == "services.postman.inject.config")
  }
}
