// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

private protocol Marked: Sendable {}

/// A service whose text describes what it was built from.
private final class Piece: Marked {
  let text: String
  let dependencies: [Piece]

  init(_ name: String, _ dependencies: [Piece] = []) {
    self.dependencies = dependencies
    text = dependencies.isEmpty ? name : "\(name)(\(dependencies.map(\.text).joined(separator: ",")))"
  }
}

private protocol Clock: Sendable {}
private struct FixedClock: Clock {}

/// A flag that is set when a container was found to be disposed of.
private final class End: Sendable {
  let hasCome = Atomic(false)
}

@Suite struct BaseContainerTests {
  private static var registry: Registry {
    var registry = Registry()
    registry.add(
      "Piece", { (name: String, dependencies: [Piece]) in Piece(name, dependencies) }, .value("name"),
      .service("dependencies"))
    registry.add("Marked", as: { ($0 as any Marked, $0) }, { (name: String) in Piece(name) }, .value("name"))
    registry.add(
      "User", { (marked: any Marked) in Piece("user", [marked as? Piece ?? Piece("none")]) }, .service("marked"))
    // Their arguments are bound by type.
    registry.add(
      "Everything", { (all: [any Marked]) in Piece("all", all.map { $0 as? Piece ?? Piece("none") }) },
      .service("all"))
    registry.add(
      "Mapped",
      { (all: [String: any Marked]) in Piece("map " + all.keys.sorted().joined(separator: " ")) }, .service("all"))
    registry.add(
      "Counting",
      { (node: Piece, marked: Lazy<(any Marked)?>, all: [any Marked]) throws in
        Piece("\(all.count) \((try marked.get() as? Piece)?.text ?? "none")", [node])
      }, .decorated("node"), .service("marked"), .service("all"))
    registry.add(
      "Around", { (node: Piece, name: String) in Piece(name, [node]) }, .decorated("node"),
      .value("name"))
    registry.given("Clock", (any Clock).self)
    return registry
  }

