// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The state of an editor: the open texts, the modules that they belong to, and the findings in these.
///
/// The caller sets changed texts and calls `refresh()` to check the modules that they belong to. Not thread-safe.
package final class EditorWorkspace {
  /// The settings that a client sends at the start.
  package struct Configuration: Sendable {
    /// The absolute paths of the workspace folders.
    package var folders: [String] = []
    /// The entry module, or `nil` to search for entry modules.
    package var entry: String?
    /// The catalog file of registered types. If `nil`, the types are those of `registry`, or of a `catalog.json` in the
    /// folder of the entry module.
    package var catalog: String?
    /// The registry of the application that contains the server, or `nil` if there is none.
    package var registry: Registry?
    /// The folder that imports and files of parameters must stay below; `nil` for the entry module's folder.
    package var root: String?
    /// Files, and folders with everything below them, that may be read in addition to the root.
    package var allowedPaths: [String] = []
    /// The environment variables.
    package var variables: [String: String] = [:]
    /// The syntaxes that can be read in addition to those of the library.
    package var syntaxes: [ModuleSyntax] = []

    /// Creates a configuration with the defaults.
    package init() {}
  }

  /// The findings in one file.
  package struct FileFindings {
    /// The canonical path.
    package let path: String
    /// The findings, by module and in the order of each module's check.
    package let findings: [EditorDiagnostic]
  }

  /// The settings of the client, with canonical paths.
  let configuration: Configuration
  /// The files on disk, with the open texts in place of their contents.
  package private(set) var files: OverlayFiles
  /// The access to the folders on disk.
  let listing: any FolderListing
  /// The open texts, by canonical path.
  package private(set) var texts: [String: EditorText] = [:]
  /// The known module files and the imports and layers between them.
  private(set) var map: ModuleMap
  /// The last check of each module or single file, by canonical path.
  private var snapshots: [String: EditorSnapshot] = [:]
  /// The last complete document of each open file, by canonical path.
  private(set) var lastCompleteDocuments: [String: Document] = [:]
  /// The canonical paths of the files that have changed since the last check.
  private var changed: Set<String> = []
  /// The folders that were searched for module files.
  private var scanned: Set<String> = []
  /// The findings that `refresh()` last reported, by canonical path. Files without findings are left out.
  private var published: [String: [EditorDiagnostic]] = [:]
  /// The units in which characters are counted.
  package var encoding = PositionEncoding.utf16

  /// Creates a workspace. Does not read its folders before the first file is opened.
  package init(_ configuration: Configuration, files: some FileAccess, listing: some FolderListing) {
    var configuration = configuration
    configuration.folders = configuration.folders.map(files.canonicalPath)
    let folder = configuration.folders.first ?? files.canonicalPath(of: files.workingFolder)
    func located(_ path: String?) -> String? { path.map { files.canonicalPath(of: Path.join(folder, $0)) } }
    configuration.entry = located(configuration.entry)
    configuration.catalog = located(configuration.catalog)
    configuration.root = located(configuration.root)
    configuration.allowedPaths = configuration.allowedPaths.compactMap(located)
    self.configuration = configuration
    self.files = OverlayFiles(over: files, workingFolder: folder)
    self.listing = listing
    map = ModuleMap(entry: configuration.entry)
  }

  /// Creates a workspace with the same open texts but other settings. Reads all files on disk again.
  ///
  /// The findings of files that it does not know any more are reported as removed.
  package convenience init(
    replacing old: EditorWorkspace, _ configuration: Configuration, files: some FileAccess, listing: some FolderListing
  ) {
    self.init(configuration, files: files, listing: listing)
    published = old.published
    for (path, text) in old.texts { setText(text, of: path) }
  }
}

// MARK: - Texts

extension EditorWorkspace {
  /// Returns the canonical path of a file.
  package func canonicalPath(of path: String) -> String { files.canonicalPath(of: path) }

