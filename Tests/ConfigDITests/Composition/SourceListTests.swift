// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// Parameters with several sources. The first source that is present gives the value.
struct SourceListTests {
  /// Returns a module with one parameter, which a service uses.
  private func files(_ descriptor: String, token: String? = nil) -> [String: String] {
    var files = [
      "app.json": module(
        #""parameters": {"p": \#(descriptor)}, "services": {"s": {"type": "T", "values": {"v": "${p}"}}}"#)
    ]
    if let token { files["secrets/token"] = token }
    return files
  }

  /// The two sources that most tests use.
  private let both = #"{"sources": [{"env": "TOKEN"}, {"file": "secrets/token"}]}"#

  @Test(
    arguments: [
      (["TOKEN": "a"], "b\n", "a", 73), (["TOKEN": "a"], nil, "a", 73), ([:], "b\n", "b", 92),
      (["TOKEN": ""], "b", "", 73),
    ] as [([String: String], String?, String, Int)])
  func `the first present source supplies the value`(
    variables: [String: String], token: String?, expected: String, column: Int
  ) throws {
    let value = try resolved(files(both, token: token), variables: variables)
    #expect(value.parameter("p") == .string(expected))
    #expect(value.values(of: "s")?["v"] == .string(expected))
    #expect(value["parameters"]?["p"]?["origin"] == .string("app.json:1:\(column)"))
  }

  @Test func `an empty variable is not present for types without an empty text`() throws {
    let descriptor = #"{"sources": [{"env": "PORT"}, {"file": "secrets/token"}], "type": "int"}"#
    #expect(try resolved(files(descriptor, token: "25"), variables: ["PORT": ""]).parameter("p") == 25)
  }

  @Test func `the first present text is converted, a failure is an error`() {
    expectFindings(
      in: files(#"{"sources": [{"env": «CDI0406»"PORT"}, {"file": "secrets/token"}], "type": "int"}"#, token: "25"),
      variables: ["PORT": "many"])
    expectFindings(
      in: files(
        #"{"sources": [{"env": "PORT"}, {"file": «CDI0407»"secrets/token"}], "type": "int", "max": 9}"#, token: "25"))
  }

  @Test func `without a present source the default is used`() throws {
    let descriptor = both.dropLast() + #", "default": "x"}"#
    #expect(try resolved(files(String(descriptor))).parameter("p") == "x")
    #expect(try resolved(files(String(descriptor), token: "b")).parameter("p") == "b")
  }

  @Test func `without a present source and a default all sources are named, with the file's location`() throws {
    let module = expectFindings(
      in: files(#"{"sources": [{"env": «CDI0405»"TOKEN"}, {"file": "secrets/token"}]}"#), missing: .refused)
    let finding = try #require(module.check.diagnostics.first)
    #expect(
      finding.message
        == #"variable "TOKEN", file "secrets/token" ("/secrets/token") are all missing, and there is no default"#)
    #expect(finding.help == #"provide one of them, or add a "default" to the parameter"#)
    let tolerated = LoadedModule(files(both))
    #expect(tolerated.check.isSound && tolerated.resolved?.parameter("p") == "<unset TOKEN>")
  }

  @Test func `validate lists all sources, and marks missing ones with a fallback`() {
    func summary(_ token: String?, _ variables: [String: String] = [:]) -> [SourceUse] {
      let check = LoadedModule(files(both, token: token), .init(variables: variables)).check
      return check.sources(.env) + check.sources(.file)
    }
    func uses(_ isSet: [Bool], _ hasDefault: [Bool]) -> [SourceUse] {
      zip(["TOKEN", "secrets/token"], zip(isSet, hasDefault)).map {
        SourceUse(name: $0, type: "string", isSet: $1.0, hasDefault: $1.1, isSecret: false)
      }
    }
    #expect(summary(nil) == uses([false, false], [false, false]))
    #expect(summary("b") == uses([false, true], [true, false]))
    #expect(summary("b", ["TOKEN": "a"]) == uses([true, true], [true, true]))
  }

  @Test func `a secret parameter makes all of its sources secret, also for other parameters`() throws {
    let value = try resolved(
      [
        "app.json": module(
          #"""
          "parameters": {"p": {"sources": [{"env": "TOKEN"}, {"file": "token"}], "secret": true}, "q": {"file": "token"}},
          "services": {"s": {"type": "T", "values": {"p": "${p}", "q": "${q}"}}}
          """#), "token": "hunter2",
      ])
    #expect(value.values(of: "s")?["p"] == "<secret p>")
    #expect(value.values(of: "s")?["q"] == "<secret q>")
  }

  @Test func `an error in a later source is reported even if the first is present`() {
    expectFindings(
      in: files(#"{"sources": [{"env": "TOKEN"}, {"file": «CDI0303»"../token"}, {"env": «CDI0403»"A${B}"}]}"#),
      variables: ["TOKEN": "a"], root: "/secrets")
  }

  @Test(arguments: [
    #"{«CDI0203»"sources": [], «CDI0207»"env": "A"}"#, #"{"value": 1, «CDI0207»"sources": [{"env": "A"}]}"#,
    #"{"file": "f", «CDI0207»"sources": [{"env": "A"}]}"#, #"{«CDI0203»"sources": []}"#,
    #"{"sources": «CDI0202»{"env": "A"}}"#, #"{"sources": [«CDI0202»"A"]}"#, #"{"sources": [«CDI0203»{}]}"#,
    #"{"sources": [«CDI0203»{"doc": "d"}]}"#, #"{"sources": [{"env": "A", «CDI0207»"file": "f"}]}"#,
    #"{"sources": [«CDI0203»{«CDI0201»"value": 1}]}"#, #"{"sources": [{"env": «CDI0202»1}]}"#,
    #"{"sources": [{«CDI0201»"evn": "A"}]}"#, #"{"sources": [{"env": "A"}], "default": «CDI0202»1}"#,
  ])
  func `a structural error is reported at its token`(descriptor: String) {
    expectFindings(in: files(descriptor))
  }

  @Test func `an override replaces one source by several, and several by one`() throws {
    let layers = [
      "sources.json": module(
        #""override": {"parameters": {"one": {"sources": [{"env": "A"}, {"env": "B"}]}}}"#),
      "env.json": module(#""override": {"parameters": {"several": {"env": "B"}}}"#),
      "same.json": module(
        #""override": {"parameters": {"several": {"sources": «CDI0308»[{"env": "A"}, {"env": "B"}]}}}"#),
      "unset.json": module(#""override": {"parameters": {"several": {"unset": ["sources"], "value": "v"}}}"#),
      "gone.json": module(#""override": {"parameters": {"one": {"unset": [«CDI0306»"sources"]}}}"#),
    ]
    func value(_ layer: String, _ variables: [String: String]) throws -> Value {
      var texts = layers
      texts = texts.mapValues { $0.replacing("«CDI0308»", with: "").replacing("«CDI0306»", with: "") }
      texts["app.json"] = module(
        #"""
        "parameters": {"one": {"env": "ONE", "default": "d"}, "several": {"sources": [{"env": "A"}], "default": "d"}},
        "services": {"s": {"type": "T", "values": {"v": "${one}", "w": "${several}"}}}
        """#)
      return try resolved(
        texts, variables: variables, layers: layer.isEmpty ? [] : [.file(layer)])
    }
    #expect(try value("", ["A": "a"]).parameter("several") == "a")
    #expect(try value("sources.json", ["B": "b", "ONE": "1"]).parameter("one") == "b")
    #expect(try value("env.json", ["A": "a", "B": "b"]).parameter("several") == "b")
    #expect(try value("unset.json", ["A": "a"]).parameter("several") == "v")
    let base = #""parameters": {"one": {"env": "A"}, "several": {"sources": [{"env": "A"}, {"env": "B"}]}}"#
    for layer in ["same.json", "gone.json"] {
      expectFindings(in: ["app.json": module(base), layer: layers[layer] ?? ""], layers: [.file(layer)])
    }
  }

  @Test func `explain shows the source of the value`() throws {
    func source(_ token: String?, _ variables: [String: String] = [:]) throws -> Value? {
      let graph = try #require(
        LoadedModule(files(both, token: token), .init(variables: variables)).check.compositions[0].graph)
      let text = try #require(Explainer(graph).explanation(of: "p")).value
      return text["decisions"]?.elements.first { $0["path"] == "value" }?["source"]
    }
    #expect(try source("b")?["path"] == "secrets/token")
    #expect(try source("b")?["set"] == true)
    #expect(try source("b", ["TOKEN": "a"])?["env"] == "TOKEN")
    #expect(try source(nil)?["set"] == false)
  }

  @Test func `diff shows which source differs`() throws {
    func resolved(_ sources: String) throws -> ResolvedModule {
      let check = LoadedModule(files(#"{"sources": \#(sources), "default": "d"}"#)).check
      return ResolvedModule(try #require(check.compositions[0].graph))
    }
    let difference = ModuleDifference(
      from: try resolved(#"[{"env": "A"}, {"file": "f"}]"#), to: try resolved(#"[{"env": "B"}, {"file": "f"}]"#))
    let text = DifferenceReport(difference, from: "old", to: "new").text()
    #expect(text.contains(#"    sources[0].env  "A" -> "B""#), "\(text)")
  }

  @Test func `the resolved file keeps the sources, with paths relative to the entry module`() throws {
    let texts = [
      "app.json": module(
        #""imports": ["sub/part.json"], "services": {"s": {"type": "T", "values": {"v": "${p}"}}}"#),
      "sub/part.json": module(#""parameters": {"p": {"sources": [{"env": "A"}, {"file": "token"}], "default": "d"}}"#),
    ]
    let file = try #require(LoadedModule(texts).moduleFile)
    #expect(file["parameters"]?["p"]?["sources"] == [["env": "A"], ["file": "sub/token"]])
  }

  @Test func `errors in the sources of a secret are redacted`() {
    let text =
      #""parameters": {"p": {"sources": [{"value": "hunter2"}, "hunter3", {"env": "A", "x": "hunter4"}], "secret": true}}"#
    let check = LoadedModule(["app.json": module(text)]).check
    #expect(!check.isSound)
    let shown = check.renderer().text(of: check.diagnostics)
    #expect(!shown.contains("hunter"), "\(shown)")
  }
}

/// The names of variables and the paths of files are not interpolated.
struct SourcePlaceholderTests {
  @Test(arguments: ["env", "file"])
  func `a placeholder is rejected at the string`(key: String) {
    for text in ["${q}", "a/${q}", "$${q}", "${", "a${b c}", "a${\u{301}b}"] {
      let module = CheckedModule(
        #"""
        "parameters": { "q": "x", "p": { "\#(key)": «CDI0403»"\#(text)", "default": "d" } },
        "services": { "s": { "type": "T", "values": { "v": "${p}${q}" } } }
        """#)
      #expect(module.findings.map(\.message) == [#""\#(key)" takes no placeholders"#])
      #expect(module.check.sources(.env).isEmpty && module.check.sources(.file).isEmpty)
    }
    _ = CheckedModule(
      #""parameters": { "p": { "\#(key)": "$a$", "default": "d" } }, "services": { "s": { "type": "T", "values": { "v": "${p}" } } }"#
    )
  }

  @Test func `the message about a missing file shows the searched path`() throws {
    let files = MemoryFiles(
      texts: [
        "/srv/app/app.json": module(#""imports": ["parts/part.json"]"#),
        "/srv/app/parts/part.json": module(
          #""parameters": {"p": {"file": "../token"}, "q": {"file": "/srv/app/key"}}"#),
      ], workingFolder: "/srv")
    let check = LoadedModule(files, .init(missing: .refused), entry: .file("app/app.json")).check
    #expect(
      check.diagnostics.filter { $0.code == .missingSource }.map(\.message) == [
        #"file "../token" ("/srv/app/token") is missing and has no default"#,
        #"file "/srv/app/key" is missing and has no default"#,
      ])
  }
}
