// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The source of the registered types that the tool checks modules against.
///
/// Commands pass it on as one value, independent of its case.
package enum KnownTypes: Sendable {
  /// No source. Types, their arguments and values are not checked.
  case none
  /// A catalog file, by its path.
  case catalog(String)
  /// The registry of the application, which can also convert values to `Decodable` types.
  case registry(Registry)

  /// The path of the catalog file, or `nil` in the other cases.
  package var catalogPath: String? {
    if case .catalog(let path) = self { path } else { nil }
  }

  /// Returns the `catalog.json` in the folder of an entry module, or `none` if there is no such file or it does not
  /// contain `configdi-catalog`.
  package static func catalog(beside entry: String, _ files: some FileAccess) -> KnownTypes {
    let path = files.canonicalPath(of: Path.join(Path.folder(of: entry), "catalog.json"))
    guard case .success(let bytes) = files.contents(of: path, limit: Limits().fileSize),
      bytes.containsWord("configdi-catalog")
    else { return .none }
    return .catalog(path)
  }

  /// Whether the types are unknown.
  package var isNone: Bool {
    if case .none = self { true } else { false }
  }

  /// Returns the source of types for a check.
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
  ///   - request: The module, its additional layers and settings.
  ///   - environments: The environments to check. `nil` for all that the module declares, or the module without
  ///     layers if there are none; `[]` for the module without layers.
  ///   - includesBase: Whether to check the module without layers first, in addition to the environments.
  ///   - types: The registered types.
  ///   - keepsCompositions: Whether to keep the compositions in `compositions`.
  ///   - visit: Called with the composition of each environment, before the next environment is composed.
  /// - Complexity: linear in the total size of the files that each environment applies.
  package init(
    checking request: ModuleRequest, environments: [String]?, includesBase: Bool = false, files: any FileAccess,
    knowing types: KnownTypes, keepsCompositions: Bool = true, visit: (Composition) -> Void = { _ in }
  ) {
    self.init(
      checking: request, environments: environments, includesBase: includesBase, files: files,
      types: types.source(request.limits), keepsCompositions: keepsCompositions, visit: visit)
  }
}

extension ModuleFiles {
  /// Reads a catalog in JSON. Returns `nil` after reporting that it cannot be read or is malformed.
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
  /// Returns whether the bytes contain a word in UTF-8.
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
