// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import _ConfigDITestSupport

/// A program that uses the services of a random module. Its seed determines it, except for the order in which its tasks
/// run.
struct ModuleProgram {
  let record: ModuleRecord
  let module: ChangingModule
  var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    record = ModuleRecord(isOrdered: random.below(2) == 0)
    module = ChangingModule(SeededRandom(seed: random.next()))
  }

  /// The module, to be loaded.
  var source: ModuleSource {
    ModuleSource(ModuleRequest(entry: .file("/m.json"), missing: .refused), files: module)
  }

  /// Starts four tasks that perform actions one after the other, and cancels some of them if instances need not be
  /// disposed of in order.
  mutating func startUsers(
    actions: Int, _ action: @escaping @Sendable (inout ServiceUser) async throws -> Void
  ) async -> [Task<Void, Never>] {
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<4 {
      var user = ServiceUser(record, SeededRandom(seed: random.next()))
      tasks.append(Task.detached(priority: .high) { await user.perform(actions, action) })
    }
    for task in tasks where !record.isOrdered && random.below(8) == 0 {
      await pause(random.below(10))
      task.cancel()
    }
    return tasks
  }
}
