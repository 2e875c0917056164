// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import GRDB

/// An SQLite database of notes.
///
/// Opening it may take a while, because the schema may have to be migrated. Its initializer is therefore `async`, and
/// the module declares it `eager`, so that it is open before the first request.
package final class NoteDatabase: AsyncDisposable, HealthCheck {
  /// The queue that serializes all access to the database.
  fileprivate let queue: DatabaseQueue

  /// Opens the database and migrates its schema. Creates the file if it does not exist.
  package init(path: String) async throws {
    var configuration = Configuration()
    // Another process, such as a backup, may lock the file for a moment.
    configuration.busyMode = .timeout(5)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
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

  /// Closes the database. Called when the container is shut down, or after a reload that changed the path.
  package func disposeAsync() throws { try queue.close() }
}

extension Note: FetchableRecord {}

/// A store in an SQLite database.
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
