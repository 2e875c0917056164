// SPDX-License-Identifier: Apache-2.0

import ConfigDI

/// Returns the error of a look-up, or `nil` if it succeeds. Rethrows errors of other types, which no test expects.
func failure<Service>(of lookUp: () throws -> Service) throws -> ResolutionError? {
  do {
    _ = try lookUp()
    return nil
  } catch let error as ResolutionError {
    return error
  }
}

/// Returns the error of an asynchronous look-up, or `nil` if it succeeds. Rethrows errors of other types.
func failureAsync<Service: Sendable>(of lookUp: @Sendable () async throws -> Service) async throws -> ResolutionError? {
  do {
    _ = try await lookUp()
    return nil
  } catch let error as ResolutionError {
    return error
  }
}

extension ResolutionError {
  /// The error of the innermost builder: this error, or the last one in the chain of its underlying errors.
  var innermost: ResolutionError { (underlyingError as? ResolutionError)?.innermost ?? self }
}

/// Runs a synchronous body, so that the overloads without `await` are used for its look-ups.
func withoutAwaiting<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
