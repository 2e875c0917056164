// SPDX-License-Identifier: Apache-2.0

extension Registry {
  /// Returns the reason why a value does not convert to an argument of a registered type; `nil` if it converts.
  ///
  /// - Parameter isSecret: Whether the message must not show the value.
  func mismatch(_ type: String, _ argument: Int, _ value: Value, isSecret: Bool) -> ValueType.Mismatch? {
    mismatch(ofType: type, argument: argument, value: value).map {
      ValueType.Mismatch(path: $0.path, message: $0.message(isSecret: isSecret))
    }
  }

  /// Returns whether the builder of a registered type cannot be called here without `await`.
  func mustBeAwaitedHere(_ name: String) -> Bool { type(named: name)?.factory.calling.isPossibleHere == false }
}
