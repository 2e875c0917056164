// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The files and folders on which the check of a list of modules may depend.
///
/// Which files a module is made of is known only by reading it, and a plugin cannot: it uses nothing of the package. But
/// imports and layers do not leave the module's folder, unless the list says so, and all files and folders in it are inputs.
/// A build that does not run the plugin again notices by the folders that a file was added; from then on the tool takes care
/// that it runs again, until the file is an input.
struct ModuleInputs {
  /// The name of the list in a target's folder.
  static let listName = "configdi-modules.json"

  /// The absolute paths, ascending.
  let files: [String]

  /// The inputs for a list. What is wrong with it is told by the tool, which reads it again.
  init(listedIn list: URL) {
    let base = list.deletingLastPathComponent()
    func path(_ path: String) -> URL { base.appending(path: path).standardizedFileURL }
    let content = (try? Data(contentsOf: list)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
    let modules = (content as? [String: Any])?["modules"] as? [Any] ?? []
    var files: Set<String> = [list.path]
    for case let module as [String: Any] in modules {
      guard let entry = (module["module"] as? String).map(path) else { continue }
      files.insert(entry.path)
      if let catalog = module["catalog"] as? String { files.insert(path(catalog).path) }
      let layers = module["layers"] as? [Any] ?? []
      let allowed = module["allowPaths"] as? [Any] ?? []
      let root = (module["root"] as? String).map(path) ?? entry.deletingLastPathComponent()
      for place in [root] + (layers + allowed).compactMap({ ($0 as? String).map(path) }) {
        files.formUnion(ModuleInputs.files(at: place))
      }
    }
    self.files = files.sorted()
  }

  /// A file, or a folder with all below it but for sources in Swift and what is hidden.
  ///
  /// Of a folder the time is compared, which is new where a file was added, removed or renamed.
  private static func files(at place: URL) -> [String] {
    let found = FileManager.default.enumerator(
      at: place, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    var files = [place.path]
    while let file = found?.nextObject() as? URL {
      if file.pathExtension != "swift" { files.append(file.path) }
    }
    return files
  }
}
