// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct AliasTests {
  @Test func `aliases refer to services, also through other aliases and from earlier files`() throws {
    let resolved = try resolved([
      "app.json": module(#""imports": ["a.json"], "services": {"s": {"type": "S"}}, "bindings": {"T": "z", "U": "s"}"#),
      "a.json": module(#""aliases": {"z": "y", "x": "s", "y": "x"}"#),
    ])
    #expect(resolved["aliases"] == ["x": "s", "y": "s", "z": "s"])
    #expect(resolved["bindings"] == ["T": "s", "U": "s"])
  }

  @Test func `a dangling alias is reported once, at its target`() {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "aliases": {"c": «CDI0503»"logge", "a": "b", "b": "c", "d": "b"}, "bindings": {"T": "a", "U": «CDI0503»"ghost"},
        "services": {"logger": {"type": "L", "inject": {"x": "a"}}}
        """#)
    ])
    #expect(module.findingsText.contains("did you mean \"logger\"?"))
  }

  @Test func `a cycle of aliases is reported once, at the target of its smallest member`() {
    let module = expectFindings(in: [
      "app.json": module(
        #""aliases": {"c": "a", "b": "c", "a": «CDI0504»"b", "z": "b", "own": «CDI0504»"own"}, "bindings": {"T": "z"}"#)
    ])
    #expect(module.findingsText.contains("a -> b -> c -> a"))
    #expect(module.findingsText.contains("own -> own"))
  }

  @Test func `a removed alias is reported at each reference`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"s": {"type": "S"}, "t": {"type": "T", "inject": {"x": «CDI0501»"a"}}}, "aliases": {"a": "s", "b": «CDI0503»"a"},
        "bindings": {"T": «CDI0503»"a"}, "remove": {"aliases": ["a"]}
        """#)
    ])
  }

  @Test func `a long chain of aliases is followed to its end`() throws {
    let count = LongTests.size(2_500, full: 20_000)
    let aliases = (0..<count).map { "\"a\($0)\": \"\($0 == 0 ? "s" : "a\($0 - 1)")\"" }.joined(separator: ", ")
    let resolved = try resolved(["app.json": module(#""services": {"s": {"type": "S"}}, "aliases": {\#(aliases)}"#)])
    #expect(resolved["aliases"]?["a\(count - 1)"] == "s")
  }
}
