// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ArgumentParser
  internal import ConfigDI
  internal import ConfigDITooling

  /// What a shell offers for an argument that names something of the module on the command line.
  ///
  /// The script of the shell runs the tool with the words that have been typed. Nothing is printed about a module that cannot be
  /// read, and it has no names.
  enum NameCompletion {
    /// The environments that the module declares.
    static let environments = CompletionKind.custom { words, index, _ in
      CompletedModule(in: words, at: index)?.environments ?? []
    }

    /// What `explain` takes: services, aliases, parameters, templates and bindings.
    static let explained = ids { $0[.services] + $0[.aliases] + $0[.parameters] + $0[.templates] + $0[.bindings] }
    /// What `rename` takes.
    static let renamed = ids {
      $0[.services] + $0[.aliases] + $0[.parameters] + $0[.templates] + $0[.tags] + $0[.scopes] + $0[.environments]
    }
    /// Tags of services.
    static let tags = ids { $0[.tags] }
    /// Lifetimes.
    static let scopes = ids { Lifetime.words + $0[.scopes] }
    /// Names of types that services have.
    static let types = ids { $0[.types] }
    /// Parameters as `--set` names them, up to the value.
    static let settings = ids { $0[.parameters].map { "parameters.\($0)=" } }

    /// The first argument of `explain`: a module's file, or, once its first letter is there, the code of a finding.
    static let moduleOrCode = CompletionKind.custom { _, _, prefix in
      let files = ModuleFileSearch(prefix: prefix).paths
      guard prefix.hasPrefix("C") else { return files }
      return DiagnosticCode.all.map(\.description).filter { $0.hasPrefix(prefix) } + files
    }

    /// Names of the module, each once.
    private static func ids(_ names: @escaping @Sendable (ModuleIDs) -> [String]) -> CompletionKind {
      .custom { words, index, _ in
        var seen: Set<String> = []
        return (CompletedModule(in: words, at: index).map { names($0.ids) } ?? []).filter { seen.insert($0).inserted }
      }
    }
  }

  /// The module that the words of a command line name.
  private struct CompletedModule {
    /// The path of its file.
    private let path: String

    /// The options whose values are files and no entry modules.
    private static let fileOptions: Set<String> = [
      "--layer", "--catalog", "--env-file", "--root", "--allow-path", "--against", "--from-layer", "--to-layer",
    ]

    /// The first word with the extension of a module file; nil where there is none.
    ///
    /// - Parameter index: The place of the word that is being typed, which is not looked at.
    init?(in words: [String], at index: Int) {
      let found = words.indices.dropFirst().first { place in
        place != index && !CompletedModule.fileOptions.contains(words[place - 1]) && !words[place].hasPrefix("-")
          && Syntax(path: words[place]) != nil
      }
      guard let found else { return nil }
      path = words[found]
    }

    /// The request for the module: no variable counts.
    private var request: ModuleRequest { ModuleRequest(entry: .file(path), syntaxes: .builtIn) }

    /// The names of the environments, as declared.
    var environments: [String] {
      let files = ModuleFiles(
        reading: request.entry, root: nil, access: DiskFiles(), limits: request.limits, syntaxes: request.syntaxes)
      return files.entryModule.environments.map(\.name)
    }

    /// The names of all environments.
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

  /// The module files below the folder of a half-typed path.
  ///
  /// Whole paths, not folders: a shell puts a space behind a word of a program.
  private struct ModuleFileSearch {
    /// The beginning of the path.
    let prefix: String

    /// How deep folders are searched, and how many files are offered.
    private static let (depth, maximumCount) = (3, 200)

    /// The paths, ascending.
    var paths: [String] {
      let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
      var found: [String] = []
      search(folder, depth: ModuleFileSearch.depth, into: &found)
      return found.sorted()
    }

    /// Adds the files of a folder, whose name ends with a slash or is empty.
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
