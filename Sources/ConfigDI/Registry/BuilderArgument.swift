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
  let link: @Sendable (CompiledPlan.Argument, (any ServiceLinker)?) throws -> Supplier<Input>

  init(
    descriptor: ArgumentDescriptor, namedType: Any.Type?,
    link: @escaping @Sendable (CompiledPlan.Argument, (any ServiceLinker)?) throws -> Supplier<Input>,
    mismatch: @escaping @Sendable (Value) -> ValueMismatch?
  ) {
    self.descriptor = descriptor
    self.namedType = namedType
    self.mismatch = mismatch
    self.link = link
  }

  /// Creates an argument that has no value in files.
  ///
  /// - Parameter wanted: what the argument receives, for messages.
  convenience init(
    key: String, kind: ArgumentDescriptor.Kind, namedType: Any.Type? = nil, isOptional: Bool = false, wanted: String,
    link: @escaping @Sendable (CompiledPlan.Argument, (any ServiceLinker)?) throws -> Supplier<Input>
  ) {
    self.init(
      descriptor: ArgumentDescriptor(key: key, kind: kind, isOptional: isOptional), namedType: namedType, link: link,
      mismatch: { ValueMismatch(expectedType: wanted, found: $0) })
  }
}

extension BuilderArgument: AnyArgument {}

/// A builder argument of any type.
protocol AnyArgument: Sendable {
  associatedtype Input
  /// The argument's description in the catalog.
  var descriptor: ArgumentDescriptor { get }
  /// The Swift type that the descriptor names: that of a service or of a run-time value; `nil` for a value in a file.
  var namedType: Any.Type? { get }
  /// Returns why a value in a file does not convert; `nil` if it does.
  var mismatch: @Sendable (Value) -> ValueMismatch? { get }
  /// Returns the supplier of what a plan has for the argument. Throws `WiringFailure` if the plan does not match it. The
  /// linker is `nil` for an argument that receives nothing from a module.
  var link: @Sendable (CompiledPlan.Argument, (any ServiceLinker)?) throws -> Supplier<Input> { get }
}

extension AnyArgument {
  /// Returns the result of `link` with its type erased.
  func linked(_ given: CompiledPlan.Argument, _ linker: (any ServiceLinker)?) throws -> any AnySupplier {
    try link(given, linker).untyped
  }

  /// Whether the argument is passed by the look-up.
  var isRuntime: Bool { if case .runtime = descriptor.kind { true } else { false } }
}