  /// Returns the declaration of a service.
  private static func node(_ id: String, _ dependencies: String..., name: String? = nil, more: String = "") -> String {
    let inject = dependencies.isEmpty ? "[]" : "[\(dependencies.map { "\"\($0)\"" }.joined(separator: ", "))]"
    return
      #""\#(id)": {"type": "Piece", "values": {"name": "\#(name ?? id)"}, "inject": {"dependencies": \#(inject)}\#(more)}"#
  }

  private static func module(_ services: String, _ more: String = "") -> String {
    #"{"configdi": 1, "module": "app", "scopes": ["request"]\#(more), "services": {\#(services)}}"#
  }

  private static func layer(_ sections: String) -> ModuleLayer {
    .text(#"{"configdi": 1, "module": "tenant", \#(sections)}"#, name: "tenant.json")
  }

  private static func base(_ module: String, given: [any Sendable] = []) throws -> BaseContainer {
    try BaseContainer(ModuleSource(text: module, name: "app.json"), registry: registry, given: given)
  }

  /// Creates a base container in which `b` depends on `a`, and `d` on `b` and `c`.
  private static func smallBase() throws -> BaseContainer {
    try base(module([node("a"), node("b", "a"), node("c"), node("d", "b", "c")].joined(separator: ", ")))
  }

  /// Creates the same base container in asynchronous code.
  private static func makeSmallBase() async throws -> BaseContainer { try smallBase() }

  /// Returns a layer that overrides the name of a service.
  private static func renaming(_ id: String, _ name: String) -> ModuleLayer {
    layer(#""override": {"services": {"\#(id)": {"values": {"name": "\#(name)"}}}}"#)
  }

  @Test func `a layer hides the service that it changes, but none of code whose type has that name`() throws {
    let base = try Self.base(Self.module(Self.node("Piece", name: "old")))
    base.container.register { Piece("code") }
    let child = try base.child(layers: [Self.renaming("Piece", "new")])
    #expect(try child.resolve([Piece].self).map(\.text).sorted() == ["code", "new"])
    #expect(try child.resolve(Piece.self).text == "code")
    #expect(child.registrations.map(\.id) == ["Piece", "Piece"])
  }

  @Test func `a service that a layer removes is neither listed nor verified in the child`() throws {
    let base = try Self.base(Self.module("\(Self.node("a")), \(Self.node("b"))"))
    let child = try base.child(layers: [Self.layer(#""remove": {"services": ["a"]}"#)])
    #expect(child.registrations.map(\.id) == ["b"])
    try child.verify()
    #expect(base.container.registrations.map(\.isBuilt) == [false, true])
  }

  @Test func `the only provider of a child is found by every form, whatever the base registers`() throws {
    let base = try Self.base(Self.module(Self.node("a")))
    let marked = #""services": {"m": {"type": "Marked", "values": {"name": "m"}}}"#
    let child = try base.child(layers: [Self.layer(marked)])
    base.container.register((any Marked).self) { Piece("code") }
    let found = try child.resolve((any Marked).self) as? Piece
    #expect(found?.text == "m")
    #expect(try child.resolveOptional((any Marked).self) as? Piece === found)
    #expect(try child.resolve(Provider<any Marked>.self).get() as? Piece === found)
    #expect(try child.registration(of: (any Marked).self)?.id == "m")
  }

  @Test(arguments: ["transient", "shared", "request"])
  func `a child injects the module's service where code has taken over another of its types`(scope: String) throws {
    let base = try Self.base(
      Self.module(#""s": {"type": "Marked", "scope": "\#(scope)", "values": {"name": "module"}}"#))
    base.container.register((any Marked).self, named: "s", scope: .transient) { Piece("code") }
    let around = Self.node("u", "s", more: #", "scope": "transient""#)
    let user = #""v": {"type": "User", "scope": "transient", "inject": {"marked": "s"}}"#
    let child = try base.child(layers: [Self.layer(#""services": {\#(around), \#(user)}"#)])
    let request = try child.openScope("request")
    #expect(try request.resolve(Piece.self, named: "u").text == "u(module)")
    #expect(try request.resolve(Piece.self, named: "v").text == "user(code)")
  }

  @Test func `errors of a child do not suggest services that its layer has removed`() throws {
    let marked = #""m": {"type": "Marked", "values": {"name": "m"}}"#
    let base = try Self.base(Self.module([Self.node("part"), Self.node("parts"), marked].joined(separator: ", ")))
    let child = try base.child(layers: [Self.layer(#""remove": {"services": ["part", "parts", "m"]}"#)])
    func candidates(_ body: () throws -> Void) -> [String]? {
      #expect(throws: ResolutionError.self, performing: body)?.candidates
    }
    #expect(candidates { _ = try child.resolve(Piece.self, named: "part") } == [])
    struct Marker {}
    #expect(candidates { _ = try base.resolve(Marker.self) } == ["Marked"])
    #expect(candidates { _ = try child.resolve(Marker.self) } == [])
  }

  @Test func `a child has its own changed services and their dependents, and shares the others with the base`() throws {
    let base = try Self.smallBase()
    let child = try base.child(layers: [Self.renaming("b", "other")])
    #expect(try child.resolve(Piece.self, named: "d").text == "d(other(a),c)")
    #expect(try base.resolve(Piece.self, named: "d").text == "d(b(a),c)")
    for (id, isSame) in [("a", true), ("b", false), ("c", true), ("d", false)] {
      let (own, parents) = (try child.resolve(Piece.self, named: id), try base.resolve(Piece.self, named: id))
      #expect((own === parents) == isSame, "\(id)")
      #expect(try child.resolve(Piece.self, named: id) === own)
    }
  }

  @Test func `a layer without changes creates no services in the child`() throws {
    let base = try Self.smallBase()
    let child = try base.child(layers: [])
    for id in ["a", "b", "c", "d"] {
      #expect(try child.resolve(Piece.self, named: id) === base.resolve(Piece.self, named: id))
    }
    #expect(try child.resolve([Piece].self).map(\.text) == base.resolve([Piece].self).map(\.text))
  }

  @Test func `a child finds neither a removed service nor its aliases`() throws {
    let base = try Self.base(
      Self.module(
        [Self.node("a"), Self.node("b")].joined(separator: ", "), #", "aliases": {"first": "a", "second": "b"}"#))
    let child = try base.child(layers: [Self.layer(#""remove": {"services": ["a"], "aliases": ["first"]}"#)])
    #expect(try child.resolve([Piece].self).map(\.text) == ["b"])
    // Only one service of the type is left, so the look-up by type finds it.
    #expect(try child.resolve(Piece.self).text == "b")
    #expect(try child.resolve(Piece.self, named: "second").text == "b")
    for name in ["a", "first"] {
      #expect(throws: ResolutionError.self) { try child.resolve(Piece.self, named: name) }
      #expect(try child.resolveOptional(Piece.self, named: name) == nil)
      #expect(try base.resolve(Piece.self, named: name).text == "a")
    }
  }

  @Test func `names and types refer to the services of the layer`() throws {
    let base = try Self.base(
      Self.module(
        [Self.node("a"), Self.node("b"), Self.node("u", "it")].joined(separator: ", "),
        #", "aliases": {"it": "a"}, "bindings": {"Piece": "a"}"#))
    let alias = try base.child(layers: [Self.layer(#""override": {"aliases": {"it": "b"}}"#)])
    #expect(try alias.resolve(Piece.self, named: "it").text == "b")
    #expect(try alias.resolve(Piece.self, named: "u").text == "u(b)")
    #expect(try alias.resolve(Piece.self).text == "a")
    let binding = try base.child(layers: [Self.layer(#""override": {"bindings": {"Piece": "b"}}"#)])
    #expect(try binding.resolve(Piece.self).text == "b")
    let unbound = try base.child(layers: [Self.layer(#""remove": {"bindings": ["Piece"]}"#)])
    #expect(throws: ResolutionError.self) { try unbound.resolve(Piece.self) }
    #expect(try base.resolve(Piece.self).text == "a")
    let added = try base.child(layers: [
      Self.layer(#""services": {\#(Self.node("n", "a"))}, "aliases": {"new": "n"}"#)
    ])
    #expect(try added.resolve(Piece.self, named: "new").text == "n(a)")
    #expect(try added.resolve(Piece.self, named: "a") === base.resolve(Piece.self, named: "a"))
    #expect(throws: ResolutionError.self) { try base.resolve(Piece.self, named: "n") }
  }

  @Test func `privacy of a layer applies to the child`() throws {
    let base = try Self.base(
      Self.module([Self.node("a"), Self.node("b", more: #", "private": true"#)].joined(separator: ", ")))
    let child = try base.child(layers: [
      Self.layer(#""override": {"services": {"a": {"private": true}, "b": {"private": false}}}"#)
    ])
    #expect(try child.resolve(Piece.self).text == "b")
    #expect(throws: ResolutionError.self) { try child.resolve(Piece.self, named: "a") }
    #expect(throws: ResolutionError.self) { try base.resolve(Piece.self, named: "b") }
  }

  @Test func `a tag has the members of the child, including those of the base`() throws {
    let tagged = #", "tags": ["t"]"#
    let base = try Self.base(
      Self.module(
        [
          Self.node("a", more: tagged), Self.node("b", more: tagged), Self.node("c", more: tagged),
          #""all": {"type": "Piece", "values": {"name": "all"}, "inject": {"dependencies": {"tagged": "t"}}}"#,
        ].joined(separator: ", ")))
    let child = try base.child(layers: [
      Self.layer(
        #""services": {\#(Self.node("d", more: tagged))}, "override": {"services": {"b": {"values": {"name": "x"}}}}, "remove": {"services": ["c"]}"#
      )
    ])
    #expect(try child.resolve([Piece].self, tagged: "t").map(\.text) == ["a", "x", "d"])
    #expect(try child.resolve([String: Piece].self, tagged: "t").mapValues(\.text) == ["a": "a", "b": "x", "d": "d"])
    #expect(try child.resolve([Piece].self, tagged: "t")[0] === base.resolve(Piece.self, named: "a"))
    #expect(try child.resolve(Piece.self, named: "all").text == "all(a,x,d)")
    #expect(try base.resolve([Piece].self, tagged: "t").map(\.text) == ["a", "b", "c"])
    let declaring = try base.child(layers: [Self.layer(#""tags": {"new": {}}"#)])
    #expect(try declaring.resolve([Piece].self, tagged: "new").isEmpty)
    #expect(try declaring.resolve([Piece].self, tagged: "t").map(\.text) == ["a", "b", "c"])
    #expect(throws: ResolutionError.self) { try base.resolve([Piece].self, tagged: "new") }
  }

  @Test(arguments: [
    #""remove": {"services": ["b"]}"#, #""override": {"services": {"b": {"unset": ["tags"]}}}"#,
    #""replace": {"services": {"b": {"type": "Piece", "values": {"name": "c"}, "inject": {"dependencies": []}}}}"#,
  ])
  func `a tag without services in the child is unknown there, unless it is declared`(sections: String) throws {
    for isDeclared in [false, true] {
      let base = try Self.base(
        Self.module(Self.node("b", more: #", "tags": ["t"]"#), isDeclared ? #", "tags": {"t": {}}"# : ""))
      let child = try base.child(layers: [Self.layer(sections)])
      for container in [child, Container(parent: child)] {
        if isDeclared {
          #expect(try container.resolve([Piece].self, tagged: "t").isEmpty)
        } else {
          let error = try #require(throws: ResolutionError.self) { try container.resolve([Piece].self, tagged: "t") }
          #expect("\(error)".contains(#"no service has the tag "t""#), "\(error)")
        }
      }
      #expect(try base.resolve([Piece].self, tagged: "t").map(\.text) == ["b"])
    }
  }

  @Test func `services by type are those of the child`() throws {
    let base = try Self.base(
      Self.module(
        #""m": {"type": "Marked", "values": {"name": "m"}}, "u": {"type": "User"}"#, #", "autowire": true"#))
    #expect(try base.resolve(Piece.self, named: "u").text == "user(m)")
    let other = try base.child(layers: [
      Self.layer(#""services": {"n": {"type": "Marked", "values": {"name": "n"}}}, "bindings": {"Marked": "n"}"#)
    ])
    #expect(try other.resolve(Piece.self, named: "u").text == "user(n)")
    #expect((try other.resolve((any Marked).self) as? Piece)?.text == "n")
    // Two services provide the type, and no binding selects one.
    #expect(throws: LoadError.self) {
      try base.child(layers: [Self.layer(#""services": {"n": {"type": "Marked", "values": {"name": "n"}}}"#)])
    }
  }

  @Test func `templates, parameters and conditions are those of the child`() throws {
    let base = try Self.base(
      Self.module(
        #"""
        "a": {"extends": "t"}, "b": {"extends": "t", "values": {"name": "${deep}"}},
        "c": {"type": "Piece", "values": {"name": "c"}, "inject": {"dependencies": []}, "when": {"parameter": "on", "equals": true}},
        "u": {"type": "Piece", "values": {"name": "u"}, "inject": {"dependencies": ["a", {"service": "c", "optional": true}]}}
        """#,
        #"""
        , "parameters": {"p": "x", "deep": "${p}y", "on": false},
        "templates": {"t": {"type": "Piece", "values": {"name": "t"}, "inject": {"dependencies": []}}}
        """#))
    #expect(try base.resolve(Piece.self, named: "b").text == "xy")
    let parameter = try base.child(layers: [Self.layer(#""override": {"parameters": {"p": {"value": "z"}}}"#)])
    #expect(try parameter.resolve(Piece.self, named: "b").text == "zy")
    #expect(try parameter.resolve(Piece.self, named: "a") === base.resolve(Piece.self, named: "a"))
    let template = try base.child(layers: [
      Self.layer(#""override": {"templates": {"t": {"values": {"name": "other"}}}}"#)
    ])
    #expect(try template.resolve(Piece.self, named: "u").text == "u(other)")
    #expect(try template.resolve(Piece.self, named: "b") === base.resolve(Piece.self, named: "b"))
    let condition = try base.child(layers: [Self.layer(#""override": {"parameters": {"on": {"value": true}}}"#)])
    #expect(try condition.resolve(Piece.self, named: "u").text == "u(t,c)")
    #expect(throws: ResolutionError.self) { try base.resolve(Piece.self, named: "c") }
  }

  @Test func `changes of a layer are found by type, however many templates define the type`() throws {
    let templates = (0..<1_500).map { index in
      #""t\#(index)": \#(index == 0 ? #"{"type": "User"}"# : #"{"extends": "t\#(index - 1)"}"#)"#
    }
    let base = try Self.base(
      Self.module(
        #""one": {"type": "Marked", "values": {"name": "one"}}, "user": {"extends": "t1499", "autowire": true}"#,
        #", "templates": {\#(templates.reversed().joined(separator: ", "))}"#))
    let child = try base.child(
      layers: [Self.layer(#""override": {"services": {"one": {"values": {"name": "tenant's"}}}}"#)])
    #expect(try child.resolve(Piece.self, named: "user").text == "user(tenant's)")
    #expect(try base.resolve(Piece.self, named: "user").text == "user(one)")
  }

  /// A service that lists what it received.
  private struct Health: Sendable {
    let names: [String]
  }

  @Test(arguments: [
    #""override": {"services": {"health": {"type": "Loud"}}}"#,
    #""override": {"services": {"health": {"decorate": {"append": [{"type": "More"}]}}}}"#,
    #""override": {"templates": {"quiet": {"type": "Loud"}}}"#,
    #""override": {"services": {"extending": {"extends": "loud"}}}"#,
    #""override": {"services": {"extending": {"type": "Loud"}}}"#,
    #""templates": {"new": {"type": "Loud"}}, "services": {"added": {"extends": "new", "autowire": true}}"#,
    #""templates": {"new": {"type": "Loud"}}, "override": {"services": {"extending": {"extends": "new"}}}"#,
  ])
  func `a child binds the arguments of overridden types like a load with the layer`(sections: String) throws {
    var registry = Registry()
    registry.add("Disk", as: (any Marked).self, { Piece("disk") })
    registry.add("Quiet") { Health(names: []) }
    registry.add(
      "Loud",
      { (pieces: [any Marked]) in
        Health(names: pieces.map { ($0 as? Piece)?.text ?? "" })
      }, .service("pieces"))
    registry.add(
      "More",
      { (inner: Health, pieces: [any Marked]) in
        Health(names: inner.names + ["more \(pieces.count)"])
      }, .decorated("inner"), .service("pieces"))
    for isAutowired in [true, false] {
      let module = """
        {"configdi": 1, "module": "app", "autowire": \(isAutowired), "services": {
          "disk": {"type": "Disk"}, "health": {"type": "Quiet"}, "extending": {"extends": "quiet"},
          "typed": {"type": "\(isAutowired ? "Loud" : "Quiet")"}},
         "templates": {"quiet": {"type": "Quiet"}, "loud": {"type": "Loud"}}}
        """
      let source = ModuleSource(text: module, name: "app.json")
      let base = try BaseContainer(source, registry: registry)
      let outcome = { (make: () throws -> Container) -> [String: [String]]? in
        try? make().resolve([String: Health].self).mapValues(\.names)
      }
      let child = outcome { try base.child(layers: [Self.layer(sections)]) }
      let loaded = outcome {
        try Container(
          ModuleSource(text: module, name: "app.json", layers: [Self.layer(sections)]), registry: registry)
      }
      #expect(child == loaded, "\(isAutowired)")
      if isAutowired { #expect(child?.values.contains { !$0.isEmpty } == true) }
    }
  }

  @Test func `a service that a layer makes eager is the child's own, and starts with it`() throws {
    let base = try Self.smallBase()
    let child = try base.child(layers: [Self.layer(#""override": {"services": {"a": {"eager": true}}}"#)])
    #expect(child.registrations.first { $0.id == "a" }?.isBuilt == true)
    #expect(base.container.registrations.first { $0.id == "a" }?.isBuilt == false)
    #expect(try child.resolve(Piece.self, named: "a") !== base.resolve(Piece.self, named: "a"))
  }

  @Test func `a layer that makes a service eager leaves what the service needs in the base`() throws {
    let marked = { (id: String) in #""\#(id)": {"type": "Marked", "values": {"name": "\#(id)"}}"# }
    let base = try Self.base(
      Self.module(
        [marked("m"), marked("n"), Self.node("a", "m")].joined(separator: ", "), #", "bindings": {"Marked": "m"}"#))
    let child = try base.child(layers: [Self.layer(#""override": {"services": {"a": {"eager": true}}}"#)])
    #expect(base.container.registrations.first { $0.id == "m" }?.isBuilt == true)
    #expect(try child.resolve(Piece.self, named: "m") === base.resolve(Piece.self, named: "m"))
    #expect((try child.resolve((any Marked).self) as? Piece)?.text == "m")
  }

  @Test func `a private service that the base binds keeps answering with run-time arguments`() throws {
    var registry = Registry()
    registry.add(
      "Numbered", { (name: String, number: Int) in Piece("\(name) \(number)") }, .value("name"), .runtime("number"))
    let numbered = { (name: String, more: String) in #"{"type": "Numbered", "values": {"name": "\#(name)"}\#(more)}"# }
    let source = ModuleSource(
      text:
        #"{"configdi": 1, "module": "app", "bindings": {"Piece": "p"}, "services": {"p": \#(numbered("p", #", "private": true"#)), "q": \#(numbered("q", ""))}}"#,
      name: "app.json")
    let child = try BaseContainer(source, registry: registry).child(layers: [Self.renaming("q", "changed")])
    #expect(try child.resolve(Piece.self, arguments: 1).text == "p 1")
    #expect(try child.resolve(Piece.self, named: "q", arguments: 2).text == "changed 2")
  }

  @Test func `decorators that a layer adds wrap the service of the child`() throws {
    let base = try Self.smallBase()
    let child = try base.child(layers: [
      Self.layer(
        #""override": {"services": {"c": {"decorate": {"append": [{"type": "Around", "values": {"name": "around"}}]}}}}"#
      )
    ])
    #expect(try child.resolve(Piece.self, named: "d").text == "d(b(a),around(c))")
    #expect(try child.resolve(Piece.self, named: "b") === base.resolve(Piece.self, named: "b"))
  }

  @Test func `a scope of the child has the scoped services of base and child`() throws {
    let scoped = #", "scope": "request""#
    let base = try Self.base(
      Self.module(
        [Self.node("a", more: scoped), Self.node("b", more: scoped), Self.node("c", "a", "b", more: scoped)].joined(
          separator: ", ")))
    let child = try base.child(layers: [Self.renaming("b", "x")])
    try child.scope("request") { scope in
      let c = try scope.resolve(Piece.self, named: "c")
      #expect(c.text == "c(a,x)")
      #expect(try scope.resolve(Piece.self, named: "a") === c.dependencies[0])
      #expect(try scope.resolve(Piece.self, named: "b") === c.dependencies[1])
    }
    try base.container.scope("request") { scope in
      let text = try scope.resolve(Piece.self, named: "c").text
      #expect(text == "c(a,b)")
    }
  }

  @Test(.hangLimit) func `the error of a child's late start names the hanging service of the base`() async throws {
    let name = try await withIncreasingLimit(from: .milliseconds(100), until: "slow") { limit in
      var registry = Self.registry
      registry.add("Slow") { () async throws -> any Marked in
        try await Task.sleep(for: .seconds(600))
        return Piece("slow")
      }
      let base = try await BaseContainer(
        ModuleSource(text: Self.module(#""slow": {"type": "Slow"}"#)), registry: registry)
      let error = await #expect(throws: ResolutionError.self) {
        try await base.child(
          layers: [Self.layer(#""services": {"user": {"type": "User", "inject": {"marked": "slow"}, "eager": true}}"#)],
          startLimit: limit)
      }
      #expect(error?.code == .timedOut)
      return error?.name ?? "none"
    }
    #expect(name == "slow")
  }

  @Test func `a given instance belongs to the base unless the layer changes its service`() throws {
    let base = try Self.base(
      Self.module(#""clock": {"type": "Clock"}, \#(Self.node("a"))"#), given: [FixedClock()])
    let child = try base.child(layers: [Self.renaming("a", "x")])
    _ = try child.resolve((any Clock).self)
    let added = Self.layer(#""services": {"other": {"type": "Clock"}}"#)
    #expect(throws: ResolutionError.self) { try base.child(layers: [added]) }
    let other = try base.child(layers: [added], given: [FixedClock()])
    _ = try other.resolve((any Clock).self, named: "other")
  }

  @Test func `children end with the base, and the base continues without them`() throws {
    let base = try Self.smallBase()
    let (one, two) = (
      try base.child(layers: [Self.renaming("a", "x")]), try base.child(layers: [Self.renaming("a", "y")])
    )
    #expect(try one.resolve(Piece.self, named: "d").text == "d(b(x),c)")
    #expect(try two.resolve(Piece.self, named: "d").text == "d(b(y),c)")
    one.dispose()
    #expect(throws: ResolutionError.self) { try one.resolve(Piece.self, named: "c") }
    #expect(try two.resolve(Piece.self, named: "c") === base.resolve(Piece.self, named: "c"))
    base.container.dispose()
    for id in ["a", "c"] { #expect(throws: ResolutionError.self) { try two.resolve(Piece.self, named: id) } }
    #expect(throws: ResolutionError.self) { try base.child(layers: [Self.renaming("a", "z")]) }
  }

  @Test func `eager services of the child start with it`() async throws {
    let recorder = Recorder()
    var registry = Registry()
    registry.add("Part", { (name: String) in recorder.build(name) }, .value("name"))
    registry.add("Awaited", { (name: String) async in recorder.build(name) }, .value("name"))
    let module = #"""
      {"configdi": 1, "module": "m", "services": {
        "a": {"type": "Part", "values": {"name": "a"}, "eager": true},
        "b": {"type": "Part", "values": {"name": "b"}, "eager": true}}}
      """#
    let base = try await BaseContainer(ModuleSource(text: module), registry: registry)
    #expect(recorder.built == ["a", "b"])
    _ = try await base.child(layers: [Self.renaming("b", "x")])
    #expect(recorder.built == ["a", "b", "x"])
    let awaited = Self.layer(#""services": {"c": {"type": "Awaited", "values": {"name": "c"}, "eager": true}}"#)
    let inline = { try base.child(layers: [awaited]) } as () throws -> Container
    #expect(throws: LoadError.self, performing: inline)
    _ = try await base.child(layers: [awaited])
    #expect(recorder.built == ["a", "b", "x", "c"])
  }

  @Test func `errors of a layer are reported as by a load`() throws {
    let base = try Self.smallBase()
    let error = try #require(throws: LoadError.self) {
      try base.child(layers: [
        Self.layer(
          #""override": {"services": {"b": {"inject": {"dependencies": ["aa"]}}}}, "services": {"n": {"type": "Nod"}}"#),
        "gone.json",
      ])
    }
    #expect(error.diagnostics.map { "\($0.location.file) \($0.code)" } == ["<command line> CDI0301"])
    let wrong = try #require(throws: LoadError.self) {
      try base.child(layers: [
        Self.layer(
          #""override": {"services": {"b": {"inject": {"dependencies": ["aa"]}}}}, "services": {"n": {"type": "Nod"}}"#)
      ])
    }
    #expect(
      wrong.diagnostics.map { "\($0.location.file) \($0.code)" } == ["tenant.json CDI0501", "tenant.json CDI0601"])
    #expect(wrong.description.contains(#"did you mean "a""#) || wrong.description.contains("tenant.json:1:"))
    #expect(try base.child(layers: [Self.renaming("a", "x")]).resolve(Piece.self, named: "d").text == "d(b(x),c)")
  }

  @Test(arguments: [
    (#""override": {"services": {"s7": {"values": {"name": "x"}}}}"#, ["s0", "s7"]),
    (
      #""services": {"n": {"type": "Piece", "values": {"name": "n"}, "inject": {"dependencies": ["s5"]}}}"#,
      ["n", "s0", "s5"]
    ),
    (#""override": {"parameters": {"p": {"value": "y"}}}"#, ["s0", "s9"]),
    (#""services": {"n": {"extends": "t", "values": {"name": "n"}}}"#, ["n", "s0"]),
  ])
  func `only the parts that a layer can change are composed again`(sections: String, composed: [String]) throws {
    var services = [Self.node("s0")]
    for number in 1..<200 { services.append(Self.node("s\(number)", "s0", name: number == 9 ? "${p}" : nil)) }
    let module = Self.module(
      services.joined(separator: ", "),
      #"""
      , "parameters": {"p": "x"}, "bindings": {"Piece": "s0"},
      "templates": {"t": {"type": "Piece", "inject": {"dependencies": []}}}
      """#)
    let kept = try KeptModule(loading: ModuleSource(text: module), registry: Self.registry, awaits: false)
    let changed = try kept.adding([Self.layer(sections)], awaits: false)
    #expect(changed.plan.slots.map(\.id).sorted() == composed)
  }

  @Test func `children are made and used concurrently, also during disposal of the base`() async throws {
    for endsEarly in [false, true] {
      let base = try await Self.makeSmallBase()
      let end = End()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            // If the base is disposed of early, the loop runs until the task finds that out.
            for number in 0..<(endsEarly ? Int.max : 25) {
              let name = "\(task).\(number)"
              await Task.yield()
              do {
                let child = try await base.child(layers: [Self.renaming("b", name)])
                let text = try child.resolve(Piece.self, named: "d").text
                #expect(text == "d(\(name)(a),c)")
                let isShared = try child.resolve(Piece.self, named: "a") === base.resolve(Piece.self, named: "a")
                #expect(isShared)
                if number.isMultiple(of: 2) { child.dispose() }
              } catch is ResolutionError where endsEarly {
                end.hasCome.store(true, ordering: .releasing)
                return
              }
            }
          }
        }
        if endsEarly { group.addTask { base.container.dispose() } }
        try await group.waitForAll()
      }
      let hasEnded = end.hasCome.load(ordering: .acquiring)
      #expect(hasEnded == endsEarly)
    }
  }

  @Test func `a private service that the base binds to a type stays bound for a child that changes another`() throws {
    let bound = Self.module(
      Self.node("a") + "," + Self.node("b", more: #", "private": true"#), #", "bindings": {"Piece": "b"}"#)
    let base = try Self.base(bound)
    #expect(try base.child(layers: [Self.renaming("a", "a2")]).resolve(Piece.self).text == "b")
    let unbinding = Self.layer(#""remove": {"bindings": ["Piece"]}"#)
    #expect(try base.child(layers: [unbinding]).resolve(Piece.self).text == "a")
  }

  @Test func `an error of a child names the private service that it does not hide`() throws {
    let base = try Self.base(
      Self.module(
        Self.node("a", more: #", "private": true"#) + "," + Self.node("b", more: #", "private": true"#)))
    let child = try base.child(layers: [
      Self.layer(#""override": {"services": {"a": {"provides": ["Marked"], "type": "Marked", "unset": ["inject"]}}}"#)
    ])
    let error = #expect(throws: ResolutionError.self) { try child.resolve(Piece.self) }
    #expect(error?.code == .isPrivate && error?.description.contains(#""b""#) == true)
  }

  /// Compares random modules and layers: look-ups in a child must find the same as in a container that was loaded with
  /// the layers.
  @Test func `a child equals a load with the layer`() throws {
    var compared = 0
    let count = LongTests.size(25, full: 1_000)
    for seed in 0..<count {
      var random = RandomTenant(seed: UInt64(seed))
      let module = random.module()
      let layers = (0..<Int.random(in: 1...2, using: &random.random)).map { _ in random.layer() }
      let source = ModuleSource(text: module, name: "app.json")
      guard let base = try? BaseContainer(source, registry: Self.registry) else { continue }
      let whole = Result {
        try Container(
          ModuleSource(text: module, name: "app.json", layers: layers), registry: Self.registry)
      }
      let child = Result { try base.child(layers: layers) }
      switch (whole, child) {
      case (.success(let whole), .success(let child)):
        compared += 1
        #expect(Self.content(of: child) == Self.content(of: whole), "\(seed): \(module) \(layers)")
      case (.failure(let error as LoadError), .failure(let other as LoadError)):
        #expect(error.diagnostics == other.diagnostics, "\(seed)")
      default:
        Issue.record("\(seed): \(whole) \(child) \(module) \(layers)")
      }
    }
    #expect(compared > count / 10)
  }

  /// Returns the results of many look-ups in a container.
  private static func content(of container: Container) -> [String] {
    func outcome(_ find: () throws -> String) -> String {
      do { return try find() } catch let error as ResolutionError { return "\(error.code)" } catch { return "\(error)" }
    }
    var found = RandomTenant.names.map { name in
      "\(name): " + outcome { try container.resolve(Piece.self, named: name).text }
    }
    found.append("type: " + outcome { try container.resolve(Piece.self).text })
    found.append("all: " + outcome { try container.resolve([Piece].self).map(\.text).joined(separator: " ") })
    for tag in ["t", "s"] {
      found.append(
        "\(tag): " + outcome { try container.resolve([Piece].self, tagged: tag).map(\.text).joined(separator: " ") })
    }
    found.append("marked: " + outcome { (try container.resolve((any Marked).self) as? Piece)?.text ?? "none" })
    found.append(
      "all marked: " + outcome { "\(try container.resolve([any Marked].self).map { ($0 as? Piece)?.text })" })
    found.append("map: " + outcome { "\(try container.resolve([String: Piece].self).mapValues(\.text).sorted(by: <))" })
    found.append("services: " + outcome { container.registrations.map(\.id).sorted().joined(separator: " ") })
    return found
  }
}

/// A thread-safe record of builds, in order.
private final class Recorder: Sendable {
  private let names = Guarded<[String]>([])
  var built: [String] { names.withLock { $0 } }
  func build(_ name: String) -> Piece {
    names.withLock { $0.append(name) }
    return Piece(name)
  }
}

/// A generator of a random module, and of layers for it.
private struct RandomTenant {
  static let ids = (0..<8).map { "s\($0)" }
  static let names = ids + ["n0", "n1", "x", "y", "z"]
  /// The types whose arguments are bound by type.
  private static let autowired = ["User", "Everything", "Mapped"]
  var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private mutating func chance(oneIn times: Int) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }
  private mutating func pick(_ texts: [String]) -> String { texts[Int.random(in: 0..<texts.count, using: &random)] }

  /// Returns a reference to one of some services.
  private mutating func reference(_ ids: [String]) -> String {
    if chance(oneIn: 8) { return #"{"service": "\#(pick(ids + ["n0", "gone"]))", "optional": true}"# }
    return #""\#(pick(ids))""#
  }

  private mutating func dependencies(_ ids: [String]) -> String {
    if chance(oneIn: 8) { return #"{"tagged": "\#(pick(["t", "s"]))"}"# }
    guard !ids.isEmpty else { return "[]" }
    let count = Int.random(in: 0...2, using: &random)
    return "[" + (0..<count).map { _ in reference(ids + (chance(oneIn: 4) ? ["x"] : [])) }.joined(separator: ", ") + "]"
  }

  private mutating func service(_ id: String, _ before: [String]) -> String {
    if id == Self.ids[0] || chance(oneIn: 8) {
      return #""\#(id)": {"type": "Marked", "values": {"name": "\#(id)"}}"#
    }
    if chance(oneIn: 8) { return #""\#(id)": {"type": "\#(pick(Self.autowired))", "autowire": true\#(decorators)}"# }
    var text = #""\#(id)": {"#
    if chance(oneIn: 6) {
      text += #""extends": "\#(pick(["u", "w"]))", "autowire": true"#
    } else if chance(oneIn: 5) {
      text += #""extends": "t", "values": {"name": "\#(pick(["${p}", "${q}", id]))"}"#
    } else {
      text +=
        #""type": "Piece", "values": {"name": "\#(pick([id, id, "${p}", "${q}"]))"}, "inject": {"dependencies": \#(dependencies(before))}"#
    }
    if chance(oneIn: 6) { text += #", "scope": "\#(pick(["transient", "weak", "graph"]))""# }
    if chance(oneIn: 8) { text += #", "private": true"# }
    if chance(oneIn: 4) { text += #", "tags": ["\#(pick(["t", "s"]))"]"# }
    if chance(oneIn: 10) { text += #", "when": {"parameter": "on", "equals": \#(pick(["true", "false"]))}"# }
    return text + decorators + "}"
  }

  /// The decorators of a service, or nothing.
  private var decorators: String {
    mutating get { chance(oneIn: 6) ? #", "decorate": [\#(decorator)]"# : "" }
  }

  private var decorator: String {
    mutating get {
      chance(oneIn: 3)
        ? #"{"type": "Counting"}"#
        : #"{"type": "Around", "values": {"name": "\#(pick(["d", "${p}"]))"}}"#
    }
  }

  mutating func module() -> String {
    var services: [String] = []
    for (place, id) in Self.ids.enumerated() { services.append(service(id, Array(Self.ids[..<place]))) }
    let bindings = chance(oneIn: 8) ? "" : #""bindings": {"\#(pick(["Marked", "Marked", "Piece"]))": "s0"},"#
    let aliases = chance(oneIn: 4) ? "" : #""aliases": {"x": "\#(pick(Self.ids))", "z": "x"},"#
    return """
      {"configdi": 1, "module": "app", "scopes": ["request"], "tags": {"t": {}, "s": {}},
       "parameters": {"p": "p", "q": "${p}q", "on": \(pick(["true", "false"]))}, \(bindings) \(aliases)
       "templates": {"t": {"type": "Piece", "values": {"name": "t"}, "inject": {"dependencies": []}},
         "u": {"type": "\(pick(Self.autowired))"}, "w": {"extends": "u"}}, "autowire": \(chance(oneIn: 6) ? "false" : "true"),
       "services": {\(services.joined(separator: ", "))}}
      """
  }

  mutating func layer() -> ModuleLayer {
    var sections: [String] = []
    var overrides: [String] = []
    if chance(oneIn: 3) {
      overrides.append(#""parameters": {"\#(pick(["p", "q"]))": {"value": "\#(pick(["v", "${on}"]))"}}"#)
    }
    if chance(oneIn: 6) { overrides.append(#""parameters": {"on": {"value": \#(pick(["true", "false"]))}}"#) }
    if chance(oneIn: 4) {
      let change = pick([
        #""t": {"values": {"name": "other"}}"#, #""u": {"type": "\#(pick(Self.autowired))"}"#,
        #""w": {"extends": "t"}"#,
        #""w": {"type": "\#(pick(Self.autowired))"}"#,
        #""u": {"type": "Piece", "inject": {"dependencies": []}, "values": {"name": "u"}}"#,
      ])
      overrides.append(#""templates": {\#(change)}"#)
    }
    if chance(oneIn: 2) {
      let id = pick(Self.ids)
      let change = pick([
        #""values": {"name": "v"}"#, #""inject": {"dependencies": \#(dependencies(Self.ids))}"#,
        #""private": \#(pick(["true", "false"]))"#,
        #""scope": "transient""#, #""tags": ["\#(pick(["t", "s"]))"]"#, #""unset": ["tags"]"#,
        #""decorate": {"append": [\#(decorator)]}"#, #""decorate": []"#, #""eager": true"#,
        #""type": "\#(pick(Self.autowired))", "autowire": true"#, #""extends": "\#(pick(["t", "u", "w"]))""#,
        #""when": {"parameter": "on", "equals": true}"#,
      ])
      overrides.append(#""services": {"\#(id)": {\#(change)}}"#)
    }
    if chance(oneIn: 6) { overrides.append(#""aliases": {"\#(pick(["x", "z"]))": "\#(pick(Self.ids + ["x", "z"]))"}"#) }
    if chance(oneIn: 6) { overrides.append(#""bindings": {"\#(pick(["Piece", "Marked"]))": "\#(pick(Self.ids))"}"#) }
    var seen: Set<Substring> = []
    overrides = overrides.filter { seen.insert($0.prefix { $0 != ":" }).inserted }
    if !overrides.isEmpty { sections.append(#""override": {\#(overrides.joined(separator: ", "))}"#) }
    if chance(oneIn: 3) { sections.append(#""services": {\#(service(pick(["n0", "n1"]), Self.ids))}"#) }
    if chance(oneIn: 6) { sections.append(#""aliases": {"y": "\#(pick(Self.ids + ["x", "z"]))"}"#) }
    if chance(oneIn: 5) {
      sections.append(
        pick([
          #""remove": {"services": ["\#(pick(Self.ids))"]}"#,
          #""remove": {"bindings": ["\#(pick(["Piece", "Marked"]))"]}"#,
          #""remove": {"aliases": ["x"]}"#,
        ]))
    }
    if chance(oneIn: 8) { sections.append(#""replace": {"services": {\#(service(pick(Self.ids), []))}}"#) }
    sections.append(#""module": "tenant""#)
    return .text(#"{"configdi": 1, \#(sections.joined(separator: ", "))}"#, name: "tenant\(random.next() % 1000).json")
  }
}
