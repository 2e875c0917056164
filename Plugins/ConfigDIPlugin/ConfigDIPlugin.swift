// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// A build plugin that checks the module files of a target with `configdi`.
///
/// The target lists its modules in `configdi-modules.json` in its folder.
@main struct ConfigDIPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    let list = target.directoryURL.appending(path: ModuleInputs.listName)
    return [
      try command(
        list: list, module: (target as? any SourceModuleTarget)?.moduleName, find: context.tool(named:),
        folder: context.pluginWorkDirectoryURL)
    ]
  }

  /// Returns the command that checks the modules of a list and generates Swift code for them.
  private func command(
    list: URL, module: String?, find: (String) throws -> PluginContext.Tool, folder: URL
  ) throws -> Command {
    guard let tool = try? find("ConfigDICLI").url else {
      throw SetupError(description: "ConfigDIPlugin needs the trait \"BuildPlugin\" of the package ConfigDI")
    }
    guard FileManager.default.fileExists(atPath: list.path) else {
      throw SetupError(
        description: "a target that uses ConfigDIPlugin lists its modules in \(list.path), which does not exist")
    }
    let inputs = ModuleInputs(listedIn: list).files
    let known = folder.appending(path: "inputs.txt")
    try write(inputs.map { $0 + "\n" }.joined(), to: known)
    let output = folder.appending(path: "ConfigDIModules.swift")
    return .buildCommand(
      displayName: "Checking the modules of \(list.deletingLastPathComponent().lastPathComponent)", executable: tool,
      arguments: ["build", list.path, "--inputs", known.path, "--output", output.path]
        + (module.map { ["--module", $0] } ?? []),
      inputFiles: (inputs + [known.path]).map { URL(filePath: $0) }, outputFiles: [output])
  }

  /// Writes a file unless it already has the text, because a new modification time would count as a change.
  private func write(_ text: String, to file: URL) throws {
    if let current = try? String(contentsOf: file, encoding: .utf8), current == text { return }
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
}

/// A mistake in the setup that prevents the plugin from running.
private struct SetupError: Error, CustomStringConvertible {
  /// The mistake, in one sentence.
  let description: String
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension ConfigDIPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let folder = context.xcodeProject.directoryURL.appending(path: target.displayName)
      let list = target.inputFiles.map(\.url).first { $0.lastPathComponent == ModuleInputs.listName }
      return [
        try command(
          list: list ?? folder.appending(path: ModuleInputs.listName), module: Self.moduleName(of: target),
          find: context.tool(named:),
          folder: context.pluginWorkDirectoryURL)
      ]
    }

    /// Returns the default name of a target's Swift module. The build settings of the target may set another name.
    private static func moduleName(of target: XcodeTarget) -> String {
      String(target.displayName.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }
  }
#endif
