// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

/// Modules that want too much: they must be refused, or done in time in proportion to their size.
///
/// The limits of time are far above what linear work takes and far below what quadratic work would.
@Suite(.timeLimit(.minutes(1))) struct HostileModuleTests {
  /// Parameters `p0` to `p<count>`, each with a literal made from the one before.
  private func chain(_ count: Int, first: String, _ literal: (String) -> String) -> String {
    let rest = (1...count).map { "\"p\($0)\": \(literal("${p\($0 - 1)}"))" }.joined(separator: ", ")
    return "\"parameters\": {\"p0\": \(first), \(rest)}"
  }

  /// The codes of all errors.
  private func codes(_ body: String) -> Set<DiagnosticCode> {
    Set(LoadedModule(["app.json": module(body)]).check.diagnostics.map(\.code).filter { $0.severity == .error })
  }

  @Test func `texts that double with each step are refused`() {
    #expect(codes(chain(100, first: "\"xx\"") { "\"\($0)\($0)\"" }) == [.tooLarge])
  }

  @Test func `lists that double with each step are refused`() {
    #expect(codes(chain(100, first: "[1]") { "[\"\($0)\", \"\($0)\"]" }) == [.tooLarge])
    #expect(codes(chain(100, first: "[1]") { "{\"value\": {\"a\": \"\($0)\", \"b\": \"\($0)\"}}" }) == [.tooLarge])
  }

  @Test func `one large parameter in many places is refused once`() {
    let large = "[" + repeatElement("1", count: 50_000).joined(separator: ",") + "]"
    let places = (0..<2_000).map { "\"k\($0)\": \"${large}\"" }.joined(separator: ", ")
    let module = LoadedModule([
      "app.json": module(
        #""parameters": {"large": \#(large)}, "services": {"s": {"type": "S", "values": {\#(places)}}}"#)
    ])
    #expect(module.told.count == 1)
    #expect(module.check.diagnostics.contains { $0.code == .tooLarge })
  }

  @Test func `values that nest deeper with each step are refused`() {
    #expect(codes(chain(127, first: "[1]") { "[\"\($0)\"]" }) == [])
    #expect(codes(chain(128, first: "[1]") { "[\"\($0)\"]" }) == [.nestedTooDeeply])
  }

  @Test func `what is nested too deeply is told once, not again by what uses it`() {
    let literals: [(String) -> String] = [{ "[\"\($0)\"]" }, { "{\"value\": {\"k\": \"\($0)\"}}" }]
    for literal in literals {
      let module = LoadedModule(["app.json": ConfigDITests.module(chain(20_000, first: "[1]", literal))])
      #expect(module.told.map { $0.suffix(7) } == ["CDI0105"])
    }
  }

  @Test func `a long chain of parameters has a value`() throws {
    let count = 10_000
    let check = LoadedModule(["app.json": module(chain(count, first: "7") { "\"\($0)\"" })]).check
    let definition = try #require(check.compositions[0].definition)
    let values = definition.parameters.map(\.value.value)
    #expect(values.count == count + 1 && values.allSatisfy { $0 == 7 })
    #expect(codes(chain(count, first: "\"${p\(count)}\"") { "\"\($0)\"" }) == [.parameterCycle])
  }

  @Test func `a long chain of imports is followed`() throws {
    let count = 3_000
    var files = ["app.json": module(#""imports": ["f1.json"]"#)]
    for number in 1...count {
      let next = number < count ? "\"f\(number + 1).json\"" : ""
      files["f\(number).json"] = module(#""imports": [\#(next)], "parameters": {"p\#(number)": \#(number)}"#)
    }
    #expect(try resolved(files).parameter("p\(count)") == .integer(Int64(count)))
    files["f\(count).json"] = module(#""imports": ["f1.json"]"#)
    #expect(LoadedModule(files).told.map { $0.suffix(7) } == ["CDI0302"])
  }

  /// A map of as many entries as quadratic work on them would take minutes for.
  private func entries(_ count: Int, _ value: String) -> String {
    (0..<count).map { "\"key number \($0)\": \(value)" }.joined(separator: ", ")
  }

  @Test func `overrides of a map with very many keys are linear`() throws {
    let count = 50_000
    let clock = ContinuousClock()
    var module: LoadedModule?
    let time = clock.measure {
      module = LoadedModule([
        "app.json": ConfigDITests.module(
          #"""
          "services": {"b": {"type": "B"}, "s": {"type": "S", "inject": {\#(entries(count, "\"b\""))}, "values": {"m": {\#(entries(count, "1"))}}},
            "t": {"type": "T", "values": {\#(entries(count, "1"))}}},
          "override": {"services": {"s": {"inject": {\#(entries(count, "[\"b\"]"))}, "values": {"m": {\#(entries(count + 1, "2"))}}},
            "t": {"inject": {\#(entries(count / 2, "\"b\""))}, "values": {"more": 1}}}}
          """#)
      ])
    }
    let resolved = try #require(module?.resolved)
    #expect(resolved.values(of: "s")?["m"]?["key number \(count)"] == 2)
    #expect(resolved.inject(of: "s")?["key number 7"] == ["b"])
    #expect(resolved.inject(of: "t")?["key number 7"] == "b")
    #expect(resolved.values(of: "t")?["key number 7"] == nil)
    #expect(time < .seconds(30))
  }

  @Test func `many overrides of one section are linear`() throws {
    let count = 20_000
    let services = (0..<count).map { "\"s\($0)\": {\"type\": \"S\", \"values\": {\"k\": 1}}" }.joined(separator: ", ")
    let patches = (0..<count).map { "\"s\($0)\": {\"values\": {\"k\": 2}}" }.joined(separator: ", ")
    let missing = (0..<100).map { "\"t\($0)\": {\"type\": \"T\"}" }.joined(separator: ", ")
    let removed = (0..<count / 2).map { "\"s\($0)\"" }.joined(separator: ", ")
    let module = LoadedModule(
      [
        "app.json": module(#""services": {\#(services)}"#),
        "l.json": module(#""override": {"services": {\#(patches)}}, "replace": {"services": {\#(missing)}}"#),
      ], .init(layers: ["l.json", .text(ConfigDITests.module(#""remove": {"services": [\#(removed)]}"#))]))
    #expect(module.told.count == 100)
    #expect(module.check.compositions[0].definition?.services.count == count - count / 2)
  }

  @Test func `texts with very many placeholders are linear`() throws {
    let text = String(repeating: "${p}-", count: 100_000)
    let resolved = try resolved(["app.json": module(#""parameters": {"p": "x", "t": "\#(text)"}"#)])
    let isExpanded = resolved.parameter("t") == .string(String(repeating: "x-", count: 100_000))
    #expect(isExpanded)
    expectFindings(in: [
      "app.json": module(#""parameters": {"t": «CDI0403»"\#(String(repeating: "${", count: 300_000))"}"#)
    ])
  }
}
