// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct AmbiguityCheckTests {
  private let types = [
    TypeDescriptor(name: "Console", provides: ["Console", "Logger"]),
    TypeDescriptor(name: "File", provides: ["Logger"]),
    TypeDescriptor(
      name: "Tee", provides: ["Tee"],
      arguments: [ArgumentDescriptor(key: "all", kind: .service(type: "Logger", wrapper: .list))]),
    TypeDescriptor(
      name: "Map", provides: ["Map"],
      arguments: [ArgumentDescriptor(key: "all", kind: .service(type: "Logger", wrapper: .map))]),
    TypeDescriptor(
      name: "One", provides: ["One"],
      arguments: [ArgumentDescriptor(key: "one", kind: .service(type: "Logger", wrapper: .lazy))]),
  ]

  @Test func `several providers without a binding are reported at the smallest id, with notes on the others`() throws {
    let finding = try CheckedModule(
      #""services": { "c": { "type": "File" }, "b": { "type": "Console" }, «CDI0706»"a": { "type": "File" } }"#,
      types: types
    ).finding()
    #expect(finding.message == #"several services provide "Logger": "a", "b", "c""#)
    #expect(
      finding.related.map(\.message) == [#"service "b" also provides it"#, #"service "c" also provides it"#])
  }

  @Test func `each name has its own finding, always in the same order`() {
    for _ in 0..<5 {
      let module = CheckedModule(
        #""services": { "b": { "type": "Console" }, «CDI0706»«CDI0706»"a": { "type": "Console" } }"#, types: types)
      #expect(module.findings.map { $0.message.contains(#""Console""#) } == [true, false])
    }
  }

  @Test func `a binding, privacy and a narrowed "provides" resolve an ambiguity`() {
    _ = CheckedModule(
      #""services": { "a": { "type": "File" }, "b": { "type": "Console" } }, "bindings": { "Logger": "a" }"#,
      types: types)
    _ = CheckedModule(
      #""services": { "a": { "type": "File" }, "b": { "type": "File", "private": true } }, "bindings": { "Other": «CDI0606»"b" }"#,
      types: types)
    _ = CheckedModule(
      #""services": { "a": { "type": "File" }, "b": { "type": "Console", "provides": ["Console"] } }"#, types: types)
  }

  @Test func `a name used only by lists and maps is no finding, one used for a single service is`() {
    _ = CheckedModule(
      """
      "services": { "a": { "type": "File" }, "b": { "type": "File" }, "t": { "type": "Tee", "inject": { "all": ["a", "b"] } },
        "m": { "type": "Map", "inject": { "all": { "map": {} } } } }
      """, types: types)
    _ = CheckedModule(
      """
      "services": { «CDI0706»"a": { "type": "File" }, "b": { "type": "File" },
        "t": { "type": "Tee", "inject": { "all": ["a", "b"] } }, "o": { "type": "One", "inject": { "one": "a" } } }
      """, types: types)
  }

  @Test func `without a catalog only declared names are reported`() {
    _ = CheckedModule(
      """
      "services": { «CDI0706»"a": { "type": "X", "provides": ["Logger", "Logger"] }, "b": { "type": "Y", "provides": ["Logger"] },
        "c": { "type": "Z", "provides": ["Other", "Other"] }, "d": { "type": "Z" } }
      """)
  }

  @Test func `an error about an ambiguous look-up suppresses the warning`() {
    let types = [
      TypeDescriptor(name: "P", provides: ["P"]),
      TypeDescriptor(
        name: "T", provides: ["T"],
        arguments: [ArgumentDescriptor(key: "p", kind: .service(type: "P", wrapper: .direct))]
      ),
    ]
    _ = CheckedModule(
      #""autowire": true, "services": { "a": { "type": "P" }, "b": { "type": "P" }, «CDI0607»"t": { "type": "T" } }"#,
      types: types)
  }

  @Test func `of very many providers the first are named`() throws {
    let services = (0..<100).map { #""s\#($0)": { "type": "P" }"# }.joined(separator: ", ")
    let finding = try CheckedModule(
      #""services": { «CDI0706»\#(services) }"#, types: [TypeDescriptor(name: "P", provides: ["P"])]
    ).finding()
    #expect(finding.message.hasSuffix(#""s21", "s22" and 84 more"#))
    #expect(finding.related.count == 15)
  }
}
