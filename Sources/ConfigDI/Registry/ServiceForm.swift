// SPDX-License-Identifier: Apache-2.0

/// A type of argument that receives services in another form than directly: in a list, as an optional, or later.
protocol ServiceForm {
  /// What a file gives for an argument of this type.
  static var shape: ServiceShape { get }
  /// Returns the supplier of the form of the services that a file gives.
  static func supplier(of given: FormCells) -> Supplier<Self>
}

/// What a file gives for an argument that receives services.
struct ServiceShape {
  /// The type that each service provides.
  let type: Any.Type
  /// The form in which the file gives the services.
  var wrapper = ArgumentDescriptor.Wrapper.direct
  var isOptional = false
  /// Whether the services are looked up after the builder of the argument's owner was called.
  var isDeferred = false

  /// Creates the shape of an argument of a type, which may be a form.
  init(of type: Any.Type) {
    // Tests only generic types: the test of another type searches the conformances of the whole program.
    if TypeName.isGeneric(type), let form = type as? any ServiceForm.Type {
      self = form.shape
    } else {
      self.type = type
    }
  }

  /// Whether the argument is a form, and not a service.
  var isForm: Bool { wrapper != .direct || isOptional }
  /// Whether the file gives several services.
  var isCollection: Bool { wrapper == .list || wrapper == .map }
}

/// The cells of the services of which a form is made.
struct FormCells: Sendable {
  /// The services.
  enum Services {
    /// None: an optional argument that a file omits.
    case none
    case one(CellReference)
    case list([CellReference])
    case map([(key: String, cell: CellReference)])
  }

  let services: Services
  /// The type of each cell.
  let type: Any.Type

  init(_ services: Services, as type: Any.Type) {
    self.services = services
    self.type = type
  }

  var cells: [CellReference] {
    switch services {
    case .none: []
    case .one(let cell): [cell]
    case .list(let cells): cells
    case .map(let entries): entries.map(\.cell)
    }
  }
}

extension FormCells {
  /// Creates the cells of what a plan has for an argument.
  ///
  /// - Throws: `WiringFailure` if that does not match the argument.
  init(
    _ given: CompiledPlan.Argument, for shape: ServiceShape, key: String, _ linker: any ServiceLinker
  ) throws(WiringFailure) {
    func cell(_ slot: Int) throws(WiringFailure) -> CellReference {
      if shape.isDeferred { return try linker.cell(of: slot, as: shape.type) }
      return try linker.needed(slot, as: shape.type).0
    }
    func entries(_ slots: [(key: String, slot: Int)]) throws(WiringFailure) -> Services {
      .map(try slots.map { entry throws(WiringFailure) in (entry.key, try cell(entry.slot)) })
    }
    type = shape.type
    switch given {
    case .absent: services = .none
    case .service(let slot) where shape.wrapper == .map: services = try entries([(linker.id(of: slot), slot)])
    case .service(let slot): services = .one(try cell(slot))
    case .services(let slots) where shape.wrapper == .map: services = try entries(slots.map { (linker.id(of: $0), $0) })
    case .services(let slots) where shape.wrapper == .list: services = .list(try slots.map(cell))
    case .keyedServices(let slots) where shape.isCollection: services = try entries(slots.map { ($0.key, $0.slot) })
    case .services, .keyedServices, .decorated, .runtime, .value: throw .wrongArgument(key: key)
    }
  }
}
