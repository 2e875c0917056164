// SPDX-License-Identifier: Apache-2.0

// The data that a look-up reads, and the functions that read it. It is the only file with unchecked casts of instances
// and suppliers.
//
// A look-up locks one of several mutexes, copies the instance or the factory out, and returns. A change locks all of
// them. So look-ups of different threads seldom contend, and nothing is released while a look-up reads it.

/// A built product, as one of the types by which it is looked up.
@usableFromInline class AnyInstance: @unchecked Sendable {
  // Unchecked: whether threads may share the product is checked when its service is registered or loaded. `key` and
  // `sequence` are read and changed under the lock of the one store that keeps the instance. `wrapped` is set before a
  // store keeps the instance, and removed by the one thread that disposes of it. `isBorrowed` is set before as well.

  /// The key in the store; `nil` as long as no store keeps the instance.
  final var key: (any InstanceKey)?
  /// The position in the store's order of building.
  final var sequence = 0
  /// The product as each of the types that its service provides; empty if that is only its own type.
  let others: [AnyInstance]
  /// The instances that a decorator's product wraps, in the order of building. They are disposed of after the product.
  final var wrapped: [AnyInstance]?
  /// Whether another service was given the same product and disposes of it.
  final var isBorrowed = false

  /// A placeholder for an argument of a builder that comes with the call, and is not looked up before.
  static let callPlaceholder = AnyInstance(others: [])

  /// Creates an instance without a product, for the subclass, as a placeholder, or to hold wrapped instances.
  init(others: [AnyInstance]) { self.others = others }

  /// Returns an instance of the same product for another store, without the wrapped instances.
  func copy() -> AnyInstance { self }
}

/// A built product of a known type.
@usableFromInline final class Instance<Service>: AnyInstance, @unchecked Sendable {
  // Unchecked for the reasons of its superclass.

  @usableFromInline let value: Service

  /// Creates an instance of a product, with the product as each of its other types.
  required init(_ value: Service, others: [AnyInstance] = []) {
    self.value = value
    super.init(others: others)
  }

  override func copy() -> AnyInstance { Instance(value, others: others) }
}

extension AnyInstance {
  /// Returns the product.
  ///
  /// - Parameter type: the type of the instance. The tables map a type only to instances of that type.
  @inlinable @inline(__always) func value<Service>(as type: Service.Type) -> Service {
    unsafeDowncast(self, to: Instance<Service>.self).value
  }
}

/// Returns a value as its dynamic type, which the caller has compared. Takes a tenth of the time of a dynamic cast.
func unchecked<Value: Sendable, Exact>(_ value: Value, as type: Exact.Type) -> Exact { unsafeBitCast(value, to: type) }

// A builder takes its arguments with their declared types, which are those of their suppliers.

extension OptionalSupplier {
  func value<Input>(as type: Input.Type, for service: Registration, _ call: BuilderCall) throws -> Input {
    unsafeBitCast(try wrapped.value(as: Wrapped.self, for: service, call) as Wrapped?, to: Input.self)
  }
}

extension ComputedSupplier {
  func value<Input>(as type: Input.Type, for service: Registration, _ call: BuilderCall) throws -> Input {
    try unsafeDowncast(self, to: ComputedSupplier<Input>.self).make(service, call)
  }
}

/// The result of a look-up by type that builds nothing.
@usableFromInline enum Found<Service> {
  case instance(Service)
  /// The registration that builds the service, the index of the type among those that it provides, and its cell.
  case registration(Registration, index: Int, cell: Int)
  /// None of these: the slow path decides.
  case other
}

extension Directory {
  /// Returns the content of the cell that answers for a type.
  ///
  /// - Complexity: constant, for a child linear in its depth; nothing is allocated.
  @inlinable @inline(__always) func find<Service>(_ type: Service.Type) -> Found<Service> {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    var tables: UnsafeMutablePointer<DirectoryTables>? = pointer
    while let current = tables {
      if let cell = current.pointee.types[ObjectIdentifier(type)] {
        return cell < 0 || root.pointee.sharesWithinLookUps
          ? found(type, cell, in: current) : current.pointee.cells[cell].found(type, cell)
      }
      if current.pointee.isClosed { return .other }
      tables = current.pointee.parent
    }
    return .other
  }

