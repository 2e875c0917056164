// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A run of the tool that has not ended. Its output goes to files.
struct RunningTool {
  /// The process.
  let process: Process
  /// The files of the standard output and the standard error.
  fileprivate let streams: [URL]

  /// The error if a text does not appear in the output in time.
  struct Timeout: Error, CustomStringConvertible {
    let description: String
  }

  /// The standard output so far.
  var output: String { get throws { String(decoding: try Data(contentsOf: streams[0]), as: UTF8.self) } }
  /// The standard error so far.
  var error: String { get throws { String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self) } }

  /// Waits until the standard output contains a text at least `count` times, and returns the output.
  @discardableResult
  func wait(for text: String, count: Int) async throws -> String {
    try await wait(for: text) { $0.components(separatedBy: text).count > count ? $0 : nil }
  }

  /// Waits until the standard output contains a text after its first `seen` bytes, and returns the added output.
  func wait(behind seen: Int, for text: String) async throws -> String {
    try await wait(for: text) { output in
      let added = String(output.utf8.dropFirst(seen)) ?? ""
      return added.contains(text) ? added : nil
    }
  }

  /// Waits until a closure finds something in the standard output, and returns the result.
  private func wait(for text: String, _ find: (String) -> String?) async throws -> String {
    for _ in 0..<15_000 {
      // In a terminal, the standard error is part of the standard output.
      if let found = find(try output) { return found }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Timeout(description: "no \(text) in \(try output), \(try error)")
  }

  /// Waits until the process has ended, and returns its exit status, or the negative number of the signal that ended
  /// it.
  func end() throws -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }
}

extension BuiltTool {
  /// Starts the tool.
  func start(_ arguments: String...) throws -> RunningTool { try start(Self.executable, arguments) }

  /// Starts the tool in a pseudo-terminal, by the program `script`. The arguments are words without quotes.
  func startInTerminal(_ arguments: String) throws -> RunningTool {
    try start(
      URL(fileURLWithPath: "/usr/bin/script"), ["-qfc", "\(Self.executable.path) \(arguments)", "/dev/null"])
  }

  /// Starts a program.
  private func start(_ program: URL, _ arguments: [String]) throws -> RunningTool {
    let streams = ["output", "error"].map { folder.appendingPathComponent(".\($0)-\(UUID().uuidString)") }
    for stream in streams { try Data().write(to: stream) }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: streams[0])
    process.standardError = try FileHandle(forWritingTo: streams[1])
    try process.run()
    return RunningTool(process: process, streams: streams)
  }

  /// Creates a symbolic link.
  func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.appendingPathComponent(name).path, withDestinationPath: destination)
  }

  /// Renames a file atomically. Replaces a file that has the new name.
  func rename(_ name: String, _ newName: String) throws {
    let (old, new) = (folder.appendingPathComponent(name).path, folder.appendingPathComponent(newName).path)
    guard Foundation.rename(old, new) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
