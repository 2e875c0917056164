// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import HTTPTypes
import Hummingbird

extension Note: ResponseEncodable {}

/// The routes of notes.
package struct NoteRoutes: HTTPFeature {
  /// The body of a request that creates a note.
  private struct Draft: Decodable {
    let text: String
  }

  /// The body of a request that mails a note.
  private struct Recipient: Decodable {
    let to: String
  }

  package func add(to router: Router<NotesContext>) {
    router.group("notes")
      .get { _, context in try await context.notes.all() }
      .post { request, context in
        let draft = try await request.decode(as: Draft.self, context: context)
        return EditedResponse(status: .created, response: try await context.notes.add(draft.text))
      }
      .get(":id") { _, context in try await context.notes.note(context.noteID) }
      .delete(":id") { _, context in
        try await context.notes.remove(context.noteID)
        return HTTPResponse.Status.noContent
      }
      .post(":id/mail") { request, context in
        let recipient = try await request.decode(as: Recipient.self, context: context)
        try await context.notes.mail(context.noteID, to: recipient.to)
        return HTTPResponse.Status.accepted
      }
  }
}

extension NotesContext {
  /// The note service of this request.
  fileprivate var notes: NoteService {
    get throws { try services.resolve(NoteService.self) }
  }

  /// The note's id from the request path.
  fileprivate var noteID: Int64 {
    get throws { try parameters.require("id", as: Int64.self) }
  }
}

/// Middleware that requires a bearer token for all routes that are added after it.
package struct TokenAccess: HTTPFeature, RouterMiddleware {
  /// The expected token.
  package let token: String

  package func add(to router: Router<NotesContext>) { router.add(middleware: self) }

  package func handle(
    _ request: Request, context: NotesContext, next: (Request, NotesContext) async throws -> Response
  ) async throws -> Response {
    guard request.headers[.authorization] == "Bearer \(token)" else { throw HTTPError(.unauthorized) }
    return try await next(request, context)
  }
}

/// Middleware that counts requests, with a route that returns all metrics.
package struct MetricsFeature: HTTPFeature, RouterMiddleware {
  /// The metrics of the process.
  package let metrics: MetricsPage

  package func add(to router: Router<NotesContext>) {
    router.get("metrics") { [metrics] _, _ in metrics.text }
    router.add(middleware: self)
  }

  package func handle(
    _ request: Request, context: NotesContext, next: (Request, NotesContext) async throws -> Response
  ) async throws -> Response {
    Counter(label: "http_requests", dimensions: [("method", request.method.rawValue)], factory: metrics).increment()
    return try await next(request, context)
  }
}
