// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The tool that was built with the tests, run in a temporary folder.
struct BuiltTool: ~Copyable {
  /// The result of a run.
  struct Run {
    /// The exit status, or the negative number of the signal that ended the process.
    let status: Int32
    /// The standard output.
    let output: String
    /// The standard error.
    let error: String

    /// The standard output as JSON.
    var json: NSDictionary {
      get throws {
        let object = try JSONSerialization.jsonObject(with: Data(output.utf8))
        return object as? NSDictionary ?? [:]
      }
    }

    /// The codes of the findings in the JSON of the standard output.
    var codes: [String] {
      get throws { try parts("code") }
    }

    /// The files of the findings in the JSON of the standard output.
    var files: [String] {
      get throws { try parts("file") }
    }

    /// Returns one part of each finding in the JSON of the standard output.
    private func parts(_ key: String) throws -> [String] {
      let diagnostics = try json["diagnostics"] as? [NSDictionary] ?? []
      return diagnostics.compactMap { $0[key] as? String }
    }
  }

  /// The working folder of all runs.
  let folder: URL

  /// Creates an empty folder with some files. A name may contain slashes.
  init(files: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("configdi-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns the text of a file in the folder.
  func text(of name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// Runs the tool.
  func run(_ arguments: String..., variables: [String: String] = [:], input: String = "") throws -> Run {
    try run(BuiltTool.executable, arguments, variables, input)
  }

  /// Runs the tool.
  func run(_ arguments: [String], variables: [String: String] = [:]) throws -> Run {
    try run(BuiltTool.executable, arguments, variables, "")
  }

  /// Runs the test program in which the commands are embedded.
  func runEmbedded(_ arguments: String..., variables: [String: String] = [:]) throws -> Run {
    try runEmbedded(arguments, variables: variables)
  }

  /// Runs the test program in which the commands are embedded.
  func runEmbedded(_ arguments: [String], variables: [String: String] = [:]) throws -> Run {
    let program = BuiltTool.executable.deletingLastPathComponent().appendingPathComponent("_configdi-embedded")
    return try run(program, arguments, variables, "")
  }

  /// Runs a line of shell code, in which `$TOOL` is the path of the tool.
  func shell(_ line: String) throws -> Run {
    try run(URL(fileURLWithPath: "/bin/sh"), ["-c", line], ["TOOL": BuiltTool.executable.path], "")
  }

  /// Runs a command of the tool where no file can become longer than 512 bytes, as on a disk that is nearly full.
  func onFullDisk(_ command: String) throws -> Run {
    try shell("trap '' XFSZ; ulimit -f 1; exec \"$TOOL\" \(command)")
  }

  /// The names of the files in a folder, but for hidden ones, in order.
  func names(in path: String) throws -> [String] {
    let found = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)
    return found.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Runs a program. Its streams are files, so that it never blocks on a full pipe.
  private func run(
    _ program: URL, _ arguments: [String], _ variables: [String: String], _ input: String
  ) throws -> Run {
    let streams = ["input", "output", "error"].map { folder.appendingPathComponent(".\($0)-\(UUID().uuidString)") }
    defer { for stream in streams { try? FileManager.default.removeItem(at: stream) } }
    try Data(input.utf8).write(to: streams[0])
    for stream in streams[1...] { try Data().write(to: stream) }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = variables.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }
    process.standardInput = try FileHandle(forReadingFrom: streams[0])
    process.standardOutput = try FileHandle(forWritingTo: streams[1])
    process.standardError = try FileHandle(forWritingTo: streams[2])
    try process.run()
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    return Run(
      status: status, output: String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self),
      error: String(decoding: try Data(contentsOf: streams[2]), as: UTF8.self))
  }

  /// The path of the tool, in the folder of the test bundle or above it.
  static var executable: URL {
    let arguments = ProcessInfo.processInfo.arguments
    let bundle = arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
    var folder = URL(fileURLWithPath: bundle)
    while folder.path != "/" {
      let tool = folder.appendingPathComponent("configdi")
      if FileManager.default.isExecutableFile(atPath: tool.path), !isFolder(tool) { return tool }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "configdi")
  }

  /// Returns whether a path is a folder.
  private static func isFolder(_ place: URL) -> Bool {
    (try? place.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
  }
}
