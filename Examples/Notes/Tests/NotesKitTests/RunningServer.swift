// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDIServiceLifecycle
import ConfigDISwiftConfiguration
import Configuration
import Foundation
import Logging
import Testing

@testable import NotesKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server for a test, which listens on the loopback interface.
struct RunningServer {
  /// The container of the server.
  let services: ReloadingContainer
  /// A temporary folder that the server may write to.
  let folder: URL
  /// The port on which the server listens.
  private let port: Int

  /// The folder that contains the module file.
  static let configs = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../Configs/Notes")
    .standardizedFileURL

  /// The response to a request.
  struct Answer {
    let status: Int
    let text: String
    let requestID: String?

    /// Returns the text decoded as JSON.
    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return try decoder.decode(type, from: Data(text.utf8))
    }
  }

  /// Starts a server, runs a test, and shuts the server down gracefully.
  ///
  /// - Parameters:
  ///   - environment: The environment. In `prod`, the secret file is in a temporary folder, and the token is `sesame`.
  ///   - layers: Further layers.
  ///   - configs: The folder that contains the module file.
  ///   - registry: The registered types.
  static func run(
    _ environment: String, layers: [ModuleLayer] = [], configs: URL = configs, registry: Registry = .notes(),
    observers: [any ContainerObserver] = [], _ test: (RunningServer) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      var layers = layers
      if environment == "prod" { layers.append(try secretLayer(in: folder)) }
      let config = ConfigReader(
        provider: EnvironmentVariablesProvider(environmentVariables: [
          "HTTP_HOST": "127.0.0.1", "HTTP_PORT": "0", "DB_PATH": "\(folder.path)/notes.sqlite",
          "MAIL_SPOOL": "\(folder.path)/spool", "ARCHIVE_PATH": "\(folder.path)/archive.sqlite",
        ]))
      let services = try await ReloadingContainer(
        ModuleSource(
          configs.appendingPathComponent("app.json").path, environment: environment, layers: layers,
          allowedPaths: [folder.path]
        ).reading(config),
        registry: registry, observers: observers)
      var logger = Logger(label: "test")
      logger.logLevel = .error
      let group = try await services.serviceGroup(logger: logger)
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await group.run() }
        let port = try #require(await services.resolve(HTTPServer.self).boundPort)
        try await test(RunningServer(services: services, folder: folder, port: port))
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
    }
  }

  /// Sends a request and returns the response.
  func send(
    _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.setValue("Bearer sesame", forHTTPHeaderField: "Authorization")
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    let head = try #require(response as? HTTPURLResponse)
    return Answer(
      status: head.statusCode, text: String(decoding: data, as: UTF8.self),
      requestID: head.value(forHTTPHeaderField: "X-Request-ID"))
  }

  /// Returns a layer that reads the secret token from a file in the folder.
  private static func secretLayer(in folder: URL) throws -> ModuleLayer {
    let file = folder.appendingPathComponent("token")
    try Data("sesame\n".utf8).write(to: file)
    return layer("override", #"{ "parameters": { "api.token": { "file": "\#(file.path)" } } }"#)
  }

  /// Returns a layer with one top-level key, such as `override`, and its JSON value.
  static func layer(_ key: String, _ json: String) -> ModuleLayer {
    .text(#"{ "configdi": 1, "module": "of.a.test", "\#(key)": \#(json) }"#, name: "of-a-test.json")
  }

  /// Runs a test with an empty temporary folder. Removes the folder afterwards.
  static func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("notes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }
}
