// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi rename`: renames an entry, tag or environment in all files of a module.
  struct RenameCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename",
      abstract: "Rename a service, alias, parameter, template, scope, tag or environment in all files of a module.",
      discussion: """
        Shows the places that would change; --yes writes the changes. All files of the composition are changed, in \
        every environment, and no other byte of them. The module must have no errors, and has none afterwards; if \
        the new name is in use, or the change would affect more than the name, nothing is written.

        Names in the code of the application, such as container.resolve(named: "mailer"), are not changed.

        EXAMPLES:
          configdi rename app.json mailer mail.sender
          configdi rename app.json parameters.level log.level --yes
        """)

    @Argument(help: CompositionOptions.moduleHelp, completion: CompositionOptions.moduleCompletion)
    var module: String

    @OptionGroup var options: CompositionOptions

    @Argument(
      help: "The name; parameters.NAME, services.NAME and so on if the name is ambiguous.",
      completion: NameCompletion.renamed)
    var old: String

    @Argument(help: "The new name.")
    var new: String

    @Flag(help: "Write the changes.")
    var yes = false

    @Option(help: "The output format.")
    var format: OutputFormat = .text

    @OptionGroup var printing: OutputOptions

    func validate() throws {
      try options.checkSyntax(of: module)
      if module == "-" { throw ValidationError("rename cannot change a module on standard input.") }
    }

    func run() throws {
      let files = DiskFiles()
      let request = try options.request(of: module, from: files)
      let rename: ModuleRename
      do {
        rename = try ModuleRename(
          of: old, to: new, in: request, entry: module, files: files, knowing: options.types)
      } catch ModuleRename.Failure.invalidModule(let check) {
        throw Report(check).writeFindings(as: format)
      } catch ModuleRename.Failure.refused(let reason) {
        throw ExitCode.refusal("cannot rename \"\(old)\": \(reason)", as: format)
      } catch ModuleRename.Failure.unknown(let near) {
        let help = SuggestionIndex.clause(near)
        throw ExitCode.refusal("nothing in the module has the name \"\(old)\"\(help)", as: format)
      }
      if yes { try FileChanges(changes: rename.changes).write(files) }
      StandardStream.output.write(format == .json ? json(rename) : text(rename))
    }

    /// Returns the changed places as text for people.
    private func text(_ rename: ModuleRename) -> String {
      let what = "\(rename.kind) \(rename.symbol.name) to \(rename.name)"
      let places = rename.places.map { "  \($0.file.visible):\($0.position.line):\($0.position.column)\n" }.joined()
      let closing = yes ? "" : "nothing was written; use --yes to write the changes\n"
      return (yes ? "renamed " : "would rename ") + what + " at\n" + places + (printing.quiet ? "" : closing)
    }

    /// Returns the changed places as JSON.
    private func json(_ rename: ModuleRename) -> String {
      JSONWriter.report { writer in
        writer.member("kind", rename.kind)
        writer.member("from", rename.symbol.name)
        writer.member("to", rename.name)
        writer.member("written", yes)
        writer.key("places")
        writer.array { writer in
          for place in rename.places {
            writer.object(.line) { writer in
              writer.member("file", place.file)
              writer.member("line", place.position.line)
              writer.member("column", place.position.column)
            }
          }
        }
      }
    }
  }
#endif
