// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// The data of the page. It has each form of each part once, with its environments.
@Suite struct WiringPageTests {
  /// Returns the page of a module in all its environments.
  private func page(_ check: ModuleCheck) -> WiringPage {
    var page = WiringPage()
    for composition in check.compositions { page.add(composition.environment, composition.graph, isShown: false) }
    return page
  }

  /// Returns the page's data of a module with the given members and layers.
  private func data(_ members: String, layers: [String: String], variables: [String: String] = [:]) -> Value {
    let files = layers.mapValues { "{ \"configdi\": 1, \"module\": \"layer\", \($0) }" }
    return page(CheckedModule(members, files: files, variables: variables).check).value
  }

  /// Returns the parts of an entry with a path, each as `value verb file:line` with its set of environments and its
  /// state.
  private func parts(_ path: String, of id: String, in data: Value, section: String = "services") -> [String] {
    let thing = data.member(section)?.elements.first { $0.member("id")?.text == id }
    let files = data.member("files")?.elements.compactMap(\.text) ?? []
    return (thing?.member("parts")?.elements ?? []).filter { $0.member("path")?.text == path }.map { part in
      let place = part.member("at")?.elements.map(\.line).compactMap { Int($0) }
      let at = place.map { "\(files[$0[0]]):\($0[1])" } ?? ""
      let words = [part.member("value")?.text, part.member("verb")?.text, at].compactMap(\.self)
      return (words + ["in", "state"].compactMap { key in part.member(key).map { "\(key) \($0.line)" } })
        .joined(separator: " ")
    }
  }

