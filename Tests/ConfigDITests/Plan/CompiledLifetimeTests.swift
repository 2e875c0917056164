// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Lifetimes, decorators and references to several services in a plan.
struct CompiledLifetimeTests {
  private let types = [
    TypeDescriptor(
      name: "Part", provides: ["Part"],
      arguments: [
        ArgumentDescriptor(key: "next", kind: .service(type: "Part", wrapper: .direct), isOptional: true),
        ArgumentDescriptor(key: "all", kind: .service(type: "Part", wrapper: .list), isOptional: true),
        ArgumentDescriptor(key: "named", kind: .service(type: "Part", wrapper: .map), isOptional: true),
      ]),
    TypeDescriptor(
      name: "Wrap", provides: ["Part"],
      arguments: [
        ArgumentDescriptor(key: "size", kind: .value(.integer(.Int)), defaultValue: 1),
        ArgumentDescriptor(key: "inner", kind: .decorated(type: "Part")),
        ArgumentDescriptor(key: "by", kind: .service(type: "Part", wrapper: .direct)),
        ArgumentDescriptor(key: "who", kind: .runtime(type: "Int", isHashable: true)),
      ]),
  ]

  private func plan(_ members: String, environments: [String]? = nil, location: SourceLocation = #_sourceLocation)
    throws
    -> CompiledPlan
  {
    CompiledPlan(
      compiling: try CheckedModule(members, types: types, environments: environments, location: location).graph(
        location))
  }

  /// Returns an argument as text, with the ids of its slots.
  private func words(_ argument: CompiledPlan.Argument, _ plan: CompiledPlan) -> String {
    switch argument {
    case .absent: "-"
    case .decorated: "inner"
    case .runtime: "look-up"
    case .value(let value): "\(value)"
    case .service(let slot): plan.slots[slot].id
    case .services(let slots): "[\(slots.map { plan.slots[$0].id }.joined(separator: " "))]"
    case .keyedServices(let slots): "[\(slots.map { "\($0.key): \(plan.slots[$0.slot].id)" }.joined(separator: " "))]"
    }
  }

  @Test func `every lifetime has its slot, scopes by index`() throws {
    let plan = try plan(
      """
      "scopes": ["session", "request"], "bindings": { "Part": "a" },
      "services": {
        "a": { "type": "Part" }, "b": { "type": "Part", "scope": "weak" }, "c": { "type": "Part", "scope": "transient" },
        "d": { "type": "Part", "scope": "graph" }, "e": { "type": "Part", "scope": "session" },
        "f": { "type": "Part", "scope": "request", "inject": { "next": "e" } } }
      """)
    #expect(plan.scopes == ["session", "request"])
    #expect(plan.slots.map(\.lifetime) == [.shared, .weak, .transient, .graph, .scope(0), .scope(1)])
  }

  @Test func `decorators start with the innermost, with their own arguments, after their dependencies`() throws {
    let plan = try plan(
      """
      "bindings": { "Part": "a" },
      "services": {
        "a": { "type": "Part", "decorate": [
          { "type": "Wrap", "inject": { "by": "z" } }, { "type": "Wrap", "inject": { "by": "b" }, "values": { "size": 7 } } ] },
        "b": { "type": "Part" }, "z": { "type": "Part" } }
      """)
    #expect(plan.slots.map(\.id) == ["b", "z", "a"])
    let decorators = try #require(plan.slots.last?.decorators)
    #expect(decorators.map(\.typeName) == ["Wrap", "Wrap"])
    #expect(
      decorators.map { $0.arguments.map { words($0, plan) } } == [
        ["-", "inner", "z", "look-up"], ["\(Value.integer(7))", "inner", "b", "look-up"],
      ])
  }

  @Test func `tags and arguments bound by type are slots in order, absent ones are dropped`() throws {
    let plan = try plan(
      """
      "bindings": { "Part": "a" },
      "services": {
        "a": { "type": "Part", "inject": {
          "all": { "tagged": "t" }, "named": { "tagged": "t", "as": "map" } } },
        "b": { "type": "Part", "tags": { "t": { "order": 2, "key": "x" } } }, "c": { "type": "Part", "tags": ["t"] },
        "d": { "type": "Part", "inject": {
          "all": ["c", { "service": "gone", "optional": true }, "b"],
          "named": { "map": { "k": { "service": "gone", "optional": true }, "l": "c" } } } } }
      """)
    let arguments = Dictionary(uniqueKeysWithValues: plan.slots.map { ($0.id, $0.arguments.map { words($0, plan) }) })
    #expect(arguments["a"] == ["-", "[c b]", "[x: b c: c]"])
    #expect(arguments["d"] == ["-", "[c b]", "[l: c]"])
  }

  @Test func `a disabled service has neither slot, alias nor binding`() throws {
    let plan = try plan(
      """
      "environments": { "dev": [] }, "aliases": { "x": "a", "y": "b" }, "bindings": { "Part": "x" },
      "services": { "a": { "type": "Part", "when": { "any": [] } }, "b": { "type": "Part" } }
      """)
    #expect(plan.slots.map(\.id) == ["b"])
    #expect(plan.aliases.map(\.key) == ["y"])
    #expect(plan.bindings.isEmpty)
  }

  @Test func `a large type and many arguments are compiled in linear time`() throws {
    let keys = (0..<5_000).map { "k\($0)" }
    let types = [
      TypeDescriptor(
        name: "Large", provides: ["Large"],
        arguments: keys.map { ArgumentDescriptor(key: $0, kind: .value(.integer(.Int))) })
    ]
    let values = keys.enumerated().map { #""\#($1)": \#($0)"# }.joined(separator: ", ")
    let module = CheckedModule(#""services": { "a": { "type": "Large", "values": { \#(values) } } }"#, types: types)
    let arguments = CompiledPlan(compiling: try module.graph()).slots[0].arguments
    #expect(arguments.count == 5_000)
    guard case .value(.integer(4_999)) = arguments[4_999] else { return #expect(Bool(false)) }
  }
}
