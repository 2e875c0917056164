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
public final class BuilderArgument<Input>: Sendable {
  // A class, so that it is one pointer: a call of `add` moves each of its arguments, and the code for that is the caller's.

  let descriptor: ArgumentDescriptor
  let namedType: Any.Type?
  let mismatch: @Sendable (Value) -> ValueMismatch?
  private let linking: @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> Supplier<Input>

  init(
    descriptor: ArgumentDescriptor, namedType: Any.Type?,
    link: @escaping @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> Supplier<Input>,
    mismatch: @escaping @Sendable (Value) -> ValueMismatch?
  ) {
    self.descriptor = descriptor
    self.namedType = namedType
    self.mismatch = mismatch
    linking = link
  }

  /// An argument for which files give no value.
  ///
  /// - Parameter wanted: what it receives, in the words of a message.
  convenience init(
    key: String, kind: ArgumentDescriptor.Kind, namedType: Any.Type? = nil, isOptional: Bool = false, wanted: String,
    link: @escaping @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> Supplier<Input>
  ) {
    self.init(
      descriptor: ArgumentDescriptor(key: key, kind: kind, isOptional: isOptional), namedType: namedType, link: link,
      mismatch: { ValueMismatch(expected: wanted, found: $0) })
  }
}

extension BuilderArgument: AnyArgument {
  func link(_ given: CompiledPlan.Argument, _ linker: any ServiceLinker) throws -> Supplier<Input> {
    try linking(given, linker)
  }

  func supplier(by lookUp: some ArgumentLookUp, runtimePlace place: Int) -> Supplier<Input> {
    lookUp.supplier(of: self, runtimePlace: place)
  }
}

/// Supplies arguments of builders that code registers.
protocol ArgumentLookUp {
  /// The supplier of an argument.
  ///
  /// - Parameter place: the place of a run-time argument among those.
  func supplier<Input>(of argument: BuilderArgument<Input>, runtimePlace place: Int) -> Supplier<Input>
}

/// An argument whose type is not known at compile time.
protocol AnyArgument: Sendable {
  /// The `Supplier` of the argument's type.
  associatedtype Linked: AnySupplier

  /// The argument as the catalog shows it.
  var descriptor: ArgumentDescriptor { get }
  /// The Swift type that the descriptor names: that of a service or of a run-time value; nil for a datum.
  var namedType: Any.Type? { get }
  /// Why a value of a file does not convert, or nil where it does.
  var mismatch: @Sendable (Value) -> ValueMismatch? { get }
  /// Turns what a plan gives the argument into a supplier of it.
  ///
  /// - Throws: `WiringFailure` where the plan does not fit the argument.
  func link(_ given: CompiledPlan.Argument, _ linker: any ServiceLinker) throws -> Linked
  /// A supplier of the argument where code registers the builder.
  func supplier(by lookUp: some ArgumentLookUp, runtimePlace place: Int) -> Linked
}

extension AnyArgument {
  /// Whether the look-up brings the argument along.
  var isRuntime: Bool { if case .runtime = descriptor.kind { true } else { false } }
}
