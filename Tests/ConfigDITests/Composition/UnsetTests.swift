// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct UnsetTests {
  /// Returns a service that has every kind of member, after `unset` of some paths.
  private func values(without paths: String, and patch: String = "") throws -> Value? {
    try resolved([
      "app.json": module(
        #"""
        "services": {"b": {"type": "B"}, "a": {"type": "A", "provides": ["T", "U", "V"], "scope": "shared", "eager": true,
          "private": true, "deprecated": "d", "inject": {"x": "b", "i.b": "b"},
          "values": {"k": 1, "a.b": 2, "a": {"b": 3, "c.d": 4, "": 5}, "l": [0, {"m": 1, "n": 2}, [3, 4], 5]}}},
        "override": {"services": {"a": {"unset": [\#(paths)]\#(patch)}}}
        """#)
    ])["services"]?["a"]
  }

  @Test func `a key is removed, quoted or not, and a path in the form of diagnostics goes first`() throws {
    let a: Value = ["": 5, "b": 3, "c.d": 4]
    let l: Value = [0, ["m": 1, "n": 2], [3, 4], 5]
    #expect(try values(without: #""values.k""#)?["values"] == ["a": a, "a.b": 2, "l": l])
    #expect(try values(without: #""values.a.b""#)?["values"] == ["a": ["": 5, "c.d": 4], "a.b": 2, "k": 1, "l": l])
    #expect(try values(without: #""values[\"a.b\"]""#)?["values"] == ["a": a, "k": 1, "l": l])
    #expect(
      try values(without: #""values[\"a\"].b", "values.a[\"\"]""#)?["values"] == [
        "a": ["c.d": 4], "a.b": 2, "k": 1, "l": l,
      ])
    #expect(try values(without: #""values.a.c.d""#)?["values"]?["a"] == ["": 5, "b": 3])
    #expect(try values(without: #""values""#)?["values"] == [:])
    #expect(try values(without: #""inject.x""#)?["inject"] == ["i.b": "b"])
    #expect(try values(without: #""inject[\"i.b\"]""#)?["inject"] == ["x": "b"])
    #expect(try values(without: #""inject""#)?["inject"] == [:])
  }

  @Test func `elements of lists are removed by their old positions, in any order`() throws {
    #expect(try values(without: #""values.l[0]", "values.l[2]""#)?["values"]?["l"] == [["m": 1, "n": 2], 5])
    #expect(
      try values(without: #""values.l[3]", "values.l[1].m", "values.l[2][0]""#)?["values"]?["l"] == [0, ["n": 2], [4]])
    #expect(try values(without: #""values.l[1]", "values.l[1].m""#)?["values"]?["l"] == [0, [3, 4], 5])
    #expect(try values(without: #""values.l[1]", "values.l[1]""#)?["values"]?["l"] == [0, [3, 4], 5])
    #expect(try values(without: #""provides[0]", "provides[2]""#)?["provides"] == ["U"])
  }

  @Test func `parts of references and conditions are removed`() throws {
    func service(without path: String) throws -> Value? {
      try resolved([
        "app.json": module(
          #"""
          "parameters": {"p": 1},
          "services": {"b": {"type": "B"}, "c": {"type": "C", "tags": ["t"]},
            "a": {"type": "A", "inject": {"r": ["b", "c"], "o": {"service": "b", "optional": true},
              "m": {"map": {"x.y": "b", "z": ["b", "c"]}}, "t": {"tagged": "t", "as": "map"}},
              "when": {"all": [{"any": [{"parameter": "p", "equals": 1}, {"environment": []}]},
                {"not": {"all": [{"parameter": "p", "equals": 1}, {"parameter": "p", "equals": 2}]}}]}}},
          "override": {"services": {"a": {"unset": [\#(path)]}}}
          """#)
      ])["services"]?["a"]
    }
    #expect(try service(without: #""inject.r[0]""#)?["inject"]?["r"] == ["c"])
    #expect(try service(without: #""inject.r[0]", "inject.r[1]""#)?["inject"]?["r"] == [])
    #expect(try service(without: #""inject.o.optional""#)?["inject"]?["o"] == "b")
    #expect(try service(without: #""inject.m.map.x.y""#)?["inject"]?["m"] == ["map": ["z": ["b", "c"]]])
    #expect(try service(without: #""inject.m.map.z[0]""#)?["inject"]?["m"] == ["map": ["x.y": "b", "z": ["c"]]])
    #expect(try service(without: #""inject.t.as""#)?["inject"]?["t"] == ["c"])
    #expect(try service(without: #""when.all[0].any[0]""#) == nil)
    #expect(try service(without: #""when.all[0].any[1]", "when.all[1]""#) != nil)
    #expect(try service(without: #""when.all[1].not.all[1]""#) == nil)
    #expect(try service(without: #""when""#) != nil)
  }

  @Test(arguments: [
    "inject.o.service", "inject.m.map", "inject.t.tagged", "inject.l[0].service", "when.all", "when.all[0].not",
    "when.all[0].not.environment", "when.all[1].parameter", "when.all[1].equals",
  ])
  func `removing a required part of a reference or a condition is reported`(path: String) {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"p": 1},
        "services": {"b": {"type": "B"}, "a": {"type": "A",
          "inject": {"o": {"service": "b"}, "m": {"map": {}}, "t": {"tagged": "t"}, "l": [{"service": "b"}]},
          "when": {"all": [{"not": {"environment": []}}, {"parameter": "p", "equals": 1}]}}},
        "override": {"services": {"a": {"unset": [«CDI0306»"\#(path)"]}}}
        """#)
    ])
    #expect(module.findingsText.contains("incomplete without it"))
  }

  @Test func `other keys are removed, and their defaults apply`() throws {
    let service = try values(without: #""scope", "eager", "private", "deprecated", "provides""#)
    #expect(service?["scope"] == "shared")
    #expect(service?["eager"] == false)
    #expect(service?["private"] == false)
    #expect(service?["provides"] == nil)
  }

  @Test func `unset is applied before the merge`() throws {
    let service = try values(
      without: #""type", "values.a", "inject.x""#,
      and: #", "type": "Z", "values": {"a": {"z": 1}}, "inject": {"x": "b"}"#)
    #expect(service?["type"] == "Z")
    #expect(service?["values"]?["a"] == ["z": 1])
    #expect(service?["inject"]?["x"] == "b")
  }

  @Test(arguments: [
    "", ".", "values.", "valuesk", "values..k", "values.no", "values.k.no", "values.l[4]", "values.l[-1]",
    "values.l[01x]",
    "values.l[+1]", "values.l.0", "values[0]", "values.a[0]", "values.l[1", "values.a['b']", "values[k]", "inject.no",
    "inject.x.service", "inject.x.optional", "inject.x[0]", "when.all", "provides[3]", "provides.T",
    "scope.x", "doc", "ghost", "values[\\\"k\\\"",
    "values.l[99999999999999999999]",
  ])
  func `a path without a target is reported at its string`(path: String) {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"b": {"type": "B"}, "a": {"type": "A", "provides": ["T", "U", "V"], "scope": "shared", "doc": "d",
          "inject": {"x": "b"}, "values": {"k": 1, "a": {"b": 3}, "l": [0, 1, 2, 3]}}},
        "override": {"services": {"a": {"unset": [«CDI0306»"\#(path)"]}}}
        """#)
    ])
  }

  @Test func `unset of a missing part is reported, also if the override adds it`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": "A"}},
        "override": {"services": {"a": {"unset": [«CDI0306»"eager", «CDI0306»"values", «CDI0306»"values.k", «CDI0306»"inject"],
          "eager": true, "values": {"k": 1}}}}
        """#)
    ])
  }

  @Test func `a service without a type is reported at the override, unless a later one adds it`() {
    let files = [
      "app.json": module(#""services": {"a": {"type": "A"}}"#),
      "l.json": module(#""override": {"services": {«CDI0203»"a": {"unset": ["type"]}}}"#),
    ]
    expectFindings(in: files, layers: ["l.json"])
    expectFindings(
      in: files.mapValues { $0.replacing("«CDI0203»", with: "") },
      layers: ["l.json", .text(module(#""override": {"services": {"a": {"type": "B"}}}"#))])
  }

  @Test func `overlapping unset paths all have targets`() throws {
    let service = try values(
      without:
        #""values.k", "values[\"k\"]", "values.a", "values.a.b", "values.l[2]", "values.l[2][1]", "provides", "provides[0]", "inject", "inject.x""#
    )
    #expect(service?["values"] == ["a.b": 2, "l": [0, ["m": 1, "n": 2], 5]])
    #expect(service?["inject"] == [:])
    #expect(service?["provides"] == nil)
  }

  @Test func `parts of a template are removed like those of a service`() throws {
    let files = [
      "app.json": module(
        #"""
        "templates": {"t": {"type": "T", "scope": "weak", "values": {"k": 1, "m": {"l": 1, "n": 2}}, "inject": {"i": "a"}}},
        "services": {"a": {"type": "A"}, "s": {"extends": "t"}},
        "override": {"templates": {"t": {"unset": ["scope", "values.m.l", "inject.i", «CDI0306»"tags", «CDI0306»"values.m.l.x"]}}}
        """#)
    ]
    expectFindings(in: files)
    let resolved = try resolved(
      files.mapValues { $0.replacing(#", «CDI0306»"tags", «CDI0306»"values.m.l.x""#, with: "") })
    #expect(resolved.values(of: "s") == ["k": 1, "m": ["n": 2]])
    #expect(resolved["services"]?["s"]?["scope"] == "shared")
    #expect(resolved.inject(of: "s") == [:])
  }

  @Test func `a part from a template is removed from the service only`() throws {
    let base = module(
      #"""
      "templates": {
        "u": {"type": "U", "values": {"a": 1, "b": 2}},
        "t": {"extends": "u", "scope": "transient", "provides": ["P", "Q"], "inject": {"i": "x", "j": "x"},
              "values": {"k": 1, "m": {"l": 1, "n": 2}, "a": 3}}},
      "services": {"x": {"type": "X"}, "s": {"extends": "t", "values": {"k": 9}}, "other": {"extends": "t"}}
      """#)
    func layer(_ paths: String, and patch: String = "") -> String {
      module(#""override": {"services": {"s": {"unset": [\#(paths)]\#(patch)}}}"#)
    }
    let resolved = try resolved(
      ["app.json": base],
      layers: [
        .text(layer(#""scope", "provides[0]", "inject.i", "values.m.l", "values.b""#)),
        .text(layer(#""values.a""#, and: #", "inject": {"n": "x"}"#), name: "two"),
      ])
    #expect(resolved["services"]?["s"]?["scope"] == "shared")
    #expect(resolved["services"]?["s"]?["provides"] == ["Q"])
    #expect(resolved.inject(of: "s") == ["j": "x", "n": "x"])
    #expect(resolved.values(of: "s") == ["k": 9, "m": ["n": 2]])
    #expect(resolved["services"]?["other"]?["scope"] == "transient")
    #expect(resolved.inject(of: "other") == ["i": "x", "j": "x"])
    #expect(resolved.values(of: "other") == ["a": 3, "b": 2, "k": 1, "m": ["l": 1, "n": 2]])
  }

  @Test func `a part that service and template have is removed from both`() throws {
    let base = module(
      #"""
      "templates": {"t": {"type": "T", "scope": "weak", "provides": ["P", "Q"], "values": {"k": 1, "m": {"l": 1}}, "inject": {"i": "x"}}},
      "services": {"x": {"type": "X"},
                   "s": {"extends": "t", "scope": "transient", "provides": ["R"], "values": {"k": 9, "a": 1}, "inject": {"j": "x"}}}
      """#)
    func unsetting(_ unset: String) throws -> Value {
      let layer = module(#""override": {"services": {"s": {"unset": [\#(unset)]}}}"#)
      return try resolved(["app.json": base], layers: [.text(layer)])
    }
    let all = try unsetting(#""values", "inject", "scope", "provides""#)
    #expect(all["services"]?["s"]?["scope"] == "shared")
    #expect(all["services"]?["s"]?["provides"] == nil)
    #expect(all.values(of: "s") == [:])
    #expect(all.inject(of: "s") == [:])
    #expect(try unsetting(#""values.k""#).values(of: "s") == ["a": 1, "m": ["l": 1]])
    // An element of the service's own list is not one of the template's.
    #expect(try unsetting(#""provides[0]""#)["services"]?["s"]?["provides"] == [])
  }

  @Test func `unset does not apply to another template that the same override gives`() throws {
    let files = [
      "app.json": module(
        #"""
        "templates": {"t": {"type": "T", "values": {"k": 1, "l": 2}}, "t2": {"type": "T", "values": {"k": 3}}},
        "services": {"s": {"extends": "t"}, "other": {"extends": "t"}},
        "override": {"services": {"s": {"unset": ["values.l", "values.k"], "extends": "t2"}}}
        """#)
    ]
    expectFindings(in: files)
    #expect(try resolved(files).values(of: "s") == ["k": 3])
  }

  @Test func `unset of a part that neither service nor template has is reported, and an override may add it`() throws {
    let files = [
      "app.json": module(
        #"""
        "templates": {"t": {"type": "T", "values": {"k": 1, "l": 2}}}, "services": {"s": {"extends": "t"}},
        "override": {"services": {"s": {
          "unset": ["values.k", «CDI0306»"values.kk", «CDI0306»"inject.k", «CDI0306»"eager", «CDI0306»"scope"], "values": {"k": 7}}}}
        """#)
    ]
    expectFindings(in: files)
    let resolved = try resolved(
      files.mapValues {
        $0.replacing(#", «CDI0306»"values.kk", «CDI0306»"inject.k", «CDI0306»"eager", «CDI0306»"scope""#, with: "")
      })
    #expect(resolved.values(of: "s") == ["k": 7, "l": 2])
  }

  @Test func `a path into a template is correct even if a later change of the template removes the part`() throws {
    let base = module(
      #"""
      "templates": {"t": {"type": "T", "values": {"k": 1, "m": {"l": 2, "n": 3}}}, "u": {"extends": "t"}},
      "services": {"s": {"extends": "u"}}
      """#)
    let unset = module(#""override": {"services": {"s": {"unset": ["values.k", "values.m.l"]}}}"#)
    for change in [
      #""replace": {"templates": {"t": {"type": "T", "values": {"x": 1}}}}"#,
      #""override": {"templates": {"t": {"unset": ["values"]}}}"#,
      #""override": {"templates": {"t": {"unset": ["values.k", "values.m.l"], "values": {"x": 1}}}}"#,
    ] {
      let values = try resolved(["app.json": base], layers: [.text(unset), .text(module(change))]).values(of: "s")
      #expect(values?["k"] == nil && values?["m"]?["l"] == nil, "\(change)")
    }
    expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"t": {"type": "T", "values": {"k": 1}}}, "services": {"s": {"extends": "t"}},
        "override": {"templates": {"t": {"unset": ["values.k"]}},
          "services": {"s": {"unset": ["values.k", «CDI0306»"values.kk"]}}}
        """#)
    ])
  }

  @Test func `each layer removes positions of what the layers before it have left of a template`() throws {
    let base = module(
      #"""
      "templates": {"t": {"type": "T", "provides": ["P", "Q", "R"], "values": {"v": [1, 2, 3]}}},
      "services": {"s": {"extends": "t"}}
      """#)
    func unsetting(_ paths: String...) throws -> Value {
      let layers = paths.enumerated().map { place, path in
        ModuleLayer.text(module(#""override": {"services": {"s": {"unset": [\#(path)]}}}"#), name: "layer \(place)")
      }
      return try resolved(["app.json": base], layers: layers)
    }
    #expect(try unsetting(#""values.v[0]""#, #""values.v[1]""#).values(of: "s") == ["v": [2]])
    #expect(try unsetting(#""values.v[0]""#, #""values.v[0]""#).values(of: "s") == ["v": [3]])
    #expect(try unsetting(#""values.v[0]", "values.v[1]""#).values(of: "s") == ["v": [3]])
    #expect(try unsetting(#""provides[0]""#, #""provides[1]""#)["services"]?["s"]?["provides"] == ["Q"])
  }

  @Test func `a part of a template that an earlier layer has removed is reported`() {
    let files = [
      "app.json": module(
        #"""
        "environments": {"e": ["one.json", "two.json"]},
        "templates": {"t": {"type": "T", "values": {"k": 1, "l": 2}}},
        "services": {"s": {"extends": "t", "values": {"k": 3}}}
        """#),
      "one.json": module(#""override": {"services": {"s": {"unset": ["values.k", "values.l", «CDI0306»"values.n"]}}}"#),
      "two.json": module(
        #""override": {"services": {"s": {"unset": [«CDI0306»"values.k", «CDI0306»"values.l", «CDI0306»"values.n"]}}}"#),
    ]
    expectFindings(in: files, environments: ["e"])
  }

  @Test(arguments: [#""extends": "u""#, #""doc": "gone""#])
  func `a path is followed in the template that the service extended before the override`(patch: String) {
    let extends = patch.hasPrefix(#""extends""#) ? "" : #", "extends""#
    expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"t": {"type": "T", "values": {"k": 1}}, "u": {"type": "T", "values": {"w": 2}}},
        "services": {"s": {"extends": "t", "type": "T"}, "other": {"extends": "t"}, "last": {"extends": "u"}},
        "override": {"services": {"s": {
          "unset": ["values.k", «CDI0306»"values.w", «CDI0306»"values.nope"\#(extends)], \#(patch)}}}
        """#)
    ])
  }

  @Test func `a template cannot lose what it inherits, and the help names the parent`() throws {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "templates": {"b": {"type": "T", "values": {"v": 1}}, "k": {"extends": "b"}}, "services": {"s": {"extends": "k"}},
        "override": {"templates": {"k": {"unset": [«CDI0306»"values.v"]}}}
        """#)
    ])
    let help = try #require(module.check.diagnostics.first?.help)
    #expect(help == "this removes only what the template itself has; what it inherits is removed in \"b\"")
  }

  @Test func `parts of a parameter's literal are removed`() throws {
    func parameter(without paths: String) throws -> Value? {
      try resolved([
        "app.json": module(
          #"""
          "parameters": {"p": {"value": {"a": {"b": 1, "c": 2}, "l": [1, 2]}}, "q": [1, 2, 3]},
          "override": {"parameters": {"p": {"unset": [\#(paths)]}, "q": {"unset": ["value[1]"]}}}
          """#)
      ]).parameter("p")
    }
    #expect(try parameter(without: #""value.a.b", "value.l[0]""#) == ["a": ["c": 2], "l": [2]])
    #expect(try parameter(without: #""value.a""#) == ["l": [1, 2]])
  }

  @Test func `elements of other lists of a parameter are only removed together`() throws {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "parameters": {"p": {"env": "E", "oneOf": ["a", "b"], "default": "a"}},
        "override": {"parameters": {"p": {"unset": [«CDI0306»"oneOf[1]", «CDI0306»"value.a"]}}}
        """#)
    ])
    let messages = module.check.diagnostics.filter { $0.code == .nothingToUnset }.map(\.message)
    #expect(
      messages == [
        "cannot unset \"oneOf[1]\": \"oneOf\" can only be unset as a whole",
        "cannot unset \"value.a\": nothing has this path",
      ])
  }
}
