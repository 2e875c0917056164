// SPDX-License-Identifier: Apache-2.0

/// Content that a file declares at a token.
protocol Placed: Sendable {
  /// The token.
  var node: NodeRef { get }
}

/// A part of a declaration that an override replaces as a whole.
protocol ReplaceablePart: Placed {
  /// Returns whether the part is equal to another one as written.
  func isWritten(like other: Self, _ names: NameTable) -> Bool
}

extension Token: ReplaceablePart {
  func isWritten(like other: Token, _ names: NameTable) -> Bool { name == other.name }
}

extension ScalarToken: ReplaceablePart {
  func isWritten(like other: ScalarToken, _ names: NameTable) -> Bool { value == other.value }
}

extension Literal: ReplaceablePart {
  func isWritten(like other: Literal, _ names: NameTable) -> Bool { value.isWritten(like: other.value) }
}

extension ParameterDeclaration.AllowedValues: ReplaceablePart {
  func isWritten(like other: ParameterDeclaration.AllowedValues, _ names: NameTable) -> Bool {
    Value.list(values.map(\.value)).isWritten(like: .list(other.values.map(\.value)))
  }
}

extension Datum: ReplaceablePart {
  func isWritten(like other: Datum, _ names: NameTable) -> Bool { isWritten(like: other) }
}

extension Reference: ReplaceablePart {
  func isWritten(like other: Reference, _ names: NameTable) -> Bool {
    written(names).isWritten(like: other.written(names))
  }
}

extension Condition: ReplaceablePart {
  func isWritten(like other: Condition, _ names: NameTable) -> Bool {
    written(names).isWritten(like: other.written(names))
  }
}

extension ListChange: Placed {}
