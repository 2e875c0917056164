// SPDX-License-Identifier: Apache-2.0
import ConfigDI

/// The Swift code of the README. The lines between the two marks are in the README word for word, without the
/// indentation.
struct ReadmeExample {
  // README begins
  protocol Mailer: Sendable {
    func send(_ text: String) -> String
  }

  struct ConsoleMailer: Mailer {
    func send(_ text: String) -> String { "console: \(text)" }
  }

  struct RelayMailer: Mailer {
    let host: String
    let port: Int
    func send(_ text: String) -> String { "\(host):\(port): \(text)" }
  }

  struct Bulletin {
    let mailer: any Mailer
    let sender: String
    let interval: Duration
    func publish() -> String { mailer.send("\(sender) writes every \(interval)") }
  }

  func bulletinRegistry() -> Registry {
    var registry = Registry()
    registry.add("ConsoleMailer", as: (any Mailer).self, ConsoleMailer.init)
    registry.add("RelayMailer", as: (any Mailer).self, RelayMailer.init, .value("host"), .value("port", default: 25))
    registry.add("Bulletin", Bulletin.init, .service("mailer"), .value("sender"), .value("every"))
    return registry
  }

  func publish(module: String, environment: String) throws -> String {
    let container = try Container(module: module, environment: environment, registry: bulletinRegistry())
    return try container.resolve(Bulletin.self).publish()
  }
  // README ends
}
