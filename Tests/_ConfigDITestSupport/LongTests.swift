// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The choice between the usual run of the tests and the long one.
///
/// `CONFIGDI_LONG_TESTS=1 swift test` selects the long run, in which tests of growth, of depth and of random inputs have
/// their full sizes. In the usual run they are smaller, and large enough that the fault each test is for still fails it.
/// A test reads its sizes from here and asserts the same in both runs.
///
/// ```swift
/// for seed in 0..<LongTests.size(20, full: 500) { ... }
/// ```
package enum LongTests {
  /// Whether this is the long run.
  package static let isSelected = ProcessInfo.processInfo.environment["CONFIGDI_LONG_TESTS"] == "1"

  /// The size of a test in this run.
  package static func size(_ usual: Int, full: Int) -> Int { isSelected ? full : usual }

  /// The cases of a test in this run: all in the long one, in the usual one each at a distance from the one before.
  package static func sample<Case>(_ cases: [Case], every distance: Int) -> [Case] {
    stride(from: 0, to: cases.count, by: isSelected ? 1 : distance).map { cases[$0] }
  }
}
