// SPDX-License-Identifier: Apache-2.0

/// A look-up that is prepared once: it knows where the service stands.
///
/// For code that looks the same service up so often that even finding it by its type would show. What it gives is what
/// `resolve` would give: a transient service is made at each use, a shared one at the first.
///
/// ```swift
/// let logger = try container.handle(for: (any Logger).self)
/// for request in requests { try logger.get().log(request) }
/// ```
///
/// It stands for the service that answers when it is made, and for one that code registers in that service's place later. It
/// keeps no container alive; once that is gone, or disposed of, its use is an error.
public struct Handle<Service>: Sendable {
  /// The container of the service.
  @usableFromInline let core: Core
  /// The cell, whose type is `Service`.
  @usableFromInline let cell: Cell

  /// A look-up of a cell, whose type is `Service`. Its slot must be in reach.
  fileprivate init(_ cell: Cell) {
    core = cell.slot.core
    self.cell = cell
  }

  /// The service.
  ///
  /// - Throws: `ResolutionError` where building fails, the service lives in a named scope, or the container is gone.
  /// - Complexity: constant for what is built; no hash is taken, and nothing is compared.
  @inlinable public func get() throws(ResolutionError) -> Service {
    var here: UInt8 = 0
    let visit = core.readers.enter(at: withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) })
    defer { core.readers.leave(visit) }
    if let instance = cell.instance(as: Service.self) { return instance.pointee }
    return try core.instance(in: cell, Resolution(isDeep: visit.isDeep))
  }

  /// The service, for code that cannot do without.
  ///
  /// Stops the program with the whole message where `get` throws.
  @inlinable public var value: Service {
    do {
      return try get()
    } catch {
      fatalError(error.description)
    }
  }
}

extension Container {
  /// A look-up of the service that provides a type, or of that of a name, prepared to be repeated.
  ///
  /// - Throws: `ResolutionError` where `resolve` would find no service: none provides the type or several do, none has the
  ///   name, or it wants run-time arguments.
  public func handle<Service>(
    for type: Service.Type = Service.self, named name: String? = nil
  ) throws(ResolutionError) -> Handle<Service> {
    let request = Request(named: name, in: Resolution())
    return try core.look { _ throws(ResolutionError) in
      if let cell = try core.target(type, request) { return Handle(cell) }
      try core.refuse(type, request)
      throw core.missing(type, name)
    }
  }
}
