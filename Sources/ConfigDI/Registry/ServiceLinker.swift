// SPDX-License-Identifier: Apache-2.0

/// Gives arguments access to services while a builder is linked.
protocol ServiceLinker {
  /// A supplier of the instances of a slot.
  ///
  /// - Throws: `WiringFailure` where the slot does not provide the type.
  func supplier<Service>(of slot: Int, as type: Service.Type) throws(WiringFailure) -> Supplier<Service>

  /// A supplier of the instances of a slot for an argument that may be absent.
  ///
  /// - Throws: `WiringFailure` where the slot does not provide the type.
  func optionalSupplier<Service>(of slot: Int, as type: Service.Type) throws(WiringFailure) -> Supplier<Service?>

  /// A supplier of what the builder decorates.
  ///
  /// - Throws: `WiringFailure` where there is nothing to decorate, or it does not provide the type.
  func decorated<Service>(as type: Service.Type) throws(WiringFailure) -> Supplier<Service>

  /// A supplier of the next run-time argument of the service that is linked.
  func runtime<Argument>(as type: Argument.Type) -> Supplier<Argument>

  /// The way to the main actor.
  var mainActor: MainActorRunner { get }
}
