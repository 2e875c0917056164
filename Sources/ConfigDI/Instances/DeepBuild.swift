// SPDX-License-Identifier: Apache-2.0

/// Builds a service of a module, and all that it needs, by a loop with a stack of its own, where builders that call each other
/// would go deeper than the thread's stack allows.
struct DeepBuild {
  /// A service whose arguments are being put together.
  private struct Frame {
    /// The service.
    let registration: Registration
    /// The cell by which it was found; nil where it is not kept.
    let cell: Int?
    /// The look-up.
    let resolution: Resolution
    /// By which of its types the frame below receives it.
    let index: Int
    /// The arguments so far.
    var inputs: [AnyInstance] = []
    /// The instances that the next argument is put together of, so far.
    var parts: [AnyInstance] = []
  }

  /// The services that wait for the one above them, the wanted one first.
  private var frames: [Frame]

  /// A build of a service.
  init(_ registration: Registration, in cell: Int?, _ resolution: Resolution) {
    frames = [Frame(registration: registration, cell: cell, resolution: resolution, index: 0)]
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
        frames[frames.count - 1].parts.append(product.ofType(frame.index))
      }
    } catch {
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
    let suppliers = registration.inputs?.suppliers ?? []
    guard frames[top].inputs.count < suppliers.count else { return try build(frames[top]) }
    let supplier = suppliers[frames[top].inputs.count]
    let targets = supplier.targets
    guard frames[top].parts.count < targets.count else {
      do {
        let input = try supplier.value(of: frames[top].parts, for: BuilderCall(registration, resolution))
        frames[top].inputs.append(input)
      } catch { throw registration.failure(error) }
      frames[top].parts = []
      return nil
    }
    let target = targets[frames[top].parts.count]
    switch target {
    case .wrapped(let wrapped, let index) where wrapped.depth > ContainerState.greatestRecursion:
      frames.append(Frame(registration: wrapped, cell: nil, resolution: resolution, index: index))
      return nil
    case .cell(let cell):
      guard let (needed, index) = cell.home.directory.unbuilt(in: cell.number),
        needed.depth > ContainerState.greatestRecursion
      else { break }
      let inner = resolution.withoutArguments
      let isKept = needed.keeping != .transient
      if isKept {
        let store = try needed.store(in: inner)
        if store.product(try needed.key(in: store, inner)) != nil { break }
      }
      frames.append(
        Frame(registration: needed, cell: isKept ? cell.number : nil, resolution: inner, index: index))
      return nil
    case .wrapped: break
    }
    do throws(ResolutionError) {
      frames[top].parts.append(try target.instance(resolution))
    } catch { throw error.under(registration) }
    return nil
  }

  /// Builds a service whose arguments are there.
  ///
  /// - Returns: nil where the product was superseded, and the build begins anew.
  private mutating func build(_ frame: Frame) throws(ResolutionError) -> AnyInstance? {
    let home = frame.registration.home
    guard let cell = frame.cell else {
      return try frame.registration.newProduct(frame.resolution, awaited: frame.inputs)
    }
    if let product = try home.product(frame.registration, in: cell, frame.resolution, awaited: frame.inputs) {
      return product
    }
    guard let (current, _) = home.directory.registration(in: cell) else { throw .disposed }
    frames[frames.count - 1] = Frame(
      registration: current, cell: cell, resolution: frame.resolution, index: frame.index)
    return nil
  }
}
