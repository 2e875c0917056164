// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct TagCheckTests {
  @Test func `a tag without services, and one without references, are reported at their strings`() {
    let module = CheckedModule(
      """
      "services": {
        "hub": { "type": "T", "inject": { "x": { "tagged": «CDI0708»"incoming" }, "y": [{ "tagged": "both" }] },
          "decorate": [{ "type": "D", "inject": { "z": { "tagged": «CDI0708»"decorated" } } }] },
        "a": { "type": "T", "tags": [«CDI0709»"listed", "both"] }, "b": { "type": "T", "tags": { «CDI0709»"mapped": {} } } }
      """)
    #expect(
      module.findings.map(\.message) == [
        #"no service has tag "incoming", which this reference collects"#,
        #"no service has tag "decorated", which this reference collects"#,
        #"no reference collects tag "listed" of this service"#,
        #"no reference collects tag "mapped" of this service"#,
      ])
    #expect(
      module.findings.map(\.help) == [
        #"give the tag to a service; if it may be empty, declare it under "tags" at the top level"#,
        #"give the tag to a service; if it may be empty, declare it under "tags" at the top level"#,
        #"remove it; if the application collects it, declare it under "tags" at the top level"#,
        #"remove it; if the application collects it, declare it under "tags" at the top level"#,
      ])
  }

  @Test func `a tag is reported once, at its first string in composition order`() {
    _ = CheckedModule(
      """
      "imports": ["part.json"],
      "services": {
        "a": { "type": "T", "tags": ["out"], "inject": { "x": { "tagged": "in" }, "y": { "tagged": "in" } } },
        "c": { "type": "T", "tags": ["late"] } }
      """,
      files: [
        "part.json": """
        {"configdi": 1, "module": "p", "services": {
          "b": {"type": "T", "tags": [«CDI0709»"out"], "inject": {"x": {"tagged": «CDI0708»"in"}}},
          "z": {"type": "T", "tags": [«CDI0709»"late"]}, "d": {"type": "T", "tags": ["late"]}}}
        """
      ])
  }

  @Test func `a similar tag of the other side is suggested, shown and used in the fix`() throws {
    let module = CheckedModule(
      """
      "services": {
        "hub": { "type": "T", "inject": { "x": { "tagged": «CDI0708»"healthChek" } } },
        "a": { "type": "T", "tags": [«CDI0709»"healthCheck"] },
        "b": { "type": "T", "tags": ["healthCheck"] } }
      """)
    #expect(module.findings.map(\.help) == [#"did you mean "healthCheck"?"#, #"did you mean "healthChek"?"#])
    #expect(
      module.findings.map { $0.related.map(\.message) } == [["a similar tag is here"], ["a similar tag is here"]])
    #expect(module.findings[0].related[0].location.start == module.findings[1].location.start)
    #expect(module.findings[1].related[0].location.start == module.findings[0].location.start)
    // Applying both fixes would exchange the two spellings.
    #expect(module.findings.map { $0.fixes.map(\.text) } == [[#""healthCheck""#], []])
  }

  @Test func `the fix applies to the side whose spelling is unique`() throws {
    let rare = CheckedModule(
      """
      "services": {
        "hub": { "type": "T", "inject": { "x": { "tagged": «CDI0708»"health" } } },
        "hub2": { "type": "T", "inject": { "x": { "tagged": "health" } } },
        "a": { "type": "T", "tags": [«CDI0709»"healht"] } }
      """)
    #expect(rare.findings.map { $0.fixes.map(\.text) } == [[], [#""health""#]])
    let settled = CheckedModule(
      """
      "services": {
        "hub": { "type": "T", "inject": { "x": { "tagged": "health" } } }, "b": { "type": "T", "tags": ["health"] },
        "a": { "type": "T", "tags": [«CDI0709»"healht"] }, "c": { "type": "T", "tags": ["healht"] } }
      """)
    #expect(settled.findings.map { $0.fixes.map(\.text) } == [[#""health""#]])
  }

  @Test func `a tag that the service already has is not suggested`() throws {
    let module = CheckedModule(
      """
      "services": {
        "hub": { "type": "T", "inject": { "x": { "tagged": "step1" } } },
        "a": { "type": "T", "tags": ["step1", «CDI0709»"step2"] } }
      """)
    #expect(try module.finding().help?.hasPrefix("remove it") == true)
    #expect(try module.finding().fixes.isEmpty)
  }

  @Test func `a declared tag is not reported, and is suggested`() throws {
    let module = CheckedModule(
      """
      "imports": ["part.json"],
      "tags": { "plugin": { "doc": "collected by the application" }, "empty": {}, "idle": {} },
      "services": {
        "hub": { "type": "T", "inject": { "x": { "tagged": "empty" }, "y": { "tagged": "ofPart" } } },
        "a": { "type": "T", "tags": ["plugin", «CDI0709»"plugins"] } }
      """,
      files: ["part.json": #"{"configdi": 1, "module": "p", "tags": {"plugin": {"x-a": 1}, "ofPart": {}}}"#])
    // Service `a` has the declared tag already, so it is not suggested.
    #expect(try module.finding().help?.hasPrefix("remove it") == true)
    let near = CheckedModule(
      #""tags": { "plugin": {} }, "services": { "a": { "type": "T", "tags": [«CDI0709»"plugins"] } }"#)
    #expect(try near.finding().related.map(\.message) == ["a similar tag is declared here"])
    #expect(try near.finding().fixes.map(\.text) == [#""plugin""#])
  }

  @Test func `a structural error in a declaration is reported at its token, and the tag counts as declared`() {
    _ = CheckedModule(
      """
      "tags": { «CDI0204»"a b": {}, "c": «CDI0202»1, "d": { «CDI0201»"order": 1 }, "e": { "doc": «CDI0202»2 } },
      "services": { "a": { "type": "T", "tags": ["c", "d", "e"] } }
      """)
    _ = CheckedModule(#""tags": «CDI0202»["a"]"#)
    for verb in ["override", "replace"] { _ = CheckedModule(#""\#(verb)": { «CDI0201»"tags": { "a": {} } }"#) }
    _ = CheckedModule(#""remove": { «CDI0201»"tags": ["a"] }"#)
  }

  @Test func `tags and tag references of a malformed entry count`() {
    _ = CheckedModule(
      """
      "services": {
        "odd": { "type": "T", «CDI0201»"colour": 1, "tags": ["borne"], "inject": { "x": { "tagged": "asked" } } },
        "hub": { "type": "T", "inject": { "x": { "tagged": "borne" } } }, "a": { "type": "T", "tags": ["asked"] } }
      """)
  }

  @Test func `tag references of a template count, also if it is unused or its argument is replaced`() {
    _ = CheckedModule(
      """
      "templates": { "t": { "type": "T", "inject": { "x": { "tagged": «CDI0708»"of t" } } },
        «CDI0704»"loose": { "type": "T", "inject": { "x": { "tagged": «CDI0708»"of loose" }, "y": { "tagged": "l" } } },
        "replaced": { "type": "T", "inject": { "x": { "tagged": "r" }, "y": { "tagged": "nobody" } } } },
      "services": { "a": { "extends": "t", "tags": ["l", "r"] }, "b": { "extends": "t" }, "e": { "type": "T" },
        "c": { "extends": "replaced", "inject": { "x": "e", "y": "e" } } }
      """)
  }

  @Test func `tags of disabled services do not count, and are shown`() throws {
    let module = CheckedModule(
      """
      "environments": { "dev": [], "prod": [] },
      "services": {
        "hub": { "type": "T", "inject": { "x": { "tagged": «CDI0708»"panel" } } },
        "off": { "type": "T", "when": { "environment": "dev" }, "tags": ["panel"] } }
      """, environments: ["prod"])
    #expect(
      try module.finding().related.map(\.message) == [
        #"service "off" has it, but is disabled here by its condition"#
      ])
    _ = CheckedModule(
      """
      "environments": { "dev": [], "prod": [] },
      "services": {
        "hub": { "type": "T", "inject": { "x": { "tagged": "panel" } } },
        "off": { "type": "T", "when": { "environment": "dev" }, "tags": ["panel"] },
        "never": { "type": "T", "when": { "any": [] }, "inject": { "x": { "tagged": "lost" } } },
        "b": { "type": "T", "tags": [«CDI0709»"lost"] } }
      """)
  }

  @Test func `a tag is reported if it is one-sided in each environment that has it`() {
    let files = { (bearer: String, asker: String) in
      [
        "bearer.json": #"{"configdi": 1, "module": "b", "services": {"b": {"type": "T", "tags": [\#(bearer)]}}}"#,
        "asker.json":
          #"{"configdi": 1, "module": "a", "services": {"a": {"type": "T", "inject": {"x": {"tagged": \#(asker)}}}}}"#,
      ]
    }
    _ = CheckedModule(
      #""environments": { "dev": ["bearer.json"], "prod": ["bearer.json", "asker.json"] }"#,
      files: files(#""t""#, #""t""#))
    _ = CheckedModule(
      #""environments": { "dev": ["bearer.json"], "prod": ["bearer.json", "asker.json"] }"#,
      files: files(#"«CDI0709»"t""#, #""t""#), environments: ["dev"])
    _ = CheckedModule(
      #""environments": { "dev": [], "test": ["asker.json"], "prod": ["bearer.json"] }"#,
      files: files(#"«CDI0709@prod»"t""#, #"«CDI0708@test»"t""#))
  }

  @Test func `a tag whose first string differs by environment is reported once`() {
    let service = { (tag: String) in
      #"{"configdi": 1, "module": "m", "services": {"a": {"type": "T", "tags": [\#(tag)]}}}"#
    }
    _ = CheckedModule(
      #""environments": { "dev": ["dev.json"], "prod": ["prod.json"] }"#,
      files: ["dev.json": service(#"«CDI0709»"t""#), "prod.json": service(#""t""#)])
  }

  @Test func `an unreadable environment suppresses the warning`() {
    _ = CheckedModule(
      """
      "environments": { "dev": [], "prod": ["prod.json"] },
      "services": { "a": { "type": "T", "tags": ["t"] } }
      """, files: ["prod.json": "{«CDI0101@prod»"])
  }

  @Test func `tags remaining after overrides and removals count`() {
    _ = CheckedModule(
      """
      "imports": ["part.json"],
      "override": { "services": { "hub": { "inject": { "x": { "tagged": "new" } } },
        "a": { "tags": ["new"], "unset": ["tags.old"] } } },
      "remove": { "services": ["gone"] }
      """,
      files: [
        "part.json": """
        {"configdi": 1, "module": "p", "services": {"hub": {"type": "T", "inject": {"x": {"tagged": "old"}}},
          "a": {"type": "T", "tags": ["old"]}, "gone": {"type": "T", "tags": ["gone"], "inject": {"x": {"tagged": "u"}}}}}
        """
      ])
  }

  @Test func `a setting that adds another tag is located on the command line`() throws {
    let set = LoadedModule(
      [
        "app.json":
          #"{"configdi": 1, "module": "m", "services": {"hub": {"type": "T", "inject": {"x": {"tagged": "t"}}}, "a": {"type": "T", "tags": ["t"]}}}"#
      ], .init(settings: ["services.hub.inject.x.tagged=other"]))
    #expect(set.check.diagnostics.map(\.code) == [.unusedTag, .tagWithoutService])
    #expect(set.check.diagnostics.last?.location.file == "<command line>")
  }

  @Test func `many one-sided tags take linear time`() {
    let count = LongTests.size(500, full: 2_000)
    let services = (0..<count).map { #""s\#($0)": {"type": "T", "tags": ["tag\#($0)"]}"# }.joined(separator: ",")
    let arguments = (0..<count).map { #""a\#($0)": {"tagged": "tga\#($0)"}"# }.joined(separator: ",")
    let text = module(#""services": {\#(services), "hub": {"type": "T", "inject": {\#(arguments)}}}"#)
    #expect(LoadedModule(["app.json": text]).check.counts.warnings == 2 * count)
  }
}
