// SPDX-License-Identifier: Apache-2.0

extension Container {
  /// Builds every registered service once, as `verify` does, and awaits async builders. It also awaits async disposals of
  /// the scopes' instances, whose failures it does not report.
  ///
  /// - Throws: `VerificationError` with the errors of all services that failed.
  public func verifyAsync(
    given values: any Sendable..., isolation: isolated (any Actor)? = #isolation
  ) async throws(VerificationError) {
    var (cells, scopes, failures) = cellsToVerify(given: values)
    for cell in cells {
      do throws(ResolutionError) {
        _ = try await state.awaitedLookUp(cell, try scopes.last?.resolution ?? Resolution(), isolation: isolation)
      } catch { note(error, in: &failures) }
    }
    for scope in scopes.reversed() { try? await scope.closeAsync(isolation: isolation) }
    try check(failures)
  }
}
