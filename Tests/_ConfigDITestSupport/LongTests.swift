// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The choice between the usual and the long run of the tests.
///
/// `CONFIGDI_LONG_TESTS=1 swift test` selects the long run, in which tests of growth, depth and random inputs have
/// their full sizes. The usual run has smaller sizes, which are still large enough to detect the defect that a test is
/// for. A test takes its sizes from here and has the same assertions in both runs.
///
/// ```swift
/// for seed in 0..<LongTests.size(20, full: 500) { ... }
/// ```
package enum LongTests {
  /// Whether this is the long run.
  package static let isSelected = ProcessInfo.processInfo.environment["CONFIGDI_LONG_TESTS"] == "1"

  /// Returns the size of a test in this run.
  package static func size(_ usual: Int, full: Int) -> Int { isSelected ? full : usual }

  /// Returns the cases of a test in this run: all of them in the long run, every `distance`-th one in the usual run.
  package static func sample<Case>(_ cases: [Case], every distance: Int) -> [Case] {
    stride(from: 0, to: cases.count, by: isSelected ? 1 : distance).map { cases[$0] }
  }
}