  /// Returns the content and the number of the cell that answers for a type; `nil` if the slow path decides.
  ///
  /// It has no generic type: in unspecialized code `find` would look up the metadata of its result.
  func content(ofType type: ObjectIdentifier) -> (Content, cell: Int)? {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    var tables: UnsafeMutablePointer<DirectoryTables>? = pointer
    while let current = tables {
      if let cell = current.pointee.types[type] {
        guard cell >= 0 else { return nil }
        let isReady = current.pointee.cells[cell].instance != nil || !root.pointee.sharesWithinLookUps
        return isReady ? (current.pointee.cells[cell].content, cell) : nil
      }
      if current.pointee.isClosed { return nil }
      tables = current.pointee.parent
    }
    return nil
  }

  /// Returns the bound transient service of a type that takes exactly these arguments, and the index of the type among
  /// those that it provides; `nil` if the slow path decides.
  func transient(of type: ObjectIdentifier, _ arguments: RuntimeArguments) -> (Registration, index: Int)? {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    guard !root.pointee.sharesWithinLookUps, let cell = pointer.pointee.boundCell(of: type, arguments) else {
      return nil
    }
    let registration = pointer.pointee.cells[cell].registration
    return registration.keeping == .transient ? (registration, pointer.pointee.cells[cell].index) : nil
  }

  /// Returns the content of the cell of a type under a name.
  ///
  /// - Complexity: that of hashing the name, for a child times its depth; nothing is allocated.
  @inlinable func find<Service>(_ type: Service.Type, named name: String) -> Found<Service> {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    guard let (tables, cell) = cell(of: ObjectIdentifier(type), named: name) else { return .other }
    return root.pointee.sharesWithinLookUps
      ? found(type, cell, in: tables) : tables.pointee.cells[cell].found(type, cell)
  }

  /// Returns the instance of a cell. For look-ups that may need a store, which can take only an instance directly.
  @inlinable func found<Service>(
    _ type: Service.Type, _ cell: Int, in tables: UnsafeMutablePointer<DirectoryTables>
  ) -> Found<Service> {
    if cell >= 0, let instance = tables.pointee.cells[cell].instance { return .instance(instance.value(as: type)) }
    return .other
  }

  @inline(__always) func content(of cell: Int) -> Content {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    return pointer.pointee.isClosed ? .closed : pointer.pointee.cells[cell].content
  }

  /// Reads the tables.
  ///
  /// - Parameter body: borrows the tables, so that they are not copied, and several threads can read them at a time.
  func read<Result>(_ body: (borrowing DirectoryTables) -> Result) -> Result {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    return body(pointer.pointee)
  }

  /// Records that some service of the family is `graph` or `weak`.
  func noteSharing() {
    let token = lock.lockForWriting()
    defer { lock.unlock(token) }
    root.pointee.sharesWithinLookUps = true
  }

  /// Changes the tables. The closure must not call code of the application. It returns what has to be released.
  func write<Result>(_ body: (inout DirectoryTables) -> Result) -> Result {
    let token = lock.lockForWriting()
    defer { lock.unlock(token) }
    return body(&pointer.pointee)
  }
}

extension Factory {
  func make<Service>(
    _ type: Service.Type, _ index: Int, _ service: Registration, _ call: BuilderCall
  ) throws -> Service {
    factories.isEmpty
      ? try unsafeDowncast(self, to: Factory<Service>.self).make(service, call)
      : try factories[index].make(type, 0, service, call)
  }
}

extension Cell {
  /// Returns the content, copied out of the cell.
  @inlinable @inline(__always) func found<Service>(_ type: Service.Type, _ cell: Int) -> Found<Service> {
    if let instance { return .instance(instance.value(as: type)) }
    return .registration(registration, index: index, cell: cell)
  }
}
