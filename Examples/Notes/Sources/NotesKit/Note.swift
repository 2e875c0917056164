// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A note.
package struct Note: Codable, Equatable, Sendable {
  /// The note's id, unique within its store.
  package let id: Int64
  /// The note's text.
  package let text: String
  /// The time at which the note was written.
  package let created: Date
}

/// A store of notes.
package protocol NoteStore: Sendable {
  /// Returns all notes, oldest first.
  func all() async throws -> [Note]
  /// Returns the note with an id; `nil` if there is none.
  func note(_ id: Int64) async throws -> Note?
  /// Stores a new note and returns it.
  func add(_ text: String, created: Date) async throws -> Note
  /// Deletes a note.
  ///
  /// - Returns: The deleted note; `nil` if no note has the id.
  @discardableResult func remove(_ id: Int64) async throws -> Note?
}

/// A store in memory. Its notes are lost when the process ends.
package final class MemoryStore: NoteStore {
  /// The notes in the order of their ids, and the last id that was assigned.
  private let state = Mutex<(notes: [Note], last: Int64)>(([], 0))

  package init() {}

  package func all() -> [Note] { state.withLock { $0.notes } }

  package func note(_ id: Int64) -> Note? { all().first { $0.id == id } }

  package func add(_ text: String, created: Date) -> Note {
    state.withLock { state in
      state.last += 1
      let note = Note(id: state.last, text: text, created: created)
      state.notes.append(note)
      return note
    }
  }

  package func remove(_ id: Int64) -> Note? {
    state.withLock { state in
      state.notes.firstIndex { $0.id == id }.map { state.notes.remove(at: $0) }
    }
  }
}
