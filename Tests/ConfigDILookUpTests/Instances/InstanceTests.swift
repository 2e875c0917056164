// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct InstanceTests {
  /// A value of size 0.
  private struct Empty: Equatable {}

  /// A value with padding and a reference-counted part.
  private struct Mixed: Equatable {
    /// A byte, which is followed by padding.
    let flag: Bool
    /// A text that is long enough to be reference-counted.
    let text: String
  }

  /// Checks that look-ups by type and by name return an equal value, before and after it is cached.
  private func check<Service: Equatable & Sendable>(_ value: Service) throws {
    let container = Container()
    container.register { value }
    container.register(named: "transient", scope: .transient) { value }
    container.register(named: "optional") { value as Service? }
    for _ in 0..<2 {
      #expect(try container.resolve(Service.self) == value)
      #expect(try container.resolve(Service.self, named: "transient") == value)
      #expect(try container.resolve(Service?.self, named: "optional") == value)
      #expect(try container.resolve(Lazy<Service>.self).get() == value)
    }
  }

  @Test func `a service may have any size and alignment`() throws {
    try check(Empty())
    try check(true)
    try check(UInt16(7))
    try check(1.5)
    try check(Mixed(flag: true, text: "a text that is too long for a small one"))
    try check([1, 2, 3])
    try check(SIMD4<Float>(1, 2, 3, 4))
    try check(SIMD16<Float>(repeating: 2))
    try check(SIMD64<UInt64>(repeating: 3))
  }

  @Test func `an object has the same identity by its class and by a protocol`() throws {
    let container = Container()
    let node = Node("node")
    container.register(Node.self, as: [.itself, .type((any Greeter).self) { $0 }]) { node }
    for _ in 0..<2 {
      #expect(try container.resolve(Node.self) === node)
      #expect(try container.resolve((any Greeter).self) as? Node === node)
    }
  }
}
