// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import Foundation

/// A decorator that copies deleted notes to a second store.
package struct ArchivingStore: NoteStore {
  /// The decorated store.
  package let inner: any NoteStore
  /// The store for deleted notes.
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

/// A decorator that counts added and deleted notes.
package struct MeteredStore: NoteStore {
  /// The decorated store.
  private let inner: any NoteStore
  /// The number of added notes.
  private let added: Counter
  /// The number of deleted notes.
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
