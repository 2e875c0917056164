// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The modules that are checked in the build of a target, as `configdi-modules.json` in its folder lists them.
///
/// ```json
/// { "modules": [ { "module": "../../Configs/app.json", "strict": true } ] }
/// ```
package struct ModuleList {
  /// One module. Paths are as `FileAccess` takes them; in the file they are relative to its folder.
  package struct Module {
    /// The entry module's file.
    package let path: String
    /// The catalog of registered types; nil: that beside the module, where it is there.
    package let catalog: String?
    /// The environments to check; nil: all that the module declares, or the module alone.
    package let environments: [String]?
    /// Layers behind those of the environments.
    package let layers: [String]
    /// The folder that imports do not leave; nil: that of the module.
    package let root: String?
    /// Further files and folders to which imports may lead.
    package let allowedPaths: [String]
    /// Whether warnings fail the build.
    package let isStrict: Bool
    /// The property of containers by which code reaches the services; nil: no code is generated.
    package let accessor: String?
    /// The access level of the code.
    package let access: String
  }

  /// The modules; none where something is wrong with the list.
  package let modules: [Module]
  /// What is wrong with the list, sorted.
  package let diagnostics: [Diagnostic]

  /// Reads a list.
  package init(reading path: String, files: some FileAccess) {
    var bag = DiagnosticBag()
    var source = SourceFile(name: Path.displayName(of: path, workingFolder: files.workingFolder), bytes: [])
    switch files.contents(of: path, limit: Limits().fileSize) {
    case .success(let bytes): source = SourceFile(name: source.name, bytes: bytes)
    case .failure(let failure):
      bag.report(
        ModuleFiles.Failure.access(failure).finding(of: path, at: .commandLine(path: ""), missing: .unreadableFile))
    }
    let file = FileID(0)
    var modules: [Module] = []
    let document = bag.hasErrors ? nil : Document(reading: source, file: file, syntax: .json, bag: &bag)
    if let document, document.isComplete {
      var decoder = DocumentDecoder(document: document)
      modules = decoder.modules(in: Path.folder(of: path))
      bag.append(decoder.bag)
    }
    self.modules = bag.hasErrors ? [] : modules
    let documents = document.map { [$0] } ?? []
    let check = FindingsReport.Check(environment: nil, bag: bag, files: documents.map(\.file))
    diagnostics =
      FindingsReport(checks: [check], documents: documents, order: documents.map(\.file)).resolved().shown
  }
}

extension DocumentDecoder {
  /// The modules of the list; paths are relative to a folder.
  fileprivate mutating func modules(in folder: String) -> [ModuleList.Module] {
    guard !document.nodes.isEmpty, expect(.map, at: 0) else { return [] }
    let list = fields(of: 0, "the list", required: ["modules"], optional: ["$schema"])["modules"]
    return elements(of: list).compactMap { module(at: $0, in: folder) }
  }

  /// A module of the list.
  private mutating func module(at node: UInt32, in folder: String) -> ModuleList.Module? {
    guard expect(.map, at: node) else { return nil }
    let fields = fields(
      of: node, "the module", required: ["module"],
      optional: ["catalog", "environments", "layers", "root", "allowPaths", "strict", "accessor", "access"])
    func located(_ path: String) -> String { Path.normalize(Path.join(folder, path)) }
    let environments = fields["environments"].map { texts(at: $0) }
    let layers = texts(at: fields["layers"]).map(located)
    let allowedPaths = texts(at: fields["allowPaths"]).map(located)
    let (catalog, root) = (string(at: fields["catalog"]), string(at: fields["root"]))
    let isStrict = boolean(at: fields["strict"]) ?? false
    let accessor = swiftName(at: fields["accessor"])
    let access = word(at: fields["access"], of: ["internal", "package", "public"]) ?? "internal"
    guard let path = string(at: fields["module"]) else { return nil }
    return ModuleList.Module(
      path: located(path), catalog: catalog.map(located), environments: environments, layers: layers,
      root: root.map(located), allowedPaths: allowedPaths, isStrict: isStrict, accessor: accessor, access: access)
  }

  /// The name of a property, which may be absent.
  private mutating func swiftName(at node: UInt32?) -> String? {
    guard let node, let name = string(at: node) else { return nil }
    if SwiftName.accepts(name) { return name }
    report(Finding(.invalidName, "\"\(name)\" is not a name in Swift", at: document.reference(node)))
    return nil
  }

  /// The texts of a list, which may be absent.
  private mutating func texts(at node: UInt32?) -> [String] { elements(of: node).compactMap { string(at: $0) } }
}