  /// Sets the text of an open file, by canonical path.
  package func setText(_ text: EditorText, of path: String) {
    texts[path] = text
    files[path] = text.bytes
    changed.insert(path)
  }

  /// Closes a file. Its contents are then those on disk.
  package func close(_ path: String) {
    texts[path] = nil
    files[path] = nil
    lastCompleteDocuments[path] = nil
    changed.insert(path)
  }

  /// Records that a file on disk was changed, created or removed. Has no effect if the file is open.
  package func recordChange(onDiskOf path: String) {
    if texts[path] == nil { changed.insert(path) }
  }

  /// Whether a file has changed since the last check.
  package var isStale: Bool { !changed.isEmpty }
}

// MARK: - Checking

extension EditorWorkspace {
  /// Checks the modules of open files that are affected by changes.
  ///
  /// - Returns: The files whose findings differ from before, and the open files that have changed, ascending by path.
  package func refresh() -> [FileFindings] {
    guard isStale else { return [] }
    updateMap()
    let wanted = Set(texts.keys.flatMap(owners(of:)))
    for key in snapshots.keys where !wanted.contains(key) { snapshots[key] = nil }
    for key in wanted.sorted() {
      if let old = snapshots[key], !isAffected(old) { continue }
      let new = snapshot(of: key)
      snapshots[key] = new
      for path in new.paths where texts[path] != nil {
        if let document = new.documents[path], document.isComplete { lastCompleteDocuments[path] = document }
      }
    }
    for path in texts.keys where !snapshots(of: path).contains(where: { $0.checkedPaths.contains(path) }) {
      // An error in another file has kept the check from reading this one. Its own errors are reported all the same.
      snapshots[path] = EditorSnapshot(of: path, isChecked: true, files: files, configuration.syntaxes, map: map)
    }
    let edited = changed.filter { texts[$0] != nil }
    changed = []
    return changes(edited: edited)
  }

  /// Updates the heads of changed files. Once a file is open, searches the folders of the workspace for module files, and
  /// the folder of a file outside of them.
  private func updateMap() {
    for path in changed.sorted() {
      if texts[path] != nil {
        for folder in configuration.folders { scan(folder, isWorkspace: true) }
        if !configuration.folders.contains(where: { Path.isBelow(path, $0) }) {
          scan(Path.folder(of: path), isWorkspace: false)
        }
      }
      update(path)
    }
    if let entry = configuration.entry, map[entry] == nil { update(entry, isCertain: true) }
  }

  /// Searches a folder for module files, once: a workspace folder 12 levels deep; another 1 level deep, and its parent.
  private func scan(_ folder: String, isWorkspace: Bool) {
    guard scanned.insert(folder).inserted else { return }
    var found = ModuleScan.candidates(below: folder, depth: isWorkspace ? 12 : 1, listing)
    if !isWorkspace { found += ModuleScan.candidates(below: Path.folder(of: folder), depth: 0, listing) }
    for path in found {
      let path = files.canonicalPath(of: path)
      if map[path] == nil { update(path, isCertain: false) }
    }
  }

  /// Updates the head of a file, and reads those of its imports and layers if they are not known.
  ///
  /// A module file with a syntax error keeps its old head, so that files do not leave the module while the user types.
  private func update(_ path: String, isCertain: Bool? = nil) {
    let isCertain = isCertain ?? (texts[path] != nil)
    guard let (head, isComplete) = ModuleScan.head(of: path, files, configuration.syntaxes, isCertain: isCertain) else {
      if texts[path] == nil { map[path] = nil }
      return
    }
    if isComplete || map[path]?.isChecked != true { map[path] = head }
    for destination in head.destinations where map[destination] == nil { update(destination, isCertain: true) }
  }

  /// Returns the modules that are checked for a file: the entry modules that it belongs to, or else the file itself.
  package func owners(of path: String) -> [String] {
    let entries = map.entries(of: path)
    return entries.isEmpty ? [path] : entries
  }

