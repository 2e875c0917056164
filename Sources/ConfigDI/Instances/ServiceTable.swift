// SPDX-License-Identifier: Apache-2.0

// What a look-up reads, and how it reads it: the only file that casts instances and suppliers unchecked, and the only one
// with a lock beside `Guarded.swift`.
//
// A look-up takes one of several mutexes, copies the instance or the factory out, and returns. A change takes all of them.
// So threads that look services up seldom meet, and nothing that a look-up reads can go away under its eyes.
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A mutex in several parts, each in a cache line of its own. A reader takes one part, a writer all of them in order.
///
/// Copies are the same lock. Who makes it destroys it when nobody holds it any more.
@usableFromInline struct StripedLock {
  /// One part: a mutex, and room that keeps the next one off its cache line.
  private struct Stripe {
    var mutex = pthread_mutex_t()
    var padding: (UInt64, UInt64, UInt64) = (0, 0, 0)
  }

  /// Proof that the caller holds a part of the lock, or all of it.
  @usableFromInline struct Token: ~Copyable {
    /// The part that is held; -1 for all.
    fileprivate let stripe: Int
  }

  /// How many parts there are: a power of two.
  private static let count = 8
  /// The parts.
  private let stripes = UnsafeMutablePointer<Stripe>.allocate(capacity: StripedLock.count)

  /// A lock that nobody holds.
  init() {
    stripes.initialize(repeating: Stripe(), count: StripedLock.count)
    for index in 0..<StripedLock.count { stripes[index].mutex.begin() }
  }

  /// Gives the memory back.
  func destroy() {
    for index in 0..<StripedLock.count { stripes[index].mutex.end() }
    stripes.deallocate()
  }

  /// Takes the part that belongs to the caller's stack, so that a thread takes the same one again and again.
  @usableFromInline func lockForReading() -> Token {
    LockOrder.willLock(.directory)
    var local: UInt8 = 0
    let address = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    // Stacks are at least 512 kB apart; the product spreads their numbers.
    let stripe = Int(truncatingIfNeeded: ((address >> 19) &* 0x9E37_79B9_7F4A_7C15) >> 61)
    pthread_mutex_lock(&stripes[stripe].mutex)
    return Token(stripe: stripe)
  }

  /// Takes all parts.
  func lockForWriting() -> Token {
    LockOrder.willLock(.directory)
    for index in 0..<StripedLock.count { pthread_mutex_lock(&stripes[index].mutex) }
    return Token(stripe: -1)
  }

  /// Gives back what was taken.
  @usableFromInline func unlock(_ token: borrowing Token) {
    if token.stripe >= 0 {
      pthread_mutex_unlock(&stripes[token.stripe].mutex)
    } else {
      for index in (0..<StripedLock.count).reversed() { pthread_mutex_unlock(&stripes[index].mutex) }
    }
    LockOrder.didUnlock(.directory)
  }
}

/// A built product, as one of the types by which it is looked up.
@usableFromInline class AnyInstance: @unchecked Sendable {
  // Unchecked: whether threads may share the product is checked where its service is registered or loaded. What a store notes
  // is read and changed under the lock of the store, which is the only one that keeps the instance.
  // What it wraps is noted before a store has it, and taken out by the one thread that disposes of it.

  /// What the store has built it for; nil as long as no store keeps it.
  final var key: (any InstanceKey)?
  /// The number of builds that had ended in the store before.
  final var sequence = 0
  /// The product as each of the types that its service provides, where these are not just its own type.
  let others: [AnyInstance]
  /// What the product wraps, where it is a decorator's, in the order of building. It is disposed of after the product.
  final var wrapped: [AnyInstance]?

  /// Stands for an argument of a builder that is not looked up before, as the call brings it.
  static let ofCall = AnyInstance(others: [])

  /// For the subclass.
  init(others: [AnyInstance]) { self.others = others }

  /// The same product, for another store, without what it wraps.
  func copy() -> AnyInstance { self }
}

/// A built product of a known type.
@usableFromInline final class Instance<Service>: AnyInstance, @unchecked Sendable {
  // Unchecked as its superclass is.

  @usableFromInline let value: Service

  @usableFromInline required init(_ value: Service) {
    self.value = value
    super.init(others: [])
  }

  /// A product, with the same as other types.
  required init(_ value: Service, others: [AnyInstance]) {
    self.value = value
    super.init(others: others)
  }

