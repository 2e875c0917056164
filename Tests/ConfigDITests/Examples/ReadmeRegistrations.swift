// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

// The code of the README about registration without a file. Each line of its two code blocks is in this file.

private typealias Mailer = ReadmeExample.Mailer
private typealias ConsoleMailer = ReadmeExample.ConsoleMailer
private typealias Bulletin = ReadmeExample.Bulletin

private actor Database {
  static func connect() async throws -> Database { Database() }
}

private struct Orders: Sendable {
  let mailer: any Mailer
  func place(_ order: String) async -> String { mailer.send(order) }
}

@MainActor private final class InboxModel {
  let mailer: any Mailer
  init(mailer: any Mailer) { self.mailer = mailer }
}

private func makeContainer() -> Container {
  let container = Container(scopes: ["request"])
  container.register((any Mailer).self) { ConsoleMailer() }
  container.register(scope: .transient) { resolver in
    Bulletin(mailer: try resolver.resolve(), sender: "news@example.net", interval: .seconds(3600))
  }
  container.register { try await Database.connect() }
  container.autoregister(Orders.init, scope: .scope("request"))
  container.register(on: MainActor.shared) { resolver in InboxModel(mailer: try resolver.resolve()) }
  return container
}

@Suite private struct ReadmeRegistrations {
  private let container = makeContainer()

  func handle(_ order: String) async throws -> String {
    try await container.scope("request") { request in try await request.resolve(Orders.self).place(order) }
  }

  @MainActor func makeInbox() throws -> InboxModel { try container.resolve() }

  @Test func everythingCanBeBuilt() async throws { try await makeContainer().verifyAsync() }

  @Test func `the look-ups of the page succeed`() async throws {
    #expect(try await handle("tea") == "console: tea")
    #expect(try await makeInbox().mailer.send("tea") == "console: tea")
    #expect(try container.resolve(Bulletin.self).publish() == "console: news@example.net writes every 3600.0 seconds")
  }

  @Test func `the code blocks of the page are compiled`() throws {
    let compiled = Set(Markdown.codeLines(try Markdown("Tests/ConfigDITests/Examples/ReadmeRegistrations.swift").text))
    let blocks = try Markdown("README.md").blocks(of: "swift").dropFirst().filter { $0.contains("container") }
    #expect(blocks.count == 2)
    for line in blocks.flatMap(Markdown.codeLines) { #expect(compiled.contains(line), "\(line)") }
  }
}
