// SPDX-License-Identifier: Apache-2.0

/// One argument of a registered builder: its key in module files, and how what stands there becomes a Swift value.
///
/// The factories make one: `value` for a datum, `service` for other services, `decorated` for what a decorator wraps, and
/// `runtime` for what a look-up brings along. The type of the argument is checked against
/// the builder's parameter at compile time.
///
/// ```swift
/// registry.add(
///   "SMTPMailer", as: (any Mailer).self,
///   .value("host", String.self), .value("port", Int.self, default: 25), .service("logger", (any Logger).self)
/// ) { host, port, logger in SMTPMailer(host: host, port: port, logger: logger) }
/// ```
public struct BuilderArgument<Input>: Sendable {
  /// The argument as the catalog shows it.
  let descriptor: ArgumentDescriptor
  /// The Swift type that the descriptor names: that of a service or of a run-time value; nil for a datum.
  let namedType: Any.Type?
  /// Turns what a plan gives the argument into a supplier of it. Throws `WiringFailure`.
  let link: @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> Supplier<Input>
  /// Why a value of a file does not convert, or nil where it does.
  let mismatch: @Sendable (Value) -> ValueMismatch?
}
