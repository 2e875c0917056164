// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #endif

  /// The log of a session, with a line for each message: its method and subject, but never the text of a file.
  final class ServerLog {
    /// The descriptor of the log file, or `nil` if nothing is logged.
    private let descriptor: CInt?

    /// Opens a file to append to, or creates one that only its owner may read. If `path` is `nil`, nothing is logged.
    ///
    /// - Returns: `nil` if the file cannot be opened.
    init?(path: String?) {
      guard let path else {
        descriptor = nil
        return
      }
      let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard opened >= 0 else { return nil }
      descriptor = opened
    }

    deinit { if let descriptor { close(descriptor) } }

    /// Appends a line.
    func note(_ line: @autoclosure () -> String) {
      guard let descriptor else { return }
      let bytes = Array((line().visible + "\n").utf8)
      _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Logs a message of the client: its method, id, document, version, number of changes, position and new name.
    func note(received message: JSONValue) {
      guard descriptor != nil else { return }
      guard let method = message["method"].text else { return note("--> a response") }
      let parameters = message["params"]
      var words = ["-->", method]
      if !message["id"].isNull { words.append("#\(ServerLog.words(message["id"]))") }
      if let uri = parameters["textDocument"]["uri"].text { words.append(ServerLog.name(uri)) }
      if let version = parameters["textDocument"]["version"].number { words.append("v\(version)") }
      let changes = parameters["contentChanges"].elements
      if !changes.isEmpty {
        words.append(changes.count == 1 ? "1 change" : "\(changes.count) changes")
        if !changes[0]["range"].isNull { words.append("at \(ServerLog.place(changes[0]["range"]["start"]))") }
      }
      if !parameters["position"].isNull { words.append("at \(ServerLog.place(parameters["position"]))") }
      if let name = parameters["newName"].text { words.append("to \"\(name)\"") }
      note(words.joined(separator: " "))
    }

    /// Logs a message of the server: a notification with its findings, or the id and the kind of a result.
    func note(sent message: JSONValue) {
      guard descriptor != nil else { return }
      var words = ["<--"]
      if let method = message["method"].text {
        words.append(method)
        let parameters = message["params"]
        if let uri = parameters["uri"].text { words.append(ServerLog.name(uri)) }
        if let version = parameters["version"].number { words.append("v\(version)") }
        if method == "textDocument/publishDiagnostics" {
          let found = parameters["diagnostics"].elements.prefix(5).map {
            "\($0["code"].text ?? "") at \(ServerLog.place($0["range"]["start"]))"
          }
          let count = parameters["diagnostics"].elements.count
          words.append(count == 0 ? "no findings" : found.joined(separator: ", ") + (count > 5 ? ", …" : ""))
        }
      } else {
        words.append("#\(ServerLog.words(message["id"]))")
        if let text = message["error"]["message"].text {
          words.append("error \(ServerLog.words(message["error"]["code"])): \(text)")
        } else {
          words.append(ServerLog.summary(message["result"]))
        }
      }
      note(words.joined(separator: " "))
    }

    /// Returns the kind of a result and the number of its elements.
    private static func summary(_ result: JSONValue) -> String {
      switch result {
      case .null: return "nothing"
      case .list(let elements): return elements.count == 1 ? "1 element" : "\(elements.count) elements"
      case .map:
        if case .map(let changes) = result["changes"] {
          let files = changes.sorted { $0.key < $1.key }.map { "\(name($0.key)): \($0.value.elements.count)" }
          return "edits in " + files.joined(separator: ", ")
        }
        if case .list(let items) = result["items"] { return "\(items.count) items" }
        return "a result"
      default: return "a result"
      }
    }

    /// Returns the last part of a URI.
    private static func name(_ uri: String) -> String {
      String(uri.split(separator: "/").last ?? Substring(uri))
    }

    /// Returns a position as an editor shows it, with the line and the character counted from 1.
    private static func place(_ position: JSONValue) -> String {
      let position = TextPosition(position) ?? TextPosition(line: 0, character: 0)
      return "\(position.line + 1):\(position.character + 1)"
    }

    /// Returns a value as JSON.
    private static func words(_ value: JSONValue) -> String { String(decoding: value.bytes, as: UTF8.self) }
  }
#endif
