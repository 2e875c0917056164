// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct InstanceTests {
  /// A value without size.
  private struct Empty: Equatable {}

  /// A value of some parts, one of which is counted.
  private struct Mixed: Equatable {
    /// A byte, so that padding follows.
    let flag: Bool
    /// A text that is counted.
    let text: String
  }

  /// Checks that an instance is found at its address, aligned for its type and for the bits of a cell.
  private func check<Service: Equatable>(_ value: Service) throws {
    let instance = Instance(value)
    let pointer = try #require(UnsafePointer<Service>(bitPattern: instance.address))
    #expect(pointer.pointee == value)
    #expect(instance.address % UInt(MemoryLayout<Service>.alignment) == 0)
    #expect(instance.address & (Cell.makerBit | Cell.keeperBit) == 0)
    let copy = Instance<Service>(copying: instance.address)
    #expect(copy.value == value)
    #expect(copy.address != instance.address)
    withExtendedLifetime(instance) {}
  }

  @Test func `an instance lies at its address, whatever its size and alignment`() throws {
    try check(Empty())
    try check(true)
    try check(UInt16(7))
    try check(1.5)
    try check(Mixed(flag: true, text: "a text that is too long for a small one"))
    try check([1, 2, 3])
    try check("text" as String?)
    try check(SIMD4<Float>(1, 2, 3, 4))
    try check(SIMD16<Float>(repeating: 2))
    try check(SIMD64<UInt64>(repeating: 3))
  }

  @Test func `an object and one behind a protocol lie at their addresses`() throws {
    let node = Node("node")
    let object = Instance(node)
    #expect(UnsafePointer<Node>(bitPattern: object.address)?.pointee === node)
    let greeter = Instance<any Greeter>(node)
    #expect(UnsafePointer<any Greeter>(bitPattern: greeter.address)?.pointee as? Node === node)
    withExtendedLifetime((object, greeter)) {}
  }
}
