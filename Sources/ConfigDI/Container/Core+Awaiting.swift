// SPDX-License-Identifier: Apache-2.0

import Synchronization

// The look-up that awaits builders. It takes the same way as the one that does not, but announces itself to `Readers` for
// each step alone, so that one who waits for long delays nothing; meanwhile it holds the slots that it needs.

extension Core {
  /// The service that a look-up asks for, or nil where nothing is registered that can be looked up.
  ///
  /// - Throws: as `find` does, and where the task is cancelled.
  func findAwaiting<Service>(
    _ type: Service.Type, _ request: Request
  ) async throws(ResolutionError) -> Instance<Service>? {
    let cell = try look(request.resolution) { _ throws(ResolutionError) -> Cell? in
      if request.isPlain, let cell = types.finding(of: ObjectIdentifier(type)).cell { return cell }
      return try target(type, request)
    }
    if let cell {
      let instance = try await heldAwaiting(in: cell, request.resolution)
      return unsafeDowncast(instance, to: Instance<Service>.self)
    }
    if let form = type as? any LookUpForm.Type {
      let found = try await form.foundAwaiting(request, in: self)
      if let service = found.value as? Service { return Instance(service) }
    }
    try refuse(type, request)
    return nil
  }

  /// All services that provide a type, can be looked up and want no run-time arguments, ascending by id.
  func allAwaiting<Service>(
    _ type: Service.Type, _ resolution: Resolution
  ) async throws(ResolutionError) -> Hold<[Service]> {
    var services = Hold<[Service]>([])
    let cells = try look { _ throws(ResolutionError) in
      if isEnded { throw .disposed }
      return providers(of: ObjectIdentifier(type)).filter { $0.slot.parameters.isEmpty }
    }
    for cell in cells {
      let instance = try await heldAwaiting(in: cell, resolution)
      services.value.append(unsafeDowncast(instance, to: Instance<Service>.self).value)
    }
    return services
  }

  /// The instance of a cell, held as the cell's type.
  ///
  /// - Throws: `ResolutionError` where it cannot be built, or the task is cancelled.
  func heldAwaiting(in cell: Cell, _ resolution: Resolution) async throws(ResolutionError) -> AnyInstance {
    /// What is found at a cell.
    enum Step {
      /// The instance.
      case instance(AnyInstance)
      /// Another cell that stands for this one.
      case successor(Cell)
      /// A slot to build.
      case slot(Slot, needsGraph: Bool)
    }
    let step = try look { _ throws(ResolutionError) -> Step in
      if isEnded { throw .disposed }
      let slot = cell.slot
      if let successor = slot.successor(ofType: cell.index) { return .successor(successor) }
      let word = cell.word.pointee.load(ordering: .acquiring)
      if word != 0, word & Cell.makerBit == 0, let workplace = slot.workplace {
        return .instance(workplace.builder.copy(ofType: cell.index, at: word))
      }
      return .slot(slot, needsGraph: resolution.graph == nil && opensGraph(slot))
    }
    switch step {
    case .instance(let instance): return instance
    case .successor(let cell): return try await heldAwaiting(in: cell, resolution)
    case .slot(let slot, let needsGraph):
      let graph = needsGraph ? GraphInstances() : nil
      defer { graph?.end() }
      let resolution = graph.map { graph in resolution.with { $0.graph = graph } } ?? resolution
      return try await buildAwaiting(slot, cell.index, resolution)
    }
  }

  /// The instance of a slot as one of its types, by its place among them, built with all that it needs.
  private func buildAwaiting(
    _ wanted: Slot, _ index: Int, _ resolution: Resolution
  ) async throws(ResolutionError) -> AnyInstance {
    var path = try look { _ throws(ResolutionError) in
      BuildPath(to: wanted, in: try scope(for: wanted, within: resolution.scope))
    }
    while true {
      let step = try look { _ throws(ResolutionError) in try path.next(of: self, resolution.graph) }
      do throws(ResolutionError) {
        let inner = self.resolution(for: step, path, resolution)
        if step.slot.keeping == .nobody { return try await makeAwaiting(step.slot, index, inner) }
        let found = try await constructAwaiting(step.slot, inner)
        guard path.isDone else { continue }
        return try look { _ throws(ResolutionError) in
          if let built = try built(found, of: wanted, in: resolution.graph) { return built[index] }
          return try held(in: wanted.cell(index), resolution)
        }
      } catch {
        throw error.under(path.ids)
      }
    }
  }

