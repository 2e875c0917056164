// SPDX-License-Identifier: Apache-2.0
#if Macros
  import ConfigDI
  import Foundation
  import Testing

  /// The Swift code of the page about the macro. The page contains the lines between the markers, without indentation.
  private enum PageExample {
    // page begins
    @Resolvable struct SMTPMailer: Sendable {
      let host: String
      let port: Int
      let logger: any Logger

      init(host: String, port: Int = 25, logger: any Logger) {
        self.host = host
        self.port = port
        self.logger = logger
      }
    }

    @Resolvable(runtime: "user", secrets: "token") final class Session: Sendable {
      let user: Int
      let token: String
      private let mailer: SMTPMailer
    }

    static func registry() -> Registry {
      var registry = Registry()
      registry.add("ConsoleLogger", as: (any Logger).self) { ConsoleLogger() }
      registry.add(SMTPMailer.self)
      registry.add(Session.self)
      return registry
    }
    // page ends
  }

  @Suite struct PageTests {
    /// The text of the page.
    private let page: String

    init() throws {
      let url = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Documentation/Resolvable.md")
      page = try String(contentsOf: url.standardizedFileURL, encoding: .utf8)
    }

    /// Returns the first fenced code block of a language.
    private func block(_ language: String) throws -> String {
      let begin = try #require(page.range(of: "```\(language)\n"))
      let end = try #require(page[begin.upperBound...].range(of: "```\n"))
      return String(page[begin.upperBound..<end.lowerBound])
    }

    @Test func `the Swift code of the page equals the compiled code`() throws {
      let source = try String(contentsOfFile: #filePath, encoding: .utf8)
      let begin = try #require(source.range(of: "    // page begins\n"))
      let end = try #require(source.range(of: "    // page ends\n"))
      let lines = source[begin.upperBound..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
      let compiled = lines.map { String($0.dropFirst(4)) }
      #expect(try block("swift") == compiled.joined(separator: "\n").replacing("static func", with: "func"))
    }

    @Test func `the module of the page loads`() throws {
      let container = try Container(text: try block("json"), registry: PageExample.registry())
      #expect(try container.resolve(PageExample.SMTPMailer.self).port == 25)
      #expect(try container.resolve(PageExample.Session.self, arguments: 7).user == 7)
    }
  }
#endif
