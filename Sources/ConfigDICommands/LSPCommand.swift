// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser

  /// `configdi lsp`: runs the language server.
  struct LSPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "lsp",
      abstract: "Serve an editor: findings while you type, completion, hover, rename.",
      discussion: """
        Speaks the Language Server Protocol 3.17 on the standard streams; an editor starts it. Unsaved files are \
        used as they are in the editor.

        The entry module of a file is found in the folders of the workspace: a module file that no other one imports \
        or uses as a layer. The registered types are read from catalog.json beside it. Both can be set here, or in \
        the editor's initialization options as "entry" and "catalog", and so can "root" and the list "allowPaths"; a \
        path is relative to the first folder of the workspace.

        EXAMPLES:
          configdi lsp
          configdi lsp --entry configs/app.json --catalog build/catalog.json
          configdi lsp --log /tmp/configdi.log
        """)

    @Option(
      help: ArgumentHelp("The entry module of all files; default: found automatically.", valueName: "file"),
      completion: CompositionOptions.moduleCompletion)
    var entry: String?

    @Option(
      help: ArgumentHelp(
        "The catalog of registered types; default: catalog.json beside the entry module.", valueName: "file"),
      completion: .file())
    var catalog: String?

    @Option(help: CompositionOptions.rootHelp, completion: .directory)
    var root: String?

    @Option(name: CompositionOptions.allowedPathsName, help: CompositionOptions.allowedPathsHelp, completion: .file())
    var allowedPaths: [String] = []

    @Option(
      help: ArgumentHelp("Log the messages to a file, without file contents.", valueName: "file"),
      completion: .file())
    var log: String?

    @Flag(help: "Accepted for editors that pass it; the standard streams are used in any case.")
    var stdio = false

    func run() throws {
      guard let log = ServerLog(path: log) else { throw ValidationError("--log: the file cannot be opened.") }
      let server = LanguageServer(
        entry: entry, catalog: catalog, root: root, allowedPaths: allowedPaths, log: log)
      guard server.run() else { throw ExitCode(ExitStatus.findings.rawValue) }
    }
  }
#endif
