// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A piece of client code, compiled to test what the compiler accepts.
struct Snippet {
  /// The output of the compiler.
  let output: String
  /// Whether the compiler accepts the code.
  let compiles: Bool

  /// Compiles code against the module `ConfigDI` with which these tests are linked.
  ///
  /// The compiler runs as far as SIL, because isolation is checked after type checking. It writes no file.
  ///
  /// - Parameters:
  ///   - text: The code after `import ConfigDI`.
  ///   - showsCode: Whether `output` includes the SIL of accepted code.
  init(_ text: String, showsCode: Bool = false) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snippet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Snippet.swift")
    try "import ConfigDI\n\(text)\n".write(to: file, atomically: true, encoding: .utf8)
    let log = folder.appendingPathComponent("log")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments =
      ["swiftc", "-emit-sil", "-o", showsCode ? "-" : "/dev/null", "-parse-as-library", "-swift-version", "6"]
      + ["-I", try Snippet.modules().path, file.path]
    let handle = try FileHandle(forWritingTo: log)
    compiler.standardOutput = handle
    compiler.standardError = handle
    try compiler.run()
    compiler.waitUntilExit()
    output = try String(contentsOf: log, encoding: .utf8)
    compiles = compiler.terminationStatus == 0
  }

  /// Returns the folder with the built modules, next to the test bundle or in a folder above.
  private static func modules() throws -> URL {
    #if os(Linux)
      var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      var folder = Bundle(for: LiveCount.self).bundleURL
    #endif
    while folder.path != "/" {
      let modules = folder.appendingPathComponent("Modules")
      if FileManager.default.fileExists(atPath: modules.appendingPathComponent("ConfigDI.swiftmodule").path) {
        return modules
      }
      folder.deleteLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }
}

/// Expects that the compiler accepts the code.
func expectCompiles(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
  let snippet = try await withWatchdog(seconds: 240, sourceLocation: sourceLocation) { try Snippet(text) }
  #expect(snippet?.compiles == true, "\(snippet?.output ?? "")", sourceLocation: sourceLocation)
}

/// Expects that the compiler rejects the code with a message that contains one of some texts.
///
/// Each such test also needs a similar text that the compiler accepts, to show that nothing else is the reason.
func expectCompileError(
  _ text: String, containing texts: String..., sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let snippet = try #require(
    try await withWatchdog(seconds: 240, sourceLocation: sourceLocation) { try Snippet(text) })
  #expect(!snippet.compiles, "the compiler accepts invalid code", sourceLocation: sourceLocation)
  #expect(
    snippet.compiles || texts.contains { snippet.output.contains($0) },
    "\(snippet.output)", sourceLocation: sourceLocation)
}
