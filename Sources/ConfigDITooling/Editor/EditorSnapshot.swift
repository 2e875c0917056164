// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The result of the last check of a module: its findings, its documents, and the index of their symbols.
///
/// A class, because lazy properties cache what is derived from the documents. Not thread-safe.
package final class EditorSnapshot {
  /// The canonical path of the entry module, or of the single file that was read.
  package let entry: String
  /// The findings.
  package let diagnostics: [Diagnostic]
  /// The documents, by canonical path.
  package let documents: [String: Document]
  /// The canonical paths, in the order in which the files were read.
  package let paths: [String]
  /// The canonical paths of the files whose findings are in `diagnostics`.
  let checkedPaths: Set<String>
  /// The registered types, or `nil` if they are unknown.
  package let catalog: Catalog?
  /// The canonical path of the catalog file, or `nil` if there is none.
  package let catalogPath: String?
  /// The module files and the imports and layers between them.
  let map: ModuleMap
  /// The files from which the snapshot was read.
  private let files: OverlayFiles
  /// Checks the module in the given files and keeps its compositions; `nil` for a single file.
  private let composing: ((OverlayFiles) -> ModuleCheck)?
  /// The index of the symbols in all documents except the catalog.
  package private(set) lazy var index = SymbolIndex(
    paths.lazy.filter { $0 != self.catalogPath }.compactMap { self.documents[$0] })
  /// The check that keeps the compositions; `nil` for a single file.
  private(set) lazy var check = check(with: files)
  /// The registered types, by name.
  package private(set) lazy var types: [String: TypeDescriptor] = Dictionary(
    (catalog?.types ?? []).map { ($0.name, $0) }
  ) { first, _ in first }
  /// The canonical paths, by file.
  private let pathsByFile: [FileID: String]
  /// The folder that file names in findings are relative to.
  private let workingFolder: String

  /// The compositions, one for each environment; empty for a single file.
  package var compositions: [ModuleCheck.Composition] { check?.compositions ?? [] }

  /// Checks a whole module.
  init(
    checking request: ModuleRequest, entry: String, files: OverlayFiles, _ types: KnownTypes, map: ModuleMap
  ) {
    let check = ModuleCheck(
      checking: request, environments: nil, files: files, knowing: types, keepsCompositions: false)
    self.entry = entry
    self.map = map
    diagnostics = check.diagnostics
    self.catalog = check.catalog
    catalogPath = types.catalogPath.map { files.canonicalPath(of: $0) }
    workingFolder = files.workingFolder
    self.files = files
    composing = { ModuleCheck(checking: request, environments: nil, files: $0, knowing: types) }
    (documents, paths, pathsByFile, checkedPaths) = EditorSnapshot.located(
      check.documents.documents, members: map.members(of: entry), files, request.syntaxes)
  }

  /// Reads a single file. Its findings are those about syntax and shape if `isChecked`, else none.
  init(of path: String, isChecked: Bool, files: OverlayFiles, _ syntaxes: [ModuleSyntax], map: ModuleMap) {
    let read = ModuleFiles(ModuleRequest(entry: .file(path), syntaxes: syntaxes), files)
    entry = path
    self.map = map
    catalog = nil
    catalogPath = nil
    self.files = files
    composing = nil
    workingFolder = files.workingFolder
    (documents, paths, pathsByFile, checkedPaths) = EditorSnapshot.located(
      read.documents.documents, members: map.members(of: path), files, syntaxes)
    guard isChecked, case .success(let file) = read.entry else {
      diagnostics = []
      return
    }
    let check = FindingsReport.Check(environment: nil, bag: read.findings[Int(file.index)], files: [file])
    diagnostics =
      FindingsReport(
        checks: [check], documents: read.documents.documents, order: [file],
        hidden: Redactions(secretsIn: read, isWholeLoad: false)
      ).resolved().shown
  }

  /// Returns documents by path: those that a check has read, and further members of the module, which an error in a
  /// file may have kept the check from reading; and the paths of those that it has read.
  private static func located(
    _ read: [Document], members: [String], _ files: OverlayFiles, _ syntaxes: [ModuleSyntax]
  ) -> ([String: Document], [String], [FileID: String], Set<String>) {
    var documents: [String: Document] = [:]
    var paths: [String] = []
    var numbers: [FileID: String] = [:]
    func add(_ document: Document, _ path: String) {
      numbers[document.file] = path
      if documents.updateValue(document, forKey: path) == nil { paths.append(path) }
    }
    for document in read { add(document, files.canonicalPath(of: document.source.name)) }
    let readPaths = Set(paths)
    var next = read.count
    for path in members where documents[path] == nil {
      guard let syntax = Syntax(path: path), Syntax.readable(with: syntaxes).contains(syntax),
        case .success(let bytes) = files.contents(of: path, limit: Limits().fileSize)
      else { continue }
      var bag = DiagnosticBag()
      let name = Path.displayName(of: path, workingFolder: files.workingFolder)
      let source = SourceFile(name: name, bytes: bytes)
      add(Document(reading: source, file: FileID(next), syntax: syntax, syntaxes: syntaxes, bag: &bag), path)
      next += 1
    }
    return (documents, paths, numbers, readPaths)
  }

  /// Checks the module with other contents of its files; `nil` for a single file.
  func check(with files: OverlayFiles) -> ModuleCheck? { composing?(files) }

  /// Returns the canonical path of the file that contains a token.
  package func path(of token: NodeRef) -> String { pathsByFile[token.file] ?? entry }

  /// Returns the canonical path of the file of a location, or that of the entry module if the location has no file.
  package func path(of location: Diagnostic.Location) -> String {
    if let file = location.source, let path = pathsByFile[file] { return path }
    return entry
  }

  /// Returns the name of a file as shown in findings.
  package func displayName(of path: String) -> String { Path.displayName(of: path, workingFolder: workingFolder) }
}
