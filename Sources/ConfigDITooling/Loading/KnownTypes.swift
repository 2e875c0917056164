// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What the tool knows of the types that an application registers.
///
/// Commands pass it on as one value, and do not ask which case it is.
package enum KnownTypes: Sendable {
  /// Nothing: types, their arguments and values are not checked.
  case none
  /// What a catalog file says; its path.
  case catalog(String)
  /// The registry itself, which also converts the values of types that decode themselves.
  case registry(Registry)

  /// The path of the catalog file, or nil.
  package var catalogPath: String? {
    if case .catalog(let path) = self { path } else { nil }
  }

  /// The types of `catalog.json` beside an entry module, if that is there and says that it is a catalog.
  package static func catalog(beside entry: String, _ files: some FileAccess) -> KnownTypes {
    let path = files.canonicalPath(of: Path.join(Path.folder(of: entry), "catalog.json"))
    guard case .success(let bytes) = files.contents(of: path, limit: Limits().fileSize),
      bytes.containsWord("configdi-catalog")
    else { return .none }
    return .catalog(path)
  }

  /// Whether there are no types.
  package var isNone: Bool {
    if case .none = self { true } else { false }
  }

  /// Where a check takes the types from.
  fileprivate func source(_ limits: Limits) -> ModuleCheck.TypeSource {
    switch self {
    case .none: .unknown
    case .registry(let registry): .registry(registry)
    case .catalog(let path): .read { files, bag in files.readCatalog(at: path, limits: limits, bag: &bag) }
    }
  }
}

extension ModuleCheck {
  /// Reads a module and checks it against the types that the tool knows.
  ///
  /// - Parameters:
  ///   - request: The module and what is added to it.
  ///   - environments: The environments to check; nil: all that the module declares, or the module alone.
  ///     `[]`: the module without any layer.
  ///   - alsoAlone: Whether the module without any layer comes before them.
  ///   - types: The registered types.
  ///   - keepsCompositions: Whether `compositions` has what was composed.
  ///   - visit: Called with what was composed in each environment, before the next is composed.
  /// - Complexity: linear in the size of the files that each environment applies, together.
  package init(
    checking request: ModuleRequest, environments: [String]?, alsoAlone: Bool = false, files: any FileAccess,
    knowing types: KnownTypes, keepsCompositions: Bool = true, visit: (Composition) -> Void = { _ in }
  ) {
    self.init(
      checking: request, environments: environments, alsoAlone: alsoAlone, files: files,
      types: types.source(request.limits), keepsCompositions: keepsCompositions, visit: visit)
  }
}

extension ModuleFiles {
  /// Reads a catalog in JSON; nil where it cannot be read or has an error, which is reported.
  fileprivate mutating func readCatalog(at path: String, limits: Limits, bag: inout DiagnosticBag) -> Catalog? {
    switch access.contents(of: access.canonicalPath(of: path), limit: limits.fileSize) {
    case .failure(let failure):
      let place = Place.commandLine(path: "")
      bag.report(Failure.access(failure).finding(of: path, at: place, missing: .unreadableFile))
      return nil
    case .success(let bytes):
      let source = SourceFile(name: displayName(of: path), bytes: bytes)
      let document = readDocument(source, .json, bag: &bag)
      return document.isComplete ? Catalog(decoding: document, bag: &bag) : nil
    }
  }
}

extension [UInt8] {
  /// Whether some text stands in the bytes.
  func containsWord(_ word: String) -> Bool {
    let word = Array(word.utf8)
    guard let first = word.first else { return true }
    return withUnsafeBufferPointer { bytes in
      var at = 0
      while at + word.count <= bytes.count {
        if bytes[at] == first, bytes[at..<at + word.count].elementsEqual(word) { return true }
        at += 1
      }
      return false
    }
  }
}
