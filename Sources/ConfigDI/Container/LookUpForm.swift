// SPDX-License-Identifier: Apache-2.0

/// A type that is looked up by way of another: several services, one that may be missing, or one that is looked up later.
///
/// Forms nest: the type that a form seeks may be a form again.
protocol LookUpForm {
  /// The type that the form is made of.
  static var sought: Any.Type { get }
  /// Looks the form up; nil where nothing is registered that can be looked up.
  static func lookUp(_ request: Request, in state: ContainerState) throws(ResolutionError) -> Self?
  /// Does the same, with builders awaited.
  static func awaitedLookUp(
    _ request: Request, in state: ContainerState, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Hold<Self?>
  /// The form of one service among several, as an element of a list or map.
  static func element(_ cell: CellPlace, _ resolution: Resolution) throws(ResolutionError) -> Self
}

extension LookUpForm {
  // What is looked up later awaits nothing now.
  static func awaitedLookUp(
    _ request: Request, in state: ContainerState, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Hold<Self?> {
    Hold(try lookUp(request, in: state))
  }

  /// What `lookUp` gives, without its type.
  static func found(_ request: Request, in state: ContainerState) throws(ResolutionError) -> Any? {
    try lookUp(request, in: state).map { $0 as Any }
  }

  /// What `awaitedLookUp` gives, without its type.
  static func awaitedFound(
    _ request: Request, in state: ContainerState, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Hold<Any?> {
    Hold(try await awaitedLookUp(request, in: state, isolation: isolation).value.map { $0 as Any })
  }
}

extension ContainerState {
  /// The services that code may look up by a type or by what a form of it seeks, and that take no run-time arguments,
  /// ascending by id.
  ///
  /// - Throws: `ResolutionError` where the container was disposed of.
  func elements(of type: Any.Type) throws(ResolutionError) -> [(place: CellPlace, cell: Cell)] {
    var type = type
    while let form = type as? any LookUpForm.Type, !(form is any CollectionForm.Type) { type = form.sought }
    let cells = directory.providers(of: ObjectIdentifier(type)).filter { $0.cell.registration.parameters.isEmpty }
    if cells.isEmpty, directory.isClosed { throw .disposed }
    return cells
  }

  /// The services of a type, each with a distinct id.
  ///
  /// - Throws: `ResolutionError` where two of them share an id: each would hide the other.
  func elementsByID(of type: Any.Type) throws(ResolutionError) -> [(id: String, place: CellPlace)] {
    var ids: Set<String> = []
    let elements = try elements(of: type).map { (id: $0.cell.id, place: $0.place) }
    for element in elements where !ids.insert(element.id).inserted { throw .ambiguous(type, id: element.id) }
    return elements
  }

  /// One element of a list or map.
  ///
  /// - Throws: `ResolutionError` where it cannot be built.
  func element<Element>(_ type: Element.Type, _ place: CellPlace, _ resolution: Resolution) throws(ResolutionError)
    -> Element
  {
    if let form = type as? any LookUpForm.Type, let element = try form.anyElement(place, resolution) as? Element {
      return element
    }
    return try place.home.service(type, in: place.number, resolution)
  }

  /// One element of a list or map, with builders awaited.
  func awaitedElement<Element>(
    _ type: Element.Type, _ place: CellPlace, _ resolution: Resolution, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Hold<Element> {
    if type is any LookUpForm.Type { return Hold(try element(type, place, resolution)) }
    return Hold(
      try await place.home.awaitedInstance(in: place.number, resolution, isolation: isolation).value(as: type))
  }
}

extension LookUpForm {
  /// What `element` gives, without its type.
  fileprivate static func anyElement(_ cell: CellPlace, _ resolution: Resolution) throws(ResolutionError) -> Any {
    try element(cell, resolution)
  }
}

/// A form of several services, found also where there are none.
protocol CollectionForm: LookUpForm {}

extension Array: CollectionForm {
  static var sought: Any.Type { Element.self }

  static func lookUp(_ request: Request, in state: ContainerState) throws(ResolutionError) -> [Element]? {
    guard request.name == nil, request.resolution.arguments == nil else { return nil }
    // A collection is itself found once.
    if Element.self is any CollectionForm.Type { return [try state.instance(of: Element.self, request)] }
    var elements: [Element] = []
    for (place, _) in try state.elements(of: Element.self) {
      elements.append(try state.element(Element.self, place, request.resolution))
    }
    return elements
  }

  static func awaitedLookUp(
    _ request: Request, in state: ContainerState, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Hold<[Element]?> {
    guard request.name == nil, request.resolution.arguments == nil else { return Hold(nil) }
    if Element.self is any CollectionForm.Type {
      return Hold([try await state.awaitedInstance(of: Element.self, request, isolation: isolation)])
    }
    var elements: [Element] = []
    for (place, _) in try state.elements(of: Element.self) {
      elements.append(
        try await state.awaitedElement(Element.self, place, request.resolution, isolation: isolation).value)
    }
    return Hold(elements)
  }

  static func element(_ cell: CellPlace, _ resolution: Resolution) throws(ResolutionError) -> [Element] {
    [try cell.home.element(Element.self, cell, resolution)]
  }
}

extension Dictionary: LookUpForm, CollectionForm where Key == String {
  static var sought: Any.Type { Value.self }

  static func lookUp(_ request: Request, in state: ContainerState) throws(ResolutionError) -> [String: Value]? {
    guard request.name == nil, request.resolution.arguments == nil else { return nil }
    var elements: [String: Value] = [:]
    for (id, place) in try state.elementsByID(of: Value.self) {
      elements[id] = try state.element(Value.self, place, request.resolution)
    }
    return elements
  }

  static func awaitedLookUp(
    _ request: Request, in state: ContainerState, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Hold<[String: Value]?> {
    guard request.name == nil, request.resolution.arguments == nil else { return Hold(nil) }
    var elements: [String: Value] = [:]
    for (id, place) in try state.elementsByID(of: Value.self) {
      elements[id] = try await state.awaitedElement(Value.self, place, request.resolution, isolation: isolation).value
    }
    return Hold(elements)
  }

  static func element(_ cell: CellPlace, _ resolution: Resolution) throws(ResolutionError) -> [String: Value] {
    let id = cell.home.directory.registration(in: cell.number)?.0.id ?? ""
    return [id: try cell.home.element(Value.self, cell, resolution)]
  }
}

extension Optional: LookUpForm {
  static var sought: Any.Type { Wrapped.self }

  static func lookUp(_ request: Request, in state: ContainerState) throws(ResolutionError) -> Wrapped?? {
    .some(try state.find(Wrapped.self, request))
  }

  static func awaitedLookUp(
    _ request: Request, in state: ContainerState, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Hold<Wrapped??> {
    Hold(.some(try await state.awaitedFind(Wrapped.self, request, isolation: isolation)))
  }

  static func element(_ cell: CellPlace, _ resolution: Resolution) throws(ResolutionError) -> Wrapped? {
    try cell.home.element(Wrapped.self, cell, resolution)
  }
}
