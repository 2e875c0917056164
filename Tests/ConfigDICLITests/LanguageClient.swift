// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A client of `configdi lsp` over pipes. It uses the protocol in the same way as an editor.
final class LanguageClient {
  /// The reason why a client stopped waiting for a message.
  enum Failure: Error {
    /// The server sent nothing for a long time.
    case silence
    /// The server closed its output.
    case end
    /// The output of the server is not a message.
    case malformed(String)
  }

  /// The server process.
  private let process = Process()
  /// The pipe to the server, and the pipe from it.
  private let input = Pipe()
  private let output = Pipe()
  /// The bytes that were read but not parsed yet.
  private var buffer = Data()
  /// The notifications and requests of the server that the test has not taken yet.
  private var messages: [[String: Any]] = []
  /// The id of the last request.
  private var lastRequest = 0
  /// All text that the server has sent.
  private(set) var received = ""
  /// The folder of the files.
  let folder: URL

  /// Starts a server for a folder.
  init(_ folder: URL, arguments: [String] = []) throws {
    // The server names the folder without symbolic links.
    self.folder = URL(fileURLWithPath: folder.resolvingSymlinksInPath().path)
    process.executableURL = BuiltTool.executable
    process.arguments = ["lsp"] + arguments
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Returns the URI of a file in the folder.
  func uri(_ name: String) -> String { folder.appendingPathComponent(name).absoluteString }

  // MARK: - Messages

  /// Sends bytes unchanged.
  func send(raw bytes: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes.utf8)) }

  /// Returns the bytes of a message with its header.
  static func framed(_ message: [String: Any]) throws -> String {
    let content = try JSONSerialization.data(withJSONObject: message)
    return "Content-Length: \(content.count)\r\n\r\n" + String(decoding: content, as: UTF8.self)
  }

  /// Sends a notification.
  func notify(_ method: String, _ parameters: [String: Any] = [:]) throws {
    try send(raw: LanguageClient.framed(["jsonrpc": "2.0", "method": method, "params": parameters]))
  }

  /// Sends a request, and returns the whole response.
  func answer(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    lastRequest += 1
    let id = lastRequest
    try send(raw: LanguageClient.framed(["jsonrpc": "2.0", "id": id, "method": method, "params": parameters]))
    return try response(to: id)
  }

  /// Sends a request, and returns its result.
  func request(_ method: String, _ parameters: [String: Any] = [:]) throws -> Any? {
    try answer(method, parameters)["result"]
  }

  /// Returns the response to the request with an id, or the response without an id if `id` is `nil`.
  func response(to id: Int?) throws -> [String: Any] {
    while true {
      let message = try next()
      if message["method"] == nil, message["id"] as? Int == id { return message }
      messages.append(message)
    }
  }

  /// Returns the parameters of the next message of the server with a method.
  func message(_ method: String, where isWanted: ([String: Any]) -> Bool = { _ in true }) throws -> [String: Any] {
    func isMatch(_ message: [String: Any]) -> Bool {
      message["method"] as? String == method && isWanted(message["params"] as? [String: Any] ?? [:])
    }
    while true {
      if let place = messages.firstIndex(where: isMatch) {
        return messages.remove(at: place)["params"] as? [String: Any] ?? [:]
      }
      messages.append(try next())
    }
  }

  /// Reads the next message, and returns it.
  private func next() throws -> [String: Any] {
    let end = Data("\r\n\r\n".utf8)
    while true {
      if let header = buffer.range(of: end) {
        let text = String(decoding: buffer[buffer.startIndex..<header.lowerBound], as: UTF8.self)
        guard text.hasPrefix("Content-Length: "), let length = Int(text.dropFirst(16)) else {
          throw Failure.malformed(text)
        }
        if buffer.distance(from: header.upperBound, to: buffer.endIndex) >= length {
          let content = buffer[header.upperBound..<header.upperBound + length]
          received += String(decoding: content, as: UTF8.self) + "\n"
          let message = try JSONSerialization.jsonObject(with: Data(content)) as? [String: Any]
          buffer = Data(buffer[(header.upperBound + length)...])
          guard let message, message["jsonrpc"] as? String == "2.0" else { throw Failure.malformed("\(content)") }
          return message
        }
      }
      var descriptor = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 60_000) > 0 else { throw Failure.silence }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw Failure.end }
      buffer += data
    }
  }

  // MARK: - A session

  /// Starts a session.
  @discardableResult
  func initialize(
    capabilities: [String: Any] = [:], options: [String: Any] = [:]
  ) throws -> [String: Any] {
    let result = try request(
      "initialize",
      [
        "processId": NSNull(), "rootUri": folder.absoluteString, "capabilities": capabilities,
        "initializationOptions": options,
      ])
    try notify("initialized")
    return result as? [String: Any] ?? [:]
  }

  /// Opens a file with a text, by default that on the disk.
  func open(_ name: String, _ text: String? = nil, language: String = "json") throws {
    let text = try text ?? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    try notify(
      "textDocument/didOpen",
      ["textDocument": ["uri": uri(name), "languageId": language, "version": 1, "text": text] as [String: Any]])
  }

  /// Changes parts of a file. A change without a range replaces the whole text.
  func change(_ name: String, version: Int, _ changes: [(range: [String: Any]?, text: String)]) throws {
    try notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": uri(name), "version": version] as [String: Any],
        "contentChanges": changes.map { change -> [String: Any] in
          if let range = change.range { ["range": range, "text": change.text] } else { ["text": change.text] }
        },
      ])
  }

  /// Returns the findings of a file, as the server sends them. With `version`, waits for those of this version.
  func diagnostics(_ name: String, version: Int? = nil) throws -> [[String: Any]] {
    let found = try message("textDocument/publishDiagnostics") { parameters in
      parameters["uri"] as? String == uri(name) && (version == nil || parameters["version"] as? Int == version)
    }
    return found["diagnostics"] as? [[String: Any]] ?? []
  }

  /// Returns the parameters of a request at a position in a file.
  func at(_ name: String, _ line: Int, _ character: Int, _ more: [String: Any] = [:]) -> [String: Any] {
    more.merging([
      "textDocument": ["uri": uri(name)], "position": ["line": line, "character": character],
    ]) { $1 }
  }

  /// Ends the session by the protocol, and returns the exit status.
  func end() throws -> Int32 {
    _ = try answer("shutdown")
    try notify("exit")
    return waitForExit()
  }

  /// Closes the input of the server, in the same way as a client that has ended.
  func closeInput() throws { try input.fileHandleForWriting.close() }

  /// Returns the exit status, or the negative number of the signal that ended the process.
  func waitForExit() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }
}

