// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct DeprecationCheckTests {
  @Test func `each reference to a deprecated service is reported, also through aliases and bindings`() throws {
    let module = CheckedModule(
      """
      "aliases": { "name": "old" },
      "services": {
        "old": { "type": "T", "deprecated": "use new" },
        "a": { "type": "T", "inject": {
          "x": «CDI0705»"old", "y": [«CDI0705»"name"], "z": { "map": { "k": { "service": «CDI0705»"old" } } } } } },
      "bindings": { "T": «CDI0705»"name" }
      """)
    #expect(module.findings[0].message == #"service "old" is deprecated: use new"#)
    #expect(module.check.isSound)
  }

  @Test func `references of an unused template are reported`() {
    _ = CheckedModule(
      """
      "templates": { «CDI0704»"t": { "type": "T", "inject": { "x": «CDI0705»"old", "y": [{ "tagged": «CDI0705»"g" }] } } },
      "services": { "old": { "type": "T", "tags": ["g"], "deprecated": "use new" } }
      """)
  }

  @Test func `deprecated services without references, and references of deprecated services, are not reported`() {
    _ = CheckedModule(
      """
      "parameters": { "p": { "value": "${q}", "deprecated": "gone" }, "q": { "value": 1, "deprecated": "gone" } },
      "services": {
        "old": { "type": "T", "deprecated": "use new" },
        "older": { "type": "T", "deprecated": "use new", "inject": { "x": "old" }, "values": { "v": "${p}" } } }
      """)
  }

  @Test func `each string that names a deprecated parameter is reported, once per parameter`() throws {
    let module = CheckedModule(
      """
      "parameters": {
        "p": { "value": 1, "deprecated": "use r" }, "q": { "env": "Q", "deprecated": "use r" },
        "r": «CDI0705»"${p}", "s": { "value": { "deep": [«CDI0705»"x${p}"] } } },
      "services": { "a": { "type": "T", "values": {
        "both": «CDI0705»«CDI0705»"${p}${q}${p}", "deep": [{ "k": «CDI0705»"${q}" }], "r": "${r}", "s": "${s}",
        "literal": "$${p}" } } }
      """)
    #expect(
      Set(module.findings.map(\.message)) == [
        #"parameter "p" is deprecated: use r"#, #"parameter "q" is deprecated: use r"#,
      ])
  }

  @Test func `a deprecated type is reported at each of its services`() {
    let types = [TypeDescriptor(name: "Old", provides: [], deprecated: "use New")]
    let module = CheckedModule(
      """
      "services": { "a": { "type": «CDI0705»"Old" }, "b": { "type": "Old", "deprecated": "use c" },
        "c": { "type": «CDI0705»"Old" } }
      """, types: types)
    #expect(module.findings[0].message == #"type "Old" is deprecated: use New"#)
  }

  @Test func `a warning is reported beside errors, with the environments in which it holds`() {
    _ = CheckedModule(
      """
      "environments": { "dev": [], "prod": ["prod.json"] },
      "services": { "a": { "type": "T", "inject": { "x": «CDI0705@prod»"b", "y": «CDI0501»"gone" } }, "b": { "type": "T" } }
      """,
      files: [
        "prod.json": #"{"configdi": 1, "module": "p", "override": {"services": {"b": {"deprecated": "soon"}}}}"#
      ])
  }

  @Test func `tags, decorators and binding by type refer to deprecated services and types`() {
    let types = [
      TypeDescriptor(name: "Old", provides: ["P"], deprecated: "use New"),
      TypeDescriptor(
        name: "D", provides: ["T"], deprecated: "use E",
        arguments: [
          ArgumentDescriptor(key: "inner", kind: .decorated(type: "T")),
          ArgumentDescriptor(key: "old", kind: .service(type: "P", wrapper: .direct)),
        ]),
      TypeDescriptor(
        name: "T", provides: ["T"],
        arguments: [
          ArgumentDescriptor(key: "p", kind: .service(type: "P", wrapper: .direct)),
          ArgumentDescriptor(key: "all", kind: .service(type: "P", wrapper: .list)),
        ]),
    ]
    _ = CheckedModule(
      """
      "autowire": true, "bindings": { "T": "b" },
      "services": {
        "old": { "type": "Old", "tags": ["g"], "deprecated": "use new" },
        «CDI0705»"a": { "type": "T", "inject": { "all": { "tagged": «CDI0705»"g" } } },
        "b": { "type": "T", "inject": { "p": «CDI0705»"old", "all": [] },
          "decorate": [{ "type": «CDI0705»"D", "inject": { "old": «CDI0705»"old" } }] } }
      """, types: types)
  }

  @Test func `a condition uses its parameter, but not if its service is deprecated`() {
    _ = CheckedModule(
      """
      "parameters": { "p": { "value": true, "deprecated": "gone" } },
      "services": {
        "a": { "type": "T", "when": { "not": { "parameter": «CDI0705»"p", "equals": true } } },
        "b": { "type": "T", "deprecated": "gone", "when": { "parameter": "p", "equals": true } } }
      """)
  }
}
