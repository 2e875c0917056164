// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Logging
import ServiceLifecycle

/// Has old notes deleted from time to time.
///
/// It runs as long as the server does, also across reloads. So it holds nothing that a reload may change, and opens a scope
/// for each piece of work, as the server does: what the scope has is not disposed of before the work is done.
package struct Sweeper: Service {
  /// The time from one sweep to the next.
  private let interval: Duration
  /// Opens the scope of a sweep.
  private let requests: ScopeOpener
  /// Its own, since that of the module may change.
  private let logger = Logger(label: "notes.sweeper")

  package init(interval: Duration, requests: ScopeOpener) {
    self.interval = interval
    self.requests = requests
  }

  package func run() async throws {
    try? await cancelWhenGracefulShutdown {
      for number in 1... {
        try await Task.sleep(for: interval)
        await sweep(number)
      }
    }
    logger.info("the sweeper has stopped")
  }

  /// Has old notes deleted.
  private func sweep(_ number: Int) async {
    do {
      try await requests.scope(given: RequestInfo(id: "sweep-\(number)")) { scope in
        try await scope.resolve(Sweep.self).run()
      }
    } catch {
      logger.error("not swept", metadata: ["reason": "\(error)"])
    }
  }
}

/// One sweep.
package struct Sweep: Sendable {
  /// Where the notes are.
  package let store: any NoteStore
  /// What time it is.
  package let clock: any NoteClock
  /// Hears what was deleted.
  package let logger: Logger
  /// How old a note may become.
  package let lifetime: Duration

  /// Deletes all notes that are too old.
  package func run() async throws {
    let oldest = clock.now().addingTimeInterval(-(lifetime / .seconds(1)))
    for note in try await store.all() where note.created < oldest {
      try await store.remove(note.id)
      logger.info("old note removed", metadata: ["note": "\(note.id)"])
    }
  }
}
