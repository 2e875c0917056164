// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle

/// The HTTP server, which is itself a service of the module.
///
/// It opens a scope for each request and resolves the router in that scope. A reload can therefore change everything
/// except the server's own address: the server is kept, and the next request uses the new services.
package final class HTTPServer: Service {
  /// The host name or IP address to bind.
  private let host: String
  /// The port to bind; 0 for any free port.
  private let port: Int
  /// Opens a scope for each request.
  private let requests: ScopeOpener
  /// The server's own logger. The module's logger is not used, because a reload may replace it.
  private let logger = Logger(label: "notes.http")
  /// Yields the port when the server has bound it.
  private let bound = AsyncStream<Int>.makeStream()

  package init(host: String, port: Int, requests: ScopeOpener) {
    self.host = host
    self.port = port
    self.requests = requests
  }

  package func run() async throws {
    let (requests, logger) = (requests, logger)
    let responder = CallbackResponder { (request: Request, context: BasicRequestContext) in
      let id = request.headers[.requestID] ?? context.id
      do {
        return try await requests.scope(given: RequestInfo(id: id)) { scope in
          let context = NotesContext(source: .init(logger: context.logger, services: scope))
          var response = try await scope.resolve(NotesRouter.self).respond(to: request, context: context)
          response.headers[.requestID] = id
          return response
        }
      } catch {
        // The router has answered every `HTTPError`. The client of this one learns only that there was an error.
        logger.error("the request failed", metadata: ["request": "\(id)", "error": "\(error)"])
        return Response(status: .internalServerError, headers: [.requestID: id])
      }
    }
    let application = Application(
      responder: responder,
      configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "notes"),
      onServerRunning: { [bound] channel in
        if let port = channel.localAddress?.port { bound.continuation.yield(port) }
      },
      logger: logger)
    try await application.run()
    logger.info("the server has stopped")
  }

  /// The port on which the server listens. Suspends until the port is bound. At most one task may await it.
  package var boundPort: Int? {
    get async { await bound.stream.first { _ in true } }
  }
}

/// The context in which a route handles its request.
package struct NotesContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// The scope of the request.
  package let services: Scope

  /// The values from which a context is created.
  package struct Source: RequestContextSource {
    /// The logger that Hummingbird supplies.
    package let logger: Logger
    /// The scope of the request.
    package let services: Scope
  }

  package init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
    services = source.services
  }

  /// The encoder for responses, which sorts keys.
  package var responseEncoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    return encoder
  }
}

/// The responder for all routes.
package typealias NotesRouter = RouterResponder<NotesContext>

/// A group of routes, or a middleware for the routes that are added after it.
package protocol HTTPFeature: Sendable {
  /// Adds the routes or the middleware to a router.
  func add(to router: Router<NotesContext>)
}

extension NotesRouter {
  /// Creates a router with the given features, added in this order.
  init(features: [any HTTPFeature]) {
    let router = Router(context: NotesContext.self)
    for feature in features { feature.add(to: router) }
    self = router.buildResponder()
  }
}

extension HTTPField.Name {
  /// The header field with the request id, which a proxy may have set.
  // swift-format-ignore: NeverForceUnwrap
  static let requestID = HTTPField.Name("X-Request-ID")!
}
