// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct WeakCheckTests {
  /// A type of each kind, and a class that decorates services of all of them.
  private let types =
    TypeDescriptor.Kind.allCases.map { TypeDescriptor(name: $0.rawValue, provides: ["P"], kind: $0) } + [
      TypeDescriptor(
        name: "Wrapper", provides: ["P"], arguments: [ArgumentDescriptor(key: "inner", kind: .decorated(type: "P"))])
    ]

  @Test(arguments: TypeDescriptor.Kind.allCases)
  func `only value types cannot be weak`(kind: TypeDescriptor.Kind) {
    let mark = kind == .struct || kind == .enum ? "«CDI0613»" : ""
    _ = CheckedModule(
      #""services": { "a": { "type": "\#(kind.rawValue)", "scope": \#(mark)"weak" } }"#, types: types)
    _ = CheckedModule(#""services": { "a": { "type": "\#(kind.rawValue)" } }"#, types: types)
  }

  @Test func `the weakly held instance is that of the outermost decorator`() {
    _ = CheckedModule(
      #""services": { "a": { "type": "struct", "scope": "weak", "decorate": [{ "type": "Wrapper" }] } }"#, types: types)
  }

  @Test func `a scope of a template is reported in the template, with all affected services`() throws {
    let module = CheckedModule(
      """
      "templates": { "t": { "scope": «CDI0613»"weak", "type": "struct" } },
      "services": { "a": { "extends": "t" }, "b": { "extends": "t" }, "c": { "extends": "t", "type": "class" } },
      "bindings": { "P": "a" }
      """, types: types)
    #expect(try module.finding().message.hasSuffix(#" (also in "b")"#))
  }
}
