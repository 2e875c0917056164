// SPDX-License-Identifier: Apache-2.0

/// A type that is looked up by way of another: a list, an optional, or a deferred look-up of services.
///
/// Forms nest: the type that a form wraps may be a form again.
protocol LookUpForm {
  /// The type that the form wraps.
  static var wrappedType: Any.Type { get }
  /// Returns the parts of the form; `nil` if no service is registered that can be looked up. Builds nothing.
  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<Self>?
  /// Returns the parts of the form of the given services: an element of a list or map, or an argument from a file.
  static func parts(of given: FormCells, _ resolution: Resolution, in state: ContainerState) -> FormParts<Self>
}

extension LookUpForm {
  /// Whether the form, or a form in it, is a list or map.
  fileprivate static var hasCollection: Bool {
    self is any CollectionForm.Type || (wrappedType as? any LookUpForm.Type)?.hasCollection == true
  }
}

/// Returns the type that the innermost form of a type wraps; the type itself if it is no form.
func leafType(of type: Any.Type) -> Any.Type {
  var type = type
  while let form = type as? any LookUpForm.Type { type = form.wrappedType }
  return type
}

/// The cells of the services of which a form is made.
enum FormCells: Sendable {
  /// None: an optional argument that a file omits.
  case none
  case one(CellReference)
  case list([CellReference])
  case map([(key: String, cell: CellReference)])

  var cells: [CellReference] {
    switch self {
    case .none: []
    case .one(let cell): [cell]
    case .list(let cells): cells
    case .map(let entries): entries.map(\.cell)
    }
  }

  /// Returns the same with other cells, in the same order.
  func with(_ cells: [CellReference]) -> FormCells {
    switch self {
    case .none: self
    case .one: .one(cells[0])
    case .list: .list(cells)
    case .map(let entries): .map(zip(entries, cells).map { ($0.key, $1) })
    }
  }
}

/// The cells of which a form is made, and the function that makes it.
struct FormParts<Form> {
  let cells: [CellReference]
  /// Makes the form from the instances of the cells.
  let make: ([AnyInstance]) -> Form

  init(_ cells: [CellReference] = [], make: @escaping ([AnyInstance]) -> Form) {
    self.cells = cells
    self.make = make
  }

  init<Part>(_ parts: [FormParts<Part>], make: @escaping ([Part]) -> Form) {
    self.init(parts.flatMap(\.cells)) { instances in
      var rest = instances[...]
      return make(
        parts.map { part in
          defer { rest = rest.dropFirst(part.cells.count) }
          return part.make(Array(rest.prefix(part.cells.count)))
        })
    }
  }

  func map<Outer>(_ transform: @escaping (Form) -> Outer) -> FormParts<Outer> {
    FormParts<Outer>(cells) { transform(make($0)) }
  }
}

extension LookUpForm {
  /// Returns the result of `parts` with its type erased.
  fileprivate static func anyParts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> Any? {
    try parts(request, in: state)
  }

  /// Returns the result of `parts` with its type erased.
  fileprivate static func anyParts(
    of given: FormCells, _ resolution: Resolution, in state: ContainerState
  ) -> Any {
    parts(of: given, resolution, in: state)
  }
}

extension ContainerState {
  /// Returns the parts of a form; `nil` if the type is no form, or no service is registered that can be looked up.
  ///
  /// - Throws: `ResolutionError` if the look-up is ambiguous, the services take other arguments, or the service of the
  ///   wanted name does not provide the type.
  func formParts<Form>(_ type: Form.Type, _ request: Request) throws(ResolutionError) -> FormParts<Form>? {
    if let form = type as? any LookUpForm.Type,
      let parts = try form.anyParts(request, in: self) as? FormParts<Form>
    {
      return parts
    }
    try refuse(type, request)
    return nil
  }

