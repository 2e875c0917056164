// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Modules of extreme size: each must be rejected, or loaded in time linear in its size.
///
/// The time limits are far above what linear work takes, and far below what quadratic work would take.
@Suite(.hangLimit) struct HostileModuleTests {
  /// Parameters `p0` to `p<count>`, each with a literal that uses the parameter before it.
  private func chain(_ count: Int, first: String, _ literal: (String) -> String) -> String {
    let rest = (1...count).map { "\"p\($0)\": \(literal("${p\($0 - 1)}"))" }.joined(separator: ", ")
    return "\"parameters\": {\"p0\": \(first), \(rest)}"
  }

  /// Returns the codes of all errors of a module.
  private func codes(_ body: String, _ limits: Limits = Limits()) -> Set<DiagnosticCode> {
    let check = LoadedModule(["app.json": module(body)], .init(limits: limits)).check
    return Set(check.diagnostics.map(\.code).filter { $0.severity == .error })
  }

  @Test func `strings that double at each step are rejected`() {
    #expect(codes(chain(100, first: "\"xx\"") { "\"\($0)\($0)\"" }) == [.tooLarge])
  }

  @Test func `lists that double at each step are rejected`() {
    let limits = Limits(fileSize: LongTests.size(1 << 16, full: 16 << 20))
    #expect(codes(chain(100, first: "[1]") { "[\"\($0)\", \"\($0)\"]" }, limits) == [.tooLarge])
    let maps = chain(100, first: "[1]") { "{\"value\": {\"a\": \"\($0)\", \"b\": \"\($0)\"}}" }
    #expect(codes(maps, limits) == [.tooLarge])
  }

