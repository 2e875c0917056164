// SPDX-License-Identifier: Apache-2.0

/// A point between two steps of the container at which a test can stop the thread or the task that reaches it.
///
/// No mutex is held at any point. In release builds `reach` does nothing.
///
/// ```swift
/// PausePoint.$hook.withValue({ if $0 == .claimed { gate.wait() } }) { try? container.resolve(Store.self) }
/// ```
package enum PausePoint: String, CaseIterable, Sendable {
  // Look-up.

  /// The registration was read from the directory; its store was not asked yet.
  case found
  /// The run-time arguments were compared with the known ones; they are not entered yet.
  case argumentsCompared
  /// The store and the key are known; nothing is claimed yet.
  case claiming
  /// A look-up that awaits has found no instance; it has not started to build.
  case absent
  /// The declared arguments, or the parts of a `Lazy`, were awaited; nothing is claimed yet.
  case inputsReady
  /// A build was claimed; its builder was not called yet.
  case claimed
  /// The task of a build was created; it is not set in the build yet.
  case taskBegun
  /// The task of a build runs; it has not called the builder yet.
  case taskRunning
  /// The builder of a transient service is about to be called.
  case making
  /// The builder has returned; the product is not kept yet.
  case built
  /// The builder has failed; the build is not removed yet.
  case failed
  /// A failed build has ended; it is not removed from its store yet.
  case ended
  /// The product is kept and published; the waiters are not resumed yet.
  case kept
  /// The waiters were resumed; a product that is not kept was not disposed of yet.
  case woken

  // Waiting for another caller's build.

  /// The wait was entered; it has not begun.
  case joined
  /// The task is about to be suspended.
  case suspending
  /// The wait has ended; it is not removed yet.
  case waited
  /// A cancelled wait was removed; a build without other waiters is not cancelled yet.
  case withdrawn

  // Disposal of instances.

  /// The first store is about to be emptied.
  case emptying
  /// A store was emptied; the waiters of its builds are not resumed yet.
  case taken
  /// All stores were emptied; no instance was disposed of yet.
  case disposing
  /// The instances of a store were disposed of; the store is not marked as closed yet.
  case disposed
  /// A store is marked as closed; the enclosing store still lists it.
  case closed
  /// A disposal is about to be handed over to the call that is disposing of an inner store.
  case postponing

  // Changes.

  /// A store is about to be entered in the enclosing one.
  case opening
  /// A store is entered in the enclosing one; it has no given instances yet.
  case opened
  /// The instances that may pass to the next container are counted for it; it has not taken them yet.
  case passing
  /// A registration is about to be entered.
  case registering
  /// A registration was entered; the instances that it replaces were not disposed of yet.
  case registered

  #if DEBUG
    /// Called by the running thread or task at each point; `nil` for nothing. The task of a build inherits it.
    @TaskLocal package static var hook: (@Sendable (PausePoint) -> Void)?
  #endif

  /// Calls the hook, if one is set.
  @inline(__always) static func reach(_ point: PausePoint) {
    #if DEBUG
      hook?(point)
    #endif
  }
}
