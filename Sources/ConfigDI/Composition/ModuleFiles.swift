// SPDX-License-Identifier: Apache-2.0

/// What a load starts from.
package enum Entry: Sendable {
  /// A file, by its path.
  case file(String)
  /// A text that is not on the disk; its imports are relative to the working folder.
  case text(SourceFile, Syntax)
}

/// The files of one load, each read and decoded once, whatever environments use it.
package struct ModuleFiles: Sendable {
  /// The documents by file.
  package private(set) var documents = DocumentSet()
  /// What each file declares, by file.
  private var files: [ModuleFile] = []
  /// The names of all files.
  package var names = Keyword.makeNameTable()
  /// The findings of reading and of shape, by file.
  package private(set) var findings: [DiagnosticBag] = []

  /// How files are reached.
  package let access: any FileAccess
  /// How much may be read.
  private let limits: Limits
  /// The syntaxes that can be read beside those of the library.
  private let syntaxes: [ModuleSyntax]
  /// What imports and the files of parameters stay below: the root, then what else the caller allows, absolute and without
  /// symbolic links.
  private let allowedPaths: [String]
  /// The folder of each file, absolute and without symbolic links.
  private var folders: [String] = []
  /// What is known of each absolute path without symbolic links, in UTF-8: two paths are equal where their bytes are.
  private var known: [[UInt8]: ReadFile] = [:]
  /// Where the paths that files name lead; nil where one leaves the root.
  private var destinations: [NodeRef: String?] = [:]
  /// The documents that are no module files.
  private var foreign: Set<FileID> = []
  /// The entry module.
  package private(set) var entry: ReadFile

  /// The result of reading a file.
  package enum ReadFile: Sendable {
    /// It was read, with or without findings.
    case file(FileID)
    /// It was not.
    case failure(Failure)
  }

  /// Why a file was not read.
  package enum Failure: Sendable {
    /// The disk's word.
    case access(FileFailure)
    /// An ending that no syntax has.
    case unknownEnding
    /// A syntax that this program was built without.
    case syntaxNotBuiltIn(Syntax)
    /// A file more than a load may read.
    case tooManyFiles
  }

  /// Reads the entry module.
  ///
  /// - Parameters:
  ///   - root: The folder that imports and the files of parameters stay below; nil: the entry module's.
  ///   - allowedPaths: Files, and folders with all below them, that may be read as well.
  package init(
    reading entry: Entry, root: String?, allowedPaths: [String] = [], access: any FileAccess, limits: Limits,
    syntaxes: [ModuleSyntax] = []
  ) {
    func allowed(_ ownRoot: String) -> [String] {
      [root.map(access.canonicalPath) ?? ownRoot] + allowedPaths.map(access.canonicalPath)
    }
    self.access = access
    self.limits = limits
    self.syntaxes = syntaxes
    self.entry = .failure(.access(.missing))
    switch entry {
    case .file(let path):
      let canonical = access.canonicalPath(of: path)
      self.allowedPaths = allowed(Path.folder(of: canonical))
      self.entry = read(canonical, shown: path, as: .entry)
      if case .failure = self.entry {
        keep(
          Document(source: SourceFile(name: displayName(of: path), bytes: []), file: documents.nextFile),
          in: Path.folder(of: canonical))
      }
    case .text(let source, let syntax):
      let folder = access.canonicalPath(of: access.workingFolder)
      self.allowedPaths = allowed(folder)
      self.entry = .file(add(source, syntax, in: folder, as: .entry))
    }
  }

  /// Whether a document is no module file, such as a catalog.
  package func isForeign(_ file: FileID) -> Bool { foreign.contains(file) }

  /// Whether each file that was asked for could be read, and no mistake in one leaves open which others it asks for.
  package var hasAllFiles: Bool {
    known.values.allSatisfy { if case .file = $0 { true } else { false } } && !destinations.values.contains(nil)
      && files.allSatisfy(\.namesAllFiles)
  }

  /// The services that extend templates in files that a composition does not apply, such as layers of other environments.
  func extendingServices(outside order: CompositionOrder) -> [ServiceDeclaration] {
    let applied = Set(order.files)
    return files.lazy.filter { !applied.contains($0.file) }
      .flatMap { [$0.added, $0.replaced, $0.overridden] }.filter(\.hasExtendingService)
      .flatMap(\.services).map(\.body).filter { $0.extends != nil }
  }

  /// The entry module, which is empty where it could not be read.
  package var entryFile: FileID { FileID(0) }

  /// What the entry module declares.
  package var entryModule: ModuleFile { self[entryFile] }

  /// What a file declares.
  package subscript(file: FileID) -> ModuleFile { files[Int(file.index)] }

  /// Reads a document that is no module file, such as a catalog, among the files of the load.
  package mutating func readDocument(_ source: SourceFile, _ syntax: Syntax, bag: inout DiagnosticBag) -> Document {
    let document = Document(
      reading: source, file: documents.nextFile, syntax: syntax, limits: limits, bag: &bag)
    foreign.insert(document.file)
    keep(document, in: access.workingFolder)
    return document
  }

  /// Keeps a document that declares nothing.
  private mutating func keep(_ document: Document, in folder: String) {
    documents.append(document)
    files.append(ModuleFile(file: document.file))
    findings.append(DiagnosticBag())
    folders.append(folder)
  }

  /// Where a path of an import or a layer leads, without symbolic links; nil where it is absolute, or leads to a place that
  /// may not be read. The disk is asked once for each path.
  mutating func destination(of path: FilePath) -> String? {
    if let known = destinations[path.node] { return known }
    let destination = Path.isAbsolute(path.text) ? nil : self.destination(of: path.text, from: path.node.file)
    destinations[path.node] = .some(destination)
    return destination
  }

  /// Where the path of a `file` parameter leads, which may be absolute, without symbolic links; nil where it leads to a place
  /// that may not be read.
  func sourceDestination(of source: TextSource) -> String? { destination(of: source.name, from: source.node.file) }

  /// Where a path that a file writes leads, without symbolic links; nil where it leads to a place that may not be read.
  private func destination(of path: String, from file: FileID) -> String? {
    let canonical = access.canonicalPath(of: Path.join(folders[Int(file.index)], path))
    return allowedPaths.contains { Path.isBelow(canonical, $0) } ? canonical : nil
  }

  /// The name by which messages call the file at a path.
  package func displayName(of path: String) -> String {
    Path.displayName(of: path, workingFolder: access.workingFolder)
  }

  /// Reads the file at an absolute path without symbolic links, unless it was read before.
  mutating func read(_ path: String, shown: String? = nil, as role: FileRole = .part) -> ReadFile {
    let key = Array(path.utf8)
    if let found = known[key] { return found }
    let result = readAnew(path, shown: shown ?? path, as: role)
    known[key] = result
    return result
  }

  /// Reads a layer of the caller's, unless it was read before.
  mutating func read(_ layer: ModuleLayer) -> ReadFile {
    switch layer.content {
    case .file(let path):
      return read(access.canonicalPath(of: path), shown: path)
    case .text(let text, let name):
      // No path on the disk begins with a null character.
      let key = Array("\0\(name)\0\(text)".utf8)
      if let found = known[key] { return found }
      let folder = access.canonicalPath(of: access.workingFolder)
      let result = ReadFile.file(add(SourceFile(name: name, text: text), .json, in: folder, as: .part))
      known[key] = result
      return result
    }
  }

  /// Reads a file that was not read before.
  private mutating func readAnew(_ path: String, shown: String, as role: FileRole) -> ReadFile {
    guard let syntax = Syntax(path: path) ?? Syntax(path: shown) else { return .failure(.unknownEnding) }
    guard Syntax.readable(with: syntaxes).contains(syntax) else { return .failure(.syntaxNotBuiltIn(syntax)) }
    guard files.count < limits.files else { return .failure(.tooManyFiles) }
    switch access.contents(of: path, limit: limits.fileSize) {
    case .failure(let failure):
      return .failure(.access(failure))
    case .success(let bytes):
      let source = SourceFile(name: displayName(of: shown), bytes: bytes)
      return .file(add(source, syntax, in: Path.folder(of: path), as: role))
    }
  }

  /// Decodes a file and keeps what it declares.
  private mutating func add(_ source: SourceFile, _ syntax: Syntax, in folder: String, as role: FileRole) -> FileID {
    let file = documents.nextFile
    var bag = DiagnosticBag()
    let document = Document(
      reading: source, file: file, syntax: syntax, syntaxes: syntaxes, limits: limits, bag: &bag)
    documents.append(document)
    files.append(ModuleFile(decoding: document, as: role, names: &names, bag: &bag))
    findings.append(bag)
    folders.append(folder)
    return file
  }
}
