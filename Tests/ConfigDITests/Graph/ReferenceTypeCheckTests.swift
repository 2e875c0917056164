// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct ReferenceTypeCheckTests {
  private let types = [
    TypeDescriptor(
      name: "Holder", provides: ["Holder"],
      arguments: [
        ArgumentDescriptor(key: "one", kind: .service(type: "Logger", wrapper: .direct), isOptional: true),
        ArgumentDescriptor(key: "later", kind: .service(type: "Logger", wrapper: .lazy), isOptional: true),
        ArgumentDescriptor(key: "each", kind: .service(type: "Logger", wrapper: .provider), isOptional: true),
        ArgumentDescriptor(key: "all", kind: .service(type: "Logger", wrapper: .list), isOptional: true),
        ArgumentDescriptor(key: "named", kind: .service(type: "Logger", wrapper: .map), isOptional: true),
      ]),
    TypeDescriptor(name: "Console", provides: ["Console", "Logger"]),
    TypeDescriptor(name: "Clock", provides: ["Clock"]),
    TypeDescriptor(name: "Nothing", provides: []),
  ]

  /// Checks a module with one logger, one clock and a service with the given references.
  private func check(_ inject: String, location: SourceLocation = #_sourceLocation) -> CheckedModule {
    CheckedModule(
      """
      "aliases": { "time": "clock", "log": "logger" },
      "services": {
        "clock": { "type": "Clock" }, "logger": { "type": "Console" }, "void": { "type": "Nothing" },
        "h": { "type": "Holder", "inject": { \(inject) } } }
      """, types: types, location: location)
  }

  @Test func `providers of the wanted type match directly, lazily, as providers, in lists and maps, through aliases`() {
    _ = check(
      """
      "one": "log", "later": "logger", "each": "logger", "all": ["logger", "log", { "service": "logger" }],
      "named": { "map": { "a": "logger", "b": "log" } }
      """)
    _ = check(#""all": [], "named": { "map": {} }"#)
  }

  @Test func `a mismatch is reported at the string that names the service`() {
    _ = check(
      """
      "one": { "service": «CDI0605»"time" }, "later": «CDI0605»"clock", "each": «CDI0605»"clock",
      "all": ["logger", «CDI0605»"clock", { "service": «CDI0605»"clock", "optional": true }],
      "named": { "map": { "a": «CDI0605»"void" } }
      """)
  }

  @Test func `the message names the wanted type, the provided types and candidates`() throws {
    let finding = try check(#""one": «CDI0605»"clock""#).finding()
    #expect(
      finding.message == #"argument "one" of service "h" expects "Logger", which service "clock" does not provide"#)
    #expect(finding.notes == [#"type "Clock" provides "Clock""#])
    #expect(finding.help == #"services that provide it: "logger""#)
    #expect(try check(#""one": «CDI0605»"void""#).finding().notes == [#"type "Nothing" provides nothing"#])
  }

  @Test func `a single reference instead of several and the reverse are reported at the complete reference`() throws {
    _ = check(#""one": «CDI0605»["logger"]"#)
    _ = check(#""one": «CDI0605»{ "map": { "a": "logger" } }"#)
    _ = check(#""all": «CDI0605»"logger""#)
    _ = check(#""named": «CDI0605»["logger"]"#)
    let finding = try check(#""all": ["logger", «CDI0605»["logger"]]"#).finding()
    #expect(finding.message.hasSuffix(#"expects one "Logger", found a list"#))
  }

  @Test func `absent, unknown and malformed services, and those of unknown types, are not reported`() {
    _ = CheckedModule(
      """
      "services": {
        "h": { "type": "Holder", "inject": {
          "all": [{ "service": "gone", "optional": true }, «CDI0501»"gone", "odd", "new"] } },
        "odd": { "type": "Clock", «CDI0201»"colour": 1 }, "new": { "type": «CDI0601»"Brandnew" } }
      """, types: types)
  }

  @Test func `a reference by id uses all types of the service, even if the file narrows them`() {
    _ = CheckedModule(
      """
      "services": {
        "h": { "type": "Holder", "inject": { "one": "l" } }, "l": { "type": "Console", "provides": ["Console"] } }
      """, types: types)
  }

  @Test func `the consumer itself is no candidate`() throws {
    let types = [
      TypeDescriptor(
        name: "Tee", provides: ["Logger"],
        arguments: [ArgumentDescriptor(key: "next", kind: .service(type: "Logger", wrapper: .direct))]),
      TypeDescriptor(name: "Clock", provides: ["Clock"]),
    ]
    let finding = try CheckedModule(
      #""services": { "t": { "type": "Tee", "inject": { "next": «CDI0605»"c" } }, "c": { "type": "Clock" } }"#,
      types: types
    ).finding()
    #expect(finding.help == nil)
  }

  @Test func `a tag inside a list is a list if one is wanted`() {
    let types = [
      TypeDescriptor(name: "P", provides: ["P"]),
      TypeDescriptor(
        name: "T", provides: ["T"],
        arguments: [ArgumentDescriptor(key: "all", kind: .service(type: "P", wrapper: .list))]
      ),
    ]
    _ = CheckedModule(
      """
      "services": {
        "p": { "type": "P", "tags": ["g"] }, "t": { "type": "T", "inject": { "all": ["p", { "tagged": «CDI0605»"g" }] } },
        "u": { "type": "T", "inject": { "all": { "tagged": «CDI0605»"g", "as": "map" } } },
        "v": { "type": "T", "tags": [«CDI0709»"h"], "inject": { "all": { "tagged": «CDI0605»"h2" } } },
        "w": { "type": "T", "tags": ["h2"], "inject": { "all": [] } } },
      "bindings": { "T": "t" }
      """, types: types)
  }
}
