// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// The completions for arguments that name a part of the module on the command line.
  ///
  /// The completion script of the shell runs the tool with the words typed so far. For a module that cannot be read, no
  /// names are offered and nothing is printed.
  enum NameCompletion {
    /// The environments that the module declares.
    static let environments = CompletionKind.custom { words, index, _ in
      CompletedModule(in: words, at: index)?.environments ?? []
    }

    /// The ids that `explain` accepts: services, aliases, parameters, templates and bindings.
    static let explained = ids { $0[.services] + $0[.aliases] + $0[.parameters] + $0[.templates] + $0[.bindings] }
    /// The names that `rename` accepts.
    static let renamed = ids {
      $0[.services] + $0[.aliases] + $0[.parameters] + $0[.templates] + $0[.tags] + $0[.scopes] + $0[.environments]
    }
    /// The tags of services.
    static let tags = ids { $0[.tags] }
    /// The scopes of services: the lifetimes that every module may use, and the named scopes of the module.
    static let scopes = ids { Lifetime.words + $0[.scopes] }
    /// The names of the types of services.
    static let types = ids { $0[.types] }
    /// The paths of parameters for `--set`, including the equals sign.
    static let settings = ids { $0[.parameters].map { "parameters.\($0)=" } }

    /// The first argument of `explain`: a module file or, if the typed text begins with `C`, a diagnostic code.
    static let moduleOrCode = CompletionKind.custom { _, _, prefix in
      let files = ModuleFileSearch(prefix: prefix).paths
      guard prefix.hasPrefix("C") else { return files }
      return DiagnosticCode.all.map(\.description).filter { $0.hasPrefix(prefix) } + files
    }

    /// Returns a completion that offers ids of the module, without duplicates.
    private static func ids(_ names: @escaping @Sendable (ModuleIDs) -> [String]) -> CompletionKind {
      .custom { words, index, _ in
        var seen: Set<String> = []
        return (CompletedModule(in: words, at: index).map { names($0.ids) } ?? []).filter { seen.insert($0).inserted }
      }
    }
  }

  /// The module that a command line names.
  private struct CompletedModule {
    /// The path of the module's file.
    private let path: String

    /// The options whose value is the path of another file or folder.
    private static let fileOptions: Set<String> = [
      "--layer", "--catalog", "--env-file", "--root", "--allow-path", "--against", "--from-layer", "--to-layer",
    ]

    /// Finds the first word with the extension of a module file. `nil` if there is none.
    ///
    /// - Parameter index: The index of the word that is being typed, which is skipped.
    init?(in words: [String], at index: Int) {
      let found = words.indices.dropFirst().first { place in
        place != index && !CompletedModule.fileOptions.contains(words[place - 1]) && !words[place].hasPrefix("-")
          && Syntax(path: words[place]) != nil
      }
      guard let found else { return nil }
      path = words[found]
    }

    /// The request for the module, without environment variables.
    private var request: ModuleRequest { ModuleRequest(entry: .file(path), syntaxes: .builtIn) }

    /// The names of the environments that the module declares.
    var environments: [String] {
      ModuleFiles(request, DiskFiles()).entryModule.environments.map(\.name)
    }

    /// The ids of the module, collected from the compositions of all its environments.
    var ids: ModuleIDs {
      var ids = ModuleIDs()
      let check = ModuleCheck(
        checking: request, environments: nil, files: DiskFiles(), knowing: .none, keepsCompositions: false
      ) { composition in
        if let definition = composition.definition { ids.add(definition) }
      }
      ids.add(check.environments, to: .environments)
      return ids
    }
  }

  /// A search for module files below the folder of a partly typed path.
  ///
  /// Offers complete paths and no folders, because a shell appends a space to a completion that a program offers.
  private struct ModuleFileSearch {
    /// The typed part of the path.
    let prefix: String

    /// The maximum number of folder levels that are searched, and the maximum number of files that are offered.
    private static let (depth, maximumCount) = (3, 200)

    /// The paths that begin with the prefix, ascending.
    var paths: [String] {
      let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
      var found: [String] = []
      search(folder, depth: ModuleFileSearch.depth, into: &found)
      return found.sorted()
    }

    /// Adds the module files below a folder, whose path ends with a slash or is empty.
    private func search(_ folder: String, depth: Int, into found: inout [String]) {
      for (name, isFolder) in DiskFolders().entries(of: folder.isEmpty ? "." : folder) {
        guard found.count < ModuleFileSearch.maximumCount else { return }
        let path = folder + name
        guard !name.hasPrefix("."), path.hasPrefix(prefix) else { continue }
        if isFolder {
          if depth > 1 { search(path + "/", depth: depth - 1, into: &found) }
        } else if Syntax(path: name) != nil {
          found.append(path)
        }
      }
    }
  }
#endif
