// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDITesting
import Foundation
import Testing

@testable import NotesKit

extension TestModule {
  /// Returns the server's module file as a module to test.
  static func notes(_ environment: String? = nil, layers: [ModuleLayer] = []) -> TestModule {
    TestModule(
      "Configs/Notes/app.json", environment: environment, layers: layers, allowedPaths: ["/run/secrets/notes"],
      registry: .notes())
  }
}

@Suite struct ModuleTests {
  @Test func `all environments are valid`() {
    expectValid(.notes(), strictly: true)
  }

  @Test(arguments: [
    "Configs/Notes/layers/metrics.json", "Configs/Notes/layers/archive.json",
    "Examples/Notes/Kubernetes/layer.json",
  ])
  func `each layer is valid in production`(layer: String) {
    expectValid(.notes(layers: [.file(layer)]), environments: ["prod"], strictly: true)
  }

  @Test func `all layers are valid together`() {
    expectValid(
      .notes(layers: ["Configs/Notes/layers/metrics.json", "Configs/Notes/layers/archive.json"]), strictly: true)
  }

  @Test func `without its secret production does not start`() async throws {
    try await RunningServer.withTemporaryFolder { folder in
      // The file of the module may exist on a developer's machine.
      let token = folder.appendingPathComponent("token").path
      let layer = RunningServer.layer("override", #"{ "parameters": { "api.token": { "file": "\#(token)" } } }"#)
      let error = await #expect(throws: LoadError.self) {
        try await Container(
          module: RunningServer.configs.appendingPathComponent("app.json").path, environment: "prod", layers: [layer],
          allowedPaths: [folder.path], registry: .notes())
      }
      #expect(error?.diagnostics.map(\.code) == [.missingSource])
      #expect(error?.description.contains(token) == true)
    }
  }

  @Test func `each registered type can be built`() async throws {
    try await RunningServer.withTemporaryFolder { folder in
      try await Registry.notes().verify(values: [
        "FixedClock.time": "2026-01-15T09:00:00Z", "NoteDatabase.path": ":memory:",
        "SpoolMailer.folder": .string(folder.path), "HTTPServer.port": 0,
      ])
    }
  }

  @Test func `the catalog beside the module file matches the registry`() throws {
    let checkedIn = try String(
      contentsOf: RunningServer.configs.appendingPathComponent("catalog.json"), encoding: .utf8)
    // To update the file: swift run --package-path Examples/Notes notes --catalog > Configs/Notes/catalog.json
    #expect(Registry.notes().catalog.json == checkedIn)
  }
}
