// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Tests of known defects of other containers, which must not occur here.
@Suite struct TrapTests {
  /// A feature with settings of its own.
  private enum Shop {
    /// Settings with the same short name as those of the other feature.
    struct Config: Equatable {
      /// The value of the setting.
      let text: String
    }
  }

  /// Another feature with settings of its own.
  private enum Blog {
    /// Settings with the same short name as those of the other feature.
    struct Config: Equatable {
      /// The value of the setting.
      let text: String
    }
  }

  /// A class, whose instances have an identity.
  private final class Item: Sendable {
    /// The text that the item was created with.
    let text: String

    /// Creates an item.
    init(_ text: String = "") { self.text = text }
  }

  /// A pair of items that may be the same instance.
  private struct Pair {
    /// The first item.
    let left: Item
    /// The second item.
    let right: Item
  }

  // A cycle of three services.

  /// A service that depends on `Second`.
  private struct First {}
  /// A service that depends on `Third`.
  private struct Second {}
  /// A service that depends on `First`.
  private struct Third {}

  @Test func `two types with the same short name are two services`() throws {
    let container = Container()
    container.register { Shop.Config(text: "shop") }
    #expect(try container.resolveOptional(Blog.Config.self) == nil)
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Blog.Config.self) }
    #expect(
      error?.description == """
        no service provides "ConfigDILookUpTests.TrapTests.Blog.Config"
          did you mean "ConfigDILookUpTests.TrapTests.Shop.Config"?
        """)
    container.register { Blog.Config(text: "blog") }
    #expect(try container.resolve(Shop.Config.self).text == "shop")
    #expect(try container.resolve(Blog.Config.self).text == "blog")
  }

  @Test func `a look-up that stops the program reports its own place`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Container()[Item.self]
    }
    let reported = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(reported.hasPrefix("ConfigDILookUpTests/TrapTests.swift:"), "\(reported.prefix(200))")
    #expect(reported.contains(#": Fatal error: no service provides "Item""#), "\(reported.prefix(200))")
  }

  @Test func `a shared service with arguments has one instance for each tuple of values`() throws {
    let container = Container()
    container.register(scope: .shared) { (_, text: String) in Item(text) }
    let first = try container.resolve(Item.self, arguments: "a")
    let second = try container.resolve(Item.self, arguments: "b")
    #expect(first.text == "a")
    #expect(second.text == "b")
    #expect(try container.resolve(Item.self, arguments: "a") === first)
  }

  @Test(.hangLimit)
  func `a cycle is an error with its path, and neither hangs nor overflows`() throws {
    let container = Container()
    container.register { resolver -> First in
      _ = try resolver.resolve(Second.self)
      return First()
    }
    container.register { resolver -> Second in
      _ = try resolver.resolve(Third.self)
      return Second()
    }
    container.register(scope: .transient) { resolver -> Third in
      _ = try resolver.resolve(First.self)
      return Third()
    }
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Second.self) }
    #expect(error?.code == .cycle)
    let names = error?.path.map { $0.split(separator: ".").last.map(String.init) ?? "" }
    #expect(names == ["Second", "Third", "First", "Second"])
  }

  @Test(.hangLimit)
  func `a cycle that two threads enter at opposite ends is an error on both`() throws {
    let container = Container()
    let inside = AtomicCounter()
    container.register { resolver -> First in
      _ = inside.next()
      while inside.count < 2 {}
      _ = try resolver.resolve(Second.self)
      return First()
    }
    container.register { resolver -> Second in
      _ = inside.next()
      while inside.count < 2 {}
      _ = try resolver.resolve(First.self)
      return Second()
    }
    let codes = Journal()
    onThreads(2) { index in
      do throws(ResolutionError) {
        if index == 0 { _ = try container.resolve(First.self) } else { _ = try container.resolve(Second.self) }
      } catch {
        codes.note(error.code == .cycle ? "cycle" : "\(error)")
      }
    }
    #expect(codes.entries == ["cycle", "cycle"])
  }

  @Test func `per-look-up instances are released when nobody retains them`() throws {
    let container = Container()
    container.register(scope: .graph) { Item() }
    container.register(scope: .transient) { Pair(left: try $0.resolve(), right: try $0.resolve()) }
    var pair: Pair? = try container.resolve(Pair.self)
    weak let item = pair?.left
    #expect(item != nil)
    #expect(item === pair?.right)
    pair = nil
    #expect(item == nil)
  }

  @Test(.hangLimit)
  func `a slow service blocks no other`() throws {
    let container = Container()
    let (begun, done) = (Gate(), Gate())
    container.register(Int.self) {
      begun.open()
      done.wait()
      return 1
    }
    container.register { Item("quick") }
    let results = Journal()
    onThreads(2) { index in
      if index == 0 {
        results.note("\((try? container.resolve(Int.self)) ?? 0)")
      } else {
        begun.wait()
        results.note((try? container.resolve(Item.self))?.text ?? "")
        container.register { Shop.Config(text: "later") }
        done.open()
      }
    }
    #expect(results.entries == ["quick", "1"])
  }

  @Test func `concurrent look-ups of a shared service receive the same instance`() throws {
    for _ in 0..<20 {
      let container = Container()
      let made = AtomicCounter()
      container.register { Item("\(made.next())") }
      let texts = Journal()
      onThreads(8) { _ in texts.note((try? container.resolve(Item.self))?.text ?? "none") }
      #expect(made.count == 1)
      #expect(texts.entries == Array(repeating: "1", count: 8))
    }
  }

  @Test func `the trapping look-up of an unregistered type stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = Container()
      _ = container[Shop.Config.self]
    }
    let reported = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(reported.contains("no service provides \"Config\""))
  }
}
