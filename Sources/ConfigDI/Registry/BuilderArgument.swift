// SPDX-License-Identifier: Apache-2.0

/// One argument of a registered builder: its key in module files, and the conversion of its entry to a Swift value.
///
/// Use a factory method: `value` for a value in a file, `service` for other services, `decorated` for the instance that
/// a decorator wraps, `runtime` for a value that a look-up passes, `scope` for an opener of scopes, and `resolver` for
/// look-ups by code. The compiler checks the type of the argument against the builder's parameter.
///
/// ```swift
/// registry.add(
///   "SMTPMailer", as: (any Mailer).self, SMTPMailer.init,
///   .value("host"), .value("port", default: 25), .service("logger"))
/// ```
public final class BuilderArgument<Input>: Sendable {
  // A class, so that it is one pointer: a call of `add` moves each of its arguments, by code in the caller.

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

  /// Creates an argument that has no value in files.
  ///
  /// - Parameter wanted: what the argument receives, for messages.
  convenience init(
    key: String, kind: ArgumentDescriptor.Kind, namedType: Any.Type? = nil, isOptional: Bool = false, wanted: String,
    link: @escaping @Sendable (CompiledPlan.Argument, any ServiceLinker) throws -> Supplier<Input>
  ) {
    self.init(
      descriptor: ArgumentDescriptor(key: key, kind: kind, isOptional: isOptional), namedType: namedType, link: link,
      mismatch: { ValueMismatch(expectedType: wanted, found: $0) })
  }
}

extension BuilderArgument: AnyArgument {
  func link(_ given: CompiledPlan.Argument, _ linker: any ServiceLinker) throws -> Supplier<Input> {
    try linking(given, linker)
  }

  func linked(_ given: CompiledPlan.Argument, _ linker: any ServiceLinker) throws -> any AnySupplier {
    try linking(given, linker).untyped
  }

  func supplier(by lookUp: some ArgumentLookUp, runtimePlace place: Int) -> any AnySupplier {
    lookUp.supplier(of: self, runtimePlace: place).untyped
  }
}

/// Provides the suppliers of the arguments of builders that code registers.
protocol ArgumentLookUp {
  /// Returns the supplier of an argument.
  ///
  /// - Parameter place: the index among the run-time arguments, if the argument is one.
  func supplier<Input>(of argument: BuilderArgument<Input>, runtimePlace place: Int) -> Supplier<Input>
}

/// A builder argument with its type erased.
protocol AnyArgument: Sendable {
  /// The argument's description in the catalog.
  var descriptor: ArgumentDescriptor { get }
  /// The Swift type that the descriptor names: that of a service or of a run-time value; `nil` for a value in a file.
  var namedType: Any.Type? { get }
  /// Returns why a value in a file does not convert; `nil` if it does.
  var mismatch: @Sendable (Value) -> ValueMismatch? { get }
  /// Returns the supplier of what a plan has for the argument.
  ///
  /// - Throws: `WiringFailure` if the plan does not match the argument.
  func linked(_ given: CompiledPlan.Argument, _ linker: any ServiceLinker) throws -> any AnySupplier
  /// Returns the supplier of the argument for a builder that code registers.
  func supplier(by lookUp: some ArgumentLookUp, runtimePlace place: Int) -> any AnySupplier
}

extension AnyArgument {
  /// Whether the argument is passed by the look-up.
  var isRuntime: Bool { if case .runtime = descriptor.kind { true } else { false } }
}
