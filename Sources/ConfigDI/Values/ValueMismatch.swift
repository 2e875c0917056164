// SPDX-License-Identifier: Apache-2.0

/// The reason why a value of a module file cannot be converted to a Swift type.
///
/// ```swift
/// do { _ = try UInt16(moduleValue: 70_000) } catch { print(error) }
/// // expected an integer from 0 to 65535, found 70000
/// ```
public struct ValueMismatch: Error, Hashable, Sendable {
  /// A description of the expected value, with an article: `an integer from 0 to 65535`.
  public let expected: String
  /// The value that was found.
  public let found: Value
  /// Whether `expected` is a text of the application or of a decoder, which may contain the value.
  private let mayContainValue: Bool
  /// The path from the value that was converted to the one that does not match.
  var path: [ValueType.Mismatch.Step] = []

  /// Creates a mismatch at the value that is converted.
  ///
  /// The text is not shown for a value that is declared secret, since it may contain the value.
  public init(expected: String, found: Value) {
    self.expected = expected
    self.found = found
    mayContainValue = true
  }

  /// Creates a mismatch whose text does not depend on the value.
  init(expectedType expected: String, found: Value) {
    self.expected = expected
    self.found = found
    mayContainValue = false
  }

  /// Returns the same mismatch with a path that begins at the parent of the converted value.
  func under(_ step: ValueType.Mismatch.Step) -> ValueMismatch {
    var mismatch = self
    mismatch.path.insert(step, at: 0)
    return mismatch
  }

  /// Returns a message with the expected and the found value.
  ///
  /// - Parameter isSecret: Whether the message must not show the value.
  func message(isSecret: Bool) -> String {
    if !isSecret { return "expected \(expected), found \(found.inWords)" }
    return "expected \(mayContainValue ? "another value" : expected), found \(found.kindInWords) that does not fit"
  }
}

extension ValueMismatch: CustomStringConvertible {
  public var description: String { message(isSecret: false) }
}
