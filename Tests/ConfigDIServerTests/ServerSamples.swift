// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

final class Store: Sendable {}

final class Shop: Sendable {
  let store: Store
  init(_ store: Store) { self.store = store }
}

/// Cancels the look-up of a shop while its builder awaits that of a store, and returns when both builders have ended.
func cancelBuilds(with observer: some ContainerObserver) async throws {
  let container = Container(observers: [observer])
  let (builds, build) = AsyncStream.makeStream(of: Void.self)
  container.register { () async throws -> Store in
    build.yield()
    try await Task.sleep(for: .seconds(3600))
    return Store()
  }
  container.register { Shop(try await $0.resolveAsync()) }
  let lookUp = Task { try await container.resolveAsync(Shop.self) }
  for await _ in builds { break }
  lookUp.cancel()
  await #expect(throws: ResolutionError.self) { try await lookUp.value }
  try await container.shutdown()
}
