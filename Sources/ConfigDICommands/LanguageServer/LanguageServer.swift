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
  /// Works in one thread. What the client has sent is read as a whole before the first of it is answered, so that a request that
  /// was cancelled is not begun, and modules are checked once for many changes: when nothing more is there to be read, or when
  /// a request needs the result.
  final class LanguageServer {
    /// How far a session has come.
    private enum Phase {
      case uninitialized, running, shutDown
    }

    /// The errors of JSON-RPC 2.0 and of LSP.
    enum Failure: Int, Error {
      case parseError = -32_700
      case invalidRequest = -32_600
      case methodNotFound = -32_601
      case invalidParameters = -32_602
      case notInitialized = -32_002
      case requestFailed = -32_803
      case requestCancelled = -32_800
    }

    /// A failure with words for the user.
    struct Refusal: Error {
      /// The failure.
      var failure: Failure
      /// What is wrong.
      var message: String
    }

    /// The messages.
    private var stream = MessageStream()
    /// The messages that were read and not answered yet.
    private var queue: [JSONValue] = []
    /// The requests that were cancelled before they were answered.
    private var cancelled: Set<JSONValue> = []
    /// How far the session has come.
    private var phase = Phase.uninitialized
    /// The record of the session.
    private let log: ServerLog
    /// What is open.
    var workspace: EditorWorkspace
    /// What the client has said at the start.
    var configuration = EditorWorkspace.Configuration()
    /// What the client can do.
    var client = ClientCapabilities()
    /// The open documents by canonical path.
    var documents: [String: OpenDocument] = [:]
    /// The number of the next request to the client.
    private var nextRequest = 1

    /// A document that the client has open.
    struct OpenDocument {
      /// The client's name for it.
      let uri: String
      /// The client's number of its state.
      var version: Int?
    }

    /// A server that has not read anything yet.
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

    /// Serves until the client ends the session.
    ///
    /// - Returns: Whether it was ended in order: by `exit` behind `shutdown`.
    func run() -> Bool {
      while true {
        readAll()
        if queue.isEmpty {
          if stream.isAtEnd { return phase == .shutDown }
          // Nothing to be read and nothing to be answered: time to check.
          if workspace.isStale { publish() }
          if let frame = stream.next(waiting: true) { enqueue(frame) }
          continue
        }
        let message = queue.removeFirst()
        log.note(received: message)
        if message["method"].text == "exit" { return phase == .shutDown }
        handle(message)
      }
    }

    /// Reads what is there.
    private func readAll() {
      while let frame = stream.next(waiting: false) { enqueue(frame) }
    }

    /// Keeps a message until its turn; what is none is answered at once.
    private func enqueue(_ frame: MessageFraming.Frame) {
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
    /// Handles one message.
    private func handle(_ message: JSONValue) {
      let id = message["id"]
      guard let method = message["method"].text else {
        // A response of the client; those to the server's own requests say nothing that is needed.
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
      } catch let refusal as Refusal {
        reply(id, refusal.failure, refusal.message)
      } catch {
        reply(id, .requestFailed, "the request failed")
      }
    }

    /// The result of a request.
    private func answer(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
      switch (phase, method) {
      case (.uninitialized, "initialize"):
        phase = .running
        return initialize(parameters)
      case (.uninitialized, _): throw Refusal(failure: .notInitialized, message: "the first request is initialize")
      case (.shutDown, _): throw Refusal(failure: .invalidRequest, message: "the server is shut down")
      case (.running, "initialize"):
        throw Refusal(failure: .invalidRequest, message: "the server is initialized already")
      case (.running, "shutdown"):
        phase = .shutDown
        return .null
      case (.running, _):
        guard let feature = features[method] else {
          throw Refusal(failure: .methodNotFound, message: "the server has no method \(method)")
        }
        if workspace.isStale { publish() }
        return try feature(parameters)
      }
    }

    /// Handles a notification; an unknown one is passed over, as the protocol wants.
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

    /// Answers a request by a failure.
    private func reply(_ id: JSONValue, _ failure: Failure, _ message: String) {
      send(["jsonrpc": "2.0", "id": id, "error": ["code": .integer(failure.rawValue), "message": .string(message)]])
    }

    /// Sends a notification.
    func notify(_ method: String, _ parameters: JSONValue) {
      send(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
    }

    /// Asks the client for changes of files, where it can be asked.
    private func registerForChanges() {
      guard client.registersWatchers else { return }
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
