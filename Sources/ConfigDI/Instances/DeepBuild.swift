// SPDX-License-Identifier: Apache-2.0

/// A build of a service and all its declared dependencies in a loop with an explicit stack, for chains that are too
/// deep for builders that call each other on the thread's stack.
struct DeepBuild {
  /// How the service that waits for a product uses it.
  private enum Use {
    /// As an argument or a part of one, as the type at an index among those of the product.
    case argument(index: Int)
    /// As the instance that a decorator wraps.
    case wrapped
  }

  /// A service whose arguments are being collected.
  private struct Frame {
    let registration: Registration
    /// The cell of the service; `nil` for a transient service.
    let cell: Int?
    let resolution: Resolution
    /// The look-up of the arguments.
    let inner: Resolution
    /// How the frame below uses the product.
    let use: Use
    /// The reset count, at the creation of the frame, of the store that will keep the instance; `nil` for a transient
    /// service.
    let resetCount: Int?
    /// The instance that a decorator wraps, once it is built.
    var wrapped: AnyInstance?
    /// The arguments that are complete.
    var inputs: [AnyInstance] = []
    /// The parts of the next argument so far.
    var parts: [AnyInstance] = []

    init(_ registration: Registration, in cell: Int?, _ resolution: Resolution, _ use: Use) {
      self.registration = registration
      self.cell = cell
      self.resolution = resolution
      inner = resolution.bounded(by: registration)
      self.use = use
      resetCount = cell == nil ? nil : try? registration.store(in: resolution).resetCount
    }
  }

  /// The stack of services, from the requested one to the innermost. Each waits for the one above it.
  private var frames: [Frame]
  /// Takes the place of a build that was superseded, to detect that the builder of an argument resets the store, which
  /// it would do for ever; `nil` as long as none was.
  private var attempt: Build?

  init(_ registration: Registration, in cell: Int?, _ resolution: Resolution) {
    frames = [Frame(registration, in: cell, resolution, .argument(index: 0))]
  }

  /// Builds the service.
  ///
  /// - Returns: the product; `nil` if it was superseded, which a product without a cell never is.
  /// - Throws: `ResolutionError` of the first builder that fails. Its chain contains all waiting services.
  mutating func product() throws(ResolutionError) -> AnyInstance? {
    defer { attempt?.end() }
    do throws(ResolutionError) {
      while !frames.isEmpty {
        let result = Build.$current.withValue(attempt ?? Build.current) {
          Result { () throws(ResolutionError) in try step() }
        }
        guard let product = try result.get() else { continue }
        let frame = frames.removeLast()
        guard !frames.isEmpty else { return product }
        switch frame.use {
        case .argument(let index): frames[frames.count - 1].parts.append(product.ofType(index))
        case .wrapped: frames[frames.count - 1].wrapped = product
        }
      }
      return nil
    } catch {
      for frame in frames.reversed() { frame.registration.discard(frame.wrapped) }
      // The failed service has added itself to the error already.
      return try { () throws(ResolutionError) in
        throw frames.dropLast().reversed().reduce(error) { $0.under($1.registration) }
      }()
    }
  }

  /// Runs one step for the topmost service: obtains a part of an argument, pushes a frame for a dependency, or builds.
  ///
  /// - Returns: the product of the topmost service if it was built; otherwise `nil`.
  private mutating func step() throws(ResolutionError) -> AnyInstance? {
    let top = frames.count - 1
    let registration = frames[top].registration
    let resolution = frames[top].inner
    if let wrapped = registration.wrapped, frames[top].wrapped == nil {
      frames.append(Frame(wrapped, in: nil, resolution, .wrapped))
      return nil
    }
    let suppliers = registration.suppliers ?? []
    guard frames[top].inputs.count < suppliers.count else { return try build(frames[top]) }
    let supplier = suppliers[frames[top].inputs.count]
    if supplier.isCallArgument {
      frames[top].inputs.append(.callPlaceholder)
      return nil
    }
    let targets = supplier.targets
    do {
      let call = BuilderCall(resolution)
      if frames[top].parts.count == targets.count {
        frames[top].inputs.append(try supplier.value(of: frames[top].parts, for: registration, call))
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

  /// Returns a frame for the service of a cell; `nil` if it has an instance, or is not deep enough to need a frame.
  private func frame(for cell: CellReference, _ resolution: Resolution) throws(ResolutionError) -> Frame? {
    guard let (needed, index) = cell.home.directory.unbuilt(in: cell.number), needed.isTooDeepToRecurse else {
      return nil
    }
    let isKept = needed.keeping != .transient
    if isKept {
      let store = try needed.store(in: resolution)
      if store.has(try needed.key(in: store, resolution)) { return nil }
    }
    return Frame(needed, in: isKept ? cell.number : nil, resolution, .argument(index: index))
  }

  /// Builds a service whose arguments are complete.
  ///
  /// - Returns: `nil` if the product was superseded.
  private mutating func build(_ frame: Frame) throws(ResolutionError) -> AnyInstance? {
    let home = frame.registration.home
    let ready = ReadyInputs(
      inputs: frame.inputs, wrapped: frame.wrapped.map { .product($0) }, resetCount: frame.resetCount)
    guard let cell = frame.cell else { return try frame.registration.newProduct(frame.resolution, ready) }
    let product = try home.product(frame.registration, in: cell, frame.resolution, ready)
    frame.registration.discard(frame.wrapped)
    if product == nil { try lookUpAgain(frame, in: cell) }
    return product
  }

  /// Removes the frame of a service whose build was superseded. The frame below, or the caller, reads the cell again:
  /// another service may have its types in another order.
  private mutating func lookUpAgain(_ frame: Frame, in cell: Int) throws(ResolutionError) {
    let registration = frame.registration
    if attempt?.isResetByItself == true { throw .resetByItself(registration) }
    attempt?.end()
    attempt = Build(of: registration, in: try registration.store(in: frame.resolution), isAsync: false)
    frames.removeLast()
    // The caller would not know of the attempt.
    guard frames.isEmpty, let (current, _) = registration.home.directory.unbuilt(in: cell), current === registration
    else { return }
    frames.append(Frame(registration, in: cell, frame.resolution, frame.use))
  }
}
