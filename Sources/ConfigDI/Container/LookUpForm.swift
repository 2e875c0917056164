// SPDX-License-Identifier: Apache-2.0

/// A type that is looked up by way of another: a list, an optional, or a deferred look-up of services.
///
/// Forms nest: the type that a form wraps may be a form again.
protocol LookUpForm: ServiceForm {
  static var wrappedType: Any.Type { get }
  /// Returns the parts of the form; `nil` if no service is registered that can be looked up. Builds nothing.
  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<Self>?
  /// Returns the parts of the form of the given services: an element of a list or map, or an argument from a file.
  static func parts(of given: FormCells) -> FormParts<Self>
}

/// Returns the type that the innermost form of a type wraps; the type itself if it is no form.
func leafType(of type: Any.Type) -> Any.Type { formTypes(of: type).last ?? type }

/// Returns a type, the type that it wraps if it is a form, the type that this wraps, and so on.
func formTypes(of type: Any.Type) -> [Any.Type] {
  Array(sequence(first: type) { ($0 as? any LookUpForm.Type)?.wrappedType })
}

/// The cells of which a form is made, and the function that makes it.
struct FormParts<Form>: Sendable {
  /// Makes a form from the instances of the cells.
  typealias Making = @Sendable ([AnyInstance], FormContext) -> Form

  let cells: [CellReference]
  let make: Making

  init(_ cells: [CellReference] = [], make: @escaping Making) {
    self.cells = cells
    self.make = make
  }

  /// Creates the parts of a service of a cell.
  init(_ cell: CellReference) { self.init([cell]) { instances, _ in instances[0].value(as: Form.self) } }

  init<Part>(_ parts: [FormParts<Part>], make: @escaping @Sendable ([Part]) -> Form) {
    self.init(parts.flatMap(\.cells)) { instances, context in
      var rest = instances[...]
      return make(
        parts.map { part in
          defer { rest = rest.dropFirst(part.cells.count) }
          return part.make(Array(rest.prefix(part.cells.count)), context)
        })
    }
  }

  /// Creates the parts of a service or a form of the given services.
  init(of given: FormCells) {
    // A service may itself have the type of a form.
    if given.type != Form.self, let form = Form.self as? any LookUpForm.Type,
      let parts = form.anyParts(of: given) as? FormParts
    {
      self = parts
    } else {
      self.init(given.cells[0])
    }
  }

  func map<Outer>(_ transform: @escaping @Sendable (Form) -> Outer) -> FormParts<Outer> {
    FormParts<Outer>(cells) { transform(make($0, $1)) }
  }
}

/// The container and the look-up in which a form is made.
struct FormContext {
  let state: ContainerState
  let resolution: Resolution
  /// The instance that holds the form, if reloads may keep that.
  let holder: KeptInstance?

  init(_ state: ContainerState, _ resolution: Resolution) {
    (self.state, self.resolution, holder) = (state, resolution, nil)
  }

  /// Creates the context of an argument of a builder.
  init(_ service: Registration, _ call: BuilderCall) {
    (state, resolution, holder) = (service.home, call.resolution.withoutArguments, call.holder)
  }

  /// The innermost store in which the form looks up.
  var store: InstanceStore { resolution.scope ?? state.store }
}

extension LookUpForm {
  /// Returns the result of `parts` with its type erased.
  fileprivate static func anyParts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> Any? {
    try parts(request, in: state)
  }

  /// Returns the result of `parts` with its type erased.
  fileprivate static func anyParts(of given: FormCells) -> Any { parts(of: given) }

  static func supplier(of given: FormCells) -> Supplier<Self> { Supplier(parts(of: given)) }
}

extension Supplier {
  fileprivate init(_ parts: FormParts<Input>) {
    self.init(of: parts.cells) { service, call in
      try parts.value(in: FormContext(service, call))
    } assemble: { instances, service, call in
      parts.make(instances, FormContext(service, call))
    }
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
  func parts<Service>(_ type: Service.Type, _ request: Request) throws(ResolutionError) -> FormParts<Service>? {
    if let cell = try found(type, request)?.place { return FormParts(cell) }
    return try formParts(type, request)
  }
}

extension FormParts {
  /// Looks up the cells, and makes the form from their instances.
  func value(in context: FormContext) throws(ResolutionError) -> Form {
    var instances: [AnyInstance] = []
    for cell in cells { instances.append(try cell.instance(context.resolution)) }
    return make(instances, context)
  }

