// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

struct MisplacedReferenceCheckTests {
  @Test func `a string that equals a service's id looks like a reference, at any depth`() throws {
    let module = CheckedModule(
      """
      "parameters": { "p": "logger" },
      "services": {
        "logger": { "type": "T" },
        "a": { "type": "T", "values": {
          "v": «CDI0707»"logger", "w": [{ "logger": «CDI0707»"logger", "k": "Logger" }], "x": "${p}", "y": "a logger",
          "self": «CDI0707»"a", "name": "alias" } } },
      "aliases": { "alias": "logger" }
      """)
    #expect(module.findings[0].message == #"string "logger" is the id of a service"#)
    #expect(module.check.isSound)
  }

  @Test func `no finding if the type is known`() {
    let types = [
      TypeDescriptor(
        name: "T", provides: [], arguments: [ArgumentDescriptor(key: "v", kind: .value(.string), isOptional: true)])
    ]
    _ = CheckedModule(
      """
      "services": { "logger": { "type": "T" }, "a": { "type": "T", "values": { "v": "logger" } },
        "b": { "type": «CDI0601»"U", "values": { "v": «CDI0707»"logger" } } }
      """, types: types)
  }

  @Test func `no finding with a malformed catalog`() {
    _ = CheckedModule(
      #""services": { "logger": { "type": "T" }, "a": { "type": "T", "values": { "v": "logger" } } }"#,
      files: ["catalog.json": "{ \"configdi-catalog\": «CDI0205»2 }"], catalog: "catalog.json")
  }
}
