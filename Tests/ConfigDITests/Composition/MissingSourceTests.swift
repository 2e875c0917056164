// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct MissingSourceTests {
  private let files = [
    "app.json": module(
      #"""
      "parameters": {"e": {"env": "E", "type": "int"}, "f": {"file": "gone", "secret": true}, "d": {"env": "D", "default": "x"},
        "g": {"file": "gone too", "default": "y"}, "e2": {"env": "E", "default": "z"}, "a": "${e}", "t": "x${e}${f}"},
      "services": {"s": {"type": "S", "values": {"e": "${e}", "f": "${f}", "d": "${d}${g}"}}}
      """#)
  ]

  @Test func `a missing source without a default is reported only if missing sources are rejected`() {
    expectFindings(in: files)
    expectFindings(
      in: files.mapValues {
        $0.replacing(#"{"env": "E", "type""#, with: #"{"env": «CDI0405»"E", "type""#).replacing(
          #""gone","#, with: #"«CDI0405»"gone","#)
      }, missing: .refused)
  }

  @Test func `all variables and files are listed, with the type of the first declaration`() {
    let check = LoadedModule(files, .init(variables: ["D": "v"])).check
    #expect(
      check.sources(.env) == [
        SourceUse(name: "D", type: "string", isSet: true, hasDefault: true, isSecret: false),
        SourceUse(name: "E", type: "int", isSet: false, hasDefault: false, isSecret: false),
      ])
    #expect(
      check.sources(.file) == [
        SourceUse(name: "gone", type: "string", isSet: false, hasDefault: false, isSecret: true),
        SourceUse(name: "gone too", type: "string", isSet: false, hasDefault: true, isSecret: false),
      ])
  }

  @Test func `names of variables and files compare by Unicode scalars`() {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    var files = MemoryFiles(texts: [
      "app.json": module(
        #"""
        "parameters": {"a": {"env": "\#(composed)"}, "b": {"env": "\#(decomposed)"}, "c": {"file": "\#(composed)"},
          "d": {"file": "\#(decomposed)"}, "e": {"config": "\#(composed)"}}
        """#)
    ])
    files[decomposed] = Array("text".utf8)
    let loaded = LoadedModule(
      files, .init(variables: [decomposed: "v"], configuration: ConfigurationSource([decomposed: "w"])))
    for kind in [TextSource.Kind.env, .file] {
      let uses = loaded.check.sources(kind)
      #expect(uses.map { Array($0.name.utf8) } == [Array(decomposed.utf8), Array(composed.utf8)])
      #expect(uses.map(\.isSet) == [true, false])
    }
    #expect(loaded.check.sources(.config).map(\.isSet) == [false])
    #expect(loaded.resolved?.parameter("b") == "v" && loaded.resolved?.parameter("d") == "text")
  }

  @Test func `a missing source is printed as unset, and its users depend on it`() throws {
    let resolved = try #require(LoadedModule(files).resolved)
    #expect(resolved.values(of: "s") == ["d": "xy", "e": "<unset E>", "f": "<secret f>"])
    #expect(resolved["parameters"]?["a"]?["type"] == "int")
    #expect(resolved.parameter("t") == "<secret f>")
  }

  @Test(arguments: [
    ("int", true), ("double", true), ("bool", true), ("string", true), ("duration", true), ("size", true),
    ("json", true), ("list", false),
  ])
  func `a missing value may occur inside a string, unless it is a list`(type: String, isSound: Bool) {
    expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"p": {"env": "E", "type": "\#(type)"}},
        "services": {"s": {"type": "S", "values": {"v": \#(isSound ? "" : "«CDI0404»")"x${p}", "w": "${p}", "l": ["${p}"]}}}
        """#)
    ])
  }

  @Test func `a missing value is checked by its declared type`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"i": {"env": "I", "type": "int"}, "d": {"value": "${i}", "type": "double"}, "b": {"value": «CDI0202»"${i}", "type": "bool"},
          "l": {"value": "${j}", "type": "list"}, "j": {"env": "J", "type": "json"}, "s": {"env": "S"}, "t": {"value": "${s}", "type": "duration"}}
        """#)
    ])
  }

  @Test func `an unreadable file is always reported`() {
    let files = [
      "app.json": module(#""parameters": {"p": {"file": «CDI0107»"folder", "default": "x"}}"#), "folder/x": "",
    ]
    expectFindings(in: files)
    expectFindings(in: files, missing: .refused)
    expectFindings(
      in: [
        "app.json": module(#""parameters": {"p": {"file": «CDI0106»"f"}}"#), "f": String(repeating: "x", count: 300),
      ],
      limits: Limits(fileSize: 200))
  }

  @Test func `a file path is absolute, or relative to the declaring file`() throws {
    let resolved = try resolved([
      "app.json": module(
        #""imports": ["sub/a.json"], "parameters": {"p": {"file": "text"}, "r": {"file": "/sub/text"}, "u": {"file": "sub/../text"}}"#
      ),
      "sub/a.json": module(#""parameters": {"q": {"file": "text"}}"#), "text": "top", "sub/text": "sub",
    ])
    #expect(["p", "q", "r", "u"].map { resolved.parameter($0) } == ["top", "sub", "sub", "top"])
  }
}
