// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Runs random modules that are reloaded with other definitions while tasks look up their services, open scopes and
/// children, reset and shut down. Each look-up returns an instance that is not disposed of, or throws a documented
/// error. At the end nothing is alive, and each instance that a container or a scope has kept was disposed of once.
@Suite struct RandomModuleTests {
  @Test func nothingIsLeftOfAReloadedModule() async throws {
    try await runRandomPrograms("Random modules", count: 15) { seed in
      var program = ModuleProgram(seed: seed)
      try await program.runReloads()
      return await program.record.finalProblems
    }
  }
}

extension ModuleProgram {
  private enum Ending: CaseIterable {
    case shutDown, currentShutDown, currentDisposed, released
  }

  fileprivate mutating func runReloads() async throws {
    let token = Token(record)
    let services = try await ReloadingContainer(source, registry: record.registry, given: [token])
    record.setKept(token.number, "token")
    var ending = Ending.allCases[random.below(Ending.allCases.count)]
    if record.isOrdered, ending == .currentDisposed { ending = .currentShutDown }
    let tasks = await startUsers(actions: 6) { [module] user in
      switch user.random.below(13) {
      case 0:
        module.change()
        try await services.reload()
      case 1: try await services.reload()
      case 2 where !user.record.isOrdered: services.current.reset()
      default: try await user.use(services, of: services.current, module.names)
      }
    }
    await pause(random.below(40))
    switch ending {
    case .currentShutDown: try? await services.current.shutdown()
    case .currentDisposed: services.current.dispose()
    // Cancels reloads, which do not wait for their builders then.
    case .shutDown where !record.isOrdered && random.below(2) == 0: try await services.shutdown()
    case .shutDown, .released: break
    }
    for task in tasks { await task.value }
    if ending != .released { try await services.shutdown() }
  }
}
