// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// There is no `ValidatedGraph` if an error was reported, and the compiler of plans stops at an invalid graph.
@Suite struct GateTests {
  /// A module with one error, and more warnings before it than a bag keeps. The layer causes the warnings.
  private static let files: [String: String] = {
    let parameters = (0...DiagnosticBag.maximumCount).map { "\"p\($0)\":1" }.joined(separator: ",")
    return [
      "app.json": module(
        "\"parameters\":{\(parameters)},\"services\":{\"s\":{\"type\":\"S\",\"inject\":{\"a\":\"ghost\"}}}"),
      "layer.json": module("\"override\":{\"parameters\":{\(parameters)}}"),
    ]
  }()

  @Test(.enabled(if: LongTests.isSelected)) func `an error after very many warnings is kept`() throws {
    let check = LoadedModule(GateTests.files, .init(environments: [], layers: [.file("layer.json")])).check
    #expect(!check.isSound)
    #expect(check.compositions.map { $0.graph == nil } == [true])
    #expect(check.diagnostics.filter { $0.severity == .error }.map(\.code) == [.unknownService])
    #expect(check.counts.errors == 1)
    #expect(check.counts.warnings >= DiagnosticBag.maximumCount + 1)
    let text = TextRenderer { _ in nil }.text(of: check.diagnostics.suffix(1), truncated: check.truncated)
    #expect(!text.contains("no findings"))
  }

  @Test func `a missing argument after very many warnings is an error`() throws {
    let check = LoadedModule(["app.json": module(#""services": {"s": {"type": "S"}}"#)]).check
    let argument = ArgumentDescriptor(key: "a", kind: .value(.string))
    let catalog = Catalog(types: [TypeDescriptor(name: "S", provides: ["S"], arguments: [argument])])
    var bag = DiagnosticBag()
    for _ in 0..<DiagnosticBag.maximumCount { bag.report(Finding(.unusedParameter, "", at: .commandLine(path: ""))) }
    let graph = WiringGraph(
      linking: try #require(check.compositions[0].definition), catalog: catalog, limits: Limits(), bag: &bag)
    var arguments = ArgumentCheck(graph)
    arguments.run(&bag)
    #expect(bag.findings.last?.code == .missingArgument)
    #expect(ValidatedGraph(graph, checkedInto: bag) == nil)
  }

  #if os(Linux) || os(macOS)
    @Test func `the plan compiler stops at an invalid graph`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let body = #""services": {"a": {"type": "T", "inject": {"b": "b"}}, "b": {"type": "T", "inject": {"a": "a"}}}"#
        let check = LoadedModule(["app.json": module(body)]).check
        let definition = try #require(check.compositions[0].definition)
        var bag = DiagnosticBag()
        let graph = WiringGraph(linking: definition, catalog: nil, limits: Limits(), bag: &bag)
        _ = CompiledPlan(compiling: try #require(ValidatedGraph(graph, checkedInto: DiagnosticBag())))
      }
      let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(output.contains("services that need one another have no order"))
    }
  #endif
}
