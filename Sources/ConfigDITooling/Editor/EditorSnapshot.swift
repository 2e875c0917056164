// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// One module as it was checked last: its findings, its documents, and the names in them.
///
/// A class, as what is derived from the documents is made once and where somebody asks for it. Not for several threads.
package final class EditorSnapshot {
  /// The entry module, or the file alone that is looked at; a canonical path.
  package let entry: String
  /// The findings.
  package let diagnostics: [Diagnostic]
  /// The documents by canonical path.
  package let documents: [String: Document]
  /// The paths in the order in which the files were read.
  package let paths: [String]
  /// The registered types, or nil where they are not known.
  package let catalog: Catalog?
  /// The canonical path of the catalog file, or nil.
  package let catalogPath: String?
  /// What leads from file to file.
  let map: ModuleMap
  /// Checks once more, and keeps what is composed; nil where nothing is.
  private let composing: (() -> ModuleCheck)?
  /// The names of the documents, without those of the catalog.
  package private(set) lazy var index = SymbolIndex(
    paths.lazy.filter { $0 != self.catalogPath }.compactMap { self.documents[$0] })
  /// What was composed in each environment.
  private lazy var check = composing?()
  /// The registered types by name.
  package private(set) lazy var types: [String: TypeDescriptor] = Dictionary(
    (catalog?.types ?? []).map { ($0.name, $0) }
  ) { first, _ in first }
  /// The paths by the number of the file.
  private let pathsByFile: [FileID: String]
  /// The folder from which findings name files.
  private let workingFolder: String

  /// What was composed in each environment; empty where the files cannot be composed.
  package var compositions: [ModuleCheck.Composition] { check?.compositions ?? [] }

  /// A module that is checked as a whole.
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
    composing = { ModuleCheck(checking: request, environments: nil, files: files, knowing: types) }
    (documents, paths, pathsByFile) = EditorSnapshot.located(
      check.documents.documents, members: map.members(of: entry), files, request.syntaxes)
  }

  /// A file that is looked at alone: what is wrong with its syntax and shape where it is a module file.
  init(of path: String, isChecked: Bool, files: OverlayFiles, _ syntaxes: [ModuleSyntax], map: ModuleMap) {
    let read = ModuleFiles(reading: .file(path), root: nil, access: files, limits: Limits(), syntaxes: syntaxes)
    entry = path
    self.map = map
    catalog = nil
    catalogPath = nil
    composing = nil
    workingFolder = files.workingFolder
    (documents, paths, pathsByFile) = EditorSnapshot.located(
      read.documents.documents, members: map.members(of: path), files, syntaxes)
    guard isChecked, case .file(let file) = read.entry else {
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

  /// Documents by their paths: those that a check has read, and those that a file leads to which cannot be read at this moment.
  private static func located(
    _ read: [Document], members: [String], _ files: OverlayFiles, _ syntaxes: [ModuleSyntax]
  ) -> ([String: Document], [String], [FileID: String]) {
    var documents: [String: Document] = [:]
    var paths: [String] = []
    var numbers: [FileID: String] = [:]
    func add(_ document: Document, _ path: String) {
      numbers[document.file] = path
      if documents.updateValue(document, forKey: path) == nil { paths.append(path) }
    }
    for document in read { add(document, files.canonicalPath(of: document.source.name)) }
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
    return (documents, paths, numbers)
  }

  /// The path of the file that holds a token.
  package func path(of token: NodeRef) -> String { pathsByFile[token.file] ?? entry }

  /// The path of a finding's file; what is none of a file belongs to the entry module.
  package func path(of location: Diagnostic.Location) -> String {
    if let file = location.source, let path = pathsByFile[file] { return path }
    return entry
  }

  /// The name of a file as findings call it.
  package func displayName(of path: String) -> String { Path.displayName(of: path, workingFolder: workingFolder) }
}
