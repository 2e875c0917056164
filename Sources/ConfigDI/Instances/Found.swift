// SPDX-License-Identifier: Apache-2.0

/// A new instance, as it is handed to whatever keeps it.
struct Built: @unchecked Sendable {
  // Unchecked, as the instance is handed on, not used. Whether threads may share it is checked when a module is loaded.

  /// The instance as the first of the types that it provides, which knows the rest.
  let first: AnyInstance

  /// An instance that was built before.
  init(_ first: AnyInstance) { self.first = first }

  /// A new instance.
  ///
  /// - Parameters:
  ///   - first: the instance as the first of the types that it provides.
  ///   - others: the instance as each of the others, in their order.
  ///   - object: the instance as an object; nil where it is none.
  ///   - dispose: gives back what the instance holds; nil where it holds nothing of the kind.
  init(_ first: AnyInstance, others: [AnyInstance], object: AnyObject?, dispose: (@Sendable () -> Void)? = nil) {
    self.first = first
    if others.isEmpty, object == nil, dispose == nil { return }
    first.rest = BuiltRest(others, object, dispose)
  }

  /// What few instances have.
  private var rest: BuiltRest? { first.rest }

  /// How many types the instance provides.
  var count: Int { 1 + (rest?.others.count ?? 0) }

  /// The instance as one of the types that it provides, by its place among them.
  subscript(index: Int) -> AnyInstance { index == 0 ? first : rest.map { $0.others[index - 1] } ?? first }

  /// The instance as an object; nil where it is none, or was not wanted as one.
  var object: AnyObject? { rest?.object }

  /// Gives back what the instance holds.
  func dispose() { rest?.dispose?() }
}

/// What few instances have besides themselves as one type; apart, so that the others are small.
final class BuiltRest {
  /// The instance as each of the other types that it provides, in their order.
  fileprivate let others: [AnyInstance]
  /// See `Built`.
  fileprivate let object: AnyObject?
  /// See `Built`.
  fileprivate let dispose: (@Sendable () -> Void)?

  /// What an instance has.
  fileprivate init(_ others: [AnyInstance], _ object: AnyObject?, _ dispose: (@Sendable () -> Void)?) {
    self.others = others
    self.object = object
    self.dispose = dispose
  }
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
