// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The properties of a file that tell whether it is a module file, and its imports and layers.
package struct ModuleHead: Hashable, Sendable {
  /// An environment and the canonical paths of its layers.
  package struct Environment: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The canonical paths of the layers, in order.
    package var layers: [String]
  }

  /// Whether the top level has the key `configdi`.
  package var isModule = false
  /// Whether the top level has the key `module`.
  package var isNamed = false
  /// Whether the top level has the key `services` with a map.
  package var hasServices = false
  /// Whether the file is a layer: it has `override`, `replace` or `remove`, but no imports and no environments.
  package var isLayer = false
  /// The canonical paths of the imports, in order.
  package var imports: [String] = []
  /// The environments, in the order of the text.
  package var environments: [Environment] = []

  /// The canonical paths of all imports and layers.
  package var destinations: [String] { imports + environments.flatMap(\.layers) }

  /// Creates the head of a document at a canonical path.
  ///
  /// - Complexity: linear in the document.
  package init(of document: Document, at path: String, _ access: some FileAccess) {
    guard !document.nodes.isEmpty, document[0].kind == .map else { return }
    let folder = Path.folder(of: path)
    func destination(_ node: UInt32) -> String? {
      guard document[node].kind == .string else { return nil }
      return access.canonicalPath(of: Path.join(folder, document.text(of: node)))
    }
    var hasVerbs = false
    for key in document.keys(of: 0) {
      switch document.text(of: key) {
      case "configdi": isModule = true
      case "module": isNamed = true
      case "services": hasServices = document[key + 1].kind == .map
      case "override", "replace", "remove": hasVerbs = true
      case "imports":
        for element in document.elements(of: key + 1) {
          let named = document.keys(of: element).first { document.text(of: $0) == "path" }.map { $0 + 1 }
          if let path = destination(named ?? element) { imports.append(path) }
        }
      case "environments":
        for name in document.keys(of: key + 1) {
          let layers = document.elements(of: name + 1).compactMap(destination)
          environments.append(Environment(name: document.text(of: name), layers: layers))
        }
      default: break
      }
    }
    isLayer = hasVerbs && imports.isEmpty && environments.isEmpty
  }

  /// Whether the file can be an entry module: it has services, imports or environments, and is not a layer.
  package var isEntry: Bool {
    (isModule || isNamed) && !isLayer && (hasServices || !imports.isEmpty || !environments.isEmpty)
  }

  /// Whether the file is a module file, so that it can be checked.
  package var isChecked: Bool { isModule || isNamed && (hasServices || !destinations.isEmpty) }
}

/// The graph of the known module files, with their imports and layers as edges.
package struct ModuleMap: Sendable {
  /// The heads, by canonical path.
  private var heads: [String: ModuleHead] = [:]
  /// The entry module that the user configured, or `nil`. If set, it is the only entry module.
  private let configured: String?

  /// Creates a map without files.
  package init(entry: String?) { configured = entry }

  /// The head of the file at a canonical path, or `nil` if it is not known.
  package subscript(path: String) -> ModuleHead? {
    get { heads[path] }
    set { heads[path] = newValue }
  }

  /// Returns the files that an entry module reaches by imports and layers, itself first. Includes missing files.
  ///
  /// - Complexity: linear in the number of files, imports and layers.
  package func members(of entry: String) -> [String] {
    var members = [entry]
    var seen: Set<String> = [entry]
    var next = 0
    while next < members.count {
      for path in heads[members[next]]?.destinations ?? [] where seen.insert(path).inserted { members.append(path) }
      next += 1
    }
    return members
  }

  /// Returns the entry modules that reach a file by imports and layers and that no other module file uses, ascending.
  ///
  /// - Complexity: linear in the number of files, imports and layers.
  package func entries(of path: String) -> [String] {
    if let configured { return members(of: configured).contains(path) ? [configured] : [] }
    // Follow imports and layers backwards, to the files that no other file uses.
    var users: [String: [String]] = [:]
    for (user, head) in heads where head.isChecked {
      for path in head.destinations { users[path, default: []].append(user) }
    }
    var seen: Set<String> = [path]
    var pending = [path]
    var entries: [String] = []
    while let path = pending.popLast() {
      let above = users[path, default: []].filter { $0 != path }
      if above.isEmpty, heads[path]?.isEntry == true { entries.append(path) }
      for user in above where seen.insert(user).inserted { pending.append(user) }
    }
    return entries.sorted()
  }
}

/// Searches folders for module files.
package struct ModuleScan: Sendable {
  /// The limits of a search, so that it ends soon even in a folder that is not a project. File sizes are in bytes.
  private enum Limit {
    static let folders = 5_000
    static let files = 4_000
    static let fileSize = 4 << 20
  }

  /// Returns the paths of files below a folder whose extension is that of a syntax. Skips hidden files and folders,
  /// `node_modules` and `DerivedData`.
  package static func candidates(below folder: String, depth: Int, _ listing: some FolderListing) -> [String] {
    var found: [String] = []
    var pending = [(folder, depth)]
    var count = 0
    while let (folder, depth) = pending.popLast(), count < Limit.folders, found.count < Limit.files {
      count += 1
      for (name, isFolder) in listing.entries(of: folder) where !name.hasPrefix(".") {
        if isFolder, depth > 0, name != "node_modules", name != "DerivedData" {
          pending.append((Path.join(folder, name), depth - 1))
        } else if !isFolder, Syntax(path: name) != nil, found.count < Limit.files {
          found.append(Path.join(folder, name))
        }
      }
    }
    return found
  }

  /// Reads the head of a file. Returns `nil` if the file cannot be a module file.
  ///
  /// - Parameter isCertain: Whether to decode the file even if its bytes contain neither `configdi` nor `module`.
  package static func head(
    of path: String, _ access: some FileAccess, _ syntaxes: [ModuleSyntax], isCertain: Bool
  ) -> (head: ModuleHead, isComplete: Bool)? {
    guard let syntax = Syntax(path: path), Syntax.readable(with: syntaxes).contains(syntax),
      case .success(let bytes) = access.contents(of: path, limit: isCertain ? Limits().fileSize : Limit.fileSize)
    else { return nil }
    let isBinary = bytes.starts(with: "bplist".utf8)
    // The entry module is found even if its key `configdi` is misspelt. Else its imports would seem to be entry modules.
    let mayBeModule = bytes.containsWord("configdi") || bytes.containsWord("module")
    guard isCertain || isBinary || mayBeModule else { return nil }
    var bag = DiagnosticBag()
    let source = SourceFile(name: path, bytes: bytes)
    let document = Document(reading: source, file: FileID(0), syntax: syntax, syntaxes: syntaxes, bag: &bag)
    return (ModuleHead(of: document, at: path, access), document.isComplete)
  }
}
