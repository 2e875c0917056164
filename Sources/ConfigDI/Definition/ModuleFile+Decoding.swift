// SPDX-License-Identifier: Apache-2.0

/// What a file is to its load.
package enum FileRole: Sendable {
  /// The module that the caller named.
  case entry
  /// An import or a layer.
  case part
}

extension ModuleFile {
  /// Reads what a document declares and tells every breach of the format's shape.
  ///
  /// - Complexity: linear in the size of the document.
  package init(decoding document: Document, as role: FileRole, names: inout NameTable, bag: inout DiagnosticBag) {
    self.init(file: document.file)
    guard document.isComplete, !document.nodes.isEmpty else {
      isUsable = false
      return
    }
    var reader = ShapeReader(document: document, names: NameTable(), bag: DiagnosticBag())
    swap(&reader.names, &names)
    swap(&reader.bag, &bag)
    isUsable = reader.hasUsableRoot()
    if isUsable { reader.readRoot(into: &self, as: role) }
    if isAutowired?.value == true {
      added.autowireServices()
      replaced.autowireServices()
    }
    swap(&reader.names, &names)
    swap(&reader.bag, &bag)
  }
}

extension Sections {
  /// Notes of every service that it is defined in a file whose services are autowired.
  fileprivate mutating func autowireServices() {
    for place in services.indices { services[place].body.isAutowiredByFile = true }
  }
}

extension ShapeReader {
  /// Whether the root is a map of this version of the format; tells it where it is not.
  fileprivate mutating func hasUsableRoot() -> Bool {
    guard expect(.map, at: 0) else { return false }
    for key in document.keys(of: 0) where Keyword(name(of: key)) == .configdi {
      let value = key + 1
      guard isReadable(value) else { return true }
      guard expect(.integer, at: value) else { return false }
      if document[value].payload != 1 {
        report(.unsupportedVersion(document[value].payload, at: reference(value)))
        return false
      }
    }
    return true
  }

  /// Reads the top level of a file.
  fileprivate mutating func readRoot(into file: inout ModuleFile, as role: FileRole) {
    let shape = readMap(0, allowing: Keyword.root) { reader, keyword, key, value in
      switch keyword {
      case .configdi: break
      case .module: file.module = reader.token(at: value)
      case .schema: _ = reader.expect(.string, at: value)
      case .imports: file.imports = reader.filePaths(in: value, allowingMaps: true)
      case .environments:
        guard role == .entry else { return reader.report(.entryModuleOnly(keyword, at: reader.reference(key))) }
        file.environments = reader.environments(in: value)
      case .scopes:
        guard role == .entry else { return reader.report(.entryModuleOnly(keyword, at: reader.reference(key))) }
        reader.readScopes(in: value, into: &file)
      case .autowire: file.isAutowired = reader.flag(at: value)
      case .override: file.overridden = reader.verbSections(in: value, as: .overriding)
      case .replace: file.replaced = reader.verbSections(in: value, as: .defining)
      case .remove: file.removed = reader.removals(in: value)
      default: reader.readSection(keyword, in: value, as: .defining, into: &file.added)
      }
    }
    require(.configdi, in: shape, of: 0, "a module file")
    require(.module, in: shape, of: 0, "a module file")
  }
}

/// Whether an entry stands alone or changes an older one.
enum EntryRole {
  /// In a plain section or under `replace`.
  case defining
  /// Under `override`.
  case overriding
}

// MARK: - Sections

extension Keyword {
  /// The keys of a file's top level.
  fileprivate static let root: [Keyword] =
    [.configdi, .module, .schema, .autowire, .imports, .environments, .scopes] + sections
    + [.override, .replace, .remove]

  /// The sections whose entries have ids.
  fileprivate static let sections: [Keyword] = [.parameters, .templates, .services, .aliases, .bindings]
}

extension ShapeReader {
  /// Reads one section's entries.
  fileprivate mutating func readSection(
    _ section: Keyword, in node: UInt32, as role: EntryRole, into sections: inout Sections
  ) {
    switch section {
    case .parameters:
      sections.parameters = entries(in: node, .id) { $0.parameter(at: $1, as: role) }
    case .templates:
      sections.templates = entries(in: node, .id) { $0.template(at: $1, as: role) }
    case .services:
      sections.services = entries(in: node, .id) { $0.service(at: $1, as: role) }
    case .aliases:
      sections.aliases = entries(in: node, .id) { $0.target(at: $1) }
    case .bindings:
      sections.bindings = entries(in: node, .type) { $0.target(at: $1) }
    default:
      break
    }
  }

  /// The entries of a map from ids to what they name. An entry whose key is no name is read all the same.
  private mutating func entries<Body>(
    in node: UInt32, _ grammar: NameGrammar, _ read: (inout ShapeReader, UInt32) -> Body
  ) -> [Declaration<Body>] {
    guard expect(.map, at: node) else { return [] }
    var entries: [Declaration<Body>] = []
    entries.reserveCapacity(Int(document[node].payload))
    for key in document.keys(of: node) {
      let outer = isMisshapen
      isMisshapen = false
      checkName(at: key, grammar)
      let name = name(of: key)
      let body = read(&self, key + 1)
      entries.append(Declaration(name: name, key: reference(key), isMisshapen: isMisshapen, body: body))
      isMisshapen = isMisshapen || outer
    }
    return entries
  }

