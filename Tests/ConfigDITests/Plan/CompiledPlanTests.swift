// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct CompiledPlanTests {
  private let types = [
    TypeDescriptor(
      name: "App", provides: ["App"],
      arguments: [
        ArgumentDescriptor(key: "name", kind: .value(.string)),
        ArgumentDescriptor(key: "user", kind: .runtime(type: "Int", isHashable: true)),
        ArgumentDescriptor(key: "one", kind: .service(type: "Part", wrapper: .direct), isOptional: true),
        ArgumentDescriptor(key: "limit", kind: .value(.integer(.Int)), defaultValue: 3),
        ArgumentDescriptor(key: "later", kind: .service(type: "Part", wrapper: .lazy), isOptional: true),
        ArgumentDescriptor(key: "often", kind: .service(type: "App", wrapper: .provider), isOptional: true),
        ArgumentDescriptor(key: "all", kind: .service(type: "Part", wrapper: .list), isOptional: true),
        ArgumentDescriptor(key: "named", kind: .service(type: "Part", wrapper: .map), isOptional: true),
      ]),
    TypeDescriptor(
      name: "Host", provides: ["Host"],
      arguments: [ArgumentDescriptor(key: "later", kind: .service(type: "Part", wrapper: .lazy))]),
    TypeDescriptor(
      name: "Part", provides: ["Part"],
      arguments: [ArgumentDescriptor(key: "next", kind: .service(type: "Part", wrapper: .direct), isOptional: true)]),
  ]

  private func plan(_ members: String, location: SourceLocation = #_sourceLocation) throws -> CompiledPlan {
    CompiledPlan(compiling: try CheckedModule(members, types: types, location: location).graph(location))
  }

  @Test func `slots come after their dependencies, then by the smallest id`() throws {
    let plan = try plan(
      """
      "bindings": { "Part": "c" },
      "services": {
        "a": { "type": "Part", "inject": { "next": "d" } }, "b": { "type": "Part", "inject": { "next": "e" } },
        "c": { "type": "Part" }, "d": { "type": "Part" }, "e": { "type": "Part" } }
      """)
    #expect(plan.slots.map(\.id) == ["c", "d", "a", "e", "b"])
  }

  @Test func `arguments are in the order of the type, absent if not given`() throws {
    let plan = try plan(
      """
      "parameters": { "n": "shop" },
      "services": {
        "app": { "type": "App", "values": { "name": "${n}", "limit": 5 },
          "inject": { "later": "p2", "often": "app", "all": ["p2", "p1", "p2"], "named": { "map": { "k": "p1", "j": "p2" } },
            "one": { "service": "gone", "optional": true } } },
        "p1": { "type": "Part" }, "p2": { "type": "Part" } },
      "bindings": { "Part": "p1" }
      """)
    let slots = Dictionary(uniqueKeysWithValues: plan.slots.enumerated().map { ($1.id, $0) })
    let app = try #require(slots["app"])
    let (p1, p2) = (try #require(slots["p1"]), try #require(slots["p2"]))
    let described = plan.slots[app].arguments.map { argument -> String in
      switch argument {
      case .absent, .decorated, .runtime: "-"
      case .value(let value): "\(value)"
      case .service(let slot): "\(slot)"
      case .services(let slots): "\(slots)"
      case .keyedServices(let slots): slots.map { "\($0.key):\($0.slot)" }.joined(separator: " ")
      }
    }
    #expect(
      described == [
        "\(Value.string("shop"))", "-", "-", "\(Value.integer(5))", "\(p2)", "\(app)", "[\(p2), \(p1), \(p2)]",
        "k:\(p1) j:\(p2)",
      ])
  }

  @Test func `a slot has its location, lifetime, privacy and narrowed names`() throws {
    let plan = try plan(
      """
      "services": {
        "a": { "type": "Part", "scope": "transient", "private": true }, "b": { "type": "Part", "provides": [] } },
      "bindings": { "Part": "a" }
      """)
    #expect(plan.slots.map(\.origin.description) == ["app.json:3:3", "app.json:3:67"])
    #expect(plan.slots.map(\.lifetime) == [.transient, .shared])
    #expect(plan.slots.map(\.isPrivate) == [true, false])
    #expect(plan.slots.map(\.provides) == [nil, []])
    #expect(plan.slots.map(\.typeName) == ["Part", "Part"])
  }

  @Test func `many services on one line have correct locations`() throws {
    let ids = (0..<3_000).map { "s\(10_000 + $0)" }
    let services = ids.map { #""\#($0)": {"type": "Part"}"# }.joined(separator: ", ")
    let plan = try plan(#""services": {\#(services)}, "bindings": {"Part": "s10000"}"#)
    #expect(plan.slots.last?.origin == Origin(file: "app.json", line: 2, column: 14 + 2_999 * 28))
  }

  @Test func `aliases, bindings and the start refer to slots`() throws {
    let plan = try plan(
      """
      "aliases": { "x": "y", "y": "b" },
      "services": {
        "a": { "type": "Part", "inject": { "next": "c" }, "eager": true }, "b": { "type": "Part" },
        "c": { "type": "Part" }, "host": { "type": "Host", "eager": true, "inject": { "later": "b2" } },
        "b2": { "type": "Part" } },
      "bindings": { "Part": "x", "Host": "host" }
      """)
    #expect(plan.aliases.map { "\($0.key) \(plan.slots[$0.slot].id)" } == ["x b", "y b"])
    #expect(plan.bindings.map { "\($0.key) \(plan.slots[$0.slot].id)" } == ["Host host", "Part b"])
    #expect(plan.start.map { plan.slots[$0].id } == ["c", "a", "host"])
  }
}
