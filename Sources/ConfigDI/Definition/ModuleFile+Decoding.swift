// SPDX-License-Identifier: Apache-2.0

/// The role of a file in a load.
package enum FileRole: Sendable {
  /// The entry module, which the caller named.
  case entry
  /// An import or an environment layer.
  case part
}

extension ModuleFile {
  /// Decodes the declarations of a document and reports every structural error. On entry, `bag` has the findings of
  /// parsing the document. They are dropped if the format version is not supported.
  ///
  /// - Complexity: Linear in the size of the document.
  package init(decoding document: Document, as role: FileRole, names: inout NameTable, bag: inout DiagnosticBag) {
    self.init(file: document.file)
    guard document.isComplete, !document.nodes.isEmpty else {
      isUsable = false
      return
    }
    var reader = ShapeReader(document: document)
    swap(&reader.names, &names)
    swap(&reader.bag, &bag)
    isUsable = reader.hasUsableRoot()
    if isUsable { reader.readRoot(into: &self, as: role) }
    suppressions = reader.suppressions
    if isAutowired?.value == true {
      added.autowireServices()
      replaced.autowireServices()
    }
    swap(&reader.names, &names)
    swap(&reader.bag, &bag)
  }
}

extension Sections {
  /// Marks every service as defined in a file with `autowire`.
  fileprivate mutating func autowireServices() {
    for place in services.indices { services[place].body.isAutowiredByFile = true }
  }
}

extension ShapeReader {
  /// Returns whether the root is a map of the supported format version; reports an error if not. An unsupported or
  /// unreadable version is then the only finding, as the rest of the file may be valid in that version.
  fileprivate mutating func hasUsableRoot() -> Bool {
    guard expect(.map, at: 0) else { return false }
    for key in document.keys(of: 0) where Keyword(name(of: key)) == .configdi {
      let value = key + 1
      guard isReadable(value) else { return false }
      if document[value].kind == .integer, document[value].payload == 1 { continue }
      bag = DiagnosticBag()
      if expect(.integer, at: value) {
        report(.unsupportedVersion(document[value].payload, at: reference(value)))
      }
      return false
    }
    return true
  }

  /// Reads the top level of a file.
  fileprivate mutating func readRoot(into file: inout ModuleFile, as role: FileRole) {
    var environments: [EnvironmentDeclaration]?
    let shape = readMap(0, allowing: Keyword.rootKeys) { reader, keyword, key, value in
      var isMalformed = (Keyword.sections.contains(keyword) || keyword == .tags) && !reader.isWholeMap(value)
      defer { if isMalformed { file.malformedKeys.insert(keyword) } }
      switch keyword {
      case .configdi: break
      case .module: file.module = reader.token(at: value)
      case .schema: _ = reader.expect(.string, at: value)
      case .imports: (file.imports, isMalformed) = reader.readPart { $0.filePaths(in: value, allowingMaps: true) }
      case .environments:
        guard role == .entry else { return reader.report(.entryModuleOnly(keyword, at: reader.reference(key))) }
        isMalformed = reader.document[value].isPartial
        environments = reader.environments(in: value)
      case .scopes:
        guard role == .entry else {
          isMalformed = true
          return reader.report(.entryModuleOnly(keyword, at: reader.reference(key)))
        }
        (file.scopes, isMalformed) = reader.readPart { $0.scopes(in: value) }
      case .autowire: file.isAutowired = reader.flag(at: value)
      case .override: isMalformed = !reader.readVerb(in: value, as: .overriding, into: &file.overridden)
      case .replace: isMalformed = !reader.readVerb(in: value, as: .defining, into: &file.replaced)
      case .remove: isMalformed = !reader.readRemovals(in: value, into: &file.removed)
      case .tags: file.tags = reader.tagDeclarations(in: value)
      case .diagnostics:
        guard role == .entry else { return reader.report(.entryModuleOnly(keyword, at: reader.reference(key))) }
        file.severities = reader.severities(in: value)
      case .suppress: reader.readSuppressions(in: value, covering: 0..<reader.document[0].next)
      default: reader.readSection(keyword, in: value, as: .defining, into: &file.added)
      }
    }
    file.environments = environments ?? []
    if environments == nil, shape.present.contains(.environments) { file.malformedKeys.insert(.environments) }
    file.malformedKeys.formUnion(shape.suggested)
    require(.configdi, in: shape, of: 0, "the module file")
    require(.module, in: shape, of: 0, "the module file")
  }
}

