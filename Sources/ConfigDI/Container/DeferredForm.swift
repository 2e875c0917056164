// SPDX-License-Identifier: Apache-2.0

/// A form that looks up its services later.
protocol DeferredForm: LookUpForm {
  associatedtype Value
  /// The kind of the form in the catalog, unless a file gives a list or map.
  static var wrapper: ArgumentDescriptor.Wrapper { get }
  static var make: @Sendable (Deferred<Value>) -> Self { get }
}

extension DeferredForm {
  static var wrappedType: Any.Type { Value.self }
  /// Whether the look-up belongs to the one in which the form is made. Each use of a provider is one of its own.
  private static var isSharing: Bool { wrapper == .lazy }

  static var shape: ServiceShape {
    var shape = ServiceShape(of: Value.self)
    if !shape.isCollection { shape.wrapper = wrapper }
    shape.isDeferred = true
    return shape
  }

  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<Self>? {
    // A provider without arguments also finds a service that takes some: each use may pass them.
    let deferred = try Deferred<Value>.lookUp(
      request, in: state, sharing: isSharing, takesArgumentsLater: wrapper == .provider)
    return deferred.map { FormParts($0, make) }
  }

  static func parts(of given: FormCells) -> FormParts<Self> {
    FormParts(deferring: given, sharing: isSharing, make)
  }
}

extension FormParts {
  fileprivate init<Value>(_ deferred: Deferred<Value>, _ make: @escaping @Sendable (Deferred<Value>) -> Form) {
    self.init { _, _ in make(deferred) }
  }

  /// Creates the parts of a form that looks up the given services later.
  ///
  /// - Parameter sharing: whether the look-up belongs to the one in which the form is made.
  fileprivate init<Value>(
    deferring given: FormCells, sharing: Bool, _ make: @escaping @Sendable (Deferred<Value>) -> Form
  ) {
    self.init { _, context in make(Deferred(given, in: context, sharing: sharing)) }
  }
}
