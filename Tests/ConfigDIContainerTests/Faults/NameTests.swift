// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// How messages call types that have one short name.
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

  /// A cycle between two types of one short name is told with names that differ.
  @Test func aCycleOfNamesakesTellsThemApart() throws {
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

  /// The chain of an error tells namesakes apart as well.
  @Test func aChainOfNamesakesTellsThemApart() throws {
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
