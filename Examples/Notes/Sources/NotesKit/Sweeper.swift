// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Logging
import ServiceLifecycle

/// A background service that deletes old notes at a fixed interval.
///
/// It runs as long as the server does, also across reloads. It therefore holds nothing that a reload may change, and
/// opens a scope for each sweep, as the server does for each request. The services of the scope are not disposed of
/// before the sweep is done.
package struct Sweeper: Service {
  /// The time between two sweeps.
  private let interval: Duration
  /// Opens a scope for each sweep.
  private let requests: ScopeOpener
  /// The sweeper's own logger. The module's logger is not used, because a reload may replace it.
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

  /// Runs one sweep in a scope of its own. Logs an error instead of throwing it.
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

/// One sweep over all notes.
package struct Sweep: Sendable {
  /// The store of the notes.
  package let store: any NoteStore
  /// The source of the current time.
  package let clock: any NoteClock
  /// The logger for deletions.
  package let logger: Logger
  /// The greatest age of a note.
  package let lifetime: Duration

  /// Deletes all notes that are older than `lifetime`.
  package func run() async throws {
    let oldest = clock.now().addingTimeInterval(-(lifetime / .seconds(1)))
    for note in try await store.all() where note.created < oldest {
      try await store.remove(note.id)
      logger.info("old note removed", metadata: ["note": "\(note.id)"])
    }
  }
}
