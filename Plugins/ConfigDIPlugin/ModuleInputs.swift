// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The files and folders that the check of a list of modules may depend on.
///
/// A plugin cannot use the package's code, so it cannot read modules to find their files. But imports and layers stay
/// inside the module's folder unless the list allows more, so all files and folders in it are inputs. Because folders
/// are inputs, a build that does not run the plugin again notices added files. From then on the tool ensures that it
/// runs again, until the file is an input.
struct ModuleInputs {
  /// The file name of the list in a target's folder.
  static let listName = "configdi-modules.json"

  /// The absolute paths, ascending.
  let files: [String]

  /// Collects the inputs for a list. Ignores mistakes in the list, because the tool reads it again and reports them.
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

  /// Returns a file, or a folder with everything below it except Swift sources and hidden files.
  ///
  /// The build compares the modification time of a folder, which changes if a file is added, removed or renamed.
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
