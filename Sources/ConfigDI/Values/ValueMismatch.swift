// SPDX-License-Identifier: Apache-2.0

/// Why a value of a module file does not convert to a Swift type.
///
/// ```swift
/// do { _ = try UInt16(moduleValue: 70_000) } catch { print(error) }
/// // expected an integer from 0 to 65535, found 70000
/// ```
public struct ValueMismatch: Error, Hashable, Sendable {
  /// What was expected, in words with an article: `an integer from 0 to 65535`.
  public let expected: String
  /// The value that was found.
  public let found: Value
  /// The way from the value that was converted to the one that was found.
  var path: [ValueType.Mismatch.Step] = []

  /// A mismatch at the value that is converted.
  public init(expected: String, found: Value) {
    self.expected = expected
    self.found = found
  }

  /// The same mismatch, seen from the value that holds the converted one.
  func under(_ step: ValueType.Mismatch.Step) -> ValueMismatch {
    var mismatch = self
    mismatch.path.insert(step, at: 0)
    return mismatch
  }

  /// What was expected and what was found.
  ///
  /// - Parameter isSecret: whether the message must not show the value.
  func message(isSecret: Bool) -> String {
    "expected \(expected), found \(isSecret ? "\(found.kindInWords) that does not fit" : found.inWords)"
  }
}

extension ValueMismatch: CustomStringConvertible {
  public var description: String { message(isSecret: false) }
}
