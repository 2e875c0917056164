// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// A check that a part of the server works.
package protocol HealthCheck: Sendable {
  /// Throws an error if the part does not work.
  func check() async throws
}

/// A check that notes can be read.
package struct StoreCheck: HealthCheck {
  /// The store to read from.
  package let store: any NoteStore

  package func check() async throws { _ = try await store.note(0) }
}

/// A route that runs all checks and returns their results by name.
package struct HealthRoute: HTTPFeature {
  /// The checks by name.
  package let checks: [String: any HealthCheck]

  package func add(to router: Router<NotesContext>) {
    router.get("health") { [checks] _, _ in
      var results: [String: String] = [:]
      var isHealthy = true
      for (name, check) in checks {
        do {
          try await check.check()
          results[name] = "ok"
        } catch {
          results[name] = "\(error)"
          isHealthy = false
        }
      }
      return EditedResponse(status: isHealthy ? .ok : .serviceUnavailable, response: results)
    }
  }
}
