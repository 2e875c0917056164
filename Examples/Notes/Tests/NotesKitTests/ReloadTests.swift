// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Testing

@testable import NotesKit

@Suite(.timeLimit(.minutes(1))) struct ReloadTests {
  @Test func `a changed file applies from the next request on`() async throws {
    try await RunningServer.withTemporaryFolder { folder in
      let configs = folder.appendingPathComponent("Notes")
      try FileManager.default.copyItem(at: RunningServer.configs, to: configs)
      let file = configs.appendingPathComponent("app.json")
      let good = try String(contentsOf: file, encoding: .utf8)
      try await RunningServer.run("dev", configs: configs) { server in
        let store = try server.services.resolve((any NoteStore).self)
        #expect(try await server.send("POST", "/notes", #"{ "text": "first" }"#).status == 201)

        try good.replacingOccurrences(of: #""type": "int", "value": 280"#, with: #""type": "int", "value": "many""#)
          .write(to: file, atomically: true, encoding: .utf8)
        let error = await #expect(throws: LoadError.self) { try await server.services.reload() }
        #expect(error?.description.contains("app.json:") == true)
        #expect(try await server.send("POST", "/notes", #"{ "text": "second" }"#).status == 201)

        try good.replacingOccurrences(of: #""type": "int", "value": 280"#, with: #""type": "int", "value": 5"#)
          .write(to: file, atomically: true, encoding: .utf8)
        let reload = try await server.services.reload()
        #expect(reload.changed == ["notes"])
        #expect(reload.kept.contains("server"))
        // The server and the store are kept across the reload.
        #expect(try await server.send("POST", "/notes", #"{ "text": "third!" }"#).status == 413)
        #expect(try await server.send("GET", "/notes").decoded([Note].self).map(\.text) == ["first", "second"])
        #expect(try server.services.resolve((any NoteStore).self) as AnyObject === store as AnyObject)
      }
    }
  }

  @Test func `a layer added by a reload adds its route`() async throws {
    try await RunningServer.withTemporaryFolder { folder in
      let configs = folder.appendingPathComponent("Notes")
      try FileManager.default.copyItem(at: RunningServer.configs, to: configs)
      let file = configs.appendingPathComponent("app.json")
      try await RunningServer.run("dev", configs: configs) { server in
        #expect(try await server.send("GET", "/metrics").status == 404)
        try String(contentsOf: file, encoding: .utf8)
          .replacingOccurrences(of: #""dev": []"#, with: #""dev": ["layers/metrics.json"]"#)
          .write(to: file, atomically: true, encoding: .utf8)
        #expect(try await server.services.reload().added == ["http.metrics", "metrics"])
        #expect(try await server.send("GET", "/metrics").status == 200)
      }
    }
  }
}