  /// Returns the parts of a look-up, of a service or a form; `nil` if no service is registered that can be looked up.
  ///
  /// - Throws: as `formParts` does.
  func parts<Service>(_ type: Service.Type, _ request: Request) throws(ResolutionError) -> FormParts<Service>? {
    guard let cell = try target(type, request) else { return try formParts(type, request) }
    return FormParts([cell]) { $0[0].value(as: type) }
  }

  /// Returns the parts of a service or a form of the given services: a service of one cell.
  func parts<Element>(_ type: Element.Type, of given: FormCells, _ resolution: Resolution) -> FormParts<Element> {
    // A service may itself have the type of a form.
    if let form = type as? any LookUpForm.Type, !given.isService(type),
      let parts = form.anyParts(of: given, resolution, in: self) as? FormParts<Element>
    {
      return parts
    }
    return FormParts(given.cells) { $0[0].value(as: type) }
  }

  /// Looks up the cells of some parts, and makes the form from their instances.
  ///
  /// - Throws: `ResolutionError` if building fails.
  func value<Form>(of parts: FormParts<Form>, _ resolution: Resolution) throws(ResolutionError) -> Form {
    var instances: [AnyInstance] = []
    for cell in parts.cells { instances.append(try cell.instance(resolution)) }
    return parts.make(instances)
  }

