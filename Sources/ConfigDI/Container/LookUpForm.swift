// SPDX-License-Identifier: Apache-2.0

/// A type that is looked up by way of another: a list, an optional, or a deferred look-up of services.
///
/// Forms nest: the type that a form wraps may be a form again.
protocol LookUpForm {
  /// The type that the form wraps.
  static var wrappedType: Any.Type { get }
  /// Returns the parts of the form; `nil` if no service is registered that can be looked up. Builds nothing.
  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<Self>?
  /// Returns the same for one service, as an element of a list or map.
  static func parts(of cell: CellReference, _ resolution: Resolution) -> FormParts<Self>
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
  fileprivate static func anyParts(of cell: CellReference, _ resolution: Resolution) -> Any {
    parts(of: cell, resolution)
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

  /// Returns the parts of a look-up of the service of a cell, or of a form of it.
  func parts<Element>(_ type: Element.Type, of cell: CellReference, _ resolution: Resolution) -> FormParts<Element> {
    // The service itself may be a list, a map or an optional.
    if let form = type as? any LookUpForm.Type, cell.type.map({ $0 != type }) ?? true,
      let parts = form.anyParts(of: cell, resolution) as? FormParts<Element>
    {
      return parts
    }
    return FormParts([cell]) { $0[0].value(as: type) }
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
  /// - Throws: `ResolutionError` if building fails.
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
  /// - Throws: `ResolutionError` if building fails, or the task is cancelled.
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
    while let form = type as? any LookUpForm.Type, !(form is any CollectionForm.Type) { type = form.wrappedType }
    let cells = directory.providers(of: ObjectIdentifier(type)).filter { $0.cell.registration.parameters.isEmpty }
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

extension CellReference {
  /// The type by which the cell is looked up; `nil` if the container was disposed of.
  var type: Any.Type? { home.directory.registration(in: number).map { $0.0.product.type($0.index) } }

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
    // A list of a collection has one element: the collection.
    if Element.self is any CollectionForm.Type { return try state.parts(Element.self, request)?.map { [$0] } }
    let cells = try state.elements(of: Element.self).map(\.place)
    return FormParts(cells.map { state.parts(Element.self, of: $0, request.resolution) }) { $0 }
  }

  static func parts(of cell: CellReference, _ resolution: Resolution) -> FormParts<[Element]> {
    cell.home.parts(Element.self, of: cell, resolution).map { [$0] }
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
    return FormParts(elements.map { state.parts(Value.self, of: $0.place, request.resolution) }) { values in
      Dictionary(uniqueKeysWithValues: zip(elements.map(\.id), values))
    }
  }

  static func parts(of cell: CellReference, _ resolution: Resolution) -> FormParts<[String: Value]> {
    let id = cell.home.directory.registration(in: cell.number)?.0.id ?? ""
    return cell.home.parts(Value.self, of: cell, resolution).map { [id: $0] }
  }
}

extension Optional: LookUpForm {
  static var wrappedType: Any.Type { Wrapped.self }

  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<Wrapped?>? {
    try state.parts(Wrapped.self, request)?.map { $0 } ?? FormParts { _ in nil }
  }

  static func parts(of cell: CellReference, _ resolution: Resolution) -> FormParts<Wrapped?> {
    cell.home.parts(Wrapped.self, of: cell, resolution).map { $0 }
  }
}
