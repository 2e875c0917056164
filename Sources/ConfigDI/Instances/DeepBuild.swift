// SPDX-License-Identifier: Apache-2.0

/// Builds a service of a module, and all that it needs, by a loop with a stack of its own, where builders that call each other
/// would go deeper than the thread's stack allows.
struct DeepBuild {
  /// What a product is for the service that waits for it.
  private enum Use {
    /// An argument, or a part of one, as the type at a place among those of the product.
    case argument(index: Int)
    /// What a decorator wraps.
    case wrapped
  }

  /// A service whose arguments are being put together.
  private struct Frame {
    let registration: Registration
    /// The cell by which it was found; nil where it is not kept.
    let cell: Int?
    let resolution: Resolution
    /// What the frame below receives it as.
    let use: Use
    /// How often the store had been reset that will keep the instance; nil where none will.
    let resetCount: Int?
    /// What a decorator wraps, once that is there.
    var wrapped: AnyInstance?
    /// The arguments so far.
    var inputs: [AnyInstance] = []
    /// The instances that the next argument is put together of, so far.
    var parts: [AnyInstance] = []

    /// A service whose arguments are about to be put together.
    init(_ registration: Registration, in cell: Int?, _ resolution: Resolution, _ use: Use) {
      self.registration = registration
      self.cell = cell
      self.resolution = resolution
      self.use = use
      resetCount = cell == nil ? nil : try? registration.store(in: resolution).resetCount
    }
  }

  /// The services that wait for the one above them, the wanted one first.
  private var frames: [Frame]

  init(_ registration: Registration, in cell: Int?, _ resolution: Resolution) {
    frames = [Frame(registration, in: cell, resolution, .argument(index: 0))]
  }

  /// Builds the service.
  ///
  /// - Returns: the product.
  /// - Throws: `ResolutionError` of the first builder that fails, with all services that wait for it.
  mutating func product() throws(ResolutionError) -> AnyInstance {
    do throws(ResolutionError) {
      while true {
        guard let product = try step() else { continue }
        let frame = frames.removeLast()
        guard !frames.isEmpty else { return product }
        switch frame.use {
        case .argument(let index): frames[frames.count - 1].parts.append(product.ofType(index))
        case .wrapped: frames[frames.count - 1].wrapped = product
        }
      }
    } catch {
      for frame in frames.reversed() { frame.registration.discard(frame.wrapped) }
      // The service that failed names itself.
      return try { () throws(ResolutionError) in
        throw frames.dropLast().reversed().reduce(error) { $0.under($1.registration) }
      }()
    }
  }

  /// Takes one step: finds an instance that the topmost service needs, or begins with a further service, or builds.
  ///
  /// - Returns: the product of the topmost service, where it was built.
  private mutating func step() throws(ResolutionError) -> AnyInstance? {
    let top = frames.count - 1
    let registration = frames[top].registration
    let resolution = frames[top].resolution.bounded(by: registration)
    if let wrapped = registration.wrapped, frames[top].wrapped == nil {
      frames.append(Frame(wrapped, in: nil, resolution, .wrapped))
      return nil
    }
    let suppliers = registration.inputs?.suppliers ?? []
    guard frames[top].inputs.count < suppliers.count else { return try build(frames[top]) }
    let supplier = suppliers[frames[top].inputs.count]
    if supplier.comesWithCall {
      frames[top].inputs.append(.ofCall)
      return nil
    }
    let targets = supplier.targets
    do {
      let call = BuilderCall(registration, resolution)
      if frames[top].parts.count == targets.count {
        frames[top].inputs.append(try supplier.value(of: frames[top].parts, for: call))
        frames[top].parts = []
        return nil
      }
      let cell = targets[frames[top].parts.count]
      if let frame = try frame(for: cell, resolution.withoutArguments) {
        frames.append(frame)
      } else {
        frames[top].parts.append(try cell.instance(resolution.withoutArguments))
      }
    } catch { throw registration.failure(error) }
    return nil
  }

  /// A frame for the service of a cell; nil where it is there already, or not so deep that it needs one.
  private func frame(for cell: CellPlace, _ resolution: Resolution) throws(ResolutionError) -> Frame? {
    guard let (needed, index) = cell.home.directory.unbuilt(in: cell.number),
      needed.depth > ContainerState.greatestRecursion
    else { return nil }
    let isKept = needed.keeping != .transient
    if isKept {
      let store = try needed.store(in: resolution)
      if store.has(try needed.key(in: store, resolution)) { return nil }
    }
    return Frame(needed, in: isKept ? cell.number : nil, resolution, .argument(index: index))
  }

  /// Builds a service whose arguments are there.
  ///
  /// - Returns: nil where the product was superseded, and the build begins anew.
  private mutating func build(_ frame: Frame) throws(ResolutionError) -> AnyInstance? {
    let home = frame.registration.home
    let ready = ReadyInputs(
      inputs: frame.inputs, wrapped: frame.wrapped.map { .product($0) }, resetCount: frame.resetCount)
    guard let cell = frame.cell else { return try frame.registration.newProduct(frame.resolution, ready) }
    let product = try home.product(frame.registration, in: cell, frame.resolution, ready)
    frame.registration.discard(frame.wrapped)
    if let product { return product }
    guard let (current, _) = home.directory.registration(in: cell) else { throw .disposed }
    frames[frames.count - 1] = Frame(current, in: cell, frame.resolution, frame.use)
    return nil
  }
}
