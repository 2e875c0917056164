// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import Foundation

/// Keeps in a second store what is deleted from the first.
package struct ArchivingStore: NoteStore {
  /// The store.
  package let inner: any NoteStore
  /// Where deleted notes go.
  package let archive: any NoteStore

  package func all() async throws -> [Note] { try await inner.all() }
  package func note(_ id: Int64) async throws -> Note? { try await inner.note(id) }
  package func add(_ text: String, created: Date) async throws -> Note { try await inner.add(text, created: created) }

  package func remove(_ id: Int64) async throws -> Note? {
    let note = try await inner.remove(id)
    if let note { _ = try await archive.add(note.text, created: note.created) }
    return note
  }
}

/// Counts what is written and deleted.
package struct MeteredStore: NoteStore {
  /// The store.
  private let inner: any NoteStore
  /// How many notes were written.
  private let added: Counter
  /// How many notes were deleted.
  private let removed: Counter

  package init(inner: any NoteStore, metrics: any MetricsFactory) {
    self.inner = inner
    added = Counter(label: "notes_added", dimensions: [], factory: metrics)
    removed = Counter(label: "notes_removed", dimensions: [], factory: metrics)
  }

  package func all() async throws -> [Note] { try await inner.all() }
  package func note(_ id: Int64) async throws -> Note? { try await inner.note(id) }

  package func add(_ text: String, created: Date) async throws -> Note {
    let note = try await inner.add(text, created: created)
    added.increment()
    return note
  }

  package func remove(_ id: Int64) async throws -> Note? {
    let note = try await inner.remove(id)
    if note != nil { removed.increment() }
    return note
  }
}
