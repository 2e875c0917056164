// SPDX-License-Identifier: Apache-2.0
import Logging

/// What the server knows about a request. It is given to the request's scope.
package struct RequestInfo: Sendable {
  /// The request id, which is in each log line and in the response.
  package let id: String
}

extension Logger {
  /// Creates the application's logger.
  package init(label: String, level: Logger.Level) {
    self.init(label: label)
    logLevel = level
  }

  /// Creates a request's logger, which adds the request id to each line.
  package init(_ logger: Logger, request: RequestInfo) {
    self = logger
    self[metadataKey: "request"] = "\(request.id)"
  }
}
