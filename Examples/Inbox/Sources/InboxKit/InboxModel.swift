// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Observation

/// What the inbox shows. A view model: it lives on the main actor, and views follow its properties.
@MainActor @Observable package final class InboxModel {
  /// The messages that are shown, the newest first.
  package private(set) var messages: [Message] = []
  /// Why there are none; nil where nothing has failed.
  package private(set) var failure: String?
  /// Where the messages are.
  @ObservationIgnored private let mailbox: any Mailbox
  /// How many are shown at most.
  @ObservationIgnored private let limit: Int

  package init(mailbox: any Mailbox, limit: Int) {
    self.mailbox = mailbox
    self.limit = limit
  }

  /// Reads the messages.
  package func refresh() async {
    do {
      messages = try await mailbox.messages().suffix(limit).reversed()
      failure = nil
    } catch {
      failure = "The messages cannot be read: \(error.localizedDescription)"
    }
  }
}

/// The number beside the app's icon. Nobody hands anything to it: it takes what it needs from the container that is current.
@MainActor package struct Badge {
  @Injected private var mailbox: any Mailbox

  package init() {}

  /// How many messages were not read.
  package func count() async throws -> Int { try await mailbox.messages().count { !$0.isRead } }
}
