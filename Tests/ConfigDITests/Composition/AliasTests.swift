// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct AliasTests {
  @Test func `aliases lead to services, also through others and from earlier files`() throws {
    let resolved = try resolved([
      "app.json": module(#""imports": ["a.json"], "services": {"s": {"type": "S"}}, "bindings": {"T": "z", "U": "s"}"#),
      "a.json": module(#""aliases": {"z": "y", "x": "s", "y": "x"}"#),
    ])
    #expect(resolved["aliases"] == ["x": "s", "y": "s", "z": "s"])
    #expect(resolved["bindings"] == ["T": "s", "U": "s"])
  }

  @Test func `a dead end is told once, at the target that leads nowhere`() {
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "aliases": {"c": «CDI0503»"logge", "a": "b", "b": "c", "d": "b"}, "bindings": {"T": "a", "U": «CDI0503»"ghost"},
        "services": {"logger": {"type": "L", "inject": {"x": "a"}}}
        """#)
    ])
    #expect(module.words.contains("did you mean \"logger\"?"))
  }

  @Test func `a circle is told once, at the smallest member's target, and what leads into it is fine`() {
    let module = expectFindings(in: [
      "app.json": module(
        #""aliases": {"c": "a", "b": "c", "a": «CDI0504»"b", "z": "b", "own": «CDI0504»"own"}, "bindings": {"T": "z"}"#)
    ])
    #expect(module.words.contains("a -> b -> c -> a"))
    #expect(module.words.contains("own -> own"))
  }

  @Test func `a removed alias is told at each place that names it`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"s": {"type": "S"}, "t": {"type": "T", "inject": {"x": «CDI0501»"a"}}}, "aliases": {"a": "s", "b": «CDI0503»"a"},
        "bindings": {"T": «CDI0503»"a"}, "remove": {"aliases": ["a"]}
        """#)
    ])
  }

  @Test func `a long chain of aliases leads to its end`() throws {
    let count = LongTests.size(5_000, full: 20_000)
    let aliases = (0..<count).map { "\"a\($0)\": \"\($0 == 0 ? "s" : "a\($0 - 1)")\"" }.joined(separator: ", ")
    let resolved = try resolved(["app.json": module(#""services": {"s": {"type": "S"}}, "aliases": {\#(aliases)}"#)])
    #expect(resolved["aliases"]?["a\(count - 1)"] == "s")
  }
}
