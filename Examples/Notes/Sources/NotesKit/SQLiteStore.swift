// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import GRDB

/// An SQLite database of notes.
///
/// Opening it takes a while, since it may have to be brought to the present schema: its initializer is `async`, and the module
/// declares it `eager`, so that it is open before the first request.
package final class NoteDatabase: AsyncDisposable, HealthCheck {
  /// All access is one after the other.
  fileprivate let queue: DatabaseQueue

  /// Opens a database, which is made where there is none.
  package init(path: String) async throws {
    let queue = try DatabaseQueue(path: path)
    self.queue = queue
    var migrator = DatabaseMigrator()
    migrator.registerMigration("notes") { database in
      try database.create(table: "note") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("text", .text).notNull()
        table.column("created", .datetime).notNull()
      }
    }
    try await withCheckedThrowingContinuation { continuation in
      migrator.asyncMigrate(queue) { continuation.resume(with: $0.map { _ in }) }
    }
  }

  package func check() async throws {
    _ = try await queue.read { try Int.fetchOne($0, sql: "SELECT 1") }
  }

  /// Called when the container is shut down, or after a reload in which the path has changed.
  package func disposeAsync() throws { try queue.close() }
}

extension Note: FetchableRecord {}

/// A store in a database.
package struct SQLiteStore: NoteStore {
  /// The database.
  package let database: NoteDatabase

  package func all() async throws -> [Note] {
    try await database.queue.read { try Note.fetchAll($0, sql: "SELECT * FROM note ORDER BY id") }
  }

  package func note(_ id: Int64) async throws -> Note? {
    try await database.queue.read { try Note.fetchOne($0, sql: "SELECT * FROM note WHERE id = ?", arguments: [id]) }
  }

  package func add(_ text: String, created: Date) async throws -> Note {
    try await database.queue.write { database in
      try database.execute(
        sql: "INSERT INTO note (text, created) VALUES (?, ?)", arguments: [text, created])
      return Note(id: database.lastInsertedRowID, text: text, created: created)
    }
  }

  package func remove(_ id: Int64) async throws -> Note? {
    try await database.queue.write { database in
      try Note.fetchOne(database, sql: "DELETE FROM note WHERE id = ? RETURNING *", arguments: [id])
    }
  }
}
