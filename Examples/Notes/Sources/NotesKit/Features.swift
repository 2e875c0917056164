// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import HTTPTypes
import Hummingbird

extension Note: ResponseEncodable {}

/// The routes of notes.
package struct NoteRoutes: HTTPFeature {
  /// What a client sends to write a note.
  private struct Draft: Decodable {
    let text: String
  }

  /// What a client sends to mail a note.
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
  /// The service of this request.
  fileprivate var notes: NoteService {
    get throws { try services.resolve(NoteService.self) }
  }

  /// The id in the path.
  fileprivate var noteID: Int64 {
    get throws { try parameters.require("id", as: Int64.self) }
  }
}

/// Asks for a token in front of all routes that come after it.
package struct TokenAccess: HTTPFeature, RouterMiddleware {
  /// The token.
  package let token: String

  package func add(to router: Router<NotesContext>) { router.add(middleware: self) }

  package func handle(
    _ request: Request, context: NotesContext, next: (Request, NotesContext) async throws -> Response
  ) async throws -> Response {
    guard request.headers[.authorization] == "Bearer \(token)" else { throw HTTPError(.unauthorized) }
    return try await next(request, context)
  }
}

/// Counts requests, and shows all that is counted.
package struct MetricsFeature: HTTPFeature, RouterMiddleware {
  /// Where all that is counted is.
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