  /// Builds a kept instance whose needs are met, or waits until somebody else has built it.
  private func constructAwaiting(_ slot: Slot, _ resolution: Resolution) async throws(ResolutionError) -> Found {
    guard slot.isAwaited else {
      return try look { _ throws(ResolutionError) in try construct(slot, resolution) }
    }
    let keeper = try look { _ throws(ResolutionError) in try self.keeper(of: slot, resolution) }
    let scope = resolution.scope
    return try await builds.onceAwaiting(
      Site(keeper: keeper.identity, slot: slot.key), slot, resolution, find: { sought(slot, in: keeper, &$0) },
      build: { [self] work async throws(ResolutionError) -> Found in
        // The task may outlive the look-up.
        defer { withExtendedLifetime(scope) {} }
        do {
          let workplace = try workplace(of: slot)
          var inner = resolution
          inner.work = work
          inner.prepared = try await preparedAwaiting(for: slot, workplace, inner)
          let ready = inner
          let built = try await Current.$work.withValue(work) {
            try await workplace.builder.buildAwaiting(asObject: slot.wantsObject, ready)
          }
          return .built(try checked(built, of: slot))
        } catch {
          throw failure(error, of: slot)
        }
      },
      keep: { [self] found in if case .built(let built) = found { keep(built, of: slot, in: keeper) } else { .kept } },
      closed: { found in
        if case .built(let built) = found { built.dispose() }
        return .closed(slot)
      })
  }

  /// Makes an instance that nobody keeps, and whose needs are met, as one of the types of its slot.
  private func makeAwaiting(
    _ slot: Slot, _ index: Int, _ resolution: Resolution
  ) async throws(ResolutionError) -> AnyInstance {
    let work = try builds.enter(slot, resolution, on: nil)
    defer { builds.end(work, on: nil) }
    do {
      let workplace = try workplace(of: slot)
      var inner = resolution
      inner.work = work
      inner.prepared = try await preparedAwaiting(for: slot, workplace, inner)
      let ready = inner
      return try await Current.$work.withValue(work) {
        try await workplace.builder.instanceAwaiting(ofType: index, ready)
      }
    } catch {
      throw failure(error, of: slot)
    }
  }

  /// The instances that the builder of a slot finds prepared; nil where it needs none.
  private func preparedAwaiting(
    for slot: Slot, _ workplace: Workplace, _ resolution: Resolution
  ) async throws -> PreparedInstances? {
    if workplace.preparations.isEmpty { return nil }
    var path = PreparationPath(to: slot, workplace)
    while let item = try look(Resolution(), { _ throws(ResolutionError) -> PreparationPath.Item? in try path.next() }) {
      do {
        let inner = resolution.with { $0.prepared = item.prepared }
        path.add(
          item.isReplaced
            ? try await heldAwaiting(in: item.slot.cell(item.index), resolution)
            : try await item.builder.instanceAwaiting(ofType: item.index, inner))
      } catch {
        throw failure(error, of: item.slot).under(path.ids)
      }
    }
    return path.prepared
  }

  /// The builder of a slot, to be held while it is awaited.
  ///
  /// - Throws: `ResolutionError` where the container was disposed of.
  private func workplace(of slot: Slot) throws(ResolutionError) -> Workplace {
    let workplace = try look { _ throws(ResolutionError) in slot.workplace }
    guard let workplace else { throw .closed(slot) }
    return workplace
  }
}

extension LookUpForm {
  /// What is looked up, without its type; nil where nothing is registered that can be looked up.
  fileprivate static func foundAwaiting(
    _ request: Request, in core: Core
  ) async throws(ResolutionError) -> Hold<Any?> {
    Hold(try await lookUpAwaiting(request, in: core).value.map { $0 as Any })
  }
}