/// Returns the position of a part of a text. Lines and characters count from 0, characters in UTF-16 code units.
func place(of part: String, in text: String, offset: Int = 0) -> (line: Int, character: Int) {
  guard let range = text.range(of: part) else { return (0, 0) }
  let before = text[..<range.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
  return (before.count - 1, (before.last?.utf16.count ?? 0) + offset)
}

/// Returns a text after edits whose positions count UTF-16 code units.
func text(_ text: String, applying edits: [[String: Any]]) -> String {
  var lines: [Int] = [0]
  let units = Array(text.utf16)
  for (place, unit) in units.enumerated() where unit == 10 { lines.append(place + 1) }
  func offset(_ position: Any?) -> Int {
    let position = position as? [String: Int] ?? [:]
    return lines[position["line"] ?? 0] + (position["character"] ?? 0)
  }
  var result = units
  let found = edits.map { edit -> (Int, Int, String) in
    let range = edit["range"] as? [String: Any] ?? [:]
    return (offset(range["start"]), offset(range["end"]), edit["newText"] as? String ?? "")
  }
  for edit in found.sorted(by: { $0.0 > $1.0 }) { result.replaceSubrange(edit.0..<edit.1, with: edit.2.utf16) }
  return String(decoding: result, as: UTF16.self)
}
