// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// Looks whether something works.
package protocol HealthCheck: Sendable {
  /// Throws where it does not.
  func check() async throws
}

/// Looks whether the notes can be read.
package struct StoreCheck: HealthCheck {
  /// The store.
  package let store: any NoteStore

  package func check() async throws { _ = try await store.note(0) }
}

/// The route that makes all checks, by their names.
package struct HealthRoute: HTTPFeature {
  /// The checks.
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
