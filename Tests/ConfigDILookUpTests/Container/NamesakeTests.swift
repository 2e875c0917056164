// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

/// Tests of error messages about types with the same short name.
@Suite struct NamesakeTests {
  /// A feature.
  enum Shop {
    /// A type with the same short name as those of the other features.
    struct Config: Sendable {}
  }

  /// Another feature.
  enum Blog {
    /// A type with the same short name as those of the other features.
    struct Config: Sendable {}
  }

  /// A third feature.
  enum News {
    /// A type with the same short name as those of the other features.
    struct Config: Sendable {}
  }

  /// Returns the description of the error that the body throws. Fails the test if it throws none.
  private func text(_ body: () throws -> Void) throws -> String {
    try #require(throws: ResolutionError.self, performing: body).description
  }

  @Test func `types with the same short name are shown qualified in look-ups by type`() throws {
    let container = Container()
    container.register { Shop.Config() }
    container.register(named: "news") { News.Config() }
    container.register(instance: 1)
    let qualified = try text { _ = try container.resolve(Blog.Config.self) }
    #expect(
      qualified == """
        no service provides "ConfigDILookUpTests.NamesakeTests.Blog.Config"
          did you mean "ConfigDILookUpTests.NamesakeTests.News.Config" or "ConfigDILookUpTests.NamesakeTests.Shop.Config"?
        """)
    #expect(try text { _ = try container.resolve([Int: Int].self) }.hasPrefix("no service provides \"Dictionary"))
    #expect(
      try text { _ = try container.resolve(UInt.self) } == "no service provides \"UInt\"\n  did you mean \"Int\"?")
  }

  @Test func `types with the same short name are shown qualified in look-ups by name`() throws {
    let container = Container()
    container.register(named: "config") { Shop.Config() }
    let qualified = try text { _ = try container.resolve(Blog.Config.self, named: "config") }
    #expect(
      qualified.hasPrefix("service \"config\" does not provide \"ConfigDILookUpTests.NamesakeTests.Blog.Config\"\n"))
    #expect(qualified.hasSuffix("\n  provides: ConfigDILookUpTests.NamesakeTests.Shop.Config"))
    #expect(
      try text { _ = try container.resolve(Int.self, named: "config") }.hasSuffix("\n  provides: Config"))
  }

  @Test func `run-time arguments with the same short name are shown qualified`() throws {
    let container = Container()
    container.register(scope: .transient) { (_, _: Shop.Config, number: Int) in "\(number)" }
    let qualified = try text { _ = try container.resolve(String.self, arguments: Blog.Config(), 1) }
    #expect(
      qualified.hasPrefix(
        "service \"String\" takes the run-time arguments (ConfigDILookUpTests.NamesakeTests.Shop.Config, Int), but the look-up "
          + "passes the run-time arguments (ConfigDILookUpTests.NamesakeTests.Blog.Config, Int)"))
    let short = try text { _ = try container.resolve(String.self, arguments: Shop.Config()) }
    #expect(
      short.hasPrefix(
        "service \"String\" takes the run-time arguments (Config, Int), but the look-up passes the run-time argument "
          + "(Config)"))
  }
}