  /// Returns the form as an instance that owns the transient services in it, which are not cached.
  ///
  /// - Parameter ready: what `ready` has returned; `nil` if nothing was looked up before.
  func owned(in context: FormContext, _ ready: [ReadyPart]? = nil) throws(ResolutionError) -> AnyInstance {
    var owned = OwnedParts()
    var rest = (ready ?? cells.map(\.part))[...]
    do throws(ResolutionError) {
      while let part = rest.popFirst() {
        switch part {
        case .kept(let cell): owned.parts.append(try cell.instance(context.resolution))
        case .transient(let registration, let index, let ready):
          owned.add(try registration.newProduct(context.resolution, ready), of: registration, index)
        }
      }
    } catch {
      for part in rest { part.discard() }
      dispose(owned.owned)
      throw error
    }
    return owned.instance(of: self, in: context)
  }

  /// Looks up what the builders of the parts need. Awaits builds of other look-ups.
  func ready(
    in context: FormContext, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> [ReadyPart] {
    var ready: [ReadyPart] = []
    do throws(ResolutionError) {
      for cell in cells {
        var part = cell.part
        if case .transient(let registration, let index, _) = part {
          let inputs = try await registration.readyInputs(context.resolution, isolation: isolation)
          part = .transient(registration, index, inputs)
        } else {
          // `owned` looks it up again: a reset may dispose of this instance before the value is claimed.
          _ = try await cell.home.awaitedInstance(in: cell.number, context.resolution, isolation: isolation)
        }
        ready.append(part)
      }
    } catch {
      for part in ready { part.discard() }
      throw error
    }
    return ready
  }

  /// Returns the form as an instance, the same as `owned` if it `isOwned`, and awaits async builders.
  func awaited(
    in context: FormContext, isOwned: Bool = false, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> AnyInstance {
    var owned = OwnedParts()
    do throws(ResolutionError) {
      for cell in cells {
        if isOwned, case .transient(let registration, let index, _) = cell.part {
          let product = try await cell.home.awaitedProduct(registration, context.resolution, isolation: isolation)
          owned.add(product, of: registration, index)
        } else {
          owned.parts.append(
            try await cell.home.awaitedInstance(in: cell.number, context.resolution, isolation: isolation))
        }
      }
    } catch {
      _ = await disposeAwaiting(owned.owned, in: context.store, isolation: isolation)
      throw error
    }
    return owned.instance(of: self, in: context)
  }
}

extension ContainerState {
  /// Returns the services that code can look up by a type, or by the type that a form of it wraps, and that take no
  /// run-time arguments, by their ids in ascending order, and the type of their cells.
  ///
  /// - Parameter entersCollections: whether to continue with the elements of a list or map that no service provides.
  /// - Throws: `ResolutionError` if the container was disposed of.
  func elements(
    of type: Any.Type, entersCollections: Bool
  ) throws(ResolutionError) -> (entries: [(key: String, cell: CellReference)], type: Any.Type) {
    var found: (entries: [(key: String, cell: CellReference)], type: Any.Type) = ([], type)
    for type in formTypes(of: type) {
      let cells = directory.providers(of: ObjectIdentifier(type)).filter { $0.cell.registration.parameters.isEmpty }
      if !cells.isEmpty {
        found = (cells.map { ($0.cell.id, $0.place) }, type)
        break
      }
      if !entersCollections, type is any CollectionForm.Type { break }
    }
    // If a parent was disposed of, its services are missing.
    if directory.isClosed { throw .disposed }
    return found
  }
}

/// The instances that a form consists of, and those of them that its user disposes of.
private struct OwnedParts {
  var parts: [AnyInstance] = []
  private(set) var owned: [AnyInstance] = []

  /// Adds a new product of a transient service.
  mutating func add(_ product: AnyInstance, of registration: Registration, _ index: Int) {
    owned += product.withWrapped(as: registration)
    parts.append(product.ofType(index))
  }

  /// Returns the form, which owns its transient parts.
  func instance<Form>(of form: FormParts<Form>, in context: FormContext) -> AnyInstance {
    let instance = Instance(form.make(parts, context))
    instance.wrapped = owned
    return instance
  }
}

/// A service that is a part of a form, as far as it was looked up.
enum ReadyPart {
  /// A service that the container or a scope caches.
  case kept(CellReference)
  /// A transient service, the index of the cell's type among its types, and what its builder needs; `nil` if that was
  /// not looked up.
  case transient(Registration, Int, ReadyInputs?)

  /// Disposes of what was built for the part, if it is not used.
  func discard() {
    if case .transient(let registration, _, let ready?) = self { registration.discard(ready.product) }
  }
}

extension CellReference {
  /// The service, which was not looked up.
  fileprivate var part: ReadyPart {
    guard let (registration, index) = home.directory.unbuilt(in: number), registration.keeping == .transient else {
      return .kept(self)
    }
    return .transient(registration, index, nil)
  }
}

/// A form of several services, which is found even if there are none.
protocol CollectionForm: LookUpForm {}

extension Array: CollectionForm {
  static var wrappedType: Any.Type { Element.self }
  static var shape: ServiceShape { ServiceShape(of: Element.self).inCollection(.list) }

  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<[Element]>? {
    guard request.name == nil, request.resolution.arguments == nil else { return nil }
    let (entries, type) = try state.elements(of: Element.self, entersCollections: false)
    // If no service provides the element type, and that is or wraps a list or map, the list has one element.
    if entries.isEmpty, formTypes(of: Element.self).contains(where: { $0 is any CollectionForm.Type }) {
      return try state.formParts(Element.self, request)?.map { [$0] }
    }
    return parts(of: FormCells(entries.map(\.cell), type: type))
  }

  static func parts(of given: FormCells) -> FormParts<[Element]> { given.elements() }
}

extension Dictionary: LookUpForm, CollectionForm, ServiceForm where Key == String {
  static var wrappedType: Any.Type { Value.self }
  static var shape: ServiceShape { ServiceShape(of: Value.self).inCollection(.map) }

  static func parts(
    _ request: Request, in state: ContainerState
  ) throws(ResolutionError) -> FormParts<[String: Value]>? {
    guard request.name == nil, request.resolution.arguments == nil else { return nil }
    let (entries, type) = try state.elements(of: Value.self, entersCollections: true)
    var ids: Set<String> = []
    // In the dictionary one of two services with the same id would replace the other.
    for entry in entries where !ids.insert(entry.key).inserted { throw .ambiguous(Value.self, id: entry.key) }
    return parts(of: FormCells(entries.map(\.cell), keys: entries.map(\.key), type: type))
  }

  static func parts(of given: FormCells) -> FormParts<[String: Value]> {
    let keys = given.keys ?? given.cells.map { $0.home.directory.registration(in: $0.number)?.0.id ?? "" }
    return given.elements().map { values in Dictionary(zip(keys, values)) { _, last in last } }
  }
}

extension Optional: LookUpForm {
  static var wrappedType: Any.Type { Wrapped.self }

  static var shape: ServiceShape {
    var shape = ServiceShape(of: Wrapped.self)
    shape.isOptional = true
    return shape
  }

  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<Wrapped?>? {
    try state.parts(Wrapped.self, request)?.map { $0 } ?? FormParts { _, _ in nil }
  }

  static func supplier(of given: FormCells) -> Supplier<Wrapped?> {
    // Optional services are frequent: a supplier of its own class allocates less than one of a closure.
    if given.type == Wrapped.self, let cell = given.first { return Supplier(optional: Supplier(cell)) }
    return Supplier(parts(of: given))
  }

  static func parts(of given: FormCells) -> FormParts<Wrapped?> {
    if given.isAbsent { return FormParts { _, _ in nil } }
    return FormParts<Wrapped>(of: given).map { $0 }
  }
}

extension ServiceShape {
  /// Returns the shape of a collection of arguments of this shape.
  fileprivate func inCollection(_ wrapper: ArgumentDescriptor.Wrapper) -> ServiceShape {
    var shape = self
    (shape.wrapper, shape.isOptional) = (wrapper, false)
    return shape
  }
}

extension FormCells {
  /// Returns the parts of the elements of a list or map.
  fileprivate func elements<Element>() -> FormParts<[Element]> {
    if type == Element.self {
      return FormParts(cells) { instances, _ in instances.map { $0.value(as: Element.self) } }
    }
    return FormParts(cells.map { FormParts(of: FormCells($0, type: type)) }) { $0 }
  }
}
