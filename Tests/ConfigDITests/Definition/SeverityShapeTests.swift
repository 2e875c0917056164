// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct SeverityShapeTests {
  @Test(arguments: [
    #""diagnostics": {}"#,
    #""diagnostics": {"CDI0705": {"severity": "error"}, "CDI0702": {"severity": "warning", "doc": "d", "x-a": 1}}"#,
    #""suppress": {}, "override": {}"#,
  ])
  func `valid settings of severities have no finding`(members: String) {
    expectFindings(in: ["app.json": module(members)])
  }

  @Test(arguments: [
    #""diagnostics": «CDI0202»[]"#, #""diagnostics": {"CDI0705": «CDI0202»"error"}"#,
    #""diagnostics": {«CDI0203»"CDI0705": {}}"#, #""diagnostics": {"CDI0705": {"severity": «CDI0202»"eror"}}"#,
    #""diagnostics": {«CDI0203»"CDI0705": {"severity": "ignore"}}"#,
    #""diagnostics": {"CDI0705": {"severity": "ignore", «CDI0201»"reasn": "why"}}"#,
    #""diagnostics": {"CDI0705": {"severity": "ignore", "reason": «CDI0202»" "}}"#,
    #""diagnostics": {"CDI0705": {"severity": "ignore", "reason": «CDI0202»1}}"#,
    #""diagnostics": {«CDI0208»"CDI0799": {"severity": "error"}, «CDI0208»"doc": «CDI0202»"d"}"#,
    #""diagnostics": {«CDI0208»"cdi0701": {"severity": "error"}, «CDI0208»"CDI701": {"severity": "error"}}"#,
    #""diagnostics": {«CDI0209»"CDI0501": {"severity": "error"}}"#,
    #""diagnostics": {"CDI0705": {"severity": "error"}, «CDI0102»"CDI0705": {"severity": "error"}}"#,
    #""suppress": «CDI0202»["CDI0705"]"#, #""suppress": {"CDI0705": «CDI0202»""}"#,
    #""suppress": {"CDI0705": «CDI0202»{}}"#, #""suppress": {«CDI0209»"CDI0305": "why"}"#,
    #""services": {"a": {"type": "A", "suppress": {«CDI0208»"CDI0ABC": "why"}}}"#,
    #""suppress": {«CDI0208»"doc": "why", «CDI0208»"x-a": "why"}"#,
    #""parameters": {"a": {"value": 1, "suppress": «CDI0202»true}}"#,
    #""templates": {"a": {"type": "A", "suppress": {«CDI0209»"CDI0101": "why"}}}"#,
    #""services": {"a": {"type": "A", "decorate": [{"type": "B", «CDI0201»"suppress": {}}]}}"#,
    #""override": {«CDI0201»"suppress": {}}"#,
  ])
  func `a structural error is reported at its token`(members: String) {
    expectFindings(in: ["app.json": module(members)])
  }

  @Test func `diagnostics are valid in the entry module only`() {
    expectFindings(in: [
      "app.json": module(#""imports": ["part.json"]"#),
      "part.json": module(#"«CDI0206»"diagnostics": {"CDI0705": {"severity": "error"}}"#),
    ])
  }

  @Test(arguments: [("CDI0717", #"did you mean "CDI0707", "CDI0710" or "CDI0701"?"#), ("nothing", nil)])
  func `an unknown code is reported with similar ones`(code: String, help: String?) throws {
    let check = LoadedModule(["app.json": module(#""suppress": {"\#(code)": "why"}"#)]).check
    let finding = try #require(check.diagnostics.first)
    #expect(check.diagnostics.count == 1 && finding.code == .unknownCode)
    #expect(finding.help == help ?? #"name the code of a warning, such as "CDI0701""#)
  }

  @Test func `all codes are known by their text`() {
    for code in DiagnosticCode.all { #expect(DiagnosticCode(text: code.description) == code) }
    for text in ["CDI0000", "CDI0110", "CDI+101", "CDI00101", "0101", "", "CDI"] {
      #expect(DiagnosticCode(text: text) == nil)
    }
  }
}
