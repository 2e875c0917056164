// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// How much work one load may spend on the search for near names.
///
/// Where a whole file is missing, thousands of names are unknown, and each is compared with thousands of others, in each
/// environment. Findings beyond the budget have no suggestion. The work is counted, not timed, so that the same load always
/// gives the same findings.
package final class SuggestionBudget: Sendable {
  /// The budget of the load that runs in this task; nil outside a load, where each index has a budget of its own.
  @TaskLocal package static var current: SuggestionBudget?

  /// What may be spent unless the caller says otherwise: computed distances, and names that were looked at. About half a
  /// second.
  package static let greatestWork = 50_000_000

  /// What is left.
  private let rest: Atomic<Int>

  /// A budget of which nothing is spent.
  package init(_ work: Int = SuggestionBudget.greatestWork) { rest = Atomic(work) }

  /// Whether something is left.
  var isOpen: Bool { rest.load(ordering: .relaxed) > 0 }

  /// Counts some work.
  func spend(_ work: Int) { rest.subtract(work, ordering: .relaxed) }
}
