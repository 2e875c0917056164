// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// A build plugin that generates the function `Registry.addResolvableTypes()` of a target, which registers the target's
/// types marked with `@Resolvable`.
@main struct ConfigDIRegistrationsPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    // Other kinds of targets have no Swift sources.
    guard let target = target as? any SourceModuleTarget else { return [] }
    let files = target.sourceFiles(withSuffix: ".swift").map(\.url)
    return [
      try command(
        module: target.moduleName, files: files, find: context.tool(named:), folder: context.pluginWorkDirectoryURL)
    ]
  }

  /// Returns the command that generates the registrations of a module.
  private func command(
    module: String, files: [URL], find: (String) throws -> PluginContext.Tool, folder: URL
  ) throws -> Command {
    guard let tool = try? find("ConfigDIRegistrations").url else {
      throw SetupError(description: "ConfigDIRegistrationsPlugin needs the trait \"Macros\" of the package ConfigDI")
    }
    let output = folder.appending(path: "ConfigDIRegistrations.swift")
    return .buildCommand(
      displayName: "Registering the types of \(module)", executable: tool,
      arguments: [module, output.path] + files.map(\.path).sorted(), inputFiles: files, outputFiles: [output])
  }
}

/// A mistake in the setup that prevents the plugin from running.
private struct SetupError: Error, CustomStringConvertible {
  /// The mistake, in one sentence.
  let description: String
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension ConfigDIRegistrationsPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let files = target.inputFiles.map(\.url).filter { $0.pathExtension == "swift" }
      let module = String(target.displayName.map { $0.isLetter || $0.isNumber ? $0 : "_" })
      return [
        try command(module: module, files: files, find: context.tool(named:), folder: context.pluginWorkDirectoryURL)
      ]
    }
  }
#endif
