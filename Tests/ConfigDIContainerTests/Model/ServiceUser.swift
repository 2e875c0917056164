// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// A task that uses the services of a random module.
struct ServiceUser {
  /// What it does with the services.
  enum Use: CaseIterable {
    case lookUp, lookUpWithoutAwait, lookUpByTag, lookUpWithNumber, lookUpToken, readDeferred, useScope, keepScope
    case useDoor, useChild
  }

  let record: ModuleRecord
  var random: SeededRandom
  /// The scopes that stay open as long as the task runs.
  private var scopes: [Scope] = []

  init(_ record: ModuleRecord, _ random: SeededRandom) { (self.record, self.random) = (record, random) }

  /// Performs some actions one after the other, and records an error that is not documented for them.
  mutating func perform(_ count: Int, _ action: (inout ServiceUser) async throws -> Void) async {
    for _ in 0..<count {
      await pause(random.below(5))
      do { try await action(&self) } catch let error as ResolutionError {
        if ![.closed, .cancelled, .notOpen].contains(error.code) { record.report("\(error)") }
      } catch is CancellationError {
        // The task was cancelled.
      } catch { record.report("\(error)") }
    }
  }

  /// Looks up services in a random way.
  ///
  /// - Parameters:
  ///   - services: Where they are looked up.
  ///   - container: The container of the module, whose scopes are opened.
  ///   - names: The names of the services.
  mutating func use(_ services: some Resolving & Sendable, of container: Container, _ names: [String]) async throws {
    let name = names[random.below(names.count)]
    let use = Use.allCases[random.below(Use.allCases.count)]
    let time = record.time
    switch use {
    case .lookUp:
      try await services.resolveAsync(ModulePart.self, named: name).check(name, since: time)
    case .lookUpWithoutAwait: try lookUpWithoutAwait(name, in: services, time)
    case .lookUpByTag:
      for part in try await services.resolveAsync([ModulePart].self, tagged: "tag") {
        part.check(part.name, since: time)
      }
    case .lookUpWithNumber:
      let number = random.below(3)
      let part = try await services.resolveAsync(ModulePart.self, named: "numbered", arguments: number)
      part.check("numbered \(number)", since: time)
    case .lookUpToken:
      let token = try services.resolve(Token.self)
      if record.isDisposed(token.number, before: time) { record.report("the token was disposed of before") }
    case .readDeferred:
      let part = try await services.resolveAsync(ModulePart.self, named: name)
      for lazy in part.later { _ = try await lazy.getAsync() }
      for provider in part.others {
        let time = record.time
        let part = try await provider.getAsync()
        part.check(part.name, since: time)
      }
    case .useScope, .keepScope:
      let info = Info(record)
      let scope = try container.openScope("request", given: info)
      record.setKept(info.token.number, "info")
      if use == .keepScope { scopes.append(scope) }
      defer { if use == .useScope { scope.close() } }
      try await scope.resolveAsync(ModulePart.self, named: name).check(name, since: time)
      if try scope.resolve(Info.self) !== info { record.report("another info") }
    case .useDoor:
      let door = try services.resolve(Door.self)
      let info = Info(record)
      try await door.request.scope(given: info) { request in
        record.setKept(info.token.number, "info")
        try await request.resolveAsync(ModulePart.self, named: name).check(name, since: time)
      }
      try await door.services.resolver.resolveAsync(ModulePart.self, named: name).check(name, since: time)
    case .useChild: try await useChild(of: container, name, time)
    }
  }

  /// Opens a child with a service that holds one of the parent's, and closes it.
  private mutating func useChild(of container: Container, _ name: String, _ time: Int) async throws {
    let child = Container(parent: container)
    child.register(ModulePart.self, named: "own", onDispose: { $0.dispose() }) { [record] resolver async throws in
      ModulePart("own", true, [try await resolver.resolveAsync(ModulePart.self, named: name)], in: record)
    }
    let later = try await child.resolveAsync(Lazy<ModulePart>.self, named: name)
    let own = try await child.resolveAsync(ModulePart.self, named: "own")
    own.check("own", since: time)
    own.parts[0].check(name, since: time)
    switch random.below(4) {
    case 0: return
    case 1 where !record.isOrdered: child.dispose()
    case 2 where !record.isOrdered:
      child.reset()
      return try await child.resolveAsync(ModulePart.self, named: "own").check("own", since: time)
    default: try await child.shutdown()
    }
    do {
      _ = try await later.getAsync()
      record.report("a lazy value of a closed child was built")
    } catch { if error.code != .closed { throw error } }
  }

  private func lookUpWithoutAwait(_ name: String, in services: some Resolving, _ time: Int) throws {
    do { try services.resolve(ModulePart.self, named: name).check(name, since: time) } catch {
      if error.code != .needsAwait, error.code != .needsMainActor { throw error }
    }
  }
}
