// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A piece of a client's code, which the compiler is asked about.
struct Snippet {
  /// What the compiler said.
  let output: String
  /// Whether it took the code.
  let compiles: Bool

  /// Compiles a text against the module `ConfigDI` that these tests are linked with.
  ///
  /// The text is compiled as far as the checks of isolation go, which follow the type check; no file is written.
  ///
  /// - Parameters:
  ///   - text: the statements and declarations behind `import ConfigDI`.
  ///   - showsCode: whether the output shows what the compiler made of a text that it takes, in its intermediate language.
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

  /// The folder with the built modules, which stands beside the test bundle.
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

/// Expects that the compiler takes a text.
func expectCompiles(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
  let snippet = try await withWatchdog(seconds: 240, sourceLocation: sourceLocation) { try Snippet(text) }
  #expect(snippet?.compiles == true, "\(snippet?.output ?? "")", sourceLocation: sourceLocation)
}

/// Expects that the compiler refuses a text, and that one of some words stands in what it says.
///
/// A similar text that it takes belongs to each such test, so that it is refused for this reason and no other.
func expectRefused(
  _ text: String, saying words: String..., sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let snippet = try #require(
    try await withWatchdog(seconds: 240, sourceLocation: sourceLocation) { try Snippet(text) })
  #expect(!snippet.compiles, "the compiler takes what it should refuse", sourceLocation: sourceLocation)
  #expect(
    snippet.compiles || words.contains { snippet.output.contains($0) },
    "\(snippet.output)", sourceLocation: sourceLocation)
}
