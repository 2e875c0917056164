// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension ModuleCheck {
  /// Reads a module and checks it against the types of a catalog file.
  ///
  /// - Parameters:
  ///   - request: The module and what is added to it.
  ///   - environments: The environments to check; nil: all that the module declares, or the module alone.
  ///     `[]`: the module without any layer.
  ///   - path: The path of the catalog; nil: the registered types are not known.
  ///   - keepsCompositions: Whether `compositions` has what was composed.
  ///   - visit: Called with what was composed in each environment, before the next is composed.
  /// - Complexity: linear in the size of the files that each environment applies, together.
  package init(
    checking request: ModuleRequest, environments: [String]?, files: any FileAccess, catalog path: String?,
    keepsCompositions: Bool = true, visit: (Composition) -> Void = { _ in }
  ) {
    var types = TypeSource.unknown
    if let path {
      types = .read { files, bag in files.readCatalog(at: path, limits: request.limits, bag: &bag) }
    }
    self.init(
      checking: request, environments: environments, files: files, types: types, keepsCompositions: keepsCompositions,
      visit: visit)
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
