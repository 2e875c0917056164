// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// A server of the Language Server Protocol, version 3.17, over the standard streams.
  ///
  /// Uses one thread. All messages that have arrived are read before the first is handled, so that a cancelled request
  /// is not started. Modules are checked once for many changes: when no message is waiting, or when a request needs the
  /// result.
  final class LanguageServer {
    /// The phases of a session.
    private enum Phase {
      case uninitialized, running, shutDown
    }

    /// The error codes of JSON-RPC 2.0 and LSP.
    enum ErrorCode: Int, Error {
      case parseError = -32_700
      case invalidRequest = -32_600
      case methodNotFound = -32_601
      case invalidParameters = -32_602
      case notInitialized = -32_002
      case requestFailed = -32_803
      case requestCancelled = -32_800
    }

    /// An error with a message for the user.
    struct RequestError: Error {
      /// The error code.
      var code: ErrorCode
      /// The message.
      var message: String
    }

    /// The messages on the standard streams.
    private var stream = MessageStream()
    /// The messages that were read but not handled yet.
    private var queue: [JSONValue] = []
    /// The ids of the queued requests that the client has cancelled.
    private var cancelled: Set<JSONValue> = []
    /// The phase of the session.
    private var phase = Phase.uninitialized
    /// The log of the session.
    private let log: ServerLog
    /// The open texts, and the modules that they belong to.
    var workspace: EditorWorkspace
    /// The settings from the command line and the client.
    var configuration = EditorWorkspace.Configuration()
    /// The capabilities of the client.
    var client = ClientCapabilities()
    /// The open documents. Several may be one file, which then has the text of the last of them.
    var documents: [OpenDocument] = []
    /// The URIs for which the findings of files were sent last, by canonical path.
    var findingURIs: [String: [String]] = [:]
    /// The number of the next request to the client.
    private var nextRequest = 1

    /// A document that the client has open.
    struct OpenDocument {
      /// The URI that the client uses.
      let uri: String
      /// The canonical path.
      let path: String
      /// The version number that the client sent last.
      var version: Int?
      /// The text.
      var text: EditorText
    }

    /// Creates a server that has not read any message.
    init(entry: String?, catalog: String?, root: String?, allowedPaths: [String], log: ServerLog) {
      self.log = log
      configuration.entry = entry
      configuration.catalog = catalog
      configuration.registry = ToolContext.current.registry
      configuration.root = root
      configuration.allowedPaths = allowedPaths
      configuration.variables = ProcessInfo.processInfo.environment
      configuration.syntaxes = .builtIn
      workspace = EditorWorkspace(configuration, files: DiskFiles(), listing: DiskFolders())
    }

    /// Handles messages until the client sends `exit` or closes the input.
    ///
    /// - Returns: Whether the client has sent `shutdown` before.
    func run() -> Bool {
      while true {
        readAll()
        if queue.isEmpty {
          if stream.isAtEnd { return phase == .shutDown }
          // No message is waiting, so there is time to check the modules.
          if workspace.isStale, phase != .shutDown { publish() }
          if let frame = stream.next(waiting: true) { enqueue(frame) }
          continue
        }
        let message = queue.removeFirst()
        log.note(received: message)
        if message["method"].text == "exit" { return phase == .shutDown }
        handle(message)
      }
    }

    /// Reads the messages that have arrived, without waiting for more.
    private func readAll() {
      while let frame = stream.next(waiting: false) { enqueue(frame) }
    }

    /// Adds a message to the queue. Records the cancellation of a queued request. Answers malformed input at once.
    private func enqueue(_ frame: MessageParser.Frame) {
      switch frame {
      case .malformed(let problem): reply(.null, .invalidRequest, problem)
      case .message(let bytes):
        guard let message = JSONValue(reading: bytes) else {
          return reply(.null, .parseError, "the content is not JSON")
        }
        guard case .map = message else {
          return reply(.null, .invalidRequest, "a message is an object; batches are not part of the protocol")
        }
        if message["method"].text == "$/cancelRequest" {
          let id = message["params"]["id"]
          if queue.contains(where: { $0["id"] == id && !$0["method"].isNull }) { cancelled.insert(id) }
        }
        queue.append(message)
      }
    }
  }

  // MARK: - Answering

  extension LanguageServer {
    /// Handles a message: answers a request, passes on a notification, ignores a response.
    private func handle(_ message: JSONValue) {
      let id = message["id"]
      guard let method = message["method"].text else {
        // The message is a response. Nothing in the responses to the server's own requests is needed.
        let isResponse = !message["result"].isNull || !message["error"].isNull || !id.isNull
        if !isResponse { reply(.null, .invalidRequest, "a message without a method") }
        return
      }
      guard !id.isNull else { return receive(method, message["params"]) }
      switch id {
      case .string, .integer: break
      default: return reply(.null, .invalidRequest, "an id is a text or an integer")
      }
      if cancelled.remove(id) != nil { return reply(id, .requestCancelled, "cancelled by the client") }
      do {
        send(["jsonrpc": "2.0", "id": id, "result": try answer(method, message["params"])])
      } catch let error as RequestError {
        reply(id, error.code, error.message)
      } catch {
        reply(id, .requestFailed, "the request failed")
      }
    }

    /// Returns the result of a request. Throws a `RequestError` if the request is not possible.
    private func answer(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
      switch (phase, method) {
      case (.uninitialized, "initialize"):
        phase = .running
        return initialize(parameters)
      case (.uninitialized, _): throw RequestError(code: .notInitialized, message: "the first request is initialize")
      case (.shutDown, _): throw RequestError(code: .invalidRequest, message: "the server is shut down")
      case (.running, "initialize"):
        throw RequestError(code: .invalidRequest, message: "the server is initialized already")
      case (.running, "shutdown"):
        phase = .shutDown
        return .null
      case (.running, _):
        guard let feature = features[method] else {
          throw RequestError(code: .methodNotFound, message: "the server has no method \(method)")
        }
        if workspace.isStale, phase != .shutDown { publish() }
        return try feature(parameters)
      }
    }

    /// Handles a notification. Ignores an unknown one, as the protocol requires.
    private func receive(_ method: String, _ parameters: JSONValue) {
      guard phase == .running else { return }
      switch method {
      case "initialized": registerForChanges()
      case "textDocument/didOpen": didOpen(parameters["textDocument"])
      case "textDocument/didChange": didChange(parameters)
      case "textDocument/didSave": didSave(parameters)
      case "textDocument/didClose": didClose(parameters)
      case "workspace/didChangeWatchedFiles":
        for change in parameters["changes"].elements {
          if let path = path(ofURI: change["uri"].text) { workspace.recordChange(onDiskOf: path) }
        }
      case "workspace/didChangeWorkspaceFolders": didChangeFolders(parameters["event"])
      default: break
      }
    }

    /// Sends a message.
    private func send(_ message: JSONValue) {
      log.note(sent: message)
      stream.write(message)
    }

    /// Answers a request with an error.
    private func reply(_ id: JSONValue, _ code: ErrorCode, _ message: String) {
      send(["jsonrpc": "2.0", "id": id, "error": ["code": .integer(code.rawValue), "message": .string(message)]])
    }

    /// Sends a notification.
    func notify(_ method: String, _ parameters: JSONValue) {
      send(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
    }

    /// Asks the client for notifications of changes of module files, if it supports that.
    private func registerForChanges() {
      guard client.supportsWatcherRegistration else { return }
      let endings = Syntax.allCases.flatMap(\.endings).joined(separator: ",")
      let watcher: JSONValue = ["globPattern": .string("**/*.{\(endings)}")]
      send([
        "jsonrpc": "2.0", "id": .string("configdi-\(nextRequest)"), "method": "client/registerCapability",
        "params": [
          "registrations": [
            [
              "id": "watched-files", "method": "workspace/didChangeWatchedFiles",
              "registerOptions": ["watchers": [watcher]],
            ]
          ]
        ],
      ])
      nextRequest += 1
    }
  }
#endif
