// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Runs random modules with children by layers, which tasks make, use and close while others use and reset the base, and
/// the base is shut down. The same is required as of modules that are reloaded.
@Suite struct RandomTenantTests {
  @Test func nothingIsLeftOfABaseAndItsChildren() async throws {
    try await runRandomPrograms("Random tenants", count: 8) { seed in
      var program = ModuleProgram(seed: seed)
      try await program.runTenants()
      return await program.record.finalProblems
    }
  }
}

extension ModuleProgram {
  fileprivate mutating func runTenants() async throws {
    let token = Token(record)
    let base = try await BaseContainer(source, registry: record.registry, given: [token])
    record.setKept(token.number, "token")
    let tasks = await startUsers(actions: 5) { [module] user in
      switch user.random.below(4) {
      case 0 where !user.record.isOrdered: base.container.reset()
      case 0, 1: try await user.use(base, of: base.container, module.names)
      default: try await useChild(of: base, module, &user)
      }
    }
    await pause(random.below(60))
    switch random.below(4) {
    case 0: try await base.container.shutdown()
    case 1 where !record.isOrdered: base.container.dispose()
    default: break
    }
    for task in tasks { await task.value }
    try await base.container.shutdown()
  }
}

/// Makes a child of the base, uses it, and closes it.
private func useChild(of base: BaseContainer, _ module: ChangingModule, _ user: inout ServiceUser) async throws {
  let child = try await base.child(layers: [module.layer()])
  for _ in 0..<2 { try await user.use(child, of: child, module.names) }
  switch user.random.below(4) {
  case 0 where !user.record.isOrdered: child.dispose()
  case 1 where !user.record.isOrdered:
    child.reset()
    try await user.use(child, of: child, module.names)
  // It is closed when it is released, or with the base.
  case 0, 1, 2: break
  default: try await child.shutdown()
  }
}
