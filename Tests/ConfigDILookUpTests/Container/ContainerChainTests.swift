// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

@Suite struct ContainerChainTests {
  /// A link of a chain.
  private struct Link: Sendable {
    /// The number of links below this one.
    let length: Int
  }

  /// Creates a container with a chain of services, each of which resolves the next one in its builder.
  private func chain(_ count: Int, _ scope: ServiceScope, closed: Bool = false) -> Container {
    let container = Container()
    for number in 0..<count {
      let next = number + 1 < count ? "\(number + 1)" : closed ? "0" : nil
      container.register(Link.self, named: "\(number)", scope: scope) { resolver in
        Link(length: try next.map { try resolver.resolve(Link.self, named: $0).length + 1 } ?? 0)
      }
    }
    return container
  }

  @Test(arguments: [ServiceScope.shared, .transient])
  func `a chain of builders that exceeds the stack throws, and the container stays usable`(scope: ServiceScope) throws {
    let length = sanitizerIsOn ? 5_000 : LongTests.size(3_000, full: 50_000)
    let container = chain(length, scope)
    let error = try #require(throws: ResolutionError.self) { try container.resolve(Link.self, named: "0") }
    #expect(error.code == .tooDeep)
    #expect(error.chain.count > 50)
    #expect(error.chain == (0..<error.chain.count).map { "\($0)" })
    // Shorter chains resolve. If instances are cached, the whole chain resolves step by step.
    let step = error.chain.count / 2
    for number in stride(from: length - 1, through: scope == .shared ? 0 : length - step, by: -step) {
      #expect(try container.resolve(Link.self, named: "\(number)").length == length - 1 - number)
    }
  }

  @Test(arguments: ["shared", "transient"])
  func `a long chain of builders of a module resolves`(scope: String) throws {
    let length = LongTests.size(1_000, full: 10_000)
    var registry = Registry()
    registry.add("End") { Link(length: 0) }
    registry.add("Link", .service("next", Link.self)) { (next: Link) in Link(length: next.length + 1) }
    let services = (0..<length).map { number in
      number + 1 < length
        ? "\"s\(number)\": { \"type\": \"Link\", \"scope\": \"\(scope)\", \"inject\": { \"next\": \"s\(number + 1)\" } }"
        : "\"s\(number)\": { \"type\": \"End\", \"scope\": \"\(scope)\" }"
    }
    let container = try Container(
      text: "{ \"configdi\": 1, \"module\": \"m\", \"services\": { \(services.joined(separator: ", ")) } }",
      registry: registry)
    #expect(try container.resolve(Link.self, named: "s0").length == length - 1)
  }

  @Test(arguments: [ServiceScope.shared, .transient])
  func `a long cycle of builders is an error with its path`(scope: ServiceScope) throws {
    let container = chain(300, scope, closed: true)
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Link.self, named: "0") }
    #expect(error?.code == .cycle)
    #expect(error?.path.count == 301)
    #expect(error?.path.first == error?.path.last)
  }

  @Test func `builders may call themselves with other arguments until the stack is exhausted`() throws {
    let container = Container()
    container.register(scope: .transient) { (resolver, number: Int) in
      Link(length: number == 0 ? 0 : try resolver.resolve(Link.self, arguments: number - 1).length + 1)
    }
    #expect(try container.resolve(Link.self, arguments: 100).length == 100)
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Link.self, arguments: 1_000_000) }
    #expect(error?.code == .tooDeep)
  }
}
