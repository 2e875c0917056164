// SPDX-License-Identifier: Apache-2.0
import Logging

/// What the server knows of a request, which it gives to the request's scope.
package struct RequestInfo: Sendable {
  /// Stands in each line of the log, and in the answer.
  package let id: String
}

extension Logger {
  /// The logger of the application.
  package init(label: String, level: Logger.Level) {
    self.init(label: label)
    logLevel = level
  }

  /// The logger of a request.
  package init(_ logger: Logger, request: RequestInfo) {
    self = logger
    self[metadataKey: "request"] = "\(request.id)"
  }
}
