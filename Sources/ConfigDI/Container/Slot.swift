// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One service of a container, or one of the layers of a decorated service: the service itself and each decorator but the
/// outermost are slots of their own, which are made anew for the one around them.
///
/// A slot never changes, but that its workplace is taken away when its container is disposed of. The container owns it.
@usableFromInline final class Slot: WorkSubject, @unchecked Sendable {
  // Unchecked for the types, which are metadata, and for the workplace, whose address is read and written atomically.

  /// The container that owns the slot.
  unowned(unsafe) let core: Core
  /// The service's id: its name, or where code gave none that of its type.
  let id: String
  /// What the slot has in common with others of its type.
  private let shape: SlotShape
  /// The file in which the service is defined.
  private let file: String
  /// Line and column there, as `Origin` counts them.
  private let position: (line: UInt32, column: UInt32)
  /// Who keeps an instance.
  let keeping: Keeping
  /// The level of the open scope that keeps an instance by the slot alone; -1 where none does, or by run-time arguments, too.
  let scopeLevel: Int
  /// Where the service was defined, and as what.
  let source: Source
  /// Whether code may look the service up.
  let isPrivate: Bool
  /// Whether the slot stands within a decorator, so that nothing but that reaches it.
  let isDecorated: Bool
  /// Whether a kept instance is needed, directly or through instances that are not kept.
  let needsKept: Bool
  /// Whether an instance that is not kept has to be made ahead of the builder that needs it: where it stands on so many
  /// others that recursion could exhaust the stack, or where it has to be awaited or made on the main actor.
  let isPrepared: Bool
  /// Whether the builder, or one of something that is not kept and that it needs, has to be awaited or called on the main
  /// actor.
  let isAwaited: Bool
  /// Whether the slot's builder looks up what it needs by itself.
  let looksUp: Bool
  /// Whether the instance, or one that it needs, is shared within a look-up. Written before the slot is shown to others.
  nonisolated(unsafe) var opensGraph = false
  /// The cell of the first of the types that the builder's products provide.
  let firstCell: Cell
  /// Cells of the slots whose instances the arguments need, in the arguments' order. None where only the builder knows.
  let dependencies: CellRange
  /// The place that knows the instance which its users keep; nil for other slots, and with run-time arguments.
  let place: SoleInstance?
  /// The address of the cells that stand for this slot's, a `[Cell?]` which the container owns; 0 where none does. Written
  /// under the lock of the container.
  private let successorBits = Atomic<UInt>(0)
  /// The address of the workplace, which the slot owns; 0 while there is none.
  private let workplaceBits = Atomic<UInt>(0)

  /// Where a service was defined.
  enum Source {
    /// In a module file.
    case file
    /// In code, under a name.
    case named
    /// In code, under its type alone.
    case unnamed
  }

  /// A slot without a workplace.
  init(
    core: Core, id: String, shape: SlotShape, origin: Origin, keeping: Keeping, source: Source, isPrivate: Bool = false,
    isDecorated: Bool = false, firstCell: Cell, dependencies: CellRange = CellRange(), needsKept: Bool = false,
    isPrepared: Bool = false, isAwaited: Bool? = nil, looksUp: Bool = false
  ) {
    self.core = core
    self.id = id
    self.shape = shape
    file = origin.file
    position = (UInt32(truncatingIfNeeded: origin.line), UInt32(truncatingIfNeeded: origin.column))
    self.keeping = keeping
    scopeLevel = if case .scope(let level) = keeping, shape.parameters.isEmpty { level } else { -1 }
    self.source = source
    self.isPrivate = isPrivate
    self.isDecorated = isDecorated
    self.firstCell = firstCell
    self.dependencies = dependencies
    self.needsKept = needsKept
    self.isPrepared = isPrepared
    self.isAwaited = isAwaited ?? (shape.calling != .anywhere)
    self.looksUp = looksUp
    place = keeping == .users && shape.parameters.isEmpty ? SoleInstance() : nil
  }

  deinit { retireWorkplace() }

  /// The registered type of the decorator; nil where the slot is the service itself.
  var decorator: String? { shape.decorator }
  /// Where the service is defined.
  var origin: Origin { Origin(file: file, line: Int(position.line), column: Int(position.column)) }
  /// The types that the builder's products provide, in the registration's order: one cell each.
  var provided: [Registration.Provided] { shape.provided }
  /// For each of these types, whether code may look the service up by it.
  var answers: [Bool] { shape.answers }
  /// The types of the values that a look-up has to bring along, in order.
  var parameters: [Any.Type] { shape.parameters }
  /// Where the builder has to be called.
  var calling: Calling { shape.calling }

