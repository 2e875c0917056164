// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

extension MainActor {
  /// Whether the running code is on the main actor.
  ///
  /// The main actor runs on the main queue, which on Linux is not always served by the main thread. The standard
  /// library only has `assumeIsolated`, which stops the program if the answer is no.
  package nonisolated static var isCurrent: Bool { DispatchQueue.getSpecific(key: mainQueueMark) != nil }

  private nonisolated static let mainQueueMark = {
    let mark = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: mark, value: ())
    return mark
  }()
}
