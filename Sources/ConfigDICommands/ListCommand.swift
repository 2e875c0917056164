// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// `configdi list`: prints the ids and names of a module.
  struct ListCommand: PrintingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List services, parameters, tags, types, provided names, scopes and aliases of a module.",
      discussion: """
        Lists the named parts, or all. Services are shown with their type, scope and tags; tags, types, scopes and \
        provided names with the services that have them. The names that a type provides come from the files, or from \
        --catalog. If the composition has errors, they are printed instead.

        EXAMPLES:
          configdi list app.json -e prod
          configdi list app.json services --tag healthCheck
          configdi list app.json provides --catalog catalog.json
        """)

    @Argument(help: CompositionOptions.moduleHelp, completion: CompositionOptions.moduleCompletion)
    var module: String

    @OptionGroup var options: CompositionOptions

    @Argument(help: "What to list: services, parameters, tags, types, provides, scopes, aliases.")
    var parts: [ModuleListing.Part] = []

    @OptionGroup var environment: EnvironmentOption

    @Option(help: ArgumentHelp("List only entries whose id contains this text.", valueName: "text"))
    var id: String?

    @Option(help: ArgumentHelp("List only services of this type.", valueName: "name"), completion: NameCompletion.types)
    var type: String?

    @Option(help: ArgumentHelp("List only services with this tag.", valueName: "tag"), completion: NameCompletion.tags)
    var tag: String?

    @Option(
      help: ArgumentHelp("List only services of this scope.", valueName: "scope"), completion: NameCompletion.scopes)
    var scope: String?

    @Option(help: ArgumentHelp("List only services that provide this name.", valueName: "name"))
    var provides: String?

    @Option(help: "The output format.")
    var format: OutputFormat = .text

    @OptionGroup var printing: OutputOptions

    func validate() throws { try options.checkSyntax(of: module) }

    func run() throws {
      let composed = try options.composed(module, in: environment, findingsAs: format)
      var filter = ModuleListing.Filter()
      (filter.id, filter.type, filter.tag, filter.scope, filter.provides) = (id, type, tag, scope, provides)
      let listing = ModuleListing(of: composed.module, filter: filter)
      var seen: Set<ModuleListing.Part> = []
      let wanted = parts.isEmpty ? ModuleListing.Part.allCases : parts.filter { seen.insert($0).inserted }
      switch format {
      case .text: StandardStream.output.write(listing.text(of: wanted))
      case .json: StandardStream.output.write(JSONWriter.text(of: listing.value(of: wanted)) + "\n")
      }
      if listing.isEmpty(in: wanted) {
        let unfiltered = ModuleListing(of: composed.module)
        if !unfiltered.isEmpty(in: wanted), !hintsAtNames(of: unfiltered) {
          var byID = ModuleListing.Filter()
          byID.id = id
          if let id, ModuleListing(of: composed.module, filter: byID).isEmpty(in: wanted) {
            StandardStream.error.writeHint("no id contains \"\(id.visible)\"")
          } else {
            StandardStream.error.writeHint("nothing matches all of the filters")
          }
        }
      }
      if options.types.isNone, parts.contains(.provides) || provides != nil {
        StandardStream.error.writeHint("what the registered types provide is not known without --catalog")
      }
      try composed.end(isText: format == .text, dependsOnTypes: false)
    }

    /// Writes a hint for each filter whose value does not occur in the module, since nothing is listed. Returns whether
    /// there is one.
    private func hintsAtNames(of module: ModuleListing) -> Bool {
      var isExplained = false
      let filters: [(part: ModuleListing.Part, wanted: String?, words: String)] = [
        (.types, type, "no service has the type"), (.tags, tag, "no service has the tag"),
        (.scopes, scope, "no service has the scope"), (.provides, provides, "no service provides"),
      ]
      for filter in filters {
        guard let wanted = filter.wanted else { continue }
        let names = module.names(in: filter.part)
        if names.contains(wanted) { continue }
        let help = SuggestionIndex.clause(suggestions(for: wanted, among: names))
        StandardStream.error.writeHint("\(filter.words) \"\(wanted.visible)\"\(help.visible)")
        isExplained = true
      }
      return isExplained
    }
  }

  extension ModuleListing.Part: ExpressibleByArgument {}
#endif
