// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A limit on the work that one load may spend on the search for near names.
///
/// If a whole file is missing, thousands of unknown names are compared with thousands of others, in each environment.
/// Findings beyond the budget get no suggestion. The budget counts work, not time, so that the same load always gives
/// the same findings.
package final class SuggestionBudget: Sendable {
  /// The budget of the load that runs in this task. It is `nil` outside a load, where each index has its own budget.
  @TaskLocal package static var current: SuggestionBudget?

  /// The default budget, in computed distances and examined names. Takes about half a second.
  package static let maximumWork = 50_000_000

  /// The work that may still be spent.
  private let rest: Atomic<Int>

  /// Creates a budget of which nothing is spent.
  package init(_ work: Int = SuggestionBudget.maximumWork) { rest = Atomic(work) }

  /// Whether some of the budget is left.
  var isOpen: Bool { rest.load(ordering: .relaxed) > 0 }

  /// Subtracts work from the budget.
  func spend(_ work: Int) { rest.subtract(work, ordering: .relaxed) }
}
