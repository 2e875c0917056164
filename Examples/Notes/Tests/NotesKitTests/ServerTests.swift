// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Hummingbird
import InMemoryLogging
import Logging
import Testing

@testable import NotesKit

@Suite(.timeLimit(.minutes(1))) struct ServerTests {
  @Test(arguments: ["dev", "test", "prod"]) func `notes are written, read, mailed and deleted`(
    in environment: String
  ) async throws {
    try await RunningServer.run(environment) { server in
      let added = try await server.send("POST", "/notes", #"{ "text": "buy tea" }"#)
      #expect(added.status == 201)
      let note = try added.decoded(Note.self)
      #expect(note.text == "buy tea")
      #expect(try await server.send("GET", "/notes/\(note.id)").decoded() == note)
      #expect(try await server.send("GET", "/notes").decoded() == [note])
      #expect(try await server.send("POST", "/notes/1/mail", #"{ "to": "ada@example.net" }"#).status == 202)
      #expect(try await server.send("DELETE", "/notes/\(note.id)").status == 204)
      #expect(try await server.send("GET", "/notes/\(note.id)").status == 404)
      let long = String(repeating: "a", count: 281)
      #expect(try await server.send("POST", "/notes", #"{ "text": "\#(long)" }"#).status == 413)
    }
  }

  @Test(arguments: ["dev": ["store"], "test": ["store"], "prod": ["database", "mail", "store"]])
  func `the health of each part is reported`(in environment: String, _ parts: [String]) async throws {
    try await RunningServer.run(environment) { server in
      let health = try await server.send("GET", "/health", headers: ["Authorization": ""])
      #expect(health.status == 200)
      #expect(try health.decoded() == Dictionary(uniqueKeysWithValues: parts.map { ($0, "ok") }))
    }
  }

  @Test func `a failing part is reported`() async throws {
    try await RunningServer.run("prod") { server in
      try FileManager.default.removeItem(at: server.folder.appendingPathComponent("spool"))
      let health = try await server.send("GET", "/health")
      #expect(health.status == 503)
      let parts = try health.decoded([String: String].self)
      #expect(parts["database"] == "ok")
      #expect(parts["mail"]?.contains("spool") == true)
    }
  }

  @Test func `a recipient cannot add fields to the header of a letter`() async throws {
    try await RunningServer.run("prod") { server in
      _ = try await server.send("POST", "/notes", #"{ "text": "a" }"#)
      let answer = try await server.send("POST", "/notes/1/mail", #"{ "to": "ada@example.net\nBcc: eve@example.net" }"#)
      #expect(answer.status == 400)
      let spool = server.folder.appendingPathComponent("spool").path
      #expect(try FileManager.default.contentsOfDirectory(atPath: spool).isEmpty)
    }
  }

  @Test func `the response to a request that failed has its id`() async throws {
    /// A route that throws an error without a status.
    struct BrokenRoute: HTTPFeature {
      struct Failure: Error {}
      func add(to router: Router<NotesContext>) {
        router.get("broken") { _, _ -> String in throw Failure() }
      }
    }
    var registry = Registry.notes()
    registry.add("BrokenRoute", as: (any HTTPFeature).self, BrokenRoute.init)
    let layer = RunningServer.layer(
      "services", #"{ "broken": { "type": "BrokenRoute", "private": true, "tags": { "http": { "order": 1 } } } }"#)
    try await RunningServer.run("test", layers: [layer], registry: registry) { server in
      let answer = try await server.send("GET", "/broken", headers: ["X-Request-ID": "r-18"])
      #expect(answer.status == 500)
      #expect(answer.requestID == "r-18")
    }
  }

  @Test func `production requires a token`() async throws {
    try await RunningServer.run("prod") { server in
      let refused = try await server.send("GET", "/notes", headers: ["Authorization": "Bearer other"])
      #expect(refused.status == 401)
      #expect(try await server.send("GET", "/notes").status == 200)
    }
  }

  @Test func `the test environment has a fixed clock and records mails`() async throws {
    try await RunningServer.run("test") { server in
      let note = try await server.send("POST", "/notes", #"{ "text": "a" }"#).decoded(Note.self)
      #expect(note == Note(id: 1, text: "a", created: try Date("2026-01-15T09:00:00Z", strategy: .iso8601)))
      _ = try await server.send("POST", "/notes/1/mail", #"{ "to": "ada@example.net" }"#)
      let mailer = try server.services.resolve(RecordingMailer.self)
      #expect(mailer.sent == [Letter(to: "ada@example.net", text: "a")])
    }
  }

  @Test func `a test can register its own types`() async throws {
    let log = InMemoryLogHandler()
    var registry = Registry.notes()
    registry.add("RecordingLogger", { Logger(label: "test") { _ in log } })
    let layer = RunningServer.layer("replace", #"{ "services": { "logger": { "type": "RecordingLogger" } } }"#)
    try await RunningServer.run("test", layers: [layer], registry: registry) { server in
      let answer = try await server.send("POST", "/notes", #"{ "text": "a" }"#, headers: ["X-Request-ID": "r-17"])
      #expect(answer.requestID == "r-17")
      // Each log line of a request has the request id.
      #expect(log.entries.map { "\($0.message)" } == ["note added"])
      #expect(log.entries.first?.metadata["request"] == "r-17")
      let other = try await server.send("DELETE", "/notes/1")
      let id = try #require(other.requestID)
      #expect(log.entries.last?.metadata["request"] == "\(id)")
    }
  }

  @Test func `a layer applies without another binary`() async throws {
    let layers: [ModuleLayer] = [.file(RunningServer.configs.appendingPathComponent("layers/metrics.json").path)]
    try await RunningServer.run("test", layers: layers) { server in
      for text in ["a", "b"] { _ = try await server.send("POST", "/notes", #"{ "text": "\#(text)" }"#) }
      _ = try await server.send("DELETE", "/notes/1")
      let page = try await server.send("GET", "/metrics").text
      #expect(page.contains("notes_added_total 2.0\n"))
      #expect(page.contains("notes_removed_total 1.0\n"))
      #expect(page.contains("http_requests_total{method=\"POST\"} 2.0\n"))
    }
    try await RunningServer.run("test") { server in
      let answer = try await server.send("GET", "/metrics")
      #expect(answer.status == 404)
    }
  }

  @Test(arguments: ["dev", "test", "prod"]) func `a layer archives deleted notes in a second store`(
    in environment: String
  ) async throws {
    let layers: [ModuleLayer] = [.file(RunningServer.configs.appendingPathComponent("layers/archive.json").path)]
    try await RunningServer.run(environment, layers: layers) { server in
      _ = try await server.send("POST", "/notes", #"{ "text": "a" }"#)
      _ = try await server.send("DELETE", "/notes/1")
      let archive = try server.services.resolve((any NoteStore).self, named: "store.archive")
      #expect(try await archive.all().map(\.text) == ["a"])
      #expect(try await server.send("GET", "/notes").decoded([Note].self).isEmpty)
      #expect(try await server.send("GET", "/health").decoded([String: String].self)["archive"] == "ok")
    }
  }

  @Test func `notes outlive the server in production`() async throws {
    try await RunningServer.withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("kept.sqlite").path
      let layer = RunningServer.layer("override", #"{ "parameters": { "db.path": "\#(path)" } }"#)
      try await RunningServer.run("prod", layers: [layer]) { server in
        _ = try await server.send("POST", "/notes", #"{ "text": "a" }"#)
      }
      try await RunningServer.run("prod", layers: [layer]) { server in
        let note = try await server.send("GET", "/notes/1").decoded(Note.self)
        #expect(note.text == "a")
      }
    }
  }

  @Test func `old notes are deleted`() async throws {
    try await RunningServer.run("test") { server in
      let store = try server.services.resolve((any NoteStore).self)
      let now = try server.services.resolve((any NoteClock).self).now()
      for days in [31, 29] {
        _ = try await store.add("\(days) days", created: now.addingTimeInterval(-86_400 * Double(days)))
      }
      try await server.services.current.scope("request", given: RequestInfo(id: "sweep")) { scope in
        try await scope.resolve(Sweep.self).run()
      }
      #expect(try await store.all().map(\.text) == ["29 days"])
    }
  }
}
