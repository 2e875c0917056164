// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What tells of a file whether it is a module file, and which others it leads to.
package struct ModuleHead: Hashable, Sendable {
  /// An environment and the canonical paths of its layers.
  package struct Environment: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The layers, in order.
    package var layers: [String]
  }

  /// Whether the top level has the key `configdi`.
  package var isModule = false
  /// Whether the top level has the key `module`.
  package var isNamed = false
  /// Whether the top level has services of its own.
  package var hasServices = false
  /// Whether it changes what other files define, and has no imports or environments: a layer.
  package var isLayer = false
  /// The canonical paths of the imports.
  package var imports: [String] = []
  /// The environments.
  package var environments: [Environment] = []

  /// The files that the file leads to.
  package var destinations: [String] { imports + environments.flatMap(\.layers) }

  /// The head of a file at a canonical path.
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

  /// Whether the file can be composed by itself: it has services, imports or environments, and is no layer.
  package var isEntry: Bool {
    (isModule || isNamed) && !isLayer && (hasServices || !imports.isEmpty || !environments.isEmpty)
  }

  /// Whether findings about the file mean something.
  package var isChecked: Bool { isModule || isNamed && hasServices }
}

/// The module files that are known, and which entry modules each of them belongs to.
package struct ModuleMap: Sendable {
  /// The heads by canonical path.
  package private(set) var heads: [String: ModuleHead] = [:]
  /// The entry module that the user names, which wins over all others.
  private let configured: String?

  /// A map without files.
  package init(entry: String?) { configured = entry }

  /// The head of a file.
  package subscript(path: String) -> ModuleHead? {
    get { heads[path] }
    set { heads[path] = newValue }
  }

  /// The files that an entry module leads to, itself the first; also those that are not there.
  ///
  /// - Complexity: linear in the files and what they lead to.
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

  /// The entry modules whose composition has a file, ascending; empty where it belongs to none.
  ///
  /// - Complexity: linear in all files for each entry module.
  package func entries(of path: String) -> [String] {
    if let configured { return members(of: configured).contains(path) ? [configured] : [] }
    // Up from the file, to those that nobody leads to.
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

/// Finds the module files of a workspace.
package struct ModuleScan: Sendable {
  /// How much is looked at, so that a wrong folder costs no more than a moment.
  private enum Limit {
    static let folders = 5_000
    static let files = 4_000
    static let fileSize = 4 << 20
  }

  /// The paths of files with an ending of the format below some folders, without hidden and built ones.
  package static func candidates(below folders: [String], depth: Int = 12, _ listing: some FolderListing) -> [String] {
    var found: [String] = []
    var pending = folders.map { ($0, depth) }
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

  /// The head of a file, or nil where it cannot be one of a module.
  ///
  /// - Parameter isCertain: Whether the file is looked at even where it does not hold the word that each module has.
  package static func head(
    of path: String, _ access: some FileAccess, _ syntaxes: [ModuleSyntax], isCertain: Bool = false
  ) -> (head: ModuleHead, isComplete: Bool)? {
    guard let syntax = Syntax(path: path), Syntax.readable(with: syntaxes).contains(syntax),
      case .success(let bytes) = access.contents(of: path, limit: isCertain ? Limits().fileSize : Limit.fileSize)
    else { return nil }
    let isBinary = bytes.starts(with: "bplist".utf8)
    guard isCertain || isBinary || bytes.containsWord("configdi") else { return nil }
    var bag = DiagnosticBag()
    let source = SourceFile(name: path, bytes: bytes)
    let document = Document(reading: source, file: FileID(0), syntax: syntax, syntaxes: syntaxes, bag: &bag)
    return (ModuleHead(of: document, at: path, access), document.isComplete)
  }
}
