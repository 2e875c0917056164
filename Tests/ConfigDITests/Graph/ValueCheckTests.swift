// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct ValueCheckTests {
  /// Returns a type with one value argument `v`.
  private func type(_ notation: String, isSecret: Bool = false) -> [TypeDescriptor] {
    [type(ValueType(notation: notation), isSecret: isSecret)]
  }

  private func type(_ type: ValueType, isSecret: Bool = false) -> TypeDescriptor {
    TypeDescriptor(
      name: "T", provides: ["T"], arguments: [ArgumentDescriptor(key: "v", kind: .value(type), isSecret: isSecret)])
  }

  @Test(arguments: [
    ("String", "\"a\""), ("Int", "-3"), ("UInt8", "255"), ("Double", "1"), ("Double", "1.5"), ("Float", "2"),
    ("Bool", "true"), ("Duration", "\"1.5s\""), ("Size", "\"16MiB\""), ("Bytes", "\"AAEC\""),
    ("URL", "\"https://example.com\""), ("[Int]", "[]"), ("[Int]", "[1, 2]"), ("[String: Bool]", "{ \"k\": false }"),
    ("[[String: Int?]]?", "[{ \"k\": 1 }]"), ("Settings", "{ \"deep\": [1, \"a\", true] }"), ("Settings", "[1]"),
    ("Settings", "4"),
  ])
  func `matching values have no finding`(notation: String, datum: String) {
    let module = CheckedModule(
      #""services": { "a": { "type": "T", "values": { "v": \#(datum) } } }"#, types: type(notation))
    #expect(module.check.isSound)
  }

  @Test(arguments: [
    ("String", "«CDI0604»1"), ("Int", "«CDI0604»\"1\""), ("Int", "«CDI0604»1.0"), ("UInt8", "«CDI0604»256"),
    ("UInt", "«CDI0604»-1"), ("Double", "«CDI0604»\"1\""), ("Float", "«CDI0604»1e300"), ("Bool", "«CDI0604»1"),
    ("Duration", "«CDI0604»30"), ("Duration", "«CDI0604»\"30 s\""), ("Size", "«CDI0604»\"1.5MB\""),
    ("Bytes", "«CDI0604»\"A\""), ("URL", "«CDI0604»\"example\""), ("Int", "«CDI0604»[1]"), ("Int", "«CDI0604»{ }"),
    ("[Int]", "«CDI0604»1"), ("[Int]", "«CDI0604»{ \"k\": 1 }"), ("[String: Int]", "«CDI0604»[1]"),
    ("[Int]", "[1, «CDI0604»\"2\", 3, «CDI0604»true]"),
    ("[String: [Int]]", "{ \"a\": [1], \"b\": [«CDI0604»\"x\", 2], \"c\": «CDI0604»3 }"),
    ("[Int?]?", "[«CDI0604»\"x\"]"),
  ])
  func `a mismatch is reported at the innermost value`(notation: String, datum: String) {
    _ = CheckedModule(#""services": { "a": { "type": "T", "values": { "v": \#(datum) } } }"#, types: type(notation))
  }

  @Test func `the values of an enumeration are listed`() throws {
    let types = [type(.oneOf(["debug", "info"]))]
    let finding = try CheckedModule(
      #""services": { "a": { "type": "T", "values": { "v": «CDI0604»"debugg" } } }"#, types: types
    ).finding()
    #expect(finding.message.contains(#""debug""#) && finding.message.contains(#""info""#))
  }

  @Test func `the message names the argument and its service`() throws {
    let finding = try CheckedModule(
      #""services": { "a": { "type": "T", "values": { "v": [«CDI0604»70000] } } }"#, types: type("[UInt16]")
    ).finding()
    #expect(
      finding.message == #"argument "v" of service "a": expected an integer from 0 to 65535, found 70000"#)
    #expect(finding.path == "services.a.values.v[0]")
  }

  @Test func `a mismatch from a placeholder is reported at its string, once`() {
    _ = CheckedModule(
      """
      "parameters": { "list": [1, "x", true], "n": 5, "t": "30s", "d": { "value": "30s", "type": "duration" } },
      "services": {
        "a": { "type": "T", "values": { "v": «CDI0604»"${list}" } },
        "b": { "type": "T", "values": { "v": ["${n}", «CDI0604»"${t}", «CDI0604»"n${n}"] } },
        "c": { "type": "T", "values": { "v": [«CDI0604»"${d}"] } } },
      "bindings": { "T": "a" }
      """, types: type("[Int]"))
  }

  @Test func `a duration or size parameter is valid for a string, a bare integer is no duration`() {
    _ = CheckedModule(
      """
      "parameters": { "d": { "value": "30s", "type": "duration" }, "n": 30 },
      "services": { "a": { "type": "T", "values": { "v": "${d}" } }, "b": { "type": "T", "values": { "v": «CDI0604»"${n}" } } },
      "bindings": { "T": "a" }
      """, types: type("String"))
    _ = CheckedModule(
      """
      "parameters": { "d": { "value": "30s", "type": "duration" }, "n": 30 },
      "services": { "a": { "type": "T", "values": { "v": "${d}" } }, "b": { "type": "T", "values": { "v": «CDI0604»"${n}" } } },
      "bindings": { "T": "a" }
      """, types: type("Duration"))
  }

  @Test(arguments: ["string", "int", "double", "bool", "duration", "size", "list", "json"])
  func `an unset variable is checked by its declared type`(declared: String) {
    let fitting: [String: [String]] = [
      "string": ["string", "duration", "size", "json"], "int": ["int", "json"], "double": ["int", "double", "json"],
      "bool": ["bool", "json"], "duration": ["string", "duration", "json"], "size": ["string", "size", "json"],
      "list": ["list", "json"],
    ]
    let notations = [
      "string": "String", "int": "Int", "double": "Double", "bool": "Bool", "duration": "Duration", "size": "Size",
      "list": "[String]",
    ]
    for (wanted, notation) in notations {
      let mark = fitting[wanted, default: []].contains(declared) ? "" : "«CDI0604»"
      _ = CheckedModule(
        """
        "parameters": { "p": { "env": "P", "type": "\(declared)" } },
        "services": { "a": { "type": "T", "values": { "v": \(mark)"${p}" } } }
        """, types: type(notation))
    }
  }

  @Test func `an unset variable fits an enumeration if a value of its type does`() {
    for (declared, wanted) in [("string", true), ("duration", true), ("int", true), ("double", false), ("bool", false)]
    {
      let mark = wanted ? "" : "«CDI0604»"
      _ = CheckedModule(
        """
        "parameters": { "p": { "env": "P", "type": "\(declared)" } },
        "services": { "a": { "type": "T", "values": { "v": \(mark)"${p}" } } }
        """, types: [type(.oneOf(["debug", 3]))])
    }
  }

  @Test func `an unset list contains strings, and an unset value inside a string is a string`() {
    let module = CheckedModule(
      """
      "parameters": { "l": { "env": "L", "type": "list" }, "n": { "env": "N", "type": "int" } },
      "services": {
        "a": { "type": "T", "values": { "v": «CDI0604»"${l}" } }, "b": { "type": "T", "values": { "v": ["${n}"] } },
        "c": { "type": "T", "values": { "v": [«CDI0604»"${n}0"] } } },
      "bindings": { "T": "a" }
      """, types: type("[Int]"))
    #expect(
      module.findings.map { $0.message.split(separator: "found ").last } == [
        #"<unset L> of type "list""#, #"<unset N> of type "string""#,
      ])
    _ = CheckedModule(
      """
      "parameters": { "l": { "env": "L", "type": "list" } },
      "services": { "a": { "type": "T", "values": { "v": "${l}" } } }
      """, types: type("[String?]?"))
  }

  @Test func `a set variable is checked by its value`() {
    let module = { (mark: String, port: String) in
      CheckedModule(
        """
        "parameters": { "p": { "env": "PORT", "type": "int" } },
        "services": { "a": { "type": "T", "values": { "v": \(mark)"${p}" } } }
        """, types: type("UInt16"), variables: ["PORT": port])
    }
    _ = module("", "65535")
    _ = module("«CDI0604»", "65536")
  }

  @Test func `a reported error is not reported again`() {
    _ = CheckedModule(
      """
      "parameters": { "p": { "env": «CDI0406»"PORT", "type": "int" }, "c": «CDI0402»"${c}" },
      "services": { "a": { "type": "T", "values": { "v": "${p}" } }, "b": { "type": "T", "values": { "v": "${c}" } },
        "c": { "type": "T", "values": { "v": «CDI0403»"${" } } },
      "bindings": { "T": "a" }
      """, types: type("String"), variables: ["PORT": "x"])
  }
}

