// SPDX-License-Identifier: Apache-2.0

package import Testing

extension Trait where Self == TimeLimitTrait {
  /// A time limit for a test that a defect could make hang.
  ///
  /// The limit does not measure speed. It includes the time in which the test waits for a thread, which is long on a
  /// busy machine with few processors.
  package static var hangLimit: Self { .timeLimit(.minutes(20)) }
}