  @Test func `the complete data`() {
    let data = data(
      """
      "environments": { "dev": ["dev.json"], "prod": [] },
      "parameters": { "p": { "env": "P", "default": "x" } },
      "services": { "a": { "type": "A", "inject": { "b": "b" }, "values": { "v": "${p}" } },
        "b": { "type": "B", "scope": "transient", "tags": [«CDI0709»"t"], "decorate": [{ "type": "D", "inject": { "c": "c" } }] },
        "c": { "type": "C" } }
      """, layers: ["dev.json": #""override": { "services": { "a": { "values": { "v": "y" } } } }"#])
    #expect(
      data == [
        "module": "app", "environments": [["name": "dev"], ["name": "prod"]], "shown": 0,
        "sets": [[0, 1], [0, 0], [1, 1]], "files": ["app.json", "dev.json"],
        "services": [
          [
            "id": "a", "facts": [["type": "A", "scope": "shared"]],
            "edges": [["to": 1, "argument": "b", "kind": "direct"]],
            "parts": [
              ["path": "inject.b", "value": #""b""#, "verb": "define", "at": [0, 4, 52]],
              ["path": "type", "value": #""A""#, "verb": "define", "at": [0, 4, 30]],
              [
                "path": "values.v", "value": #""y""#, "verb": "override", "at": [1, 1, 89],
                "before": [["value": #""x""#, "verb": "define", "at": [0, 4, 76]]], "in": 1,
              ],
              [
                "path": "values.v", "value": #""x""#, "verb": "define", "at": [0, 4, 76], "from": [0], "state": 1,
                "in": 2,
              ],
            ],
          ],
          [
            "id": "b", "facts": [["type": "B", "scope": "transient", "tags": ["t"], "decorators": ["D"]]],
            "edges": [["to": 2, "argument": "c", "kind": "decorator", "decorator": 0]],
            "parts": [
              ["path": "decorate[0].inject.c", "value": #""c""#, "verb": "define", "at": [0, 5, 105]],
              ["path": "decorate[0].type", "value": #""D""#, "verb": "define", "at": [0, 5, 83]],
              ["path": "scope", "value": #""transient""#, "verb": "define", "at": [0, 5, 32]],
              ["path": "tags.t", "value": "{}", "verb": "define", "at": [0, 5, 54]],
              ["path": "type", "value": #""B""#, "verb": "define", "at": [0, 5, 18]],
            ],
          ],
          [
            "id": "c", "facts": [["type": "C", "scope": "shared"]],
            "parts": [["path": "type", "value": #""C""#, "verb": "define", "at": [0, 6, 18]]],
          ],
        ],
        "parameters": [
          [
            "id": "p",
            "parts": [
              ["path": "default", "value": #""x""#, "verb": "define", "at": [0, 3, 47]],
              ["path": "env", "value": #""P""#, "verb": "define", "at": [0, 3, 31]],
              [
                "path": "value", "value": #""x""#, "verb": "define", "at": [0, 3, 47],
                "source": ["env": "P", "set": false, "default": true, "at": [0, 3, 31]],
              ],
            ],
          ]
        ],
      ], "\(JSONWriter.text(of: data))")
  }

  @Test func `secrets differ by their states and are not in the data`() {
    let data = data(
      """
      "environments": { "dev": [], "prod": ["prod.json"], "third": [] },
      "parameters": { "key": { "value": "planted-one", "secret": true } },
      "services": { "a": { "type": "A", "values": { "v": "k=${key}" } } }
      """, layers: ["prod.json": #""override": { "parameters": { "key": { "value": "planted-two" } } }"#])
    #expect(!JSONWriter.text(of: data).contains("planted"))
    #expect(
      parts("values.v", of: "a", in: data) == [
        #""<secret key>" define app.json:4 in 1"#, #""<secret key>" define app.json:4 in 2 state 1"#,
      ])
    #expect(
      parts("value", of: "key", in: data, section: "parameters") == [
        #""<secret key>" define app.json:3 in 1"#, #""<secret key>" override prod.json:1 in 2 state 1"#,
      ])
    #expect(data.member("sets") == [[0, 2], [0, 0, 2, 2], [1, 1]])
  }

  @Test func `a removed secret is not shown as an earlier value`() {
    let data = data(
      """
      "environments": { "dev": [], "prod": ["prod.json"] },
      "parameters": { «CDI0702@dev»"key": { "value": "planted", "secret": true } }, "services": { "a": { "type": "A" } }
      """, layers: ["prod.json": #""remove": { "parameters": ["key"] }"#])
    #expect(!JSONWriter.text(of: data).contains("planted"))
    #expect(parts("", of: "key", in: data, section: "parameters") == ["remove prod.json:1 in 2"])
  }

  @Test func `a removed or disabled entry names its cause`() {
    let data = data(
      """
      "environments": { "dev": [], "prod": ["prod.json"] }, "parameters": { "on": false },
      "services": { "a": { "type": "A" }, "b": { "type": "B", "when": { "parameter": "on", "equals": true } } }
      """, layers: ["prod.json": #""remove": { "services": ["a"] }"#])
    #expect(parts("", of: "a", in: data) == ["remove prod.json:1 in 2"])
    #expect(parts("when", of: "b", in: data).first?.hasSuffix("define app.json:3") == true)
    let services = data.member("services")?.elements ?? []
    #expect(services.map { $0.member("id")?.text } == ["a", "b"])
    #expect(services.map { $0.member("in") } == [1, 3])
    #expect(data.member("sets")?.elements.last == [])
  }

  @Test func `a malformed environment is named and has no data`() {
    var page = WiringPage()
    let layer = #""services": { "b": { "type": "B", "inject": { "x": «CDI0501@bad»"ghost" } } }"#
    let check = CheckedModule(
      #""environments": { "dev": [], "bad": ["bad.json"] }, "services": { "a": { "type": "A" } }"#,
      files: ["bad.json": #"{ "configdi": 1, "module": "m", \#(layer) }"#]
    ).check
    for composition in check.compositions {
      page.add(composition.environment, composition.graph, isShown: composition.environment == "dev")
    }
    #expect(page.environmentsWithErrors == ["bad"])
    #expect(page.value.member("environments") == [["name": "dev"], ["name": "bad", "hasErrors": true]])
    // If all environments without errors have a service, its data lists no environments.
    #expect(page.value.member("services")?.elements.map(\.keys) == [["id", "facts", "parts"]])
  }

  @Test func `the output for a module is deterministic`() {
    for seed in stride(from: 0, to: ChangedFact.kindCount, by: LongTests.size(13, full: 1)) {
      let fact = ChangedFact(seed: seed)
      func text() -> String {
        let options = LoadedModule.Options(variables: fact.variables)
        return JSONWriter.text(of: page(LoadedModule(MemoryFiles(texts: fact.files), options).check).value)
      }
      let first = text()
      #expect(first == text())
      for secret in fact.secrets { #expect(!first.contains(secret), "\(fact.kind)\n\(fact.files)") }
    }
  }

  @Test func `equal environments add only a name each`() {
    func size(_ count: Int) -> Int {
      let environments = (0..<count).map { #""e\#($0)": []"# }.joined(separator: ", ")
      let services = (0..<50).map { #""s\#($0)": { "type": "T", "values": { "v": \#($0) } }"# }.joined(separator: ", ")
      let data = data(#""environments": { \#(environments) }, "services": { \#(services) }"#, layers: [:])
      return JSONWriter.text(of: data, .line).utf8.count
    }
    #expect(size(60) - size(20) < 40 * 20)
  }

  @Test func `an environment for each part adds only one run each`() {
    func size(_ count: Int) -> Int {
      let environments = (0..<count).map { #""e\#($0)": ["e\#($0).json"]"# }.joined(separator: ", ")
      let services = (0..<count).map { #""s\#($0)": { "type": "T", "values": { "v": 1 } }"# }.joined(separator: ", ")
      let layers = (0..<count).map {
        ("e\($0).json", #""override": { "services": { "s\#($0)": { "values": { "v": 2 } } } }"#)
      }
      let data = data(
        #""environments": { \#(environments) }, "services": { \#(services) }"#,
        layers: Dictionary(uniqueKeysWithValues: layers))
      return JSONWriter.text(of: data, .line).utf8.count
    }
    #expect(size(40) < 5 * size(10))
  }
}
