// SPDX-License-Identifier: Apache-2.0

import ConfigDI

/// The error of a look-up; nil where it gives an instance. An error of another type is one that the test did not expect.
func failure<Service>(of look: () throws -> Service) throws -> ResolutionError? {
  do {
    _ = try look()
    return nil
  } catch let error as ResolutionError {
    return error
  }
}

/// The error of an awaiting look-up; nil where it gives an instance.
func failureAsync<Service: Sendable>(of look: @Sendable () async throws -> Service) async throws -> ResolutionError? {
  do {
    _ = try await look()
    return nil
  } catch let error as ResolutionError {
    return error
  }
}

extension ResolutionError {
  /// The error that ended the innermost builder: this one, or what lies under it.
  var innermost: ResolutionError { (underlyingError as? ResolutionError)?.innermost ?? self }
}

/// Runs a body that is not asynchronous, in which every look-up is one that does not await.
func withoutAwaiting<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
