// SPDX-License-Identifier: Apache-2.0

/// One argument of a registered builder: its key in module files, and how what stands there becomes a Swift value.
///
/// The factories make one: `value` for a datum, `service` for other services, `decorated` for what a decorator wraps, and
/// `runtime` for what a look-up brings along. The type of the argument is checked against
/// the builder's parameter at compile time.
///
/// ```swift
/// registry.add(
///   "SMTPMailer", as: (any Mailer).self, SMTPMailer.init,
///   .value("host"), .value("port", default: 25), .service("logger"))
/// ```
public struct BuilderArgument<Input>: Sendable {
  /// What there is to know of the argument, behind one pointer: a call of `add` moves each of its arguments, and the code for
  /// that is the caller's.
  private let content: Content

  /// What there is to know of an argument.
  private final class Content: Sendable {
    /// The argument as the catalog shows it.
    let descriptor: ArgumentDescriptor
    /// The Swift type that the descriptor names.
    let namedType: Any.Type?
    /// Turns what a plan gives the argument into a supplier of it.
    let link: @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> Supplier<Input>
    /// Why a value of a file does not convert.
    let mismatch: @Sendable (Value) -> ValueMismatch?

    /// The content of an argument.
    init(
      _ descriptor: ArgumentDescriptor, _ namedType: Any.Type?,
      _ link: @escaping @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> Supplier<Input>,
      _ mismatch: @escaping @Sendable (Value) -> ValueMismatch?
    ) {
      self.descriptor = descriptor
      self.namedType = namedType
      self.link = link
      self.mismatch = mismatch
    }
  }

  /// An argument.
  ///
  /// - Parameters:
  ///   - descriptor: the argument as the catalog shows it.
  ///   - namedType: the Swift type that the descriptor names: that of a service or of a run-time value; nil for a datum.
  ///   - link: turns what a plan gives the argument into a supplier of it. Throws `WiringFailure`.
  ///   - mismatch: why a value of a file does not convert, or nil where it does.
  init(
    descriptor: ArgumentDescriptor, namedType: Any.Type?,
    link: @escaping @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> Supplier<Input>,
    mismatch: @escaping @Sendable (Value) -> ValueMismatch?
  ) {
    content = Content(descriptor, namedType, link, mismatch)
  }

  /// The argument as the catalog shows it.
  var descriptor: ArgumentDescriptor { content.descriptor }
  /// The Swift type that the descriptor names: that of a service or of a run-time value; nil for a datum.
  var namedType: Any.Type? { content.namedType }
  /// Turns what a plan gives the argument into a supplier of it. Throws `WiringFailure`.
  var link: @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> Supplier<Input> { content.link }
  /// Why a value of a file does not convert, or nil where it does.
  var mismatch: @Sendable (Value) -> ValueMismatch? { content.mismatch }
}
