// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The modules that the build of a target checks, listed in `configdi-modules.json` in the target's folder.
///
/// ```json
/// { "modules": [ { "module": "../../Configs/app.json", "strict": true } ] }
/// ```
package struct ModuleList {
  /// A module of the list. Paths in the file are relative to its folder. Here they include that folder.
  package struct Module {
    /// The path of the entry module.
    package let path: String
    /// The catalog of registered types; `nil` for the registry of the tool, or else a `catalog.json` beside the module.
    package let catalog: String?
    /// The environments to check; `nil` for all that the module declares, or the module without layers if there are
    /// none.
    package let environments: [String]?
    /// The additional layers, applied after those of the environments.
    package let layers: [String]
    /// The folder that imports must stay below. If `nil`, the folder of the module.
    package let root: String?
    /// The additional files and folders that imports may lead to.
    package let allowedPaths: [String]
    /// Whether warnings fail the build.
    package let isStrict: Bool
    /// The generated property of containers that gives access to the services; `nil` to generate no code.
    package let accessor: String?
    /// The type of that property; `nil` for the name of the module and `Services`.
    package let type: String?
    /// The access level of the generated code.
    package let access: String
    /// The place of the module in the list.
    fileprivate let location: Diagnostic.Location

    /// Returns findings about the module. Those about no file are about what the list gives, and have its place.
    package func placing(_ findings: [Diagnostic]) -> [Diagnostic] {
      findings.map { finding in
        var finding = finding
        if finding.location.source == nil { finding.location = location }
        return finding
      }
    }
  }

  /// The modules; empty if the list has an error.
  package let modules: [Module]
  /// The findings about the list, sorted.
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
      var decoder = ShapeReader(document: document)
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

extension ShapeReader {
  /// Decodes the modules of the list. Paths are relative to a folder.
  fileprivate mutating func modules(in folder: String) -> [ModuleList.Module] {
    guard !document.nodes.isEmpty, expect(.map, at: 0) else { return [] }
    let list = fields(of: 0, "the list", required: ["modules"], optional: ["$schema"])["modules"]
    var accessors: Set<String> = []
    return elements(of: list).compactMap { module(at: $0, in: folder, &accessors) }
  }

  /// Decodes a module of the list. Returns `nil` if it has no valid path.
  ///
  /// - Parameter accessors: the property names of the modules before it; its own is added.
  private mutating func module(
    at node: UInt32, in folder: String, _ accessors: inout Set<String>
  ) -> ModuleList.Module? {
    guard expect(.map, at: node) else { return nil }
    let fields = fields(
      of: node, "the module", required: ["module"],
      optional: ["catalog", "environments", "layers", "root", "allowPaths", "strict", "accessor", "type", "access"])
    func located(_ path: String) -> String { Path.normalize(Path.join(folder, path)) }
    let environments = fields["environments"].map { texts(at: $0) }
    let layers = texts(at: fields["layers"]).map(located)
    let allowedPaths = texts(at: fields["allowPaths"]).map(located)
    let (catalog, root) = (string(at: fields["catalog"]), string(at: fields["root"]))
    let isStrict = boolean(at: fields["strict"]) ?? false
    let accessor = swiftName(at: fields["accessor"])
    if let accessor, let node = fields["accessor"], !accessors.insert(accessor).inserted {
      report(Finding(.invalidName, "two modules have the accessor \"\(accessor)\"", at: document.reference(node)))
    }
    let type = swiftName(at: fields["type"])
    let access = word(at: fields["access"], of: ["internal", "package", "public"]) ?? "internal"
    guard let path = string(at: fields["module"]) else { return nil }
    let place = Place.node(document.reference(node))
    return ModuleList.Module(
      path: located(path), catalog: catalog.map(located), environments: environments, layers: layers,
      root: root.map(located), allowedPaths: allowedPaths, isStrict: isStrict, accessor: accessor, type: type,
      access: access, location: ResolvedPlaces(of: [], and: [place], in: [document]).location(of: place))
  }

  /// Decodes an optional name in Swift. Reports one that is not valid, and returns `nil` then.
  private mutating func swiftName(at node: UInt32?) -> String? {
    guard let node, let name = string(at: node) else { return nil }
    if SwiftName.accepts(name) { return name }
    report(Finding(.invalidName, "\"\(name)\" is not a name in Swift", at: document.reference(node)))
    return nil
  }

  /// Decodes an optional list of strings.
  private mutating func texts(at node: UInt32?) -> [String] { elements(of: node).compactMap { string(at: $0) } }
}
