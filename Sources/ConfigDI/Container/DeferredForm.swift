// SPDX-License-Identifier: Apache-2.0

/// A form that looks up its services later.
protocol DeferredForm: ServiceForm, LookUpForm {
  associatedtype Value
  /// The kind of the form in the catalog.
  static var wrapper: ArgumentDescriptor.Wrapper { get }
  static var make: @Sendable (Deferred<Value>) -> Self { get }
}

extension DeferredForm {
  static var wrappedType: Any.Type { Value.self }
  /// Whether the look-up belongs to the one in which the form is made. Each use of a provider is one of its own.
  private static var isSharing: Bool { wrapper == .lazy }

  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<Self>? {
    // A provider without arguments also finds a service that takes some: each use may pass them.
    let deferred = try Deferred<Value>.lookUp(
      request, in: state, sharing: isSharing, takesArgumentsLater: wrapper == .provider)
    return deferred.map { deferred in FormParts { _ in make(deferred) } }
  }

  static func parts(of given: FormCells, _ resolution: Resolution, in state: ContainerState) -> FormParts<Self> {
    FormParts { _ in make(Deferred(given, in: resolution, state, sharing: isSharing)) }
  }

  static func argument(key: String) -> any AnyArgument {
    BuilderArgument(key: key, deferring: BuilderArgument<Value>.service(key), wrapper, isSharing: isSharing, make)
  }
}

extension BuilderArgument {
  /// Creates an argument that looks up later what another argument would receive.
  ///
  /// - Parameter wrapper: the kind of the form in the catalog, unless a file gives a list or map.
  fileprivate convenience init<Value>(
    key: String, deferring value: BuilderArgument<Value>, _ wrapper: ArgumentDescriptor.Wrapper, isSharing: Bool,
    _ make: @escaping @Sendable (Deferred<Value>) -> Input
  ) {
    let type = value.namedType ?? Value.self
    let isCollection = value.wrapper == .list || value.wrapper == .map
    self.init(
      key: key, service: type, wrapper: isCollection ? value.wrapper : wrapper, isOptional: value.descriptor.isOptional
    ) { given, linker in
      let cells = try given.services(key, linker).map { try linker.cell(of: $0.slot, as: type) }
      let services: FormCells =
        switch given {
        case .services: .list(cells)
        case .keyedServices(let slots): .map(zip(slots, cells).map { ($0.key, $1) })
        default: cells.first.map { .one($0) } ?? .none
        }
      return Supplier { call in
        let resolution = call.resolution.withoutArguments
        return make(
          Deferred(services, in: resolution, call.registration.home, sharing: isSharing, holder: call.holder))
      }
    }
  }
}
