// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import ConfigDITesting
import Synchronization
import Testing
import _ConfigDITestSupport

// The code of `Documentation/Testing.md`. Each line of the page's code blocks, except those of a manifest, is in this
// file. The module is found in the folder of this file.

private protocol Logger: Sendable {}
private protocol Mailer: Sendable { func send(_ text: String) }
private struct ConsoleLogger: Logger {}
private struct LoggerMock: Logger {}

private struct SMTPMailer: Mailer {
  let logger: any Logger
  func send(_ text: String) {}
}

private final class MailerMock: Mailer {
  private let texts = Mutex<[String]>([])
  var sent: [String] { texts.withLock { $0 } }
  func send(_ text: String) { texts.withLock { $0.append(text) } }
}

private struct Checkout: Sendable {
  let mailer: any Mailer
  func run() { mailer.send("thank you") }
}

private struct FileStore: Sendable { let path: String }

private func makeRegistry() -> Registry {
  var registry = Registry()
  registry.add("ConsoleLogger", as: (any Logger).self, ConsoleLogger.init)
  registry.add("SMTPMailer", as: (any Mailer).self, SMTPMailer.init, .service("logger"))
  registry.add("Checkout", Checkout.init, .service("mailer"))
  registry.add("FileStore", FileStore.init, .value("path"))
  return registry
}

private let misspelt = """
  { "configdi": 1, "module": "m", "services": {
      "logger": { "type": "ConsoleLogger" }, "mailer": { "type": "SMTPMailer", "inject": { "logger": "loger" } } } }
  """

extension TestModule {
  static let shop = TestModule("Configs/Shop/app.json", environment: "test", registry: makeRegistry())
}

@Suite(.container(.shop)) struct CheckoutTests {
  @Test func sendsOneMail() throws {
    let mailer = MailerMock()
    try Container.current.replace(named: "mailer", with: mailer)
    try Container.current.resolve(Checkout.self).run()
    #expect(mailer.sent.count == 1)
  }
}

@Suite struct TestingExample {
  @Test(.container(.shop, starts: false)) func startsWithAMock() async throws {
    try Container.current.replace(named: "logger", with: LoggerMock())
    try await Container.current.buildEagerServicesAsync()
    #expect(try Container.current.resolve((any Logger).self) is LoggerMock)
  }

  @Test
  func testSendsOneMail() async throws {
    try await withContainer(of: .shop) { container in
      try container.resolve(Checkout.self).run()
    }
  }

  @Test
  func testDeployments() throws { try TestModule.shop.validate() }

  @Test func records() throws {
    let recorder = BuildRecorder()
    try withContainer(of: .shop, observers: [recorder]) { container in
      _ = try container.resolve(Checkout.self)
      #expect(recorder.built == ["logger", "mailer", "checkout"])
      #expect(recorder.consumers(of: "mailer") == ["checkout"])
    }
    #expect(recorder.disposed == ["checkout", "mailer", "logger"])
  }

  @Test func deployments() { expectValid(.shop) }

  @Test func aMisspeltReferenceIsFound() {
    expectFindings(.unknownService, in: TestModule(text: misspelt, registry: makeRegistry()))
  }

  @Test func registeredTypes() async throws {
    try await makeRegistry().verify(values: ["FileStore.path": "/tmp/store"])
  }

  @Test(.container(.shop)) func everythingCanBeBuilt() async throws { try await Container.current.verifyAsync() }

  @Test func `every code block of the page is compiled`() throws {
    let file = try Markdown("Tests/ConfigDITestingTests/TestingPage/TestingExample.swift")
    let compiled = Set(Markdown.codeLines(file.text))
    let blocks = try Markdown("Documentation/Testing.md").blocks(of: "swift").filter { !$0.hasPrefix(".testTarget") }
    #expect(blocks.count == 5)
    for line in blocks.flatMap(Markdown.codeLines) { #expect(compiled.contains(line), "\(line)") }
  }
}
