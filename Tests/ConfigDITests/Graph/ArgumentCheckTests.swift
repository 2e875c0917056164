// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct ArgumentCheckTests {
  /// A type with an argument of each kind.
  private let types = [
    TypeDescriptor(
      name: "Mailer", provides: ["Mailer"],
      arguments: [
        ArgumentDescriptor(key: "host", kind: .value(.string)),
        ArgumentDescriptor(key: "port", kind: .value(.integer(.Int)), defaultValue: 25),
        ArgumentDescriptor(key: "hint", kind: .value(.optional(.string))),
        ArgumentDescriptor(key: "logger", kind: .service(type: "Logger", wrapper: .direct)),
        ArgumentDescriptor(key: "cache", kind: .service(type: "Logger", wrapper: .direct), isOptional: true),
        ArgumentDescriptor(key: "user", kind: .runtime(type: "String", isHashable: true)),
      ]),
    TypeDescriptor(
      name: "Retry", provides: ["Mailer"],
      arguments: [
        ArgumentDescriptor(key: "inner", kind: .decorated(type: "Mailer")),
        ArgumentDescriptor(key: "attempts", kind: .value(.integer(.Int))),
        ArgumentDescriptor(key: "clock", kind: .service(type: "Logger", wrapper: .direct)),
      ]),
    TypeDescriptor(name: "Logger", provides: ["Logger"]),
    TypeDescriptor(
      name: "Group", provides: ["Group"],
      arguments: [
        ArgumentDescriptor(key: "all", kind: .service(type: "Logger", wrapper: .list)),
        ArgumentDescriptor(key: "named", kind: .service(type: "Logger", wrapper: .map)),
      ]),
  ]

  @Test func `given, default and optional arguments are not missing`() {
    let module = CheckedModule(
      """
      "services": {
        "m": { "type": "Mailer", "values": { "host": "h" }, "inject": { "logger": "l" } }, "l": { "type": "Logger" } }
      """, types: types)
    #expect(module.check.isSound)
  }

  @Test func `each missing argument is reported at the service's key by its own name`() {
    let module = CheckedModule(#""services": { «CDI0603»«CDI0603»"m": { "type": "Mailer" } }"#, types: types)
    #expect(
      module.findings.map(\.message) == [
        #"service "m" is missing argument "host", which type "Mailer" requires"#,
        #"service "m" is missing argument "logger", which type "Mailer" requires"#,
      ])
    #expect(module.findings.map(\.help) == [#"add "host" to "values""#, #"add "logger" to "inject""#])
  }

  @Test func `an argument that is suggested for an unknown key is not reported as missing`() {
    let module = CheckedModule(
      #"""
      "services": { "l": { "type": "Logger" }, «CDI0603»"m": { "type": "Mailer", "values": { «CDI0602»"hots": "h" } },
        "n": { "type": "Mailer", "values": { «CDI0602»"hots": "h", "host": "h" }, "inject": { "logger": "l" } } },
      "bindings": { "Mailer": "n" }
      """#, types: types)
    #expect(module.findings.first { $0.code == .missingArgument }?.message.contains(#""logger""#) == true)
  }

  @Test func `missing lists and maps of services are reported`() {
    _ = CheckedModule(#""services": { «CDI0603»«CDI0603»"g": { "type": "Group" } }"#, types: types)
  }

  @Test func `an absent optional reference does not satisfy a required argument`() {
    _ = CheckedModule(
      """
      "services": { «CDI0603»"m": { "type": "Mailer", "values": { "host": "h" }, "inject": {
        "logger": { "service": "gone", "optional": true }, "cache": { "service": "gone", "optional": true } } } }
      """, types: types)
  }

  @Test func `a malformed reference or value counts as given`() {
    _ = CheckedModule(
      """
      "services": { "m": { "type": "Mailer", "values": { "host": «CDI0401»"${gone}" }, "inject": {
        "logger": «CDI0501»"gone" } } }
      """, types: types)
  }

  @Test func `an unknown key is reported at its location, with similar or all keys`() {
    let module = CheckedModule(
      """
      "services": {
        "m": { "type": "Mailer", "values": { "host": "h", «CDI0602»"Port": 1 },
               "inject": { "logger": "l", «CDI0602»"metrics": "l" } },
        "l": { "type": "Logger", "values": { «CDI0602»"level": 1 } } }
      """, types: types)
    #expect(
      module.findings.map(\.help) == [
        #"did you mean "port"?"#,
        #"its arguments: "host", "port", "hint", "logger", "cache""#,
        "a file cannot set any argument of this type",
      ])
  }

  @Test func `a key of the other map is suggested only if none of the same map is similar, and is no fix`() {
    let module = CheckedModule(
      """
      "services": {
        "m": { "type": "Mailer", "values": { "host": "h", «CDI0602»"cashe": 1 },
               "inject": { "logger": "l", «CDI0602»"prot": "l" } },
        "l": { "type": "Logger" } }
      """, types: types)
    #expect(
      module.findings.map(\.help) == [
        #"did you mean "cache" under "inject"?"#, #"did you mean "port" under "values"?"#,
      ])
    #expect(module.findings.allSatisfy { $0.fixes.isEmpty })
  }

  @Test func `an argument that is bound by type is suggested for a misspelt one`() {
    let module = CheckedModule(
      """
      "services": { "m": { "type": "Mailer", "autowire": true, "values": { "host": "h" }, "inject": { «CDI0602»"loger": "l" } },
        "l": { "type": "Logger" } }
      """, types: types)
    #expect(module.findings.map(\.help) == [#"did you mean "logger"?"#])
  }

  @Test func `a run-time argument is passed by the look-up and is in neither map`() {
    let module = CheckedModule(
      """
      "services": {
        "m": { "type": "Mailer", "values": { "host": "h", «CDI0602»"user": "u" }, "inject": { "logger": "l" } },
        "n": { "type": "Mailer", "values": { "host": "h" }, "inject": { "logger": "l", «CDI0602»"user": "l" } },
        "l": { "type": "Logger" } },
      "bindings": { "Mailer": "m" }
      """, types: types)
    for finding in module.findings {
      #expect(finding.notes == [#""user" is a run-time argument, which the look-up passes"#])
      #expect(finding.help == nil)
    }
  }

  @Test func `the decorated argument cannot be set in a file, and has no further findings`() {
    let module = CheckedModule(
      """
      "services": {
        "l": { "type": "Logger" },
        "m": { "type": "Mailer", "values": { "host": "h" }, "inject": { "logger": "l" }, "decorate": [
          { "type": "Retry", "values": { "attempts": 1 }, "inject": { «CDI0611»"inner": "m", "clock": "l" } },
          { "type": "Retry", "values": { "attempts": 1, «CDI0611»"inner": 1 }, "inject": { "clock": "l" } } ] } }
      """, types: types)
    #expect(module.findings[0].help == "remove it; the decorator receives the service that it wraps")
  }

  @Test func `arguments of decorators are checked like those of services, missing ones at the bracket`() {
    let module = CheckedModule(
      """
      "services": {
        "l": { "type": "Logger" },
        "m": { "type": "Mailer", "values": { "host": "h" }, "inject": { "logger": "l" }, "decorate": [
          «CDI0603»«CDI0603»{ "type": "Retry" },
          { "type": "Retry", "inject": { "clock": "l", «CDI0602»"clocks": "l", «CDI0611»"attempts": "l" } } ] } }
      """, types: types)
    #expect(
      module.findings.map(\.message).first
        == #"decorator "Retry" of service "m" is missing argument "attempts", which type "Retry" requires"#)
    #expect(module.findings.map(\.path).first == "services.m.decorate[0]")
  }

  @Test func `a value instead of a reference and the reverse are reported at the key, once`() {
    let module = CheckedModule(
      """
      "services": {
        "m": { "type": "Mailer", "values": { «CDI0611»"logger": "l" }, "inject": { «CDI0611»"host": "l" } },
        "l": { "type": "Logger" } }
      """, types: types)
    #expect(module.findings.map(\.help) == [#"move it to "inject""#, #"move it to "values""#])
  }

  @Test func `keys compare by scalars, not by canonical equivalence`() {
    let types = [
      TypeDescriptor(
        name: "T", provides: ["T"],
        arguments: [ArgumentDescriptor(key: "\u{E9}", kind: .value(.string), isOptional: true)])
    ]
    _ = CheckedModule(
      #""services": { "a": { "type": "T", "values": { "é": "precomposed", «CDI0602»"e\#u{301}": "combined" } } }"#,
      types: types)
  }

  @Test func `the fix is a valid JSON string for any key`() throws {
    let types = [
      TypeDescriptor(
        name: "T", provides: ["T"],
        arguments: [ArgumentDescriptor(key: #"a"long"key"#, kind: .value(.string), isOptional: true)])
    ]
    let finding = try CheckedModule(
      #""services": { "a": { "type": "T", "values": { «CDI0602»"a_long_key": "" } } }"#, types: types
    ).finding()
    #expect(finding.fixes.map(\.text) == [#""a\"long\"key""#])
  }
}