  /// What tells the slot from all others, whatever its present definition is.
  var key: SlotKey { SlotKey(address: UInt(bitPattern: firstCell.word)) }
  /// See `WorkSubject`.
  var repetition: Repetition? {
    switch keeping {
    case .nobody, .lookUp: Repetition(slot: key, mayEnd: !parameters.isEmpty)
    case .container, .users, .scope, .missingScope: parameters.isEmpty ? nil : Repetition(slot: key, mayEnd: true)
    }
  }

  /// Whether an instance is built on one thread, of nothing but the instances that its arguments name.
  var isBuiltAlone: Bool { !isAwaited && !looksUp && !opensGraph }

  /// Whether an instance is found in the cells once it is built.
  var isInCells: Bool { keeping == .container && parameters.isEmpty }

  /// Whether all cells lead to an instance, or to the service that stands for this one.
  var isBuilt: Bool { isReplaced ? provided.indices.allSatisfy { cell($0).isReady } : firstCell.isReady }

  /// Whether an instance for who needs one is there, or is made without building anything that is kept; nil where only a
  /// look-up can tell.
  ///
  /// - Parameter inScope: whether the open scope of a level has the instance; nil where none is open.
  func isThere(inScope: (Int) -> Bool?) -> Bool? {
    // The service that stands for this one is looked up as a whole.
    if isReplaced { return true }
    if isInCells { return firstCell.isReady }
    if keeping == .nobody { return !needsKept }
    return scopeLevel >= 0 ? inScope(scopeLevel) : nil
  }

  /// Whether other services stand for this one, as some of its types at least.
  var isReplaced: Bool { successorBits.load(ordering: .acquiring) != 0 }

  /// Notes for each type which cell of another service stands for this one's; nil where none does. The caller keeps the list
  /// alive as long as the container.
  func markReplaced(by successors: Instance<[Cell?]>) { successorBits.store(successors.address, ordering: .releasing) }

  /// The cell of the service that stands for this one as the type at a place; nil where none does.
  func successor(ofType index: Int) -> Cell? {
    UnsafePointer<[Cell?]>(bitPattern: successorBits.load(ordering: .acquiring))?.pointee[index]
  }

  /// The identities of the run-time arguments' types.
  var signature: [ObjectIdentifier] { parameters.map { ObjectIdentifier($0) } }

  /// The cell of the type at a place.
  func cell(_ index: Int) -> Cell { firstCell.advanced(by: index) }

  /// The cell of a type, or nil where the slot does not provide it.
  func cell(of type: ObjectIdentifier) -> Cell? {
    provided.firstIndex { $0.id == type }.map { cell($0) }
  }

  /// The cell of a type, or nil where the slot does not provide it, or another service stands for it.
  func presentCell(of type: ObjectIdentifier) -> Cell? {
    provided.firstIndex { $0.id == type }.flatMap { successor(ofType: $0) == nil ? cell($0) : nil }
  }

  /// The cell of a type by which code may look the service up, or nil where there is none.
  func answeringCell(of type: ObjectIdentifier) -> Cell? {
    presentCell(of: type).flatMap { answers[$0.index] ? $0 : nil }
  }

  /// The types by which code may look the service up, private or not: those that it answers for, and for which no other
  /// service stands.
  var answeringTypes: [Registration.Provided] {
    provided.indices.filter { answers[$0] && successor(ofType: $0) == nil }.map { provided[$0] }
  }

  /// The builder with what belongs to it; nil once the container was disposed of, or the service replaced.
  ///
  /// Read within a look-up that `Readers` knows of, or before the slot is shown to others.
  var workplace: Workplace? { unretainedWorkplace?.takeUnretainedValue() }

  /// The same, for use within the look-up without the cost of holding it.
  var unretainedWorkplace: Unmanaged<Workplace>? {
    UnsafeRawPointer(bitPattern: workplaceBits.load(ordering: .acquiring)).map {
      Unmanaged<Workplace>.fromOpaque($0)
    }
  }

  /// What builds an instance for a `BriefClaim`; nil where there is none. For use within the look-up.
  var briefMaker: Unmanaged<HeldMaker<KeptInstance>>? {
    unretainedWorkplace?._withUnsafeGuaranteedRef { $0.briefMaker }
  }

  /// Whether the slot is `isAwaited` and has to be made for each that needs it.
  var isAwaitedUnkept: Bool { keeping == .nobody && isAwaited }

