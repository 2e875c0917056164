// SPDX-License-Identifier: Apache-2.0

extension Container {
  /// Builds the eager services, and all that they need, in the plan's order.
  ///
  /// - Throws: `ResolutionError` of the first service that cannot be built. Those built before it stay built.
  package func start() throws(ResolutionError) {
    for cell in state.directory.read(\.eager) { _ = try state.lookUp(CellReference(state, cell)) }
  }

  /// Builds the eager services, as `start` does, and awaits async builders. If one fails, disposes of all that was
  /// built in the reverse order, as by `shutdown`. That waits for builders that are still running until the limit, and
  /// not if the task is cancelled.
  ///
  /// - Parameters:
  ///   - limit: the maximum duration of all builds together; `nil` for no limit. With a limit, builders do not run on the
  ///     caller's actor.
  ///   - disposalFailed: called with the instances that could not be disposed of after a failure.
  /// - Throws: as `start` does, and if the task is cancelled or the limit is exceeded.
  package func startAwaiting(
    within limit: Duration? = nil, disposalFailed: (@Sendable (ShutdownError) -> Void)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) {
    let deadline = limit.map { ContinuousClock.now + $0 }
    do throws(ResolutionError) {
      for cell in state.directory.read(\.eager) { try await build(cell, until: deadline, isolation: isolation) }
    } catch {
      // In a task of its own: if this task is cancelled, async disposals in it would be cancelled, too.
      let buildDeadline = error.code == .cancelled ? .now : deadline
      await Task { [state] in
        do throws(ShutdownError) {
          try await state.store.shutdown(awaitingBuildsUntil: buildDeadline)
        } catch { disposalFailed?(error) }
      }.value
      throw error
    }
  }

  /// Builds the service of a cell, and awaits async builders.
  private func build(
    _ cell: Int, until deadline: ContinuousClock.Instant?, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) {
    let place = CellReference(state, cell)
    // Builders that do not await would not notice it.
    if Task.isCancelled, let (registration, _) = state.directory.unbuilt(in: cell) { throw .cancelled(registration) }
    guard let deadline else {
      _ = try await state.awaitedLookUp(place, isolation: isolation)
      return
    }
    var hanging: Registration?
    // Sought before the build is cancelled, which may end it at once.
    let outcome = await withDeadline(deadline, expired: { hanging = state.hangingService }) {
      [state] () -> Result<Void, ResolutionError> in
      do throws(ResolutionError) {
        _ = try await state.awaitedLookUp(place, isolation: nil)
        return .success(())
      } catch { return .failure(error) }
    }
    if let outcome { return try outcome.get() }
    guard let (registration, _) = state.directory.registration(in: cell) else { throw .disposed }
    let error = ResolutionError.timedOut(hanging ?? registration)
    throw hanging?.isSameService(as: registration) ?? true ? error : error.under(registration)
  }
}

extension ContainerState {
  /// The service of the most deeply nested in-flight build; `nil` if there is none. A service of a child may wait for one
  /// of its parent.
  fileprivate var hangingService: Registration? {
    let builds = sequence(first: store, next: \.enclosing).compactMap(\.innermostBuild)
    return builds.max { $0.depth < $1.depth }?.registration
  }
}