  /// The id that an alias or a binding names. One that is no string is told.
  private mutating func target(at node: UInt32) -> Token {
    token(at: node) ?? Token(name: names.name(""), node: reference(node))
  }

  /// The sections under `override` or `replace`.
  fileprivate mutating func verbSections(in node: UInt32, as role: EntryRole) -> Sections {
    var sections = Sections()
    readMap(node, allowing: Keyword.sections) { reader, keyword, _, value in
      reader.readSection(keyword, in: value, as: role, into: &sections)
    }
    return sections
  }

  /// The ids under `remove`.
  fileprivate mutating func removals(in node: UInt32) -> [Removal] {
    var removals: [Removal] = []
    readMap(node, allowing: Keyword.sections) { reader, keyword, _, value in
      guard let section = Section(rawValue: keyword.text), reader.expect(.list, at: value) else { return }
      for element in reader.document.elements(of: value) {
        if let id = reader.token(at: element) { removals.append(Removal(section: section, id: id)) }
      }
    }
    return removals
  }
}

// MARK: - Other files

extension ShapeReader {
  /// The paths in a list, as strings or, where allowed, as maps with `path` and `optional`.
  fileprivate mutating func filePaths(in node: UInt32, allowingMaps: Bool) -> [FilePath] {
    guard expect(.list, at: node) else { return [] }
    var paths: [FilePath] = []
    for element in document.elements(of: node) {
      switch document[element].kind {
      case .string:
        paths.append(FilePath(text: document.text(of: element), node: reference(element)))
      case .map where allowingMaps:
        if let path = importMap(at: element) { paths.append(path) }
      case .invalid:
        isMisshapen = true
      default:
        let wanted = allowingMaps ? "a path or a map with \"path\"" : "a path"
        report(.wrongKind(wanted: wanted, found: document[element].kind.inWords, at: reference(element)))
      }
    }
    return paths
  }

  /// An import in the form of a map, or nil where its path cannot be read.
  private mutating func importMap(at node: UInt32) -> FilePath? {
    var path: FilePath?
    var isOptional = false
    let shape = readMap(node, allowing: [.path, .optional]) { reader, keyword, _, value in
      if keyword == .path {
        path = reader.string(at: value).map { FilePath(text: $0, node: reader.reference(value)) }
      } else {
        isOptional = reader.flag(at: value)?.value ?? false
      }
    }
    require(.path, in: shape, of: node, "an import")
    path?.isOptional = isOptional
    return path
  }

  /// The environments in the order of the file.
  fileprivate mutating func environments(in node: UInt32) -> [EnvironmentDeclaration] {
    guard expect(.map, at: node) else { return [] }
    var environments: [EnvironmentDeclaration] = []
    for key in document.keys(of: node) {
      let outer = isMisshapen
      isMisshapen = false
      checkName(at: key, .id)
      let layers = filePaths(in: key + 1, allowingMaps: false)
      environments.append(
        EnvironmentDeclaration(name: document.text(of: key), layers: layers, isMisshapen: isMisshapen))
      isMisshapen = isMisshapen || outer
    }
    return environments
  }
}

// MARK: - Scopes

extension ShapeReader {
  /// Reads the named scopes, outermost first. One whose name is none still counts as there.
  fileprivate mutating func readScopes(in node: UInt32, into file: inout ModuleFile) {
    let outer = isMisshapen
    isMisshapen = false
    var seen: [Name: NodeRef] = [:]
    for element in expect(.list, at: node) ? Array(document.elements(of: node)) : [] {
      guard let scope = token(at: element) else { continue }
      checkName(at: element, .id)
      if Lifetime.words.contains(names[scope.name]) {
        report(.builtInScope(names[scope.name], at: scope.node))
      } else if let other = seen[scope.name] {
        report(.scopeListedTwice(names[scope.name], at: scope.node, other))
      } else {
        seen[scope.name] = scope.node
        file.scopes.append(scope)
      }
    }
    file.hasMisshapenScopes = isMisshapen
    isMisshapen = isMisshapen || outer
  }
}

// MARK: - Messages

extension Finding {
  /// A version of the format that this library does not read.
  fileprivate static func unsupportedVersion(_ version: Int64, at node: NodeRef) -> Finding {
    var finding = Finding(.unsupportedVersion, "version \(version) of the format is not supported", at: node)
    finding.help = "write \"configdi\": 1"
    return finding
  }

  /// A named scope called like a lifetime that every module has.
  fileprivate static func builtInScope(_ word: String, at node: NodeRef) -> Finding {
    var finding = Finding(.invalidName, "\"\(word)\" is a lifetime of its own and no name for a scope", at: node)
    finding.help = "give the scope another name"
    return finding
  }

  /// A named scope that the list holds twice.
  fileprivate static func scopeListedTwice(_ scope: String, at node: NodeRef, _ other: NodeRef) -> Finding {
    var finding = Finding(.wrongKind, "the scope \"\(scope)\" is listed twice", at: node)
    finding.related = [Finding.Related(.node(other), "\"\(scope)\" stands here as well")]
    finding.help = "remove one of the two"
    return finding
  }

  /// A key of the entry module in another file.
  fileprivate static func entryModuleOnly(_ keyword: Keyword, at node: NodeRef) -> Finding {
    var finding = Finding(.entryModuleOnly, "\"\(keyword.text)\" is allowed in the entry module only", at: node)
    finding.help = "move it to the file that the application loads"
    return finding
  }
}