  /// Looks up the cells of some parts and awaits async builders, and makes the form from their instances.
  ///
  /// - Throws: `ResolutionError` if building fails, or the task is cancelled.
  func awaitedValue<Form>(
    of parts: FormParts<Form>, _ resolution: Resolution, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Form {
    var instances: [AnyInstance] = []
    for cell in parts.cells {
      instances.append(try await cell.home.awaitedInstance(in: cell.number, resolution, isolation: isolation))
    }
    return parts.make(instances)
  }

  /// Returns a form as an instance that owns the transient services in it, which are not cached.
  ///
  /// - Throws: as `instance` does.
  func owned<Form>(_ parts: FormParts<Form>, _ resolution: Resolution) throws(ResolutionError) -> AnyInstance {
    var owned = OwnedParts()
    do throws(ResolutionError) {
      for cell in parts.cells {
        if let (registration, index) = cell.transientService {
          owned.add(try registration.newProduct(resolution), of: registration, index)
        } else {
          owned.parts.append(try cell.instance(resolution))
        }
      }
    } catch {
      owned.dispose()
      throw error
    }
    return owned.instance(of: parts)
  }

  /// The same. Awaits builders.
  ///
  /// - Throws: as `instance` does, and where the task is cancelled.
  func awaitedOwned<Form>(
    _ parts: FormParts<Form>, _ resolution: Resolution, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> AnyInstance {
    var owned = OwnedParts()
    do throws(ResolutionError) {
      for cell in parts.cells {
        if let (registration, index) = cell.transientService {
          let product = try await cell.home.awaitedProduct(registration, resolution, isolation: isolation)
          owned.add(product, of: registration, index)
        } else {
          owned.parts.append(
            try await cell.home.awaitedInstance(in: cell.number, resolution, isolation: isolation))
        }
      }
    } catch {
      owned.dispose()
      throw error
    }
    return owned.instance(of: parts)
  }

  /// Returns the services that code can look up by a type, or by the type that a form of it wraps, and that take no
  /// run-time arguments, ascending by id.
  ///
  /// - Throws: `ResolutionError` if the container was disposed of.
  func elements(of type: Any.Type) throws(ResolutionError) -> [(id: String, place: CellReference)] {
    var type = type
    var cells = directory.providers(of: ObjectIdentifier(type))
    while cells.isEmpty, let form = type as? any LookUpForm.Type {
      type = form.wrappedType
      cells = directory.providers(of: ObjectIdentifier(type))
    }
    cells.removeAll { !$0.cell.registration.parameters.isEmpty }
    if cells.isEmpty, directory.isClosed { throw .disposed }
    return cells.map { ($0.cell.id, $0.place) }
  }
}

/// The instances that a form consists of, and those of them that its user disposes of.
private struct OwnedParts {
  var parts: [AnyInstance] = []
  private var owned: [AnyInstance] = []

  /// Adds a new product of a transient service.
  mutating func add(_ product: AnyInstance, of registration: Registration, _ index: Int) {
    owned += product.withWrapped(as: registration)
    parts.append(product.ofType(index))
  }

  /// Returns the form, which owns its transient parts.
  func instance<Form>(of form: FormParts<Form>) -> AnyInstance {
    let instance = Instance(form.make(parts))
    instance.wrapped = owned
    return instance
  }

  /// Disposes of the owned instances if the form cannot be completed.
  func dispose() {
    let instance = AnyInstance(others: [])
    instance.wrapped = owned
    instance.disposeWrapped()
  }
}

extension FormCells {
  /// Returns whether it is one service that provides a type.
  fileprivate func isService(_ type: Any.Type) -> Bool {
    if case .one(let cell) = self { cell.type == ObjectIdentifier(type) } else { false }
  }
}

extension CellReference {
  /// The type of the cell; `nil` if the container is closed.
  var type: ObjectIdentifier? { home.directory.read { $0.isClosed ? nil : $0.cells[number].type } }

  /// The service and the index of the cell's type, if the service is transient; `nil` for a cached service.
  fileprivate var transientService: (Registration, index: Int)? {
    guard let (registration, index) = home.directory.unbuilt(in: number), registration.keeping == .transient else {
      return nil
    }
    return (registration, index)
  }
}

/// A form of several services, which is found even if there are none.
protocol CollectionForm: LookUpForm {}

extension Array: CollectionForm {
  static var wrappedType: Any.Type { Element.self }

  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<[Element]>? {
    guard request.name == nil, request.resolution.arguments == nil else { return nil }
    // A list of collections has one element: the collection.
    if (Element.self as? any LookUpForm.Type)?.hasCollection == true {
      return try state.parts(Element.self, request)?.map { [$0] }
    }
    return parts(of: .list(try state.elements(of: Element.self).map(\.place)), request.resolution, in: state)
  }

  static func parts(
    of given: FormCells, _ resolution: Resolution, in state: ContainerState
  ) -> FormParts<[Element]> {
    FormParts(given.cells.map { state.parts(Element.self, of: .one($0), resolution) }) { $0 }
  }
}

extension Dictionary: LookUpForm, CollectionForm where Key == String {
  static var wrappedType: Any.Type { Value.self }

  static func parts(
    _ request: Request, in state: ContainerState
  ) throws(ResolutionError) -> FormParts<[String: Value]>? {
    guard request.name == nil, request.resolution.arguments == nil else { return nil }
    let elements = try state.elements(of: Value.self)
    var ids: Set<String> = []
    // In the dictionary one of two services with the same id would replace the other.
    for element in elements where !ids.insert(element.id).inserted { throw .ambiguous(Value.self, id: element.id) }
    return parts(of: .map(elements.map { ($0.id, $0.place) }), request.resolution, in: state)
  }

  static func parts(
    of given: FormCells, _ resolution: Resolution, in state: ContainerState
  ) -> FormParts<[String: Value]> {
    let keys: [String] =
      if case .map(let entries) = given {
        entries.map(\.key)
      } else {
        given.cells.map { $0.home.directory.registration(in: $0.number)?.0.id ?? "" }
      }
    return FormParts(given.cells.map { state.parts(Value.self, of: .one($0), resolution) }) { values in
      Dictionary(zip(keys, values)) { _, last in last }
    }
  }
}

extension Optional: LookUpForm {
  static var wrappedType: Any.Type { Wrapped.self }

  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<Wrapped?>? {
    try state.parts(Wrapped.self, request)?.map { $0 } ?? FormParts { _ in nil }
  }

  static func parts(of given: FormCells, _ resolution: Resolution, in state: ContainerState) -> FormParts<Wrapped?> {
    if case .none = given { return FormParts { _ in nil } }
    return state.parts(Wrapped.self, of: given, resolution).map { $0 }
  }
}
