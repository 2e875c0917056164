// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Observation

/// The view model of the inbox. It is isolated to the main actor, like all types of this target that are not declared
/// `nonisolated`. Views observe its properties.
@Observable package final class InboxModel {
  /// The messages to display, newest first.
  package private(set) var messages: [Message] = []
  /// The reason why the last refresh failed; `nil` if it has not failed.
  package private(set) var failure: String?
  /// The mailbox that the messages are read from.
  @ObservationIgnored private let mailbox: any Mailbox
  /// The greatest number of messages to display.
  @ObservationIgnored private let limit: Int

  package init(mailbox: any Mailbox, limit: Int) {
    self.mailbox = mailbox
    self.limit = limit
  }

  /// Reads the messages from the mailbox.
  package func refresh() async {
    do {
      messages = try await mailbox.messages().suffix(limit).reversed()
      failure = nil
    } catch {
      failure = "The messages cannot be read: \(error.localizedDescription)"
    }
  }
}

/// The badge of the app's icon. `@Injected` resolves its dependencies from the current container.
package struct Badge {
  @Injected private var mailbox: any Mailbox

  package init() {}

  /// Returns the number of unread messages.
  package func count() async throws -> Int { try await mailbox.messages().count { !$0.isRead } }
}
