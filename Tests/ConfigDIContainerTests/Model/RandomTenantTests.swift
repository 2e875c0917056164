// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Runs random modules with children by layers, which tasks make, use and close while others use and reset the base, and
/// the base is shut down. The same is required as of modules that are reloaded.
@Suite struct RandomTenantTests {
  @Test func nothingIsLeftOfABaseAndItsChildren() async throws {
    try await runRandomPrograms("Random tenants", count: 60) { try await TenantProgram(seed: $0).run() }
  }
}

/// A program that is determined by its seed, except for the order in which its tasks run.
private struct TenantProgram {
  private let record: ModuleRecord
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    record = ModuleRecord(isOrdered: random.below(2) == 0)
  }

  /// Runs the program. Returns what is wrong at its end.
  consuming func run() async throws -> [String] {
    try await runTasks()
    return await record.finalProblems
  }

  private mutating func runTasks() async throws {
    let module = ChangingModule(SeededRandom(seed: random.next()))
    let token = Token(record)
    let source = ModuleSource(ModuleRequest(entry: .file("/m.json"), missing: .refused), files: module)
    let base = try await BaseContainer(source, registry: record.registry, given: [token])
    record.setKept(token.number, "token")
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<4 {
      var user = ServiceUser(record, SeededRandom(seed: random.next()))
      tasks.append(
        Task.detached(priority: .high) {
          await user.perform(5) { user in
            switch user.random.below(4) {
            case 0 where !user.record.isOrdered: base.container.reset()
            case 0, 1: try await user.use(base, of: base.container, module.names)
            default: try await useChild(of: base, module, &user)
            }
          }
        })
    }
    for task in tasks where !record.isOrdered && random.below(8) == 0 {
      await pause(random.below(10))
      task.cancel()
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
