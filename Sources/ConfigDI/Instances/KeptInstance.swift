// SPDX-License-Identifier: Apache-2.0

/// An instance that a store keeps, as one word, which does not hold it.
///
/// That is the address of an `AnyInstance`, the instance as the first of its types; or that of the instance itself, where it is
/// an object which can be looked up by its class alone and gives nothing back: then nothing is allocated to hold it.
@usableFromInline struct KeptInstance: Equatable, Sendable {
  /// The address, with `plainBit` where the instance stands for itself.
  @usableFromInline let word: UInt

  /// What stands in a word.
  @inlinable init(word: UInt) { self.word = word }

  /// The bit of a word that says that the instance stands for itself.
  @inlinable static var plainBit: UInt { 4 }

  /// An instance that somebody else holds.
  init(unretained instance: AnyInstance) {
    self.init(word: UInt(bitPattern: Unmanaged.passUnretained(instance).toOpaque()))
  }

  /// An instance that is held until `release`.
  @inlinable init(holding instance: consuming AnyInstance) {
    self.init(word: UInt(bitPattern: Unmanaged.passRetained(instance).toOpaque()))
  }

  /// A product that can be looked up by its own type alone and gives nothing back, held until `release`.
  @inlinable init<Product>(sole product: consuming Product) {
    if Product.self is AnyObject.Type {
      // A value of a class type is the reference itself.
      let object = Unmanaged.passUnretained(unsafeBitCast(product, to: AnyObject.self))
      let word = UInt(bitPattern: object.toOpaque())
      if word & KeptInstance.taggedBits == 0 {
        self.init(word: UInt(bitPattern: object.retain().toOpaque()) | KeptInstance.plainBit)
        return
      }
    }
    self.init(holding: Instance<Product>(product))
  }

  /// Bits that the address of an object never has. On Apple's systems a small number or text of Foundation is no object in
  /// memory but stands in the reference, which then has some of them.
  @inlinable static var taggedBits: UInt { 1 << UInt(UInt.bitWidth - 1) | 7 }

  /// Where the object lies.
  @inlinable var address: UnsafeRawPointer {
    // The word holds the address of an object.
    UnsafeRawPointer(bitPattern: word & ~KeptInstance.plainBit).unsafelyUnwrapped
  }

  /// Whether the instance stands for itself.
  @inlinable var isPlain: Bool { word & KeptInstance.plainBit != 0 }

  /// The instance, which somebody holds, as the type of the cell that it is for.
  @inlinable func service<Service>(as type: Service.Type) -> Service {
    if isPlain { return unsafeBitCast(address, to: type) }
    return Unmanaged<Instance<Service>>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.value }
  }

  /// The object at the address, which somebody holds.
  var object: AnyObject { reference.takeUnretainedValue() }

  /// The object at the address.
  private var reference: Unmanaged<AnyObject> { .fromOpaque(address) }

  /// The instance as the first of its types; nil where it stands for itself.
  var built: Built? { isPlain ? nil : Built(Unmanaged.fromOpaque(address).takeUnretainedValue()) }

  /// The instance, held.
  var found: Found { built.map { .built($0) } ?? .object(object) }

  /// As one of its types, by its place among them.
  func asType(_ index: Int) -> KeptInstance {
    // What is held there holds the others.
    index == 0 ? self : built.map { KeptInstance(unretained: $0[index]) } ?? self
  }

  /// Has the instance give back what it holds.
  func dispose() { built?.dispose() }

  /// Lets the instance go.
  func release() { reference.release() }

  /// Lets the instance go after it has given back what it holds.
  func end() {
    dispose()
    release()
  }

  /// The object at the address, for who lets it go instead.
  func takeObject() -> AnyObject { reference.takeRetainedValue() }
}

/// Instances in the order in which they were built, held until they are taken out.
struct KeptInstances: ~Copyable {
  /// The instances.
  private var instances: [KeptInstance] = []

  /// Adds an instance that is held, and takes it over.
  mutating func add(_ kept: KeptInstance) {
    if instances.isEmpty { instances.reserveCapacity(8) }
    instances.append(kept)
  }

  /// Takes the last instance out, to be released by the caller; nil where there is none.
  mutating func removeLast() -> KeptInstance? { instances.popLast() }

  /// Takes all instances out, to be released by the caller.
  mutating func removeAll() -> [KeptInstance] {
    var taken: [KeptInstance] = []
    swap(&taken, &instances)
    return taken
  }

  /// Takes all instances out as they are.
  mutating func take() -> KeptInstances {
    var taken = KeptInstances()
    swap(&taken.instances, &instances)
    return taken
  }

  deinit { for kept in instances.reversed() { kept.release() } }
}
