// SPDX-License-Identifier: Apache-2.0
import ConfigDI

/// The Swift of the README. What stands between the two marks is there word for word, without the indentation.
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
    registry.add("ConsoleMailer", as: (any Mailer).self) { ConsoleMailer() }
    registry.add(
      "RelayMailer", as: (any Mailer).self,
      .value("host", String.self), .value("port", Int.self, default: 25)
    ) { host, port in RelayMailer(host: host, port: port) }
    registry.add(
      "Bulletin",
      .service("mailer", (any Mailer).self), .value("sender", String.self), .value("every", Duration.self)
    ) { mailer, sender, interval in Bulletin(mailer: mailer, sender: sender, interval: interval) }
    return registry
  }

  func publish(module: String, environment: String) throws -> String {
    let container = try Container(module: module, environment: environment, registry: bulletinRegistry())
    let bulletin = try container.resolve(Bulletin.self)
    return bulletin.publish()
  }
  // README ends
}
