// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// Names in messages for types with the same short name.
@Suite struct NameTests {
  /// One feature.
  enum Shop {
    /// Its settings.
    struct Config: Sendable {}
  }

  /// Another feature.
  enum Blog {
    /// Its settings.
    struct Config: Sendable {}
  }

  /// A cycle error of two types with the same short name gives them distinct names.
  @Test func aCycleOfTypesWithEqualNamesShowsQualifiedNames() throws {
    let container = Container()
    container.register(Shop.Config.self) { resolver in
      _ = try resolver.resolve(Blog.Config.self)
      return Shop.Config()
    }
    container.register(Blog.Config.self) { resolver in
      _ = try resolver.resolve(Shop.Config.self)
      return Blog.Config()
    }
    let error = try #require(try failure { try container.resolve(Shop.Config.self) })
    #expect(error.code == .cycle)
    #expect(error.path.count == 3)
    #expect(error.path.first == error.path.last)
    #expect(Set(error.path).count == 2, "\(error)")
    #expect(error.description.contains("Shop.Config") && error.description.contains("Blog.Config"), "\(error)")
  }

  /// The chain of an error gives types with the same short name distinct names, too.
  @Test func aChainOfTypesWithEqualNamesShowsQualifiedNames() throws {
    struct Broken: Error {}
    let container = Container()
    container.register(Shop.Config.self) { resolver in
      _ = try resolver.resolve(Blog.Config.self)
      return Shop.Config()
    }
    container.register(Blog.Config.self) { () throws -> Blog.Config in throw Broken() }
    let error = try #require(try failure { try container.resolve(Shop.Config.self) })
    #expect(error.chain.count == 2)
    #expect(Set(error.chain).count == 2, "\(error)")
  }
}
