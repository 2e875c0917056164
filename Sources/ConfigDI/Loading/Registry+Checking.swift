// SPDX-License-Identifier: Apache-2.0

extension Registry {
  /// What the registered type of a name has against a value for the argument at a place, or nil where it converts.
  ///
  /// - Parameter isSecret: Whether the message must not show the value.
  func mismatch(_ type: String, _ argument: Int, _ value: Value, isSecret: Bool) -> ValueType.Mismatch? {
    mismatch(ofType: type, argument: argument, value: value).map {
      ValueType.Mismatch(path: $0.path, message: $0.message(isSecret: isSecret))
    }
  }

  /// Whether the builder of the registered type of a name cannot be called here without awaiting.
  func mustBeAwaitedHere(_ name: String) -> Bool {
    switch type(named: name)?.product.calling {
    case .awaited: true
    case .onMainActor: !MainActor.isCurrent
    case .anywhere, nil: false
    }
  }
}