  override func copy() -> AnyInstance { Instance(value, others: others) }
}

extension AnyInstance {
  /// The product.
  ///
  /// - Parameter type: the type of the instance. The tables lead from a type only to instances of that type.
  @inlinable @inline(__always) func value<Service>(as type: Service.Type) -> Service {
    unsafeDowncast(self, to: Instance<Service>.self).value
  }
}

extension Inputs {
  /// The argument at a place.
  ///
  /// - Parameter type: the type of the argument. A builder takes its arguments by the types by which they were declared.
  @inline(__always) func value<Input>(_ type: Input.Type, at place: Int, in call: BuilderCall) throws -> Input {
    try unsafeDowncast(suppliers[place], to: Supplier<Input>.self).value(for: call)
  }
}

/// What a look-up by type finds without building anything.
@usableFromInline enum Found<Service> {
  case instance(Service)
  /// The factory of a transient service.
  case factory(Factory<Service>, Registration)
  /// What builds the service, by the type at a place among those that it provides, and the number of its cell.
  case registration(Registration, index: Int, cell: Int)
  /// None of these: the slow path decides.
  case other
}

extension Directory {
  /// What is there for a type.
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

  /// The same without the type, and the number of the cell; nil where the slow path decides.
  ///
  /// For code that is not specialized, where `find` would look the metadata of its result up.
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

  /// The factory of the transient service that answers for a type before all others and takes just the given arguments; nil
  /// where the slow path decides.
  func factory(of type: ObjectIdentifier, _ arguments: RuntimeArguments) -> (factory: AnyObject, Registration)? {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    guard !root.pointee.sharesWithinLookUps, let cell = pointer.pointee.boundCell(of: type, arguments) else {
      return nil
    }
    return pointer.pointee.cells[cell].factory.map { ($0, pointer.pointee.cells[cell].registration) }
  }

  /// What is there for a type under a name.
  ///
  /// - Complexity: that of hashing the name, for a child times its depth; nothing is allocated.
  @inlinable func find<Service>(_ type: Service.Type, named name: String) -> Found<Service> {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    guard let (tables, cell) = cell(of: ObjectIdentifier(type), named: name) else { return .other }
    return root.pointee.sharesWithinLookUps
      ? found(type, cell, in: tables) : tables.pointee.cells[cell].found(type, cell)
  }

  /// What is there in a cell, where look-ups may need a store and only an instance can be taken right away.
  @inlinable func found<Service>(
    _ type: Service.Type, _ cell: Int, in tables: UnsafeMutablePointer<DirectoryTables>
  ) -> Found<Service> {
    if cell >= 0, let instance = tables.pointee.cells[cell].instance { return .instance(instance.value(as: type)) }
    return .other
  }

  /// What a cell holds.
  @inline(__always) func content(of cell: Int) -> Content {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    return pointer.pointee.isClosed ? .closed : pointer.pointee.cells[cell].content
  }

  /// Reads the tables.
  ///
  /// - Parameter body: borrows them, so that they are neither copied nor, beside other readers, accessed exclusively.
  func read<Result>(_ body: (borrowing DirectoryTables) -> Result) -> Result {
    let token = lock.lockForReading()
    defer { lock.unlock(token) }
    return body(pointer.pointee)
  }

  /// Notes that some service of the family is shared within a look-up, or kept only by its users.
  func noteSharing() {
    let token = lock.lockForWriting()
    defer { lock.unlock(token) }
    root.pointee.sharesWithinLookUps = true
  }

  /// Changes the tables. The body must not call code of the application, and returns what has to be released.
  func write<Result>(_ body: (inout DirectoryTables) -> Result) -> Result {
    let token = lock.lockForWriting()
    defer { lock.unlock(token) }
    return body(&pointer.pointee)
  }
}

/// The factory of a cell, with its type.
///
/// - Parameter type: the type of the cell.
@inlinable @inline(__always) func typed<Service>(_ factory: AnyObject, _ type: Service.Type) -> Factory<Service> {
  unsafeDowncast(factory, to: Factory<Service>.self)
}

extension Cell {
  /// What is there, copied out of the cell.
  @inlinable @inline(__always) func found<Service>(_ type: Service.Type, _ cell: Int) -> Found<Service> {
    if let instance { return .instance(instance.value(as: type)) }
    if let factory { return .factory(typed(factory, type), registration) }
    return .registration(registration, index: index, cell: cell)
  }
}