  /// Returns whether a changed file can affect the check of a module.
  private func isAffected(_ snapshot: EditorSnapshot) -> Bool {
    let members = Set(map.members(of: snapshot.entry)).union(snapshot.paths)
    let catalogPath = types(of: snapshot.entry).catalogPath
    return changed.contains { path in
      members.contains(path) || snapshot.catalogPath == path || path == catalogPath
        // A parameter may read any file below the folder.
        || texts[path] == nil && map[path] == nil && Path.isBelow(path, Path.folder(of: snapshot.entry))
    }
  }

  /// Checks a module, or reads a single file.
  private func snapshot(of path: String) -> EditorSnapshot {
    let head = map[path]
    let isEntry = path == configuration.entry || map.entries(of: path).contains(path)
    guard isEntry || head?.isEntry == true else {
      return EditorSnapshot(
        of: path, isChecked: head?.isChecked == true, files: files, configuration.syntaxes, map: map)
    }
    let request = ModuleRequest(
      entry: .file(path), root: configuration.root, allowedPaths: configuration.allowedPaths,
      variables: .init(configuration.variables), missing: .tolerated, syntaxes: configuration.syntaxes)
    return EditorSnapshot(checking: request, entry: path, files: files, types(of: path), map: map)
  }

  /// Returns the source of the registered types for an entry module: the configured catalog, else the registry, else a
  /// `catalog.json` in the folder of the module.
  private func types(of entry: String) -> KnownTypes {
    if let catalog = configuration.catalog { return .catalog(catalog) }
    if let registry = configuration.registry { return .registry(registry) }
    return .catalog(beside: entry, files)
  }

  /// Returns the last checks of the modules that a file belongs to.
  package func snapshots(of path: String) -> [EditorSnapshot] { owners(of: path).compactMap { snapshots[$0] } }

  /// Returns all modules that renaming a symbol affects: those of a file, those of each file in them that names the
  /// symbol, and so on. Checks the modules without an open file, because their snapshots are not kept.
  func snapshots(naming symbol: Symbol, from path: String) -> [EditorSnapshot] {
    var found: [EditorSnapshot] = []
    var pending = owners(of: path)
    var seen = Set(pending)
    while found.count < pending.count {
      let entry = pending[found.count]
      let module = snapshots[entry] ?? snapshot(of: entry)
      found.append(module)
      for file in Set(module.index.occurrences(of: symbol).map { module.path(of: $0.token) }).sorted() {
        pending += owners(of: file).filter { seen.insert($0).inserted }
      }
    }
    return found
  }
}

// MARK: - Findings

extension EditorWorkspace {
  /// Records the current findings as published. Returns those of the files whose findings differ from before, and of
  /// the changed open files `edited`.
  private func changes(edited: Set<String>) -> [FileFindings] {
    var current: [String: [EditorDiagnostic]] = [:]
    var seen: [String: Set<EditorDiagnostic>] = [:]
    var converter = DiagnosticConverter(encoding)
    for key in snapshots.keys.sorted() {
      guard let snapshot = snapshots[key] else { continue }
      for (path, finding) in converter.diagnostics(of: snapshot) {
        // A finding that several modules report is listed once.
        if seen[path, default: []].insert(finding).inserted { current[path, default: []].append(finding) }
      }
    }
    var paths = Set(current.keys.filter { published[$0] != current[$0] })
    paths.formUnion(published.keys.filter { current[$0] == nil })
    paths.formUnion(edited)
    published = current
    return paths.sorted().map { FileFindings(path: $0, findings: current[$0] ?? []) }
  }

  /// The last checks that included a file, ascending by the path of the module.
  func checks(of path: String) -> [EditorSnapshot] {
    snapshots.filter { $0.value.checkedPaths.contains(path) }.ascending(by: \.key).map(\.value)
  }

  /// Returns the findings of a file that `refresh()` last reported.
  package func findings(of path: String) -> [EditorDiagnostic] { published[path] ?? [] }
}
