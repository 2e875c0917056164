// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct InterpolationTests {
  /// Returns a datum after expansion with the parameters of the test.
  private func expanded(_ datum: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Value? {
    try resolved(
      [
        "app.json": module(
          #"""
          "parameters": {"s": "text", "i": 7, "d": 1.5, "w": {"value": 2, "type": "double"}, "big": 1e300, "tiny": 1e-7, "neg": -0.0,
            "b": true, "t": {"value": "1.50s", "type": "duration"}, "z": {"value": "16MiB", "type": "size"}, "l": [1, "${s}"], "m": {"value": {"k": "${i}"}},
            "a.b-c": "dotted", "quoted": "$${s}", "env": {"env": "E"}, "e": ""},
          "services": {"s": {"type": "S", "values": {"v": \#(datum)}}}
          """#)
      ], variables: ["E": "${s} $${s}"], sourceLocation: sourceLocation
    ).values(of: "s")?["v"]
  }

  @Test(arguments: [
    (#""${s}""#, "text" as Value), (#""${i}""#, 7), (#""${d}""#, 1.5), (#""${b}""#, true), (#""${a.b-c}""#, "dotted"),
    (#""${e}""#, ""),
    (#""${t}""#, .duration("1.50s")), (#""${z}""#, .size("16MiB")), (#""${l}""#, .list([1, "text"])),
    (#""${m}""#, .map([.init(key: "k", value: 7)])), (#""x${s}y""#, "xtexty"), (#""${s}${s}""#, "texttext"),
    (#"" ${i}""#, " 7"),
    (#""${i} ${d} ${w} ${b} ${t} ${z}""#, "7 1.5 2.0 true 1.50s 16MiB"),
    (#""${big} ${tiny} ${neg}""#, "1e+300 1e-07 -0.0"),
    (#""$${s}""#, "${s}"), (#""$$${s}""#, "$${s}"), (#""$$$${s}""#, "$$${s}"), (#""$${${s}""#, "${text"),
    (#""$""#, "$"), (#""$$""#, "$$"),
    (#""$s {s} $ {s}""#, "$s {s} $ {s}"), (#""${s}}""#, "text}"), (#""{${s}}""#, "{text}"), (#""$${""#, "${"),
    (#""a$${b""#, "a${b"),
    (#""${quoted}""#, "${s}"), (#""x${quoted}""#, "x${s}"), (#""${env}""#, "${s} $${s}"),
    (#""x${env}""#, "x${s} $${s}"), (#""é${s}日""#, "étext日"),
    (#"["${s}", {"${s}": "${i}"}]"#, .list(["text", .map([.init(key: "${s}", value: 7)])])), (#""\u0024{s}""#, "text"),
  ])
  func `placeholders are replaced by parameters`(datum: String, value: Value) throws {
    #expect(try expanded(datum) == value)
  }

  @Test(arguments: [
    (#""${"#, 403), (#""${}"#, 403), (#""${s"#, 403), (#""x${ s}"#, 403), (#""${1}"#, 403), (#""${s}${"#, 403),
    (#""${a b}"#, 403), (#""${${s}}"#, 403),
    (#""${é}"#, 403), (#""${s:-x}"#, 403), (#""${no}"#, 401), (#""x${no}y"#, 401), (#""${S}"#, 401), (#""x${l}"#, 404),
    (#""${m}x"#, 404),
  ])
  func `invalid and unknown placeholders are reported at the string`(text: String, code: Int) {
    let mark = "«CDI0\(code)»"
    expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"s": "x", "l": [], "m": {"value": {}}, "p": \#(mark)\#(text)", "deep": {"value": {"k": [\#(mark)\#(text)"]}}},
        "services": {"s": {"type": "S", "values": {"v": \#(mark)\#(text)", "w": [{"k": \#(mark)\#(text)"}]}}}
        """#)
    ])
  }

  @Test func `strings elsewhere are not expanded`() throws {
    let resolved = try resolved([
      "app.json": module(
        #"""
        "parameters": {"p": {"env": "E", "default": "${no}", "oneOf": ["${no}"]}, "x": {"value": "a", "deprecated": "${no}"}},
        "services": {"s": {"type": "S", "deprecated": "${no}", "doc": "${no}", "x-a": "${", "values": {"${no}": 1}}}
        """#)
    ])
    #expect(resolved.parameter("p") == "${no}")
    #expect(resolved.values(of: "s") == ["${no}": 1])
  }

  @Test func `an unknown parameter has suggestions`() throws {
    let module = expectFindings(in: [
      "app.json": module(#""parameters": {"mail.host": "x", "a": «CDI0401»"${mail.hots}"}"#)
    ])
    #expect(module.findingsText.contains("did you mean \"mail.host\"?"))
  }

  @Test func `a cycle of parameters is reported once, at its smallest member, with the chain`() {
    let files = [
      "app.json": module(
        #""parameters": {"c": "${a}", "b": ["x", {"k": "y${c}"}], "a": {"value": «CDI0402»"${b}"}, "user": "${a}"}"#)
    ]
    #expect(expectFindings(in: files).findingsText.contains("a -> b -> c -> a"))
    let own = expectFindings(in: ["app.json": module(#""parameters": {"a": «CDI0402»"x${a}"}"#)])
    #expect(own.findingsText.contains("a -> a"))
    expectFindings(in: [
      "app.json": module(#""parameters": {"a": «CDI0402»"${b}${d}", "b": "${a}", "d": "${c}", "c": «CDI0402»"${d}"}"#)
    ])
    expectFindings(
      in: ["app.json": module(#""parameters": {"a": "${b}", "b": "${a}"}"#)],
      layers: [.text(module(#""override": {"parameters": {"b": {"env": "B"}}}"#))])
  }

  @Test func `consequences of an error are not reported again`() {
    expectFindings(
      in: [
        "app.json": module(
          #"""
          "parameters": {"p": {"env": «CDI0406»"E", "type": "int"}, "q": "${p}", "r": "x${q}${l}", "l": ["${p}"], "t": {"value": "${p}", "type": "bool"}},
          "services": {"s": {"type": "S", "values": {"v": "${q}", "w": "x${r}"}}}
          """#.replacing(#""x${q}${l}""#, with: #"«CDI0404»"x${q}${l}""#))
      ], variables: ["E": "x"])
  }
}
