// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import Logging

/// What the server does with notes. Each request has its own, with a logger that knows the request.
package struct NoteService: Sendable {
  /// Where the notes are.
  package let store: any NoteStore
  /// Sends notes to others.
  package let mailer: any Mailer
  /// What time it is.
  package let clock: any NoteClock
  /// The request's logger.
  package let logger: Logger
  /// The greatest number of characters of a note.
  package let limit: Int

  /// All notes, the oldest first.
  package func all() async throws -> [Note] { try await store.all() }

  /// A note.
  package func note(_ id: Int64) async throws -> Note {
    guard let note = try await store.note(id) else { throw HTTPError(.notFound, message: "there is no note \(id)") }
    return note
  }

  /// Writes a note.
  package func add(_ text: String) async throws -> Note {
    guard text.count <= limit else {
      throw HTTPError(.contentTooLarge, message: "a note has at most \(limit) characters")
    }
    let note = try await store.add(text, created: clock.now())
    logger.info("note added", metadata: ["note": "\(note.id)"])
    return note
  }

  /// Deletes a note.
  package func remove(_ id: Int64) async throws {
    _ = try await note(id)
    try await store.remove(id)
    logger.info("note removed", metadata: ["note": "\(id)"])
  }

  /// Sends a note to somebody.
  package func mail(_ id: Int64, to address: String) async throws {
    try await mailer.send(Letter(to: address, text: try await note(id).text))
    logger.info("note mailed", metadata: ["note": "\(id)"])
  }
}
