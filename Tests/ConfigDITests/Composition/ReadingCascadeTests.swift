// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Findings that are not reported if a file could not be read, because they might only be consequences of that.
@Suite struct ReadingCascadeTests {
  /// Errors of composition, parameters and wiring. None of them is reported if some file could not be read.
  private let errors =
    #""remove": {"aliases": ["ghost"]}, "override": {"services": {"s": {"values": {"y": "${ghost}"}}}}"#

  @Test func `an entry module that does not exist is one finding, in any environment`() {
    let module = LoadedModule(["other.json": "{}"], .init(environments: ["dev"]))
    #expect(module.check.diagnostics.map(\.code) == [.unreadableFile])
  }

  @Test(arguments: ["«CDI0101»", #"{"configdi": 1«CDI0101»"#, "{\"configdi\": \"«CDI0104»\u{1}\"}", "«CDI0202»[]"])
  func `after an unreadable file only syntax and structural errors are reported`(text: String) {
    expectFindings(in: ["app.json": module(errors + #", "imports": ["a.json"], «CDI0201»"x": 1"#), "a.json": text])
  }

  @Test func `after a missing or invalid file reference only syntax and structural errors are reported`() {
    for path in ["«CDI0301»\"gone.json\"", "«CDI0303»\"/a.json\"", "«CDI0302»\"app.json\"", "«CDI0109»\"a\""] {
      expectFindings(in: ["app.json": module(errors + #", "imports": [\#(path)], «CDI0201»"x": 1"#)])
    }
    expectFindings(
      in: ["app.json": module(errors + #", «CDI0201»"x": 1"#)], environments: ["dev"], commandLine: [" CDI0307"])
  }

  @Test(arguments: [
    #""a": «CDI0103»null"#, #""a": {"type": "A", "values": {"n": «CDI0108»1e999}}"#,
    #""b": {"type": "B"}, «CDI0102»"b": {"type": "B"}"#,
  ])
  func `parsing continues after some errors, so that structural errors are reported`(entry: String) {
    expectFindings(in: ["app.json": module(errors + #", "services": {\#(entry)}, «CDI0201»"x": 1"#)])
  }

  @Test func `a syntax error suppresses consequences in its own environments only`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "environments": {"dev": ["bad.json"], "prod": [], "test": []},
        "services": {"a": {"type": "T", "inject": {"x": «CDI0501@prod,test»"ghost"}}}
        """#),
      "bad.json": "«CDI0101@dev»",
    ])
    expectFindings(in: [
      "app.json": module(
        #"""
        "environments": {"dev": ["bad.json"], "prod": []},
        "services": {"a": {"type": "T", "inject": {"x": «CDI0501@prod»"ghost"}}}
        """#),
      "bad.json": #"{"configdi": «CDI0205@dev»2}"#,
    ])
  }

  @Test func `a structural error suppresses consequences in its own entry only`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"p": {"env": «CDI0202»1}, "q": "${p}${ghost}", "r": «CDI0401»"${ghost}"},
        "services": {"a": {"type": «CDI0202»1, "values": {"v": "${ghost}"}}, "b": {"type": "B", "inject": {"a": "a"},
          "values": {"p": "${p}", "text": "x${p}", "v": «CDI0401»"${ghost}"}}},
        "aliases": {"c": «CDI0202»1, "d": "c"}
        """#.replacing(#""q": ""#, with: #""q": «CDI0401»""#))
    ])
  }

  @Test func `a malformed operation does not report existence errors`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": "A"}},
        "override": {"services": {"ghost": {"eager": «CDI0202»1}, "a": {"private": «CDI0202»1, "unset": ["ghost"]}},
                     "parameters": {«CDI0204»"1": 5}},
        "replace": {"services": {"phantom": {"type": «CDI0202»1}}}, "aliases": {"x": "phantom"}
        """#)
    ])
  }

  @Test(arguments: [
    #"«CDI0201»"tag": {"t": {}}"#, #""tags": «CDI0202»["t"]"#, #"«CDI0201»"overide": {"services": {}}"#,
    #""override": «CDI0202»[]"#, #""override": {«CDI0201»"service": {}}"#, #""override": {"services": «CDI0202»[]}"#,
    #""replace": {«CDI0201»"service": {}}"#, #""remove": {«CDI0201»"service": ["p"]}"#, #""remove": «CDI0202»[]"#,
  ])
  func `a malformed verb or list of tags is not the cause of warnings about unused entries`(key: String) {
    let services = #""services": {"a": {"type": "A", "tags": ["t"]}, "p": {"type": "P", "private": true}}"#
    expectFindings(in: ["app.json": module(services + ", " + key)])
  }

  @Test func `a value out of bounds is no structural error, and is reported after all files are read`() {
    let text = module(
      #""parameters": {"p": {"value": «CDI0407»5, "max": 4}, "q": {"value": «CDI0202»"x", "type": "int"}}"#)
    expectFindings(in: ["app.json": text])
    expectFindings(
      in: ["app.json": text.replacing("«CDI0407»", with: ""), "l.json": "{«CDI0101»]"], layers: ["l.json"])
  }
}
