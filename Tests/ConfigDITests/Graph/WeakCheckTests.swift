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
  func `only values cannot be held`(kind: TypeDescriptor.Kind) {
    let mark = kind == .struct || kind == .enum ? "«CDI0613»" : ""
    _ = CheckedModule(
      #""services": { "a": { "type": "\#(kind.rawValue)", "scope": \#(mark)"weak" } }"#, types: types)
    _ = CheckedModule(#""services": { "a": { "type": "\#(kind.rawValue)" } }"#, types: types)
  }

  @Test func `what is held is what the outermost decorator makes`() {
    _ = CheckedModule(
      #""services": { "a": { "type": "struct", "scope": "weak", "decorate": [{ "type": "Wrapper" }] } }"#, types: types)
  }

  @Test func `a scope from a template is told there, with all that suffer`() throws {
    let module = CheckedModule(
      """
      "templates": { "t": { "scope": «CDI0613»"weak", "type": "struct" } },
      "services": { "a": { "extends": "t" }, "b": { "extends": "t" }, "c": { "extends": "t", "type": "class" } },
      "bindings": { "P": "a" }
      """, types: types)
    #expect(try module.finding().message.hasSuffix(#" (also in "b")"#))
  }
}
