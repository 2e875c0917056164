// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// Fixes, applied to the files of their findings.
@Suite struct FixTests {
  /// Findings that a fix must not cause: the fix would replace one error by another.
  private static let forbidden: [DiagnosticCode] = [
    .syntaxError, .duplicateKey, .unknownKey, .excludingKeys, .definedTwice, .disabledService,
  ]

  /// Returns the texts after applying fixes.
  private func texts(_ texts: [String: String], after fixes: [Diagnostic.Fix]) -> [String: String] {
    var texts = texts
    for fix in fixes.sorted(by: {
      ($0.location.start ?? .init(line: 1, column: 1)) > ($1.location.start ?? .init(line: 1, column: 1))
    }) {
      guard let text = texts[fix.location.file], let start = fix.location.start, let end = fix.location.end else {
        continue
      }
      let (lower, upper) = (offset(of: start, in: text), offset(of: end, in: text))
      var scalars = Array(text.unicodeScalars)
      scalars.replaceSubrange(lower..<upper, with: Array(fix.text.unicodeScalars))
      texts[fix.location.file] = String(String.UnicodeScalarView(scalars))
    }
    return texts
  }

  /// Returns the number of scalars before a position.
  private func offset(of position: SourcePosition, in text: String) -> Int {
    var found = SourcePosition(line: 1, column: 1)
    for (offset, scalar) in text.unicodeScalars.enumerated() {
      if found == position { return offset }
      found = found.moved(behind: scalar)
    }
    return text.unicodeScalars.count
  }

  /// Returns what identifies each finding before and after a fix: its code and message.
  private func identities(_ findings: [Diagnostic]) -> [String] { findings.map { "\($0.code) \($0.message)" } }

  @Test(arguments: try DiagnosticCodesPage().examples)
  func `the fix of an example removes its finding and adds no other`(example: DiagnosticCodesPage.Example) {
    let before = example.wrong.check().diagnostics
    for finding in before {
      guard !finding.fixes.isEmpty else { continue }
      var fixed = example.wrong
      fixed.files = texts(fixed.files, after: finding.fixes)
      let after = identities(fixed.check().diagnostics)
      let expected = identities(before.filter { $0 != finding })
      #expect(after.sorted() == expected.sorted(), "\(fixed.files)")
    }
  }

  /// Checks a module with marked findings, applies all fixes together, and checks the result.
  private func expectFixes(
    _ count: Int, _ members: String, types: [TypeDescriptor]? = nil, environments: [String]? = nil,
    location: SourceLocation = #_sourceLocation
  ) {
    let module = CheckedModule(members, types: types, environments: environments, location: location)
    let before = module.findings
    #expect(before.flatMap(\.fixes).count == count, sourceLocation: location)
    let text = "{ \"configdi\": 1, \"module\": \"app\",\n\(MarkedTexts(["m": members]).texts["m"] ?? "") }"
    var all = texts(["app.json": text], after: before.flatMap(\.fixes))
    if let types { all["types.json"] = Catalog(types: types).json }
    let after = ModuleCheck(
      checking: ModuleRequest(entry: .file("app.json")), environments: environments, files: MemoryFiles(texts: all),
      catalog: types == nil ? nil : "types.json")
    for finding in before where !finding.fixes.isEmpty {
      #expect(!identities(after.diagnostics).contains(identities([finding])[0]), sourceLocation: location)
    }
    for finding in after.diagnostics where !identities(before).contains(identities([finding])[0]) {
      #expect(!Self.forbidden.contains(finding.code), "\(finding)", sourceLocation: location)
    }
  }

  @Test func `an existing key of the map is neither suggested nor written`() {
    let members =
      #""services": { "s": { "type": "T", «CDI0201»"typo": "U", "scope": "shared", «CDI0201»"scop": "weak" } }"#
    expectFixes(0, members)
    let module = CheckedModule(members)
    #expect(module.findings.allSatisfy { $0.help?.hasPrefix("allowed keys: ") == true })
  }

  @Test func `of two keys with the same fix only one is fixed`() {
    expectFixes(1, #""services": { "s": { "type": "T", «CDI0201»"injct": {}, «CDI0201»"inejct": {} } }"#)
    expectFixes(
      1,
      #""override": { "services": { «CDI0305»"mailr": { "doc": "a" }, «CDI0305»"maler": { "doc": "b" } } }, "services": { "mailer": { "type": "T" } }"#
    )
    expectFixes(
      0,
      #""override": { "services": { «CDI0305»"mailr": { "eager": false }, "mailer": { "eager": true } } }, "services": { "mailer": { "type": "T" } }"#
    )
  }

  /// A type with two arguments.
  private let types = [
    TypeDescriptor(
      name: "Mailer", provides: ["Mailer"],
      arguments: [
        ArgumentDescriptor(key: "logger", kind: .service(type: "Logger", wrapper: .direct)),
        ArgumentDescriptor(key: "port", kind: .value(.integer(.Int))),
      ]), TypeDescriptor(name: "Logger", provides: ["Logger"]), TypeDescriptor(name: "Store", provides: ["Store"]),
  ]

  @Test func `an argument that is already given, in either map, is not suggested`() {
    let members = #"""
      "services": {
        "logger": { "type": "Logger" },
        "m": { "type": "Mailer", "inject": { "logger": "logger", «CDI0602»"prot": "logger" },
               "values": { "port": 1, «CDI0602»"loger": 2, «CDI0602»"ports": 3 } } }
      """#
    expectFixes(0, members, types: types)
    let helps = CheckedModule(members, types: types).findings.map(\.help)
    #expect(helps.allSatisfy { $0 == #"its arguments: "logger", "port""# })
  }

  @Test func `a disabled service or one of another type is suggested, but not used in a fix`() throws {
    let members = #"""
      "environments": { "dev": [] },
      "services": {
        "metrics": { "type": "Logger", "when": { "environment": [] } },
        "m": { "type": "Mailer", "inject": { "logger": «CDI0501»"metrcs" }, "values": { "port": 1 } } }
      """#
    expectFixes(0, members, environments: ["dev"])
    #expect(try CheckedModule(members).finding().help == #"did you mean "metrics"?"#)
    expectFixes(
      0,
      #"""
      "services": {
        "store": { "type": "Store" },
        "m": { "type": "Mailer", "inject": { "logger": «CDI0501»"stre" }, "values": { "port": 1 } } }
      """#, types: types)
    expectFixes(
      1,
      #"""
      "services": {
        "logger": { "type": "Logger" },
        "m": { "type": "Mailer", "inject": { "logger": «CDI0501»"loger" }, "values": { "port": 1 } } }
      """#, types: types)
  }
}
