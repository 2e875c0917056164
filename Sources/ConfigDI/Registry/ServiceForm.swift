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
  /// The only cell, as nearly all arguments have one, which then needs no array; `nil` if there are none or several.
  private var single: CellReference?
  private var several: [CellReference]
  /// The keys of the services in a map, in the same order; `nil` if there are none.
  let keys: [String]?
  /// The type of each cell.
  let type: Any.Type
  /// Whether a file omits the argument, which is optional.
  let isAbsent: Bool

  init(_ cells: [CellReference], keys: [String]? = nil, type: Any.Type) {
    (single, several, self.keys, self.type, isAbsent) = (nil, cells, keys, type, false)
  }

  /// Creates the cells of a form of one service; `nil` if a file omits it.
  init(_ cell: CellReference?, type: Any.Type) {
    (single, several, keys, self.type, isAbsent) = (cell, [], nil, type, cell == nil)
  }

  var cells: [CellReference] { single.map { [$0] } ?? several }
  var first: CellReference? { single ?? several.first }

  /// Returns the same with other cells, in the same order.
  func with(_ cells: [CellReference]) -> FormCells {
    var other = self
    if single == nil { other.several = cells } else { other.single = cells.first }
    return other
  }
}

extension FormCells {
  /// Creates the cells of what a plan has for an argument.
  ///
  /// - Throws: `WiringFailure` if that does not match the argument.
  init(
    _ given: CompiledPlan.Argument, for shape: ServiceShape, key: String, _ linker: (any ServiceLinker)?
  ) throws(WiringFailure) {
    func cell(_ slot: Int) throws(WiringFailure) -> CellReference {
      guard let linker else { throw .nothingSupplied }
      return shape.isDeferred ? try linker.cell(of: slot, as: shape.type) : try linker.needed(slot, as: shape.type).0
    }
    let slots: [Int]
    var keys: [String]?
    switch given {
    case .absent:
      self.init(nil, type: shape.type)
      return
    case .service(let slot) where shape.wrapper != .map:
      self.init(try cell(slot), type: shape.type)
      return
    case .service(let slot): slots = [slot]
    case .services(let given) where shape.isCollection: slots = given
    case .keyedServices(let given) where shape.isCollection: (slots, keys) = (given.map(\.slot), given.map(\.key))
    case .services, .keyedServices, .decorated, .runtime, .value: throw .wrongArgument(key: key)
    }
    if shape.wrapper == .map, keys == nil, let linker { keys = slots.map { linker.id(of: $0) } }
    self.init(try slots.map { slot throws(WiringFailure) in try cell(slot) }, keys: keys, type: shape.type)
  }
}
