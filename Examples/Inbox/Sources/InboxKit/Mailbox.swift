// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A message.
nonisolated package struct Message: Codable, Equatable, Identifiable, Sendable {
  package let id: Int
  /// The sender's name.
  package let sender: String
  /// The subject line.
  package let subject: String
  /// Whether the message was read.
  package let isRead: Bool
}

/// A source of messages.
nonisolated package protocol Mailbox: Sendable {
  /// Returns all messages, oldest first.
  func messages() async throws -> [Message]
}

/// A mailbox on a server.
nonisolated package struct RemoteMailbox: Mailbox {
  /// The URL of the messages, in JSON.
  package let address: URL

  package func messages() async throws -> [Message] {
    try JSONDecoder().decode([Message].self, from: try await URLSession.shared.data(from: address).0)
  }
}

/// A mailbox that reads a resource of the bundle, for previews and tests.
nonisolated package struct BundledMailbox: Mailbox {
  /// The JSON file with the messages.
  private let file: URL

  /// Creates a mailbox from a resource, by its name without the file extension. Throws if the resource is missing, so
  /// that the error is reported when the app starts. On the main actor, as `Bundle.module` is.
  @MainActor package init(resource: String) throws {
    guard let file = Bundle.module.url(forResource: resource, withExtension: "json", subdirectory: "Modules") else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Modules/\(resource).json"])
    }
    self.file = file
  }

  package func messages() async throws -> [Message] {
    try JSONDecoder().decode([Message].self, from: Data(contentsOf: file))
  }
}
