// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct ParameterConversionTests {
  /// A type with texts that convert to it, their values, and texts that do not convert.
  struct Conversion: Sendable {
    /// The type's name in a module file.
    let type: String
    /// The texts that convert, with their values.
    var values: [(text: String, value: Value)] = []
    /// The invalid texts.
    var failures: [String] = []
  }

  /// All types with their texts. A separate test covers the empty text.
  private static let conversions: [Conversion] = [
    Conversion(type: "string", values: [("x", "x"), (" ", " "), ("${p}", "${p}"), ("1", "1"), ("a\n", "a\n")]),
    Conversion(
      type: "int",
      values: [
        ("0", 0), ("-0", 0), ("+5", 5), ("-5", -5), ("007", 7), ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)),
      ],
      failures: ["9223372036854775808", " 1", "1 ", "1.0", "1e3", "0x10", "+", "-", "--1", "1_000", "١", "true"]),
    Conversion(
      type: "double",
      values: [
        ("0", 0.0), ("1", 1.0), ("-1.5", -1.5), ("1e3", 1000.0), ("1E-2", 0.01),
        ("123456789012345678901234567890", 1.2345678901234568e29),
        ("9223372036854775808", 9223372036854775808.0),
      ],
      failures: [
        "+1", ".5", "1.", "01", "1e", "inf", "nan", "Infinity", "0x1p3", " 1", "1 ", "1e999", "-1e999", "1,5", "--1",
        "-",
        String(repeating: "9", count: 400), "\"1\"", "[1]",
      ]),
    Conversion(
      type: "bool", values: [("true", true), ("false", false)],
      failures: ["True", "TRUE", "1", "0", "yes", "on", " true"]),
    Conversion(
      type: "duration",
      values: ["1ns", "2us", "3ms", "1.5s", "10m", "1h", "2d", "0s", "00.50s"].map { ($0, .duration($0)) },
      failures: ["1", "s", "-1s", "+1s", "1 s", "1S", "1.s", ".5s", "1e3s", "1min", "1s ", "99999999999999999999d"]),
    Conversion(
      type: "size", values: ["0B", "1kB", "2MB", "3GB", "4KiB", "5MiB", "6GiB"].map { ($0, .size($0)) },
      failures: ["1", "1.5MB", "-1B", "1 kB", "1KB", "1mb", "1TB", "MB", "99999999999GiB"]),
    Conversion(
      type: "list",
      values: [
        ("a", ["a"]), ("a,b", ["a", "b"]), (" a , b\t", ["a", "b"]), ("a,,b", ["a", "", "b"]), (",", ["", ""]),
        (" ", [""]),
        ("a\r\n,b", ["a", "b"]), ("a b", ["a b"]), ("\u{301}a,\u{301}b", ["\u{301}a", "\u{301}b"]),
      ]),
    Conversion(
      type: "json",
      values: [
        ("1", 1), ("\"x\"", "x"), ("[1, 2.5]", [1, 2.5]), (#" {"b": true, "a": "${p}"} "#, ["a": "${p}", "b": true]),
      ],
      failures: ["{", "x", "null", "[null]", #"{"a": 1, "a": 2}"#, "1 2", "1e999"]),
  ]

  @Test(arguments: conversions) func `the text of a variable is converted strictly`(conversion: Conversion) throws {
    let files = ["app.json": module(#""parameters": {"p": {"env": "V", "type": "\#(conversion.type)"}}"#)]
    for (text, value) in conversion.values {
      let parameter = try resolved(files, variables: ["V": text])["parameters"]?["p"]
      #expect(parameter?["value"] == value, "\(text)")
      #expect(parameter?["type"] == .string(conversion.type))
    }
    let marked = ["app.json": module(#""parameters": {"p": {"env": «CDI0406»"V", "type": "\#(conversion.type)"}}"#)]
    for text in conversion.failures {
      let module = expectFindings(in: marked, variables: ["V": text])
      #expect(module.findingsText.contains("\"V\""))
    }
  }

  @Test(arguments: conversions) func `the text of a file is converted like a variable, without one final line break`(
    conversion: Conversion
  ) throws {
    let parameter = module(#""parameters": {"p": {"file": "f", "type": "\#(conversion.type)"}}"#)
    for (text, value) in conversion.values {
      for ending in ["\n", "\r\n"] {
        #expect(try resolved(["app.json": parameter, "f": text + ending]).parameter("p") == value, "\(text)")
      }
      if !text.hasSuffix("\n") { #expect(try resolved(["app.json": parameter, "f": text]).parameter("p") == value) }
    }
    let marked = module(#""parameters": {"p": {"file": «CDI0406»"f", "type": "\#(conversion.type)"}}"#)
    for text in conversion.failures { expectFindings(in: ["app.json": marked, "f": text]) }
  }

  @Test func `only one line break is removed, and the text must be UTF-8`() throws {
    var files = MemoryFiles(texts: [
      "app.json": module(#""parameters": {"p": {"file": "f"}, "q": {"file": "g"}, "e": {"file": "e"}}"#), "f": "a\n\n",
      "g": "\n", "e": "",
    ])
    let resolved = LoadedModule(files).resolved
    #expect(resolved?.parameter("p") == "a\n")
    #expect(resolved?.parameter("q") == "")
    #expect(resolved?.parameter("e") == "")
    files["f"] = [0x61, 0xFF]
    #expect(LoadedModule(files).reported == ["app.json:1:61 CDI0406"])
  }

  @Test func `an empty variable is unset for every type but string and list`() throws {
    for type in ParameterType.declarable {
      let literal = [
        "string": "\"d\"", "int": "1", "double": "1.5", "bool": "true", "duration": "\"1s\"", "size": "\"1B\"",
        "list": "[1]", "json": "{}",
      ]
      let fallback = try #require(literal[type.rawValue])
      let files = [
        "app.json": module(#""parameters": {"p": {"env": "V", "type": "\#(type.rawValue)", "default": \#(fallback)}}"#)
      ]
      let loaded = LoadedModule(files, .init(variables: ["V": ""]))
      let isEmptyValue = type == .string || type == .list
      #expect(loaded.check.sources(.env).map(\.isSet) == [isEmptyValue])
      let value = loaded.resolved?.parameter("p")
      #expect(isEmptyValue ? value == "" || value == [] : value != nil && value != "")
      #expect(LoadedModule(files).resolved?.parameter("p") != nil)
    }
  }

  @Test func `a failed conversion is an error and does not use the default`() {
    expectFindings(
      in: ["app.json": module(#""parameters": {"p": {"env": «CDI0406»"V", "type": "int", "default": 1}}"#)],
      variables: ["V": "x"])
  }

  @Test func `literals are converted to the declared type`() throws {
    let resolved = try resolved([
      "app.json": module(
        #"""
        "parameters": {"d": {"value": 5, "type": "double"}, "t": {"value": "1s", "type": "duration"}, "z": {"value": "1B", "type": "size"},
          "f": {"env": "F", "type": "double", "default": 5}, "of": {"value": "${i}", "type": "double"}, "i": 5, "text": {"value": "${t}", "type": "string"}},
        "services": {"s": {"type": "S", "values": {"d": "${d}", "text": "x${d}"}}}
        """#)
    ])
    #expect(resolved.parameter("d") == 5.0)
    #expect(resolved.parameter("f") == 5.0)
    #expect(resolved.parameter("of") == 5.0)
    #expect(resolved.parameter("t") == .duration("1s"))
    #expect(resolved.parameter("z") == .size("1B"))
    #expect(resolved.parameter("text") == "1s")
    #expect(resolved.values(of: "s") == ["d": 5.0, "text": "x5.0"])
  }

  @Test(arguments: [
    ("int", #""min": 2, "max": 4"#, ["2", "4"], ["1", "5"]),
    ("double", #""min": 0, "max": 0.5"#, ["0", "0.5"], ["-0.1", "0.51"]),
    ("duration", #""min": "1s", "max": "1m"# + "\"", ["1000ms", "60s"], ["999ms", "61s"]),
    ("size", #""min": "1kB", "max": "1KiB""#, ["1000B", "1024B"], ["999B", "1025B"]),
    ("string", #""oneOf": ["a", ""]"#, ["a", ""], ["A", "b"]),
    ("list", #""oneOf": [["a", "b"]]"#, ["a, b"], ["a", "b,a"]),
    ("json", #""oneOf": [{"a": 1, "b": 2}]"#, [#"{"b": 2, "a": 1}"#], [#"{"a": 1}"#]),
    ("bool", #""oneOf": [true]"#, ["true"], ["false"]),
  ])
  func `violated bounds are reported at the source, with the allowed values`(
    type: String, bounds: String, inside: [String], outside: [String]
  ) {
    func files(_ mark: String) -> [String: String] {
      ["app.json": module(#""parameters": {"p": {"env": \#(mark)"V", "type": "\#(type)", \#(bounds)}}"#)]
    }
    for text in inside { expectFindings(in: files(""), variables: ["V": text]) }
    for text in outside {
      let module = expectFindings(in: files("«CDI0407»"), variables: ["V": text])
      #expect(
        module.findingsText.contains("\"V\"")
          && (module.findingsText.contains("must be one of") || module.findingsText.contains("must be at least")
            || module.findingsText.contains("must be at most"))
      )
    }
  }

  @Test(arguments: [
    (#""type": "int""#, "abc", #"is "abc", which is not an integer"#),
    (#""type": "int""#, "9223372036854775808", #"is "9223372036854775808", which is out of range"#),
    (#""type": "duration""#, "99999999999999999999d", #"is "99999999999999999999d", which is out of range"#),
    (#""type": "size""#, "99999999999GiB", #"is "99999999999GiB", which is out of range"#),
    (#""type": "duration""#, "30", #"is "30", which is not a duration such as "1.5s""#),
    (#""oneOf": ["q"]"#, "abc", #"is "abc", but must be one of "q""#),
    (#""oneOf": []"#, "abc", #"is "abc", but must be one of the values in "oneOf", which is empty"#),
    (#""type": "int", "max": 5"#, "+06", "is +06, but must be at most 5"),
    (#""type": "double", "max": 5"#, "1e3", "is 1e3, but must be at most 5.0"),
    (#""type": "list", "oneOf": [["a", "b"]]"#, "zz", #"is ["zz"], but must be one of ["a", "b"]"#),
    (
      #""type": "json", "oneOf": [{"a": 1, "b": [true]}]"#, #"{"a": 2}"#,
      #"is {"a": 2}, but must be one of {"a": 1, "b": [true]}"#
    ),
  ])
  func `the text of a variable or a file is shown with the allowed values`(
    type: String, text: String, message: String
  ) {
    for (source, name) in [("env", "variable"), ("file", "file")] {
      let app = module(#""parameters": {"p": {"\#(source)": "V", \#(type)}}"#)
      let findings = LoadedModule(["app.json": app, "V": text], .init(variables: ["V": text])).check.diagnostics
      #expect(findings.first { $0.severity == .error }?.message == "\(name) \"V\" \(message)")
      let hidden = LoadedModule(
        ["app.json": app.replacing("\"V\",", with: "\"V\", \"secret\": true,"), "V": text],
        .init(variables: ["V": text]))
      #expect(!hidden.check.isSound && !hidden.findingsText.contains(text))
    }
  }

  @Test func `a long text is abbreviated in the middle`() throws {
    let app = module(#""parameters": {"p": {"file": "f", "type": "int"}}"#)
    let text = "begin" + String(repeating: "x", count: 5_000) + "end"
    let findings = LoadedModule(["app.json": app, "f": text]).check.diagnostics
    let message = try #require(findings.first { $0.code == .failedConversion }?.message)
    #expect(message.contains("\"begin") && message.contains("end\", which") && message.utf8.count < 400)
  }

  @Test(arguments: [("null", "null"), (#"{"a": 1, "a": 2}"#, "\"a\""), ("1e999", "range")])
  func `an invalid JSON text is reported with the reason`(text: String, word: String) {
    let app = module(#""parameters": {"p": {"env": "V", "type": "json"}}"#)
    let findings = LoadedModule(["app.json": app], .init(variables: ["V": text])).check.diagnostics
    #expect(findings.first { $0.code == .failedConversion }?.notes.first?.contains(word) == true, "\(findings)")
  }

  @Test func `bounds are checked after expansion`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"n": 5, "a": {"value": «CDI0407»"x${n}", "oneOf": ["x6"]}, "b": {"value": "x${n}", "oneOf": ["x5"]},
          "c": {"value": «CDI0407»["${n}"], "oneOf": [[6]]}, "d": {"value": ["${n}"], "oneOf": [[5]]},
          "e": {"value": «CDI0202»"${n}", "type": "bool"}, "f": {"value": «CDI0202»["${n}"], "type": "int"},
          "g": {"value": «CDI0202»"${l}", "type": "string"}, "l": [], "h": {"value": «CDI0202»"x${n}", "type": "duration"},
          "i": {"value": "${n}ms", "type": "duration", "max": "1s"}}
        """#)
    ])
  }
}
