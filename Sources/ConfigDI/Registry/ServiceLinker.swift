// SPDX-License-Identifier: Apache-2.0

/// The services of a module, as arguments access them while a builder is linked.
protocol ServiceLinker: AnyObject {
  /// Returns the cell of a service of the plan, as one of its types.
  ///
  /// - Throws: `WiringFailure` if the service does not provide the type.
  func cell(of slot: Int, as type: Any.Type) throws(WiringFailure) -> CellReference
  /// Returns the cell and the registration of a service, for an argument that receives the instance.
  ///
  /// - Throws: `WiringFailure` if the service does not provide the type, or takes run-time arguments.
  func needed(_ slot: Int, as type: Any.Type) throws(WiringFailure) -> (CellReference, Registration)
  func id(of slot: Int) -> String
  /// Returns the index of a type among those that the decorated service provides.
  ///
  /// - Throws: `WiringFailure` if the builder decorates nothing, or the decorated service does not provide the type.
  func decorated(as type: Any.Type) throws(WiringFailure) -> Int
  /// Returns the index of the builder's next run-time argument among those of the service.
  func nextRuntimeArgument() -> Int
}
