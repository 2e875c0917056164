// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// All that an editor has open: texts that are not saved, the modules that they belong to, and what was found in them.
///
/// Texts are handed in as they change; `refresh()` then checks the modules that they belong to. A class for one thread.
package final class EditorWorkspace {
  /// What a client says at the start.
  package struct Configuration: Sendable {
    /// The folders of the workspace, absolute.
    package var folders: [String] = []
    /// The entry module, or nil where it is found.
    package var entry: String?
    /// The catalog of registered types, or nil: those of `registry`, or else `catalog.json` beside the entry module.
    package var catalog: String?
    /// The registry of the application that the server is part of, or nil.
    package var registry: Registry?
    /// The folder that imports and the files of parameters stay below, or nil: the entry module's.
    package var root: String?
    /// Files, and folders with all below them, to which they may lead as well.
    package var allowedPaths: [String] = []
    /// The environment variables.
    package var variables: [String: String] = [:]
    /// The syntaxes that can be read beside those of the library.
    package var syntaxes: [ModuleSyntax] = []

    /// Nothing is said.
    package init() {}
  }

  /// The findings in one file.
  package struct FileFindings {
    /// The canonical path.
    package let path: String
    /// The findings, in the order of the text.
    package let findings: [EditorDiagnostic]
  }

  /// What the client says.
  let configuration: Configuration
  /// The files with the texts that are open.
  package private(set) var files: OverlayFiles
  /// The folders of the disk.
  let listing: any FolderListing
  /// The open texts by canonical path.
  package private(set) var texts: [String: EditorText] = [:]
  /// The module files.
  private(set) var map: ModuleMap
  /// The modules that were checked, by entry module or file alone.
  private var snapshots: [String: EditorSnapshot] = [:]
  /// The documents of open files as they were when they could be read to the end the last time.
  private var soundDocuments: [String: Document] = [:]
  /// The paths that have changed since the last check.
  private var changed: Set<String> = []
  /// The folders that were scanned.
  private var scanned: Set<String> = []
  /// The paths that have findings, as they were given out last.
  private var published: [String: [EditorDiagnostic]] = [:]
  /// The units of positions.
  package var encoding = PositionEncoding.utf16

  /// A workspace. Its folders are not looked at before the first file is open.
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
}

// MARK: - Texts

extension EditorWorkspace {
  /// The canonical path of a file that a client names.
  package func canonicalPath(of path: String) -> String { files.canonicalPath(of: path) }

  /// Notes the text of an open file.
  package func setText(_ text: EditorText, of path: String) {
    texts[path] = text
    files[path] = text.bytes
    changed.insert(path)
  }

  /// Notes that a file is no longer open: the disk counts again.
  package func close(_ path: String) {
    texts[path] = nil
    files[path] = nil
    soundDocuments[path] = nil
    changed.insert(path)
  }

  /// Notes that a file of the disk was changed, made or removed. An open text goes before it.
  package func noteChange(onDiskOf path: String) {
    if texts[path] == nil { changed.insert(path) }
  }

  /// Whether something has changed since the last check.
  package var isStale: Bool { !changed.isEmpty }

  /// The text of a file, open or not; nil where it cannot be read.
  package func text(of path: String) -> EditorText? {
    if let text = texts[path] { return text }
    guard case .success(let bytes) = files.contents(of: path, limit: Limits().fileSize) else { return nil }
    return EditorText(bytes)
  }
}

// MARK: - Checking

extension EditorWorkspace {
  /// Checks the modules of open files in which something has changed.
  ///
  /// - Returns: The files whose findings are others than before, and the open files whose text has changed, ascending by path.
  package func refresh() -> [FileFindings] {
    guard isStale else { return [] }
    updateMap()
    var wanted: [String: Bool] = [:]
    for path in texts.keys {
      for key in owners(of: path) { wanted[key] = true }
    }
    for key in snapshots.keys where wanted[key] == nil { snapshots[key] = nil }
    for key in wanted.keys.sorted() {
      if let old = snapshots[key], !isAffected(old) { continue }
      let new = snapshot(of: key)
      snapshots[key] = new
      for path in new.paths where texts[path] != nil {
        if let document = new.documents[path], document.isComplete { soundDocuments[path] = document }
      }
    }
    let retyped = changed.filter { texts[$0] != nil }
    changed = []
    return changes(retyped: retyped)
  }

  /// Brings the heads of changed files up to date; scans the folders of newly opened ones.
  private func updateMap() {
    for path in changed.sorted() {
      let folder = configuration.folders.first { Path.isBelow(path, $0) }
      if texts[path] != nil { scan(folder ?? Path.folder(of: path), isWorkspace: folder != nil) }
      update(path)
    }
    if let entry = configuration.entry, map[entry] == nil { update(entry, isCertain: true) }
  }

