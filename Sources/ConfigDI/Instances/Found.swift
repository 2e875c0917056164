// SPDX-License-Identifier: Apache-2.0

/// A new instance, as it is handed to whatever keeps it.
struct Built: @unchecked Sendable {
  // Unchecked, as the instance is handed on, not used. Whether threads may share it is checked when a module is loaded.

  /// The instance as the first of the types that it provides.
  private let first: AnyInstance
  /// What few instances have; apart, so that the others are cheap to hand on.
  private let rest: Rest?

  /// What few instances have.
  private final class Rest {
    /// The instance as each of the other types that it provides, in their order.
    let others: [AnyInstance]
    /// See `Built`.
    let object: AnyObject?
    /// See `Built`.
    let dispose: (@Sendable () -> Void)?

    /// What an instance has.
    init(_ others: [AnyInstance], _ object: AnyObject?, _ dispose: (@Sendable () -> Void)?) {
      self.others = others
      self.object = object
      self.dispose = dispose
    }
  }

  /// An instance.
  ///
  /// - Parameters:
  ///   - first: the instance as the first of the types that it provides.
  ///   - others: the instance as each of the others, in their order.
  ///   - object: the instance as an object; nil where it is none.
  ///   - dispose: gives back what the instance holds; nil where it holds nothing of the kind.
  init(
    _ first: AnyInstance, others: [AnyInstance] = [], object: AnyObject? = nil, dispose: (@Sendable () -> Void)? = nil
  ) {
    self.first = first
    rest = others.isEmpty && object == nil && dispose == nil ? nil : Rest(others, object, dispose)
  }

  /// How many types the instance provides.
  var count: Int { 1 + (rest?.others.count ?? 0) }

  /// The instance as one of the types that it provides, by its place among them.
  subscript(index: Int) -> AnyInstance { rest.flatMap { index > 0 ? $0.others[index - 1] : nil } ?? first }

  /// The instance as an object; nil where it is none, or was not wanted as one.
  var object: AnyObject? { rest?.object }

  /// Gives back what the instance holds.
  func dispose() { rest?.dispose?() }
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
