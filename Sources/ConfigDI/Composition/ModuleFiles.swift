// SPDX-License-Identifier: Apache-2.0

/// The entry module of a load.
package enum Entry: Sendable {
  /// The file at a path.
  case file(String)
  /// A text that is not on disk. Its imports are relative to the working folder.
  case text(SourceFile, Syntax)

  /// The name of the entry module in messages.
  package var name: String {
    switch self {
    case .file(let path): path
    case .text(let source, _): source.name
    }
  }
}

/// Resolves the paths in the files of a load.
struct PathResolver: Sendable {
  /// The access to the file system.
  let access: any FileAccess
  /// The paths that imports and the files of parameters must stay below: the root, and the additional paths that the
  /// caller allows. Absolute and without symbolic links.
  private let allowedPaths: [String]
  /// The root as the caller gave it; `nil` for the folder of the entry module.
  private let givenRoot: String?
  /// The folder of each file, absolute and without symbolic links.
  fileprivate(set) var folders: [String] = []

  /// Creates a resolver, before any file is read.
  ///
  /// - Parameter ownRoot: the root if the caller gave none: the folder of the entry module.
  fileprivate init(_ access: any FileAccess, root: String?, or ownRoot: String, allowing allowedPaths: [String]) {
    self.access = access
    givenRoot = root
    self.allowedPaths = [root.map(access.canonicalPath) ?? ownRoot] + allowedPaths.map(access.canonicalPath)
  }

  /// Returns the destination of a path in a file, without symbolic links, or `nil` if it may not be read.
  func destination(of path: String, from file: FileID) -> String? {
    let canonical = access.canonicalPath(of: Path.join(folders[Int(file.index)], path))
    return allowedPaths.contains { Path.isBelow(canonical, $0) } ? canonical : nil
  }

  /// Returns the destination of the path in a `file` parameter, without symbolic links. The path may be absolute.
  /// Returns `nil` if it leads to a place that may not be read.
  func destination(of source: TextSource) -> String? { destination(of: source.name, from: source.node.file) }

  /// Returns the finding for a path that may not be read.
  func refusal(of path: String, at node: NodeRef) -> Finding {
    var finding = Finding(.pathLeavesRoot, "path \"\(path)\" leaves the root folder", at: node)
    if let givenRoot, case .failure(.missing) = access.contents(of: givenRoot, limit: 0) {
      finding.help = "the root folder \"\(givenRoot)\" does not exist"
    } else {
      finding.help =
        "paths are relative to the file that contains them and stay below the entry module's folder, below --root, or "
        + "below a path of --allow-path"
    }
    return finding
  }

  /// Returns a key that is equal for sources that read the same. Returns `nil` for a file that may not be read.
  func identity(of source: TextSource) -> ScalarString? {
    let name = source.kind == .file ? destination(of: source) : source.name
    return name.map { ScalarString("\(source.kind) \($0)") }
  }
}

