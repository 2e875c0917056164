// SPDX-License-Identifier: Apache-2.0

/// A number of bytes, written in module files with a unit, such as `64kB` or `16MiB`.
///
/// ```swift
/// registry.add("MemoryCache", .value("capacity", ByteCount.self, default: ByteCount(bytes: 1 << 20))) { capacity in
///   MemoryCache(byteLimit: capacity.bytes)
/// }
/// ```
public struct ByteCount: Hashable, Sendable, Comparable {
  /// The number of bytes.
  public var bytes: Int64

  /// Creates a byte count.
  public init(bytes: Int64) { self.bytes = bytes }

  public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}

extension ByteCount: ModuleValue {
  public static var moduleValueType: ValueType { .size }

  /// Converts a string with a unit, such as `16MiB`.
  public init(moduleValue: Value) throws(ValueMismatch) {
    switch moduleValue {
    case .string(let text), .size(let text):
      guard let bytes = SizeText.byteCount(of: text) else { throw Self.mismatch(moduleValue) }
      self.bytes = bytes
    default: throw Self.mismatch(moduleValue)
    }
  }

  /// The size in the largest of the units `GiB`, `MiB`, `KiB` and `B` that divides it, or `nil` if the number is negative.
  public var moduleValue: Value? {
    guard bytes >= 0 else { return nil }
    for (unit, size) in [("GiB", Int64(1) << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    where bytes > 0 && bytes % size == 0 {
      return .size("\(bytes / size)\(unit)")
    }
    return .size("\(bytes)B")
  }
}
