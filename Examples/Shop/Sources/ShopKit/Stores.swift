// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A record of an event.
package struct Record: Codable, Hashable, Sendable {
  /// The id of the subject, such as an order's id.
  package var id: String
  /// The kind of the event.
  package var kind: String
  /// Further fields.
  package var fields: [String: String]

  /// Creates a record.
  package init(id: String, kind: String, fields: [String: String] = [:]) {
    self.id = id
    self.kind = kind
    self.fields = fields
  }
}

/// An append-only store of records.
package protocol RecordStore: Sendable {
  /// The name of the store.
  var name: String { get }
  /// Appends a record.
  func append(_ record: Record) throws
  /// Returns all records, oldest first.
  func records() throws -> [Record]
}

/// A store in memory. Its records are lost when the program ends.
package final class MemoryStore: RecordStore {
  package let name: String
  /// The records, oldest first.
  private let kept = Mutex<[Record]>([])

  /// Creates an empty store.
  package init(name: String) { self.name = name }

  package func append(_ record: Record) { kept.withLock { $0.append(record) } }
  package func records() -> [Record] { kept.withLock { $0 } }
}

/// A store that writes each record as one line of JSON to a file.
package struct FileStore: RecordStore {
  package let name: String
  /// The file to append to.
  package let file: TextFile

  package func append(_ record: Record) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try file.append(String(decoding: encoder.encode(record), as: UTF8.self))
  }

  package func records() throws -> [Record] {
    let decoder = JSONDecoder()
    return try file.lines().map { try decoder.decode(Record.self, from: Data($0.utf8)) }
  }
}

/// A log of events in the shop.
package protocol EventLog: Sendable {
  /// Records an event.
  func note(_ kind: String, about id: String, _ fields: [String: String])
}

/// An event log that writes to a store.
package struct StoredEventLog: EventLog {
  /// The store to write to.
  package let store: any RecordStore
  /// The source of the timestamps.
  package let clock: any ShopClock

  package func note(_ kind: String, about id: String, _ fields: [String: String]) {
    var fields = fields
    fields["at"] = clock.now().formatted(.iso8601)
    // Errors are ignored: the shop works without the event log.
    try? store.append(Record(id: id, kind: kind, fields: fields))
  }
}
