// SPDX-License-Identifier: Apache-2.0

/// Gives arguments access to the services of a module while a builder is linked.
protocol ServiceLinker {
  /// The cell of a service of the plan, as one of its types.
  ///
  /// - Throws: `WiringFailure` where the service does not provide the type.
  func cell(of slot: Int, as type: Any.Type) throws(WiringFailure) -> CellPlace
  /// The same with the service, for an argument that receives the instance.
  ///
  /// - Throws: `WiringFailure` where the service does not provide the type, or takes run-time arguments.
  func needed(_ slot: Int, as type: Any.Type) throws(WiringFailure) -> (CellPlace, Registration)
  /// The place of a type among those that what the builder decorates provides.
  ///
  /// - Throws: `WiringFailure` where there is nothing to decorate, or it does not provide the type.
  func decorated(as type: Any.Type) throws(WiringFailure) -> Int
  /// The place of the builder's next run-time argument among those of the service.
  func nextRuntimeArgument() -> Int
}
