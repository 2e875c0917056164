// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A message.
package struct Message: Codable, Equatable, Identifiable, Sendable {
  package let id: Int
  /// Who has sent it.
  package let sender: String
  /// What it is about.
  package let subject: String
  /// Whether it was read.
  package let isRead: Bool
}

/// Where messages are.
package protocol Mailbox: Sendable {
  /// All messages, the oldest first.
  func messages() async throws -> [Message]
}

/// The mailbox of a server.
package struct RemoteMailbox: Mailbox {
  /// Where the server has them.
  package let address: URL

  package func messages() async throws -> [Message] {
    try JSONDecoder().decode([Message].self, from: try await URLSession.shared.data(from: address).0)
  }
}

/// Messages that are a resource of the bundle: for previews and tests.
package struct BundledMailbox: Mailbox {
  /// The file of the messages.
  private let file: URL

  /// The messages of a resource, by its name without ending. It is looked for at once, so that a start finds its absence.
  package init(resource: String) throws {
    guard let file = Bundle.module.url(forResource: resource, withExtension: "json", subdirectory: "Modules") else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Modules/\(resource).json"])
    }
    self.file = file
  }

  package func messages() async throws -> [Message] {
    try JSONDecoder().decode([Message].self, from: Data(contentsOf: file))
  }
}
