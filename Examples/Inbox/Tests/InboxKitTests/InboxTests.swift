// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDITesting
import Foundation
import Testing

@testable import InboxKit

extension TestModule {
  /// The app's module in the environment `preview`.
  static let preview = TestModule(
    "Sources/InboxKit/Modules/app.json", environment: "preview", registry: .inbox())
}

/// A mailbox whose messages cannot be read.
private struct BrokenMailbox: Mailbox {
  func messages() async throws -> [Message] { throw CocoaError(.fileReadUnknown) }
}

@MainActor @Suite(.container(.preview)) struct InboxTests {
  @Test func `the newest messages are shown`() async throws {
    let model = try Container.current.resolve(InboxModel.self)
    await model.refresh()
    #expect(model.messages.map(\.subject) == ["The samovar", "Re: Tea at five"])
    #expect(model.failure == nil)
  }

  @Test func `the app has one model`() throws {
    #expect(try Container.current.resolve(InboxModel.self) === Container.current[InboxModel.self])
  }

  @Test func `a failure is shown`() async throws {
    try Container.current.replace(named: "mailbox", with: BrokenMailbox() as any Mailbox)
    let model = Container.current[InboxModel.self]
    await model.refresh()
    #expect(model.messages.isEmpty)
    #expect(model.failure?.hasPrefix("The messages cannot be read") == true)
  }

  @Test func `the badge uses the container of the test`() async throws {
    #expect(try await Badge().count() == 2)
  }
}

@MainActor @Suite struct BundleTests {
  @Test func `the bundle has the module and its layers`() async throws {
    let model = try Container.inbox("preview")[InboxModel.self]
    await model.refresh()
    #expect(model.messages.count == 2)
  }

  @Test func `a preview can have its own layer`() async throws {
    let layer = ModuleLayer.text(
      #"{ "configdi": 1, "module": "all", "override": { "services": { "inbox": { "values": { "limit": 9 } } } } }"#)
    let model = try Container.inbox("preview", layers: [layer])[InboxModel.self]
    await model.refresh()
    #expect(model.messages.count == 3)
  }

  @Test func `each environment is valid`() {
    expectValid(.preview, strictly: true)
  }

  @Test func `the release environment uses the mailbox of the server`() throws {
    let mailbox = try Container.inbox("release").resolve((any Mailbox).self)
    #expect((mailbox as? RemoteMailbox)?.address.host() == "mail.example.net")
  }

  @Test func `a missing resource is reported at the start`() throws {
    #expect(throws: CocoaError.self) { try BundledMailbox(resource: "mesages") }
  }
}
