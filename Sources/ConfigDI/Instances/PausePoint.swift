// SPDX-License-Identifier: Apache-2.0

/// A place between two steps of the container, at which a test can stop the thread or the task that reaches it.
///
/// No mutex is held at any of them. In release builds `reach` does nothing.
///
/// ```swift
/// PausePoint.$hook.withValue({ if $0 == .claimed { gate.wait() } }) { try? container.resolve(Store.self) }
/// ```
package enum PausePoint: String, CaseIterable, Sendable {
  // A look-up.

  /// What answers was read from the directory, and its store has not been asked.
  case found
  /// The run-time arguments were compared with those that are known, and not entered.
  case argumentsCompared
  /// The store and the key are known, and nothing is claimed.
  case claiming
  /// A look-up that awaits has found nothing, and has not begun to build.
  case absent
  /// The declared arguments were awaited, and nothing is claimed.
  case inputsReady
  /// A build was claimed, and its builder was not called.
  case claimed
  /// The task of a build exists, and the build does not know it.
  case taskBegun
  /// The task of a build runs, and has not called the builder.
  case taskRunning
  /// The builder of a service that is not kept has not been called.
  case making
  /// The builder has returned, and the product is not kept.
  case built
  /// The builder has failed, and the build is not removed.
  case failed
  /// A build has failed, and its store does not know it.
  case ended
  /// The product is kept and published, and nobody who waits was woken.
  case kept
  /// All who wait were woken, and what is not kept was not disposed of.
  case woken

  // A wait for somebody else's build.

  /// The wait is entered, and has not begun.
  case joined
  /// The task is about to be suspended.
  case suspending
  /// The wait has ended, and is not removed.
  case waited
  /// A cancelled wait was given up, and a build without other waits is not cancelled.
  case gaveUp

  // The end of instances.

  /// The first store has not been emptied.
  case emptying
  /// A store was emptied, and those who waited for its builds were not woken.
  case taken
  /// All stores were emptied, and nothing was disposed of.
  case disposing
  /// The instances of a store were disposed of, and it is not closed for good.
  case disposed
  /// A store is closed for good, and the store around it still lists it.
  case closed
  /// A disposal that another one waits for has ended, or a blocker was found.
  case postponing

  // Changes.

  /// A store is about to be entered in the one around it.
  case opening
  /// A registration is about to be entered.
  case registering
  /// A registration is entered, and what it replaces was not disposed of.
  case registered

  #if DEBUG
    /// What the running thread or task calls at each point; nil: nothing. The task of a build inherits it.
    @TaskLocal package static var hook: (@Sendable (PausePoint) -> Void)?
  #endif

  /// Calls the hook, where one is set.
  @inline(__always) static func reach(_ point: PausePoint) {
    #if DEBUG
      hook?(point)
    #endif
  }
}