// MARK: - Other files

extension ShapeReader {
  /// Reads a list of paths, given as strings or, if `allowingMaps`, as maps with `path` and `optional`.
  fileprivate mutating func filePaths(in node: UInt32, allowingMaps: Bool) -> [FilePath] {
    guard expect(.list, at: node) else { return [] }
    var paths: [FilePath] = []
    for element in document.elements(of: node) {
      switch document[element].kind {
      case .string:
        paths.append(FilePath(text: document.text(of: element), node: reference(element)))
      case .map where allowingMaps:
        if let path = importMap(at: element) { paths.append(path) }
      default:
        reportKind(of: element, wanted: allowingMaps ? "a path or a map with \"path\"" : "a path")
      }
    }
    return paths
  }

  /// Reads an import in map form. Returns `nil` if its path cannot be read.
  private mutating func importMap(at node: UInt32) -> FilePath? {
    var path: FilePath?
    var isOptional = false
    let shape = readMap(node, allowing: Keyword.importKeys) { reader, keyword, _, value in
      if keyword == .path {
        path = reader.string(at: value).map { FilePath(text: $0, node: reader.reference(value)) }
      } else {
        // With another kind of value it is meant to be optional, too.
        isOptional = reader.flag(at: value)?.value ?? true
      }
    }
    require(.path, in: shape, of: node, "the import")
    path?.isOptional = isOptional
    return path
  }

  /// Reads the environments in file order. Returns `nil` if the value is not a map.
  fileprivate mutating func environments(in node: UInt32) -> [EnvironmentDeclaration]? {
    guard expectMap(at: node, like: #"{ "prod": ["prod.json"] }"#) else { return nil }
    var environments: [EnvironmentDeclaration] = []
    for key in document.keys(of: node) {
      let (layers, isMalformed) = readPart { reader in
        reader.checkName(at: key, .id)
        return reader.filePaths(in: key + 1, allowingMaps: false)
      }
      environments.append(
        EnvironmentDeclaration(
          name: document.text(of: key), key: reference(key), layers: layers, isMalformed: isMalformed))
    }
    return environments
  }
}

// MARK: - Scopes

extension ShapeReader {
  /// Reads the named scopes, outermost first. A scope with an invalid name is reported, but still declared.
  fileprivate mutating func scopes(in node: UInt32) -> [Token] {
    var scopes: [Token] = []
    var seen: [Name: NodeRef] = [:]
    for scope in tokens(in: node) {
      checkName(at: scope.node.node, .id)
      if Lifetime.words.contains(names[scope.name]) {
        report(.builtInScope(names[scope.name], at: scope.node))
      } else if let other = seen[scope.name] {
        report(.scopeListedTwice(names[scope.name], at: scope.node, other))
      } else {
        seen[scope.name] = scope.node
        scopes.append(scope)
      }
    }
    return scopes
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a format version that this library does not support.
  fileprivate static func unsupportedVersion(_ version: Int64, at node: NodeRef) -> Finding {
    Finding(.unsupportedVersion, "format version \(version) is not supported", at: node, help: "write \"configdi\": 1")
  }

  /// Returns the finding for a named scope that has the name of a built-in lifetime.
  fileprivate static func builtInScope(_ word: String, at node: NodeRef) -> Finding {
    Finding(
      .invalidName, "\"\(word)\" is a built-in scope and cannot name another one", at: node, help: "rename the scope")
  }

  /// Returns the finding for a named scope that is listed twice.
  fileprivate static func scopeListedTwice(_ scope: String, at node: NodeRef, _ other: NodeRef) -> Finding {
    Finding(
      .wrongKind, "duplicate scope \"\(scope)\"", at: node,
      related: [Finding.Related(.node(other), "first listed here")], help: "remove one of the two")
  }

  /// Returns the finding for a key that only the entry module may have.
  fileprivate static func entryModuleOnly(_ keyword: Keyword, at node: NodeRef) -> Finding {
    Finding(
      .entryModuleOnly, "\"\(keyword.text)\" is allowed only in the entry module", at: node,
      help: "move it to the file that the application loads")
  }
}