/// The files of one load. Each file is read and decoded once, even if several environments use it.
package struct ModuleFiles: Sendable {
  /// The documents, by file.
  package private(set) var documents = DocumentSet()
  /// The decoded declarations, by file.
  private var files: [ModuleFile] = []
  /// The files with services that extend a template, in the order of reading.
  private var extendingFiles: [FileID] = []
  /// The names of all files.
  package var names = Keyword.makeNameTable()
  /// The findings about reading and shape, by file.
  package private(set) var findings: [DiagnosticBag] = []

  /// The limits of the load.
  private let limits: Limits
  /// The syntaxes that can be read in addition to those of the library.
  private let syntaxes: [ModuleSyntax]
  /// Resolves the paths in the files.
  private(set) var paths: PathResolver
  /// The results of reading, by absolute path without symbolic links. Paths are equal if their bytes are.
  private var known: [ScalarString: ReadFile] = [:]
  /// The destinations of the paths in imports and layers; `nil` for a path that is absolute or not allowed.
  private var destinations: [NodeRef: String?] = [:]
  /// The parameters that files declare secret.
  private(set) var declaredSecrets: Set<Name> = []
  /// The sources that files give to each parameter, for parameters that read one.
  private var textSources: [Name: [TextSource]] = [:]
  /// The identities of the sources that files give to the parameters in `declaredSecrets`, and of those in
  /// `otherSecrets`.
  private(set) var secretSources: Set<ScalarString>
  /// The ids of the parameters that files with errors declare secret or seem to have meant to declare secret, in UTF-8:
  /// more than were decoded.
  private(set) var meantSecrets: Set<[UInt8]> = []
  /// The secrets of a module that this one is compared with. They are hidden in this module as well.
  let otherSecrets: SecretDeclarations
  /// The documents that are not module files.
  private var foreign: Set<FileID> = []
  /// Whether a file was not read that must exist, of this module or of one that it is compared with.
  private var lacksFile: Bool
  /// The entry module, or why it could not be read.
  package private(set) var entry: ReadFile

  /// The number of a file that was read, with or without findings, or why it was not read.
  package typealias ReadFile = Result<FileID, Failure>

  /// The reason why a file was not read.
  package enum Failure: Error, Sendable {
    /// The file system refused access.
    case access(FileFailure)
    /// No syntax has the file extension, only those that can be read.
    case unknownExtension(readable: [Syntax])
    /// The program was built without the syntax.
    case syntaxNotBuiltIn(Syntax)
    /// The limit of files for a load was reached.
    case tooManyFiles
  }

  /// Reads the entry module of a request.
  package init(_ request: ModuleRequest, _ access: any FileAccess) {
    func paths(below ownRoot: String) -> PathResolver {
      PathResolver(access, root: request.root, or: ownRoot, allowing: request.allowedPaths)
    }
    limits = request.limits
    syntaxes = request.syntaxes
    otherSecrets = request.otherSecrets
    secretSources = otherSecrets.sources
    lacksFile = !otherSecrets.isComplete
    entry = .failure(.access(.missing))
    switch request.entry {
    case .file(let path):
      let canonical = access.canonicalPath(of: path)
      self.paths = paths(below: Path.folder(of: canonical))
      entry = read(canonical, shown: path, as: .entry)
      if case .failure = entry {
        keep(
          Document(source: SourceFile(name: displayName(of: path), bytes: []), file: documents.nextFile),
          in: Path.folder(of: canonical))
      }
    case .text(let source, let syntax):
      let folder = access.canonicalPath(of: access.workingFolder)
      self.paths = paths(below: folder)
      entry = .success(add(source, syntax, in: folder, as: .entry))
    }
  }

  /// Whether a document is not a module file, such as a catalog.
  package func isForeign(_ file: FileID) -> Bool { foreign.contains(file) }

  /// Whether every file of the load was read, and no error in a file hides which other files it names. An optional
  /// file that does not exist is not a file of the load.
  package var hasAllFiles: Bool {
    guard case .success = entry else { return false }
    return !lacksFile && !destinations.values.contains(nil) && files.allSatisfy(\.namesAllFiles)
  }

  /// Records that a file was not read that must exist.
  mutating func recordLack() { lacksFile = true }

  /// Whether the layers of all environments were read, or could not be read.
  var hasAllEnvironments: Bool {
    entryModule.environments.lazy.flatMap(\.layers).allSatisfy { destinations.keys.contains($0.node) }
  }

  /// Returns the services that extend a template, of the files that were read but that a composition does not apply,
  /// such as layers of other environments.
  func extendingServices(outside order: CompositionOrder) -> [ServiceDeclaration] {
    let applied = Set(order.files)
    return extendingFiles.lazy.filter { !applied.contains($0) }
      .flatMap { self[$0].allSections }
      .flatMap(\.services).map(\.body).filter { $0.extends != nil }
  }

  /// The file of the entry module. It is empty if it could not be read.
  package var entryFile: FileID { FileID(0) }

  /// The declarations of the entry module.
  package var entryModule: ModuleFile { self[entryFile] }

  /// Returns the declarations of a file.
  package subscript(file: FileID) -> ModuleFile { files[Int(file.index)] }

  /// Reads a document that is not a module file, such as a catalog, and adds it to the files of the load.
  package mutating func readDocument(_ source: SourceFile, _ syntax: Syntax, bag: inout DiagnosticBag) -> Document {
    let document = Document(
      reading: source, file: documents.nextFile, syntax: syntax, limits: limits, bag: &bag)
    foreign.insert(document.file)
    keep(document, in: access.workingFolder)
    return document
  }

  /// Adds a document without declarations.
  private mutating func keep(_ document: Document, in folder: String) {
    documents.append(document)
    var file = ModuleFile(file: document.file)
    file.isUsable = false
    files.append(file)
    findings.append(DiagnosticBag())
    paths.folders.append(folder)
  }

  /// Returns the destination of an import or a layer, without symbolic links. Returns `nil` if the path is absolute or
  /// leads to a place that may not be read. Accesses the file system once for each path.
  mutating func destination(of path: FilePath) -> String? {
    if let known = destinations[path.node] { return known }
    let destination = Path.isAbsolute(path.text) ? nil : paths.destination(of: path.text, from: path.node.file)
    destinations[path.node] = .some(destination)
    return destination
  }

  /// The access to the file system.
  package var access: any FileAccess { paths.access }

  /// Returns the name of the file at a path as shown in messages: relative to the working folder if the path leads there,
  /// otherwise as given.
  package func displayName(of path: String) -> String {
    let normal = Path.normalize(Path.join(access.workingFolder, path))
    let shown = Path.displayName(of: normal, workingFolder: access.workingFolder)
    guard shown != path else { return path }
    // Behind a symbolic link, `..` may lead to another folder.
    let isInside = !Path.isAbsolute(shown) && access.canonicalPath(of: normal) == access.canonicalPath(of: path)
    return isInside ? shown : path
  }

  /// Reads the file at an absolute path without symbolic links, unless it was read before. Messages show `shown`.
  mutating func read(_ path: String, shown: String? = nil, as role: FileRole = .part) -> ReadFile {
    let key = ScalarString(path)
    if let found = known[key] { return found }
    let result = readFromDisk(path, shown: shown ?? path, as: role)
    known[key] = result
    return result
  }

  /// Reads a layer of the caller, unless it was read before.
  mutating func read(_ layer: ModuleLayer) -> ReadFile {
    switch layer.content {
    case .file(let path):
      return read(access.canonicalPath(of: path), shown: path)
    case .text(let text, let name):
      // A path in the file system cannot begin with a null character.
      let key = ScalarString("\0\(name)\0\(text)")
      if let found = known[key] { return found }
      let folder = access.canonicalPath(of: access.workingFolder)
      let result = ReadFile.success(add(SourceFile(name: name, text: text), .json, in: folder, as: .part))
      known[key] = result
      return result
    }
  }

  /// Reads a file that was not read before.
  private mutating func readFromDisk(_ path: String, shown: String, as role: FileRole) -> ReadFile {
    let readable = Syntax.readable(with: syntaxes)
    guard let syntax = Syntax(path: path) ?? Syntax(path: shown) else {
      return .failure(.unknownExtension(readable: readable))
    }
    guard readable.contains(syntax) else { return .failure(.syntaxNotBuiltIn(syntax)) }
    guard files.count < limits.files else { return .failure(.tooManyFiles) }
    switch access.contents(of: path, limit: limits.fileSize) {
    case .failure(let failure):
      return .failure(.access(failure))
    case .success(let bytes):
      let source = SourceFile(name: displayName(of: shown), bytes: bytes)
      return .success(add(source, syntax, in: Path.folder(of: path), as: role))
    }
  }

  /// Decodes a file and adds its declarations.
  private mutating func add(_ source: SourceFile, _ syntax: Syntax, in folder: String, as role: FileRole) -> FileID {
    let file = documents.nextFile
    var bag = DiagnosticBag()
    let document = Document(
      reading: source, file: file, syntax: syntax, syntaxes: syntaxes, limits: limits, bag: &bag)
    documents.append(document)
    let module = ModuleFile(decoding: document, as: role, names: &names, bag: &bag)
    files.append(module)
    if module.hasExtendingService { extendingFiles.append(file) }
    if bag.hasErrors {
      var search = SecretSearch()
      search.collectSecrets(of: document)
      meantSecrets.formUnion(search.secrets)
    }
    findings.append(bag)
    paths.folders.append(folder)
    addSecrets(of: module)
    return file
  }

  /// Adds the parameters that a file declares secret, and the sources of the secret parameters.
  private mutating func addSecrets(of module: ModuleFile) {
    func identities(of sources: [TextSource]) -> [ScalarString] { sources.compactMap(paths.identity) }
    for parameter in module.parameters {
      let texts = (parameter.body.source?.texts ?? []) + parameter.body.surplusTexts
      guard !texts.isEmpty else { continue }
      textSources[parameter.name, default: []] += texts
      if declaredSecrets.contains(parameter.name) { secretSources.formUnion(identities(of: texts)) }
    }
    for name in module.secretParameters where declaredSecrets.insert(name).inserted {
      secretSources.formUnion(identities(of: textSources[name] ?? []))
    }
  }
}