  @Test func `one large parameter with many uses is rejected once`() {
    let large = "[" + repeatElement("1", count: LongTests.size(5_000, full: 50_000)).joined(separator: ",") + "]"
    let places = (0..<2_000).map { "\"k\($0)\": \"${large}\"" }.joined(separator: ", ")
    let module = LoadedModule([
      "app.json": module(
        #""parameters": {"large": \#(large)}, "services": {"s": {"type": "S", "values": {\#(places)}}}"#)
    ])
    #expect(module.reported.count == 1)
    #expect(module.check.diagnostics.contains { $0.code == .tooLarge })
  }

  @Test func `values that nest deeper at each step are rejected`() {
    #expect(codes(chain(127, first: "[1]") { "[\"\($0)\"]" }) == [])
    #expect(codes(chain(128, first: "[1]") { "[\"\($0)\"]" }) == [.nestedTooDeeply])
  }

  @Test func `excessive nesting is reported once, and not again by its users`() {
    let count = LongTests.size(500, full: 2_000)
    let literals: [(String) -> String] = [{ "[\"\($0)\"]" }, { "{\"value\": {\"k\": \"\($0)\"}}" }]
    for literal in literals {
      let module = LoadedModule(["app.json": _ConfigDITestSupport.module(chain(count, first: "[1]", literal))])
      #expect(module.reported.map { $0.suffix(7) } == ["CDI0105"])
    }
  }

  @Test func `a long chain of parameters has a value`() throws {
    let count = LongTests.size(700, full: 10_000)
    let check = LoadedModule(["app.json": module(chain(count, first: "7") { "\"\($0)\"" })]).check
    let definition = try #require(check.compositions[0].definition)
    let values = definition.parameters.map(\.value.value)
    #expect(values.count == count + 1 && values.allSatisfy { $0 == 7 })
    #expect(codes(chain(count, first: "\"${p\(count)}\"") { "\"\($0)\"" }) == [.parameterCycle])
  }

  @Test func `a long chain of imports is followed`() throws {
    let count = LongTests.size(500, full: 3_000)
    var files = ["app.json": module(#""imports": ["f1.json"]"#)]
    for number in 1...count {
      let next = number < count ? "\"f\(number + 1).json\"" : ""
      files["f\(number).json"] = module(#""imports": [\#(next)], "parameters": {"p\#(number)": \#(number)}"#)
    }
    #expect(try resolved(files).parameter("p\(count)") == .integer(Int64(count)))
    files["f\(count).json"] = module(#""imports": ["f1.json"]"#)
    #expect(LoadedModule(files).reported.map { $0.suffix(7) } == ["CDI0302"])
  }

  /// Returns the entries of a map. The tests ask for so many that quadratic work on them would take minutes.
  private func entries(_ count: Int, _ value: String) -> String {
    (0..<count).map { "\"key number \($0)\": \(value)" }.joined(separator: ", ")
  }

  @Test func `overrides of very many keys of a map apply`() throws {
    let count = LongTests.size(1_200, full: 50_000)
    let module = LoadedModule([
      "app.json": _ConfigDITestSupport.module(
        #"""
        "services": {"b": {"type": "B"}, "s": {"type": "S", "inject": {\#(entries(count, "\"b\""))}, "values": {"m": {\#(entries(count, "1"))}}},
          "t": {"type": "T", "values": {\#(entries(count, "1"))}}},
        "override": {"services": {"s": {"inject": {\#(entries(count, "[\"b\"]"))}, "values": {"m": {\#(entries(count + 1, "2"))}}},
          "t": {"inject": {\#(entries(count / 2, "\"b\""))}, "values": {"more": 1}}}}
        """#)
    ])
    let resolved = try #require(module.resolved)
    #expect(resolved.values(of: "s")?["m"]?["key number \(count)"] == 2)
    #expect(resolved.inject(of: "s")?["key number 7"] == ["b"])
    #expect(resolved.inject(of: "t")?["key number 7"] == "b")
    #expect(resolved.values(of: "t")?["key number 7"] == nil)
  }

  @Test func `very many overrides of one section apply, and each wrong one is reported`() throws {
    let count = LongTests.size(1_000, full: 20_000)
    let services = (0..<count).map { "\"s\($0)\": {\"type\": \"S\", \"values\": {\"k\": 1}}" }.joined(separator: ", ")
    let patches = (0..<count).map { "\"s\($0)\": {\"values\": {\"k\": 2}}" }.joined(separator: ", ")
    let missing = (0..<100).map { "\"t\($0)\": {\"type\": \"T\"}" }.joined(separator: ", ")
    let removed = (0..<count / 2).map { "\"s\($0)\"" }.joined(separator: ", ")
    let module = LoadedModule(
      [
        "app.json": module(#""services": {\#(services)}"#),
        "l.json": module(#""override": {"services": {\#(patches)}}, "replace": {"services": {\#(missing)}}"#),
      ], .init(layers: ["l.json", .text(_ConfigDITestSupport.module(#""remove": {"services": [\#(removed)]}"#))]))
    #expect(module.reported.count == 100)
    #expect(module.check.compositions[0].definition?.services.count == count - count / 2)
  }

  @Test func `a string with very many placeholders is expanded`() throws {
    let count = LongTests.size(10_000, full: 100_000)
    let text = String(repeating: "${p}-", count: count)
    let resolved = try resolved(["app.json": module(#""parameters": {"p": "x", "t": "\#(text)"}"#)])
    let isExpanded = resolved.parameter("t") == .string(String(repeating: "x-", count: count))
    #expect(isExpanded)
    expectFindings(in: [
      "app.json": module(#""parameters": {"t": «CDI0403»"\#(String(repeating: "${", count: 3 * count))"}"#)
    ])
  }

  // MARK: Templates, conditions, tags

  /// Returns map entries `<prefix><number>`, each with a value made from its number.
  private func numbered(_ prefix: String, _ count: Int, _ value: (Int) -> String) -> String {
    (0..<count).map { "\"\(prefix)\($0)\": \(value($0))" }.joined(separator: ",\n")
  }

  @Test func `a long chain of templates is expanded, also if it is cyclic`() throws {
    let count = LongTests.size(1_000, full: 20_000)
    func chain(_ first: String) -> String {
      let rest = numbered("t", count) { number in
        #"{"extends": "\#(number > 0 ? "t\(number - 1)" : first)"\#(number % 100 == 0 ? #", "values": {"k\#(number)": 1}"# : "")}"#
      }
      return #""templates": {"base": {"type": "T", "values": {"k": 1}}, \#(rest)}"#
    }
    let services = #", "services": {"s": {"extends": "t\#(count - 1)"}, "r": {"extends": "t0"}}"#
    let check = LoadedModule(["app.json": module(chain("base") + services)]).check
    let definition = try #require(check.compositions[0].definition)
    #expect(check.isSound)
    #expect(definition.services.map(\.values.count) == [2, count / 100 + 1])
    #expect(codes(chain("t\(count - 1)") + services) == [.templateCycle])
  }

  @Test func `very many unused templates are no finding`() {
    let count = LongTests.size(1_000, full: 20_000)
    let templates = numbered("t", count) { _ in #"{"type": "T", "inject": {"b": "s", "a": "s"}}"# }
    #expect(codes(#""templates": {\#(templates)}, "services": {"s": {"type": "S"}}"#) == [])
  }

  @Test func `arguments multiplied by templates are rejected once`() {
    let count = LongTests.size(500, full: 10_000)
    for (inject, values) in [("", numbered("k", count) { "\($0)" }), (numbered("k", count) { _ in "\"x\"" }, "")] {
      let services = numbered("s", count) { _ in #"{"extends": "t"}"# }
      let module = LoadedModule(
        [
          "app.json": _ConfigDITestSupport.module(
            #"""
            "templates": {"t": {"type": "T", "inject": {\#(inject)}, "values": {\#(values)}}}, "services": {"x": {"type": "X"}, \#(services)}
            """#)
        ], .init(limits: Limits(fileSize: 1_000_000)))
      #expect(module.reported.map { $0.suffix(7) } == ["CDI0106"])
    }
  }

  @Test func `one large argument, string or list of names multiplied by templates is rejected`() {
    let count = LongTests.size(400, full: 5_000)
    let list = "[" + repeatElement("1", count: 10 * count).joined(separator: ",") + "]"
    let text = "\"" + String(repeating: "x", count: 40 * count) + "\""
    let names = "[" + (0..<2 * count).map { "\"P\($0)\"" }.joined(separator: ",") + "]"
    let services = numbered("s", count) { _ in #"{"extends": "t"}"# }
    for part in [#""values": {"k": \#(list)}"#, #""values": {"k": {"l": \#(text)}}"#, #""provides": \#(names)"#] {
      let body = #""templates": {"t": {"type": "T", \#(part)}}, "services": {\#(services)}"#
      #expect(codes(body, Limits(fileSize: 1_000_000)) == [.tooLarge])
    }
  }

  @Test func `provided names that layers add at each step of a chain of templates are rejected`() {
    let count = 400
    let chain = numbered("t", count) { #"{"extends": "t\#($0 + 1)"}"# }
    let added = numbered("t", count) { #"{"provides": {"append": ["Q\#($0)"]}}"# }
    let body = #"""
      "templates": {\#(chain), "t\#(count)": {"type": "T", "provides": ["P"]}}, "services": {"s": {"extends": "t0"}},
      "override": {"templates": {\#(added)}}
      """#
    #expect(codes(body) == [])
    #expect(codes(body, Limits(fileSize: 100_000)) == [.tooLarge])
  }

  @Test func `the caller sets the limit of template expansion`() {
    let text = module(
      #""templates": {"t": {"type": "T", "values": {"k": [1, 2, 3]}}}, "services": {\#(numbered("s", 20) { _ in #"{"extends": "t"}"# })}"#
    )
    #expect(LoadedModule(["app.json": text]).check.isSound)
    #expect(LoadedModule(["app.json": text], .init(limits: Limits(fileSize: 20 * 50))).reported.count == 1)
  }

  @Test func `an error in a template of very many services is one finding`() throws {
    let count = LongTests.size(1_000, full: 20_000)
    let last = (0..<count).map { "s\($0)" }.sorted()[16]
    let services = numbered("s", count) { _ in #"{"extends": "t"}"# }
    let module = LoadedModule([
      "app.json": _ConfigDITestSupport.module(
        #""templates": {"t": {"type": "T", "values": {"k": "${ghost}"}}}, "services": {\#(services)}"#)
    ])
    #expect(module.reported.count == 1)
    #expect(module.check.diagnostics.first?.message.hasSuffix("\"\(last)\" and \(count - 17) more)") == true)
  }

  @Test func `conditions nest up to the limit, with very many occurrences`() throws {
    let depth = 123
    let nested =
      String(repeating: #"{"not": "#, count: depth) + #"{"all": []}"# + String(repeating: "}", count: depth)
    let count = LongTests.size(100, full: 300)
    let services = numbered("s", count) { _ in #"{"type": "S", "when": \#(nested)}"# }
    let definition = LoadedModule(["app.json": module(#""services": {\#(services)}"#)]).check.compositions[0].definition
    #expect(definition?.excluded.count == count)
  }

  @Test func `conditions that depend on one long chain of parameters are evaluated in one pass`() {
    let count = LongTests.size(700, full: 5_000)
    let parameters = chain(count, first: #"{"env": "GONE"}"#) { "\"\($0)\"" }
    let services = numbered("s", count) {
      #"{"type": "S", "when": {"parameter": "p\#(count - $0 % 100)", "equals": "x"}}"#
    }
    #expect(codes(parameters + #", "services": {\#(services)}"#) == [.missingSource])
  }

  @Test func `very many tags, decorators and unset paths take linear time`() throws {
    let count = LongTests.size(400, full: 10_000)
    let tags = numbered("t", count) { #"{"order": \#($0)}"# }
    let paths = (0..<count).map {
      #""tags.t\#($0)", "values.k.l\#($0).m", "values.list[\#($0)]", "decorate[\#($0)].values.k""#
    }
    let decorators = repeatElement(#"{"type": "D", "values": {"k": 1}}"#, count: count).joined(separator: ",\n")
    let check = LoadedModule([
      "app.json": module(
        #"""
        "services": {"s": {"type": "S", "tags": {\#(tags)}, "decorate": [\#(decorators)],
          "values": {"k": {\#(numbered("l", count) { _ in #"{"m": 1, "n": 2}"# })}, "list": [\#(repeatElement("1", count: count).joined(separator: ","))]}}},
        "override": {"services": {"s": {"tags": {\#(tags.replacing("}", with: #", "key": "k"}"#))}, "decorate": {"append": [{"type": "E"}]},
          "unset": [\#(paths.joined(separator: ",\n"))]}}}
        """#)
    ]).check
    let service = try #require(check.compositions[0].definition?.services[0])
    #expect(service.tags.count == count && service.tags.allSatisfy { $0.key == "k" })
    #expect(service.decorators.count == count + 1 && service.decorators.allSatisfy { $0.values.isEmpty })
    let isEmptied = service.values.map(\.content.value).contains(.list([]))
    #expect(isEmptied)
  }

  @Test func `a string of very many secrets is one secret, without a copy of each`() {
    let count = LongTests.size(500, full: 1_000)
    let secrets = numbered("s", count) { _ in #"{"env": "E", "secret": true}"# }
    let all = (0..<count).map { "${s\($0)}" }.joined()
    #expect(codes(#""parameters": {\#(secrets), "all": "\#(all)"}"#) == [])
    let sums = numbered("u", count) { "\"${\($0 > 0 ? "u\($0 - 1)" : "s0")}${s\($0)}\"" }
    #expect(codes(#""parameters": {\#(secrets), \#(sums)}"#, Limits(fileSize: 200 * count)) == [.tooLarge])
  }
}