  /// Sets the workplace up, once.
  func furnish(_ builder: any LinkedBuilder, preparations: [Cell] = []) {
    let makers = isInCells ? [] : makers(builder, isPreparing: !preparations.isEmpty)
    let isMadeBriefly = scopeLevel >= 0 && preparations.isEmpty
    let workplace = Workplace(
      builder: builder, preparations: preparations, makers: makers,
      briefMaker: isMadeBriefly ? HeldMaker(builder.instanceMaker) : nil)
    for (index, maker) in makers.enumerated() { cell(index).publish(maker: maker, isKeeper: keeping != .nobody) }
    workplaceBits.store(UInt(bitPattern: Unmanaged.passRetained(workplace).toOpaque()), ordering: .releasing)
  }

  /// The makers of a slot whose instances are not in the cells, one for each type.
  private func makers(_ builder: any LinkedBuilder, isPreparing: Bool) -> [Held] {
    // The slot owns these closures, and whoever calls them holds the core, which owns the slot.
    if keeping != .nobody {
      let slot = Unmanaged.passUnretained(self)
      let core = Unmanaged.passUnretained(core)
      return provided.indices.map { index in
        builder.keeper(ofType: index) { resolution, receive in
          try core._withUnsafeGuaranteedRef { core in
            try slot._withUnsafeGuaranteedRef { try core.hand($0, index, resolution, to: receive) }
          }
        }
      }
    }
    var opens: (@Sendable () -> Bool)?
    if opensGraph || looksUp { opens = { [unowned(unsafe) self] in core.opensGraph(self) } }
    var prepare: (@Sendable (Resolution) throws -> PreparedInstances?)?
    if isPreparing {
      prepare = { [unowned(unsafe) self] resolution in
        guard let workplace else { throw ResolutionError.closed(self) }
        return try core.prepared(for: self, workplace, resolution)
      }
    }
    return provided.indices.map { builder.maker(ofType: $0, opensGraph: opens, preparing: prepare) }
  }

  /// Takes the workplace away.
  ///
  /// - Returns: the workplace, to be released once no look-up reads it.
  @discardableResult func retireWorkplace() -> Workplace? {
    UnsafeRawPointer(bitPattern: workplaceBits.exchange(0, ordering: .acquiringAndReleasing)).map {
      Unmanaged<Workplace>.fromOpaque($0).takeRetainedValue()
    }
  }
}

/// What slots have in common: usually all of one registered type share it, so that a slot is small.
final class SlotShape: @unchecked Sendable {
  // Unchecked for the types, which are metadata.

  /// See `Slot`.
  let decorator: String?
  /// See `Slot`.
  let provided: [Registration.Provided]
  /// See `Slot`.
  let answers: [Bool]
  /// See `Slot`.
  let parameters: [Any.Type]
  /// See `Slot`.
  let calling: Calling

  /// A shape; without `answers` code may look the service up by all types.
  init(
    decorator: String? = nil, provided: [Registration.Provided], answers: [Bool]? = nil, parameters: [Any.Type],
    calling: Calling
  ) {
    self.decorator = decorator
    self.provided = provided
    self.answers = answers ?? Array(repeating: true, count: provided.count)
    self.parameters = parameters
    self.calling = calling
  }
}

/// Who keeps the instances of a slot.
enum Keeping: Equatable, Sendable {
  /// Nobody: each use makes a new one.
  case nobody
  /// The container.
  case container
  /// Whoever uses them, and while a look-up runs that look-up.
  case users
  /// The look-up that needs them.
  case lookUp
  /// The open scope at a level.
  case scope(Int)
  /// A scope of a name that there is not. Indirect, so that the others take less room.
  indirect case missingScope(String)

  /// What a lifetime says.
  ///
  /// - Parameter hasArguments: whether a look-up brings values along. Such a service is never needed by another one within a
  ///   look-up, so that there is nobody to share it with.
  init(_ lifetime: Lifetime, hasArguments: Bool) {
    switch lifetime {
    case .shared: self = .container
    case .weak: self = .users
    case .transient: self = .nobody
    case .graph: self = hasArguments ? .nobody : .lookUp
    case .scope(let level): self = .scope(level)
    }
  }
}

/// The builder of a slot, linked.
final class Workplace: Sendable {
  /// The builder.
  let builder: any LinkedBuilder
  /// What has to be made before the builder is called, in the order in which its arguments ask; usually nothing.
  let preparations: [Cell]
  /// The makers that the slot's cells point to; none where they point to instances.
  let makers: [Held]
  /// Builds an instance for a `BriefClaim`; nil where there is none. Owned, and used without being held.
  let briefMaker: Unmanaged<HeldMaker<KeptInstance>>?

  /// A builder with what belongs to it.
  init(
    builder: any LinkedBuilder, preparations: [Cell], makers: [Held], briefMaker: HeldMaker<KeptInstance>?
  ) {
    self.builder = builder
    self.preparations = preparations
    self.makers = makers
    self.briefMaker = briefMaker.map { .passRetained($0) }
  }

  deinit { briefMaker?.release() }
}
