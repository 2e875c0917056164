// SPDX-License-Identifier: Apache-2.0

/// A new instance, as it is handed to whatever keeps it.
struct Built: @unchecked Sendable {
  // Unchecked, as the instance is handed on, not used. Whether threads may share it is checked when a module is loaded.

  /// The instance as each of the types that it provides, in their order.
  let instances: [AnyInstance]
  /// The instance as an object; nil where it is none.
  let object: AnyObject?
  /// Gives back what the instance holds; nil where it holds nothing of the kind.
  var dispose: (@Sendable () -> Void)?
}

/// A kept instance, as it was found.
enum Found: @unchecked Sendable {
  // Unchecked as `Built` is.

  /// In the cells, which hold it as each of its types.
  case inCells
  /// As each of the types that it provides.
  case built(Built)
  /// As an object that somebody else keeps alive.
  case object(AnyObject)
}
