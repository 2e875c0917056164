// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle

/// The HTTP server, which is itself a service of the module.
///
/// It opens a scope for each request, and finds the routes in there. So it needs nothing that a reload may change but its own
/// address: it stays, and the next request has the new services.
package final class HTTPServer: Service {
  /// The address.
  private let host: String
  /// The port; 0 for one that is free.
  private let port: Int
  /// Opens the scope of a request.
  private let requests: ScopeOpener
  /// Its own, since that of the module may change.
  private let logger = Logger(label: "notes.http")
  /// Gives the port as soon as it is bound.
  private let bound = AsyncStream<Int>.makeStream()

  package init(host: String, port: Int, requests: ScopeOpener) {
    self.host = host
    self.port = port
    self.requests = requests
  }

  package func run() async throws {
    let requests = requests
    let responder = CallbackResponder { (request: Request, context: BasicRequestContext) in
      let id = request.headers[.requestID] ?? context.id
      return try await requests.scope(given: RequestInfo(id: id)) { scope in
        let context = NotesContext(source: .init(logger: context.logger, services: scope))
        var response = try await scope.resolve(NotesRouter.self).respond(to: request, context: context)
        response.headers[.requestID] = id
        return response
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

  /// The port on which the server listens, awaited by one task at most.
  package var boundPort: Int? {
    get async { await bound.stream.first { _ in true } }
  }
}

/// What a route knows beside its request.
package struct NotesContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// The services of the request.
  package let services: Scope

  /// What contexts are made of.
  package struct Source: RequestContextSource {
    /// Hummingbird's logger.
    package let logger: Logger
    /// The services of the request.
    package let services: Scope
  }

  package init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
    services = source.services
  }

  /// Writes answers, their keys in order.
  package var responseEncoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    return encoder
  }
}

/// What answers requests.
package typealias NotesRouter = RouterResponder<NotesContext>

/// Routes, or something that stands in front of those which come after it.
package protocol HTTPFeature: Sendable {
  /// Adds what it has.
  func add(to router: Router<NotesContext>)
}

extension NotesRouter {
  /// What answers requests with some features, in their order.
  init(features: [any HTTPFeature]) {
    let router = Router(context: NotesContext.self)
    for feature in features { feature.add(to: router) }
    self = router.buildResponder()
  }
}

extension HTTPField.Name {
  /// The id of a request, which may come from a proxy.
  // swift-format-ignore: NeverForceUnwrap
  static let requestID = HTTPField.Name("X-Request-ID")!
}
