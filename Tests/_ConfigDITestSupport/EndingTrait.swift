// SPDX-License-Identifier: Apache-2.0

package import Testing

extension Trait where Self == TimeLimitTrait {
  /// Of a test that a defect might keep from ending.
  ///
  /// The limit says nothing about speed: it counts the time, too, in which a test waits for others to leave it a thread, and
  /// that is long on a machine with few processors and much else to do.
  package static var ends: Self { .timeLimit(.minutes(20)) }
}
