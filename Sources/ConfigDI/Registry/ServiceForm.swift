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
  var cells: [CellReference]
  /// The keys of the services in a map, in the same order; `nil` if there are none.
  var keys: [String]?
  /// The type of each cell.
  let type: Any.Type
  /// Whether a file omits the argument, which is optional.
  var isAbsent = false
}

extension FormCells {
  /// Creates the cells of what a plan has for an argument.
  ///
  /// - Throws: `WiringFailure` if that does not match the argument.
  init(
    _ given: CompiledPlan.Argument, for shape: ServiceShape, key: String, _ linker: any ServiceLinker
  ) throws(WiringFailure) {
    self.init(cells: [], type: shape.type)
    let slots: [Int]
    switch given {
    case .absent: (slots, isAbsent) = ([], true)
    case .service(let slot): slots = [slot]
    case .services(let given) where shape.isCollection: slots = given
    case .keyedServices(let given) where shape.isCollection: (slots, keys) = (given.map(\.slot), given.map(\.key))
    case .services, .keyedServices, .decorated, .runtime, .value: throw .wrongArgument(key: key)
    }
    if shape.wrapper == .map, !isAbsent, keys == nil { keys = slots.map { linker.id(of: $0) } }
    for slot in slots {
      cells.append(
        shape.isDeferred ? try linker.cell(of: slot, as: shape.type) : try linker.needed(slot, as: shape.type).0)
    }
  }
}
