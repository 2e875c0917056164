// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

struct CycleCheckTests {
  @Test func `a service that needs itself`() throws {
    let finding = try CheckedModule(#""services": { "a": { "type": "T", "inject": { "x": «CDI0508»"a" } } }"#).finding()
    #expect(finding.message == "dependency cycle: a -> a")
    #expect(finding.notes.isEmpty)
  }

  @Test func `the cycle begins at the smallest id, without the services that lead into it`() throws {
    let finding = try CheckedModule(
      """
      "services": {
        "a": { "type": "T", "inject": { "x": "c" } },
        "d": { "type": "T", "inject": { "x": "b" } },
        "c": { "type": "T", "inject": { "x": "d" } },
        "b": { "type": "T", "inject": { "w": "e", "x": «CDI0508»"c" } },
        "e": { "type": "T" } }
      """
    ).finding()
    #expect(finding.message == "dependency cycle: b -> c -> d -> b")
    #expect(finding.path == "services.b.inject.x")
  }

  @Test func `a shortest cycle is shown, and the rest of the group is in a note`() throws {
    let finding = try CheckedModule(
      """
      "services": {
        "a": { "type": "T", "inject": { "x": "b", "y": «CDI0508»"d" } },
        "b": { "type": "T", "inject": { "x": "c" } },
        "c": { "type": "T", "inject": { "x": "a" } },
        "d": { "type": "T", "inject": { "x": "a", "y": "e" } },
        "e": { "type": "T", "inject": { "x": "a" } } }
      """
    ).finding()
    #expect(finding.message == "dependency cycle: a -> d -> a")
    #expect(finding.notes == [#"further services that depend on these, and these on them: "b", "c", "e""#])
  }

  @Test func `of several shortest cycles the smallest sequence of ids is shown`() throws {
    let finding = try CheckedModule(
      """
      "services": {
        "a": { "type": "T", "inject": { "x": "c", "y": «CDI0508»"b" } },
        "b": { "type": "T", "inject": { "x": "e", "y": "d" } },
        "c": { "type": "T", "inject": { "x": "d" } },
        "d": { "type": "T", "inject": { "x": "a" } },
        "e": { "type": "T", "inject": { "x": "a" } } }
      """
    ).finding()
    #expect(finding.message == "dependency cycle: a -> b -> d -> a")
  }

  @Test func `each group has its own finding`() {
    let module = CheckedModule(
      """
      "services": {
        "a": { "type": "T", "inject": { "x": «CDI0508»"b" } },
        "b": { "type": "T", "inject": { "x": "a", "y": "c" } },
        "c": { "type": "T", "inject": { "x": «CDI0508»"d" } },
        "d": { "type": "T", "inject": { "x": "c" } } }
      """)
    #expect(module.findings.map(\.message) == ["dependency cycle: a -> b -> a", "dependency cycle: c -> d -> c"])
  }

  @Test func `aliases, lists, maps and optional references close cycles`() throws {
    let finding = try CheckedModule(
      """
      "aliases": { "bee": "bi", "bi": "b" },
      "services": {
        "a": { "type": "T", "inject": { "x": [["z"], «CDI0508»"bee"] } },
        "b": { "type": "T", "inject": { "x": { "map": { "k": "c" } } } },
        "c": { "type": "T", "inject": { "x": { "service": "a", "optional": true } } },
        "z": { "type": "T" } }
      """
    ).finding()
    #expect(finding.message == "dependency cycle: a -> b -> c -> a")
  }

  @Test func `a lazy argument or a provider breaks a cycle, if the types are known`() {
    let types = [
      TypeDescriptor(
        name: "T", provides: [],
        arguments: [
          ArgumentDescriptor(key: "now", kind: .service(type: "T", wrapper: .direct), isOptional: true),
          ArgumentDescriptor(key: "later", kind: .service(type: "T", wrapper: .lazy), isOptional: true),
          ArgumentDescriptor(key: "each", kind: .service(type: "T", wrapper: .provider), isOptional: true),
        ])
    ]
    let services = { (mark: String) in
      """
      "services": {
        "a": { "type": "U", "inject": { "now": \(mark)"b" } },
        "b": { "type": "U", "inject": { "later": "a" } },
        "c": { "type": "U", "inject": { "each": \(mark)"c" } } }
      """
    }
    _ = CheckedModule(services("«CDI0508»"))
    var known = types
    known[0].provides = ["T"]
    let module = CheckedModule(
      services("").replacing("\"U\"", with: "\"T\"") + #", "bindings": { "T": "a" }"#, types: known)
    #expect(module.check.isSound)
  }

  @Test func `an argument that the type does not have closes no cycle and holds nothing`() {
    let types = [
      TypeDescriptor(
        name: "T", provides: ["T"],
        arguments: [ArgumentDescriptor(key: "later", kind: .service(type: "T", wrapper: .lazy), isOptional: true)])
    ]
    _ = CheckedModule(
      """
      "scopes": ["request"], "bindings": { "T": "a" },
      "services": {
        "a": { "type": "T", "inject": { «CDI0602»"latr": "a" } },
        "b": { "type": "T", "inject": { «CDI0602»"latr": "page" } },
        "page": { "type": "T", "scope": "request" } }
      """, types: types)
  }

  @Test func `a lazy edge does not excuse a direct one between the same services`() {
    let types = [
      TypeDescriptor(
        name: "T", provides: ["T"],
        arguments: [
          ArgumentDescriptor(key: "a.later", kind: .service(type: "T", wrapper: .lazy), isOptional: true),
          ArgumentDescriptor(key: "now", kind: .service(type: "T", wrapper: .direct), isOptional: true),
        ])
    ]
    _ = CheckedModule(
      """
      "bindings": { "T": "a" },
      "services": {
        "a": { "type": "T", "inject": { "a.later": "b", "now": «CDI0508»"b" } },
        "b": { "type": "T", "inject": { "now": "a" } } }
      """, types: types)
  }

  @Test func `with a malformed catalog no cycle is reported, as an argument may be lazy`() {
    _ = CheckedModule(
      #""services": { "a": { "type": "T", "inject": { "x": "a", "y": «CDI0501»"gone" } } }, "aliases": {}"#,
      files: ["catalog.json": "{ \"configdi-catalog\": «CDI0205»2 }"], catalog: "catalog.json")
  }

  @Test func `with an unreadable catalog no finding of composition and wiring is reported`() {
    _ = CheckedModule(
      #""services": { "a": { "type": "T", "inject": { "x": "a", "y": "gone" } } }"#,
      files: ["catalog.json": "{ \"configdi-catalog\": 1, «CDI0101»}"], catalog: "catalog.json")
  }

  @Test func `a cycle of thousands of services uses no recursion`() throws {
    let ids = (0..<LongTests.size(3_000, full: 10_000)).map { "s\(10_000 + $0)" }
    var services = ids.indices.dropFirst().map { place in
      #""\#(ids[place])": { "type": "T", "inject": { "x": "\#(ids[(place + 1) % ids.count])" } }"#
    }
    services.append(#""\#(ids[0])": { "type": "T", "inject": { "x": «CDI0508»"\#(ids[1])" } }"#)
    let finding = try CheckedModule(#""services": { \#(services.joined(separator: ",\n")) }"#).finding()
    #expect(finding.message.hasPrefix("dependency cycle: s10000 -> s10001 -> "))
    #expect(finding.message.hasSuffix("\(ids[ids.count - 1]) -> s10000"))
  }

  @Test func `dependencies of decorators and tags close cycles under the name of the service`() {
    let module = CheckedModule(
      """
      "services": {
        "a": { "type": "T", "tags": ["t"], "decorate": [{ "type": "D" }, { "type": "D", "inject": { "x": «CDI0508»"b" } }] },
        "b": { "type": "T", "inject": { "all": { "tagged": "t" } } },
        "c": { "type": "T", "decorate": [{ "type": "D", "inject": { "x": «CDI0508»"c" } }] } }
      """)
    #expect(module.findings.map(\.message) == ["dependency cycle: a -> b -> a", "dependency cycle: c -> c"])
  }

  @Test func `an invalid value of the decorated argument closes no cycle`() {
    let types = [
      TypeDescriptor(name: "T", provides: ["T"]),
      TypeDescriptor(
        name: "D", provides: ["T"], arguments: [ArgumentDescriptor(key: "inner", kind: .decorated(type: "T"))]),
    ]
    _ = CheckedModule(
      #""services": { "a": { "type": "T", "decorate": [{ "type": "D", "inject": { «CDI0611»"inner": "a" } }] } }"#,
      types: types)
  }
}
