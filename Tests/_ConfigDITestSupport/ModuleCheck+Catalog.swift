// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
package import ConfigDITooling

extension KnownTypes {
  /// The types of a catalog file, or none if the path is `nil`.
  package init(catalog path: String?) { self = path.map(KnownTypes.catalog) ?? .none }
}

extension ModuleCheck {
  /// Checks a module with the types of a catalog file, or without known types if the path is `nil`.
  package init(
    checking request: ModuleRequest, environments: [String]?, files: any FileAccess, catalog path: String?,
    keepsCompositions: Bool = true, visit: (Composition) -> Void = { _ in }
  ) {
    self.init(
      checking: request, environments: environments, files: files, knowing: KnownTypes(catalog: path),
      keepsCompositions: keepsCompositions, visit: visit)
  }
}
