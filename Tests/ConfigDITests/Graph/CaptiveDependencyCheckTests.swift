// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

struct CaptiveDependencyCheckTests {
  /// The scopes of the module, and an alias. The tests refer to services of several lifetimes.
  private let held = """
    "scopes": ["session", "request"],
    "aliases": { "visit": "page" },
    """

  @Test(arguments: [
    #""page""#, #"["page"]"#, #"{ "map": { "k": "page" } }"#, #"{ "service": "page" }"#,
    #"{ "service": "page", "optional": true }"#, #"visit"#,
  ])
  func `a reference of any form is reported at its location`(reference: String) throws {
    let marked =
      reference == "visit" ? #"«CDI0509»"visit""# : reference.replacing("\"page\"", with: "«CDI0509»\"page\"")
    let module = CheckedModule(
      held
        + #""services": { "page": { "type": "T", "scope": "request" }, "app": { "type": "T", "inject": { "x": \#(marked) } } }"#
    )
    let finding = try module.finding()
    let text =
      #"service "app" in scope "shared" holds service "page" in scope "request", which ends earlier, through argument "x""#
    #expect(finding.message == text + ": app -> page")
  }

  @Test func `a tag is reported once, a decorator's reference under its service`() {
    let module = CheckedModule(
      held + """
        "services": {
          "page": { "type": "T", "scope": "request", "tags": ["t"] }, "page2": { "type": "T", "scope": "request", "tags": ["t"] },
          "app": { "type": "T", "inject": { "x": { "tagged": «CDI0509»"t" } },
            "decorate": [{ "type": "D", "inject": { "y": «CDI0509»"page", "z": «CDI0509»"page2" } }] } }
        """)
    #expect(
      module.findings.map(\.path) == [
        "services.app.inject.x.tagged", "services.app.decorate[0].inject.y", "services.app.decorate[0].inject.z",
      ])
  }

  @Test func `paths lead through owned services, and are shown completely`() {
    let module = CheckedModule(
      held + """
        "services": {
          "page": { "type": "T", "scope": "request" },
          "t": { "type": "T", "scope": "transient", "inject": { "x": "w" } },
          "w": { "type": "T", "scope": "weak", "inject": { "x": "g" } },
          "g": { "type": "T", "scope": "graph", "inject": { "x": ["page", "login"] } },
          "login": { "type": "T", "scope": "session" },
          "app": { "type": "T", "inject": { "x": «CDI0509»"t", "y": «CDI0509»"w" } },
          "user": { "type": "T", "scope": "session", "inject": { "x": «CDI0509»"g", "y": "login" } } }
        """)
    #expect(
      module.findings.map { $0.message.split(separator: ": ").last } == [
        "app -> t -> w -> g -> page", "app -> w -> g -> page", "user -> g -> page",
      ])
  }

  @Test func `of two long-lived services only the inner one is reported`() {
    _ = CheckedModule(
      held + """
        "services": {
          "page": { "type": "T", "scope": "request" }, "inner": { "type": "T", "inject": { "x": «CDI0509»"page" } },
          "outer": { "type": "T", "inject": { "x": "inner" } },
          "user": { "type": "T", "scope": "session", "inject": { "x": "inner", "y": "outer" } },
          "form": { "type": "T", "scope": "request", "inject": { "x": "page", "y": "user" } } }
        """)
  }

  @Test func `a provider does not hold its service, a lazy value does, also inside a path`() {
    let argument = { ArgumentDescriptor(key: $0, kind: .service(type: "T", wrapper: $1), isOptional: true) }
    let types = [
      TypeDescriptor(
        name: "T", provides: ["T"],
        arguments: [argument("one", .direct), argument("later", .lazy), argument("often", .provider)])
    ]
    _ = CheckedModule(
      held + """
        "services": {
          "page": { "type": "T", "scope": "request" },
          "app": { "type": "T", "inject": { "one": «CDI0509»"page", "later": «CDI0509»"page", "often": "page" } },
          "t": { "type": "T", "scope": "transient", "inject": { "often": "page" } },
          "u": { "type": "T", "scope": "transient", "inject": { "later": "page" } },
          "app2": { "type": "T", "inject": { "one": "t", "later": «CDI0509»"u", "often": "u" } } },
        "bindings": { "T": "app" }
        """, types: types)
  }

  @Test func `an autowired reference is reported at the service's key, each argument separately`() {
    let types = [
      TypeDescriptor(name: "Page", provides: ["Page"]),
      TypeDescriptor(
        name: "App", provides: ["App"],
        arguments: ["a", "b"].map { ArgumentDescriptor(key: $0, kind: .service(type: "Page", wrapper: .direct)) }),
      TypeDescriptor(
        name: "Traced", provides: ["App"],
        arguments: [
          ArgumentDescriptor(key: "app", kind: .decorated(type: "App")),
          ArgumentDescriptor(key: "c", kind: .service(type: "Page", wrapper: .direct)),
        ]),
    ]
    let module = CheckedModule(
      held + """
        "autowire": true,
        "services": {
          "page": { "type": "Page", "scope": "request" },
          «CDI0509»«CDI0509»«CDI0509»«CDI0509»"app": { "type": "App", "decorate": [{ "type": "Traced" }, { "type": "Traced" }] } }
        """, types: types)
    let arguments = module.findings.compactMap { $0.message.split(separator: "\"").dropFirst(9).first }
    #expect(arguments == ["a", "b", "decorate[0].c", "decorate[1].c"])
  }

  @Test func `unknown lifetimes have no findings`() {
    _ = CheckedModule(
      held + """
        "services": {
          "page": { "type": "T", "scope": "request" }, "odd": { "type": "T", "scope": "request", «CDI0201»"colour": 1 },
          "a": { "type": "T", "scope": «CDI0507»"requests", "inject": { "x": "page" } },
          "b": { "type": "T", "inject": { "x": "a", "y": "odd" } },
          "c": { "type": "T", "extends": «CDI0505»"gone", "inject": { "x": "page" } } }
        """)
  }

  @Test func `with a malformed catalog no captive is reported, as the argument may be a provider`() {
    _ = CheckedModule(
      held
        + #""services": { "page": { "type": "T", "scope": "request" }, "app": { "type": "T", "inject": { "x": "page" } } }"#,
      files: ["catalog.json": "{ \"configdi-catalog\": «CDI0205»2 }"], catalog: "catalog.json")
  }

  @Test func `a reference of a template is reported once for all affected services`() {
    let module = CheckedModule(
      held + """
        "templates": { "base": { "type": "T", "inject": { "x": «CDI0509»"page" } } },
        "services": {
          "page": { "type": "T", "scope": "request" }, "b": { "extends": "base" }, "a": { "extends": "base" },
          "c": { "extends": "base", "scope": "transient" } }
        """)
    #expect(module.findings[0].message.hasSuffix(#"a -> page (also in "b")"#))
  }

  @Test func `long paths are reported in bounded space, each of many`() throws {
    let count = 900
    let chain = (0..<count).map { place in
      let next = place + 1 == count ? "page" : "t\(place + 1)"
      return
        #""t\#(place)": {"type": "T", "scope": "transient", "inject": {"x": "\#(next)"}}, "s\#(place)": {"type": "T", "inject": {"x": "t\#(place)"}}"#
    }
    let module = LoadedModule([
      "app.json": module(
        #""scopes": ["request"], "services": {"page": {"type": "T", "scope": "request"}, \#(chain.joined(separator: ",\n"))}"#
      )
    ])
    #expect(module.check.diagnostics.count == count)
    let first = try #require(module.check.diagnostics.first)
    #expect(first.message.hasSuffix(" -> t30 -> (\(count - 31) more) -> page"))
    #expect(module.check.diagnostics.last?.message.hasSuffix("s\(count - 1) -> t\(count - 1) -> page") == true)
  }
}