// MARK: - Secrets

struct SecretValueTests {
  private let types = [
    TypeDescriptor(
      name: "T", provides: ["T"],
      arguments: [
        ArgumentDescriptor(key: "open", kind: .value(.named("Any")), isOptional: true),
        ArgumentDescriptor(key: "text", kind: .value(.string), isOptional: true),
        ArgumentDescriptor(key: "numbers", kind: .value(.list(.integer(.Int))), isOptional: true, isSecret: true),
        ArgumentDescriptor(key: "pass", kind: .value(.string), isOptional: true, isSecret: true),
      ])
  ]

  @Test func `a secret is valid only for arguments declared secret, reported at the innermost value`() throws {
    let module = CheckedModule(
      """
      "parameters": { "pw": { "env": "PW", "secret": true }, "nested": "a ${pw}" },
      "services": { "a": { "type": "T", "values": {
        "pass": "${pw}", "text": «CDI0614»"x${pw}",
        "open": { "list": ["a", «CDI0614»"${nested}"], "map": { "k": «CDI0614»"${pw}" } } } } }
      """, types: types, variables: ["PW": "hunter2"])
    #expect(module.findings[0].message.contains(#""pw""#))
    #expect(!module.text.contains("hunter2"))
  }

  @Test func `a mismatching secret is reported without its text, also inside a list`() {
    let module = CheckedModule(
      """
      "parameters": { "words": { "value": ["hunter2", "swordfish"], "secret": true } },
      "services": { "a": { "type": "T", "values": { "numbers": «CDI0604»"${words}" } } }
      """, types: types)
    #expect(!module.text.contains("hunter2"))
    #expect(!module.text.contains("swordfish"))
  }

  @Test func `an unset secret is treated as a secret`() {
    _ = CheckedModule(
      """
      "parameters": { "pw": { "env": "PW", "secret": true } },
      "services": { "a": { "type": "T", "values": { "text": «CDI0614»"${pw}", "pass": "${pw}" } } }
      """, types: types)
  }

  @Test func `without types, and for an unknown type, secrets have no findings`() {
    let services = { (mark: String) in
      """
      "parameters": { "pw": { "env": "PW", "secret": true } },
      "services": { "a": { "type": \(mark)"U", "values": { "text": "${pw}" } } }
      """
    }
    _ = CheckedModule(services(""))
    _ = CheckedModule(services("«CDI0601»"), types: types)
  }
}