  /// Looks for module files in a folder, once: in one of the workspace in all below it, else in itself and the one above it.
  private func scan(_ folder: String, isWorkspace: Bool) {
    guard scanned.insert(folder).inserted else { return }
    var found = ModuleScan.candidates(below: [folder], depth: isWorkspace ? 12 : 1, listing)
    if !isWorkspace { found += ModuleScan.candidates(below: [Path.folder(of: folder)], depth: 0, listing) }
    for path in found {
      let path = files.canonicalPath(of: path)
      if map[path] == nil { update(path, isCertain: false) }
    }
  }

  /// Reads the head of a file, and those of the files that it leads to.
  ///
  /// A text that cannot be read to its end keeps what it led to before: while somebody types, no file leaves its module.
  private func update(_ path: String, isCertain: Bool? = nil) {
    let isCertain = isCertain ?? (texts[path] != nil)
    guard let (head, isComplete) = ModuleScan.head(of: path, files, configuration.syntaxes, isCertain: isCertain) else {
      if texts[path] == nil { map[path] = nil }
      return
    }
    if isComplete || map[path]?.isChecked != true { map[path] = head }
    for destination in head.destinations where map[destination] == nil { update(destination, isCertain: true) }
  }

  /// The modules that are checked for a file: the entry modules that it belongs to, else the file alone.
  package func owners(of path: String) -> [String] {
    let entries = map.entries(of: path)
    return entries.isEmpty ? [path] : entries
  }

  /// Whether a change concerns a module.
  private func isAffected(_ snapshot: EditorSnapshot) -> Bool {
    let members = Set(map.members(of: snapshot.entry)).union(snapshot.paths)
    let catalogPath = types(of: snapshot.entry).catalogPath
    return changed.contains { path in
      members.contains(path) || snapshot.catalogPath == path || path == catalogPath
        // What a parameter reads may be any file.
        || texts[path] == nil && map[path] == nil && Path.isBelow(path, Path.folder(of: snapshot.entry))
    }
  }

  /// Checks a module, or a file alone.
  private func snapshot(of path: String) -> EditorSnapshot {
    let head = map[path]
    let isEntry = path == configuration.entry || map.entries(of: path).contains(path)
    guard isEntry || head?.isEntry == true else {
      return EditorSnapshot(
        of: path, isChecked: head?.isChecked == true, files: files, configuration.syntaxes, map: map)
    }
    let request = ModuleRequest(
      entry: .file(path), root: configuration.root, allowedPaths: configuration.allowedPaths,
      variables: configuration.variables, missing: .tolerated, syntaxes: configuration.syntaxes)
    return EditorSnapshot(checking: request, entry: path, files: files, types(of: path), map: map)
  }

  /// The registered types for an entry module: of the catalog that the user names, of the application's registry, or of a
  /// file beside the module that says it is a catalog.
  private func types(of entry: String) -> KnownTypes {
    if let catalog = configuration.catalog { return .catalog(catalog) }
    if let registry = configuration.registry { return .registry(registry) }
    return .catalog(beside: entry, files)
  }

  /// The modules of a file as they were checked last.
  package func snapshots(of path: String) -> [EditorSnapshot] { owners(of: path).compactMap { snapshots[$0] } }

  /// The modules of a file, of each file in them that names a symbol, and so on until no more come: all that a new name of the
  /// symbol concerns. Those without an open file are checked here, as none are kept of them.
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

  /// The document of an open file as it was when it could be read to its end.
  func soundDocument(of path: String) -> Document? { soundDocuments[path] }
}

// MARK: - Findings

extension EditorWorkspace {
  /// The findings that differ from those given out before, and those of open files whose text has changed.
  private func changes(retyped: Set<String>) -> [FileFindings] {
    var current: [String: [EditorDiagnostic]] = [:]
    var seen: [String: Set<EditorDiagnostic>] = [:]
    var converter = DiagnosticConverter(encoding)
    for key in snapshots.keys.sorted() {
      guard let snapshot = snapshots[key] else { continue }
      for (path, finding) in converter.diagnostics(of: snapshot) {
        // What several modules report alike stands once.
        if seen[path, default: []].insert(finding).inserted { current[path, default: []].append(finding) }
      }
    }
    var paths = Set(current.keys.filter { published[$0] != current[$0] })
    paths.formUnion(published.keys.filter { current[$0] == nil })
    paths.formUnion(retyped)
    published = current
    return paths.sorted().map { FileFindings(path: $0, findings: current[$0] ?? []) }
  }

  /// The findings of a file as they were given out last.
  package func findings(of path: String) -> [EditorDiagnostic] { published[path] ?? [] }
}
