// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import Logging

/// The operations on notes. Each request has its own instance, whose logger adds the request id.
package struct NoteService: Sendable {
  /// The store of the notes.
  package let store: any NoteStore
  /// Sends notes by mail.
  package let mailer: any Mailer
  /// The source of the current time.
  package let clock: any NoteClock
  /// The request's logger.
  package let logger: Logger
  /// The greatest number of characters in a note.
  package let limit: Int

  /// Returns all notes, oldest first.
  package func all() async throws -> [Note] { try await store.all() }

  /// Returns the note with an id. Throws an `HTTPError` if there is none.
  package func note(_ id: Int64) async throws -> Note {
    guard let note = try await store.note(id) else { throw HTTPError(.notFound, message: "there is no note \(id)") }
    return note
  }

  /// Stores a new note. Throws an `HTTPError` if its text is too long.
  package func add(_ text: String) async throws -> Note {
    guard text.count <= limit else {
      throw HTTPError(.contentTooLarge, message: "a note has at most \(limit) characters")
    }
    let note = try await store.add(text, created: clock.now())
    logger.info("note added", metadata: ["note": "\(note.id)"])
    return note
  }

  /// Deletes a note. Throws an `HTTPError` if there is none with this id.
  package func remove(_ id: Int64) async throws {
    _ = try await note(id)
    try await store.remove(id)
    logger.info("note removed", metadata: ["note": "\(id)"])
  }

  /// Mails a note to an address. Throws an `HTTPError` if the text is not an address.
  package func mail(_ id: Int64, to address: String) async throws {
    // A line break would add further fields to the letter's header.
    guard address.contains("@"), !address.contains(where: \.isNewline) else {
      throw HTTPError(.badRequest, message: "\"to\" is not a mail address")
    }
    try await mailer.send(Letter(to: address, text: try await note(id).text))
    logger.info("note mailed", metadata: ["note": "\(id)"])
  }
}
