// SPDX-License-Identifier: Apache-2.0

extension Core {
  /// Builds the instance that a cell is to hold, and all that it needs.
  @usableFromInline func build(_ cell: Cell, _ resolution: Resolution) throws(ResolutionError) {
    // The container may have been disposed of since the cell was found.
    if isClosed { throw .disposed }
    let slot = cell.slot
    guard opensGraph(slot), resolution.graph == nil else {
      _ = try build(slot, resolution)
      return
    }
    let graph = GraphInstances()
    defer { graph.end() }
    _ = try build(slot, resolution.with { $0.graph = graph })
  }

  /// Builds a kept instance and all that it needs, unless they are built.
  ///
  /// - Throws: `ResolutionError` where a builder fails. What was built before stays.
  func build(_ wanted: Slot, _ resolution: Resolution) throws(ResolutionError) -> Found {
    let scope = try scope(for: wanted, within: resolution.scope)
    if try BuildPath.needsAreMet(of: wanted, scope, of: self, resolution.graph) {
      var inner = resolution
      inner.scope = scope
      inner.prepared = nil
      return try construct(wanted, inner)
    }
    var path = BuildPath(to: wanted, in: scope)
    while true {
      let step = try path.next(of: self, resolution.graph)
      do throws(ResolutionError) {
        let found = try construct(step.slot, self.resolution(for: step, path, resolution))
        if path.isDone { return found }
      } catch {
        throw error.under(path.ids)
      }
    }
  }

  /// The look-up for the arguments of one service on the way to another one.
  func resolution(for step: BuildPath.Step, _ path: BuildPath, _ outer: Resolution) -> Resolution {
    outer.with {
      $0.scope = step.scope
      $0.prepared = nil
      if !path.isDone { $0.arguments = nil }
    }
  }

  /// The scope in which the arguments of a slot are looked up: that which keeps the slot, where one does.
  ///
  /// - Throws: `ResolutionError` where the scope that keeps the slot is not open.
  func scope(for slot: Slot, within scope: InstanceStore?) throws(ResolutionError) -> InstanceStore? {
    switch slot.keeping {
    case .container: nil
    case .scope, .missingScope: try openStore(of: slot, scope)
    case .nobody, .users, .lookUp: scope
    }
  }

  /// Builds a kept instance whose needs are met, or waits until another thread has built it.
  func construct(_ slot: Slot, _ resolution: Resolution) throws(ResolutionError) -> Found {
    if let found = try foundBriefly(slot, resolution) { return found }
    let keeper = try self.keeper(of: slot, resolution)
    return try builds.once(
      Site(keeper: keeper.identity, slot: slot.key), slot, resolution,
      find: { sought(slot, in: keeper, &$0) },
      build: { work throws(ResolutionError) in
        guard let workplace = slot.workplace else { throw .closed(slot) }
        do {
          var inner = resolution
          inner.work = work
          inner.prepared = try prepared(for: slot, workplace, inner)
          return .built(try checked(try workplace.builder.build(asObject: slot.wantsObject, inner), of: slot))
        } catch {
          throw failure(error, of: slot)
        }
      },
      keep: { found in if case .built(let built) = found { keep(built, of: slot, in: keeper) } else { .kept } },
      closed: { found in
        if case .built(let built) = found { built.dispose() }
        return .closed(slot)
      })
  }

  /// An instance that goes with what keeps it.
  ///
  /// - Throws: `ResolutionError` where it does not.
  func checked(_ built: Built, of slot: Slot) throws(ResolutionError) -> Built {
    if slot.keeping == .users, built.object == nil { throw .isNoObject(slot) }
    return built
  }

  /// The instances that the builder of a slot finds prepared; nil where it needs none.
  ///
  /// - Throws: what a builder or a look-up for its arguments throws, as a `ResolutionError` from the slot on.
  func prepared(
    for slot: Slot, _ workplace: Workplace, _ resolution: Resolution
  ) throws -> PreparedInstances? {
    if workplace.preparations.isEmpty { return nil }
    var path = PreparationPath(to: slot, workplace)
    while let item = try path.next() {
      do {
        path.add(
          item.isReplaced
            ? try held(in: item.slot.cell(item.index), resolution)
            : try item.builder.instance(ofType: item.index, resolution.with { $0.prepared = item.prepared }))
      } catch {
        throw failure(error, of: item.slot).under(path.ids)
      }
    }
    return path.prepared
  }
}

extension Slot {
  /// Whether what keeps the instance wants it as an object, too.
  var wantsObject: Bool { keeping == .users || keeping == .lookUp }
}
