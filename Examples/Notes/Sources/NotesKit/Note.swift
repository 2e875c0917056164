// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A note.
package struct Note: Codable, Equatable, Sendable {
  /// What it is called by, within its store.
  package let id: Int64
  /// What it says.
  package let text: String
  /// When it was written.
  package let created: Date
}

/// Keeps notes.
package protocol NoteStore: Sendable {
  /// All notes, the oldest first.
  func all() async throws -> [Note]
  /// A note; nil where there is none.
  func note(_ id: Int64) async throws -> Note?
  /// Keeps a new note.
  func add(_ text: String, created: Date) async throws -> Note
  /// Deletes a note.
  ///
  /// - Returns: the note; nil where there was none.
  @discardableResult func remove(_ id: Int64) async throws -> Note?
}

/// A store that is gone with the process.
package final class MemoryStore: NoteStore {
  /// The notes, in the order of their ids, and the last id that was given.
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
