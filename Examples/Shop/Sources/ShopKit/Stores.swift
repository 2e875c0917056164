// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Something that the shop remembers.
package struct Record: Codable, Hashable, Sendable {
  /// What it is about, such as an order's id.
  package var id: String
  /// What happened.
  package var kind: String
  /// Further facts.
  package var fields: [String: String]

  /// Something to remember.
  package init(id: String, kind: String, fields: [String: String] = [:]) {
    self.id = id
    self.kind = kind
    self.fields = fields
  }
}

/// Keeps records in the order in which they came.
package protocol RecordStore: Sendable {
  /// What the store is called.
  var name: String { get }
  /// Keeps one more record.
  func append(_ record: Record) throws
  /// All records, from the first to the last.
  func records() throws -> [Record]
}

/// A store that forgets everything when the program ends.
package final class MemoryStore: RecordStore {
  package let name: String
  /// The records so far.
  private let kept = Mutex<[Record]>([])

  /// An empty store.
  package init(name: String) { self.name = name }

  package func append(_ record: Record) { kept.withLock { $0.append(record) } }
  package func records() -> [Record] { kept.withLock { $0 } }
}

/// A store that writes each record as one line of JSON to a file.
package struct FileStore: RecordStore {
  package let name: String
  /// The file.
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

/// Notes what happens in the shop.
package protocol EventLog: Sendable {
  /// Notes an event.
  func note(_ kind: String, about id: String, _ fields: [String: String])
}

/// An event log on a store.
package struct StoredEventLog: EventLog {
  /// Where the events go.
  package let store: any RecordStore
  /// Gives the time of an event.
  package let clock: any ShopClock

  package func note(_ kind: String, about id: String, _ fields: [String: String]) {
    var fields = fields
    fields["at"] = clock.now().formatted(.iso8601)
    // The event log serves the shop, which goes on without it.
    try? store.append(Record(id: id, kind: kind, fields: fields))
  }
}
