// SPDX-License-Identifier: Apache-2.0
// The fuzzers compile this file together with the library as one module, without its imports of the library.
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// A module made of arbitrary bytes. The byte 0xFF, which UTF-8 text does not contain, separates the entry module, an
/// import, a layer, the lines of variables and settings, and a catalog. A missing part is empty. The variables are also
/// the configuration values, and both contain the secret in addition.
struct LoadInput {
  /// The files.
  private var files: MemoryFiles
  /// The environment variables, from lines `NAME=text`.
  private var variables: [String: String] = [:]
  /// The settings, from lines `path.with.dots=text`.
  private var settings: [Setting] = []
  /// The path of the catalog, or `nil` if the input has none.
  private let catalog: String?
  /// Whether the bytes contain a piece of the secret themselves. Then leaks cannot be detected.
  private let holdsSecret: Bool

  /// Small limits, which mutations can reach.
  private static let limits = Limits(fileSize: 4_096, nesting: 12, files: 3)

  /// Splits the bytes of an input.
  init(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0xFF, maxSplits: 4, omittingEmptySubsequences: false).map(Array.init)
    let part = { parts.indices.contains($0) ? parts[$0] : [] }
    catalog = part(4).isEmpty ? nil : "catalog.json"
    files = MemoryFiles(
      ["app.json": part(0), "part.json": part(1), "layer.json": part(2), "catalog.json": part(4), "text.txt": part(3)])
    for line in part(3).split(separator: UInt8(ascii: "\n")).prefix(16) {
      guard let setting = Setting(String(decoding: line, as: UTF8.self)) else { continue }
      if setting.path.utf8.contains(UInt8(ascii: ".")) {
        settings.append(setting)
      } else {
        variables[setting.path] = setting.text
      }
    }
    holdsSecret = LoadInput.holdsSecret(bytes)
    variables[LoadInput.secretName] = LoadInput.secret
  }

  /// The problems of the module in all its environments, and of the module alone with the layer on top.
  var problems: [String] {
    let declared = check(nil, layers: [])
    let layered = check([], layers: [.file("layer.json")])
    return LoadInput.problems(of: declared) + LoadInput.problems(of: layered) + problemsOfLoadingAgain(layered)
      + problemsOfConverting(layered) + problemsOfBuilding
      + (holdsSecret ? [] : [declared, layered].flatMap(LoadInput.leaks))
  }

  /// Whether the module with the layer is valid, so that it is loaded again.
  var isSound: Bool { check([], layers: [.file("layer.json")]).compositions.first?.graph != nil }

  /// Checks the module.
  private func check(_ environments: [String]?, layers: [ModuleLayer]) -> ModuleCheck {
    ModuleCheck(checking: request(layers), environments: environments, files: files, catalog: catalog)
  }

  /// Checks the module with the layer against a registry.
  func check(_ registry: Registry) -> ModuleCheck {
    ModuleCheck(
      checking: request([.file("layer.json")]), environments: [], files: files,
      types: .registry(registry, awaits: false))
  }

  /// Returns the request of a check.
  private func request(_ layers: [ModuleLayer]) -> ModuleRequest {
    var request = ModuleRequest(
      entry: .file("app.json"), layers: layers, settings: settings, variables: .init(variables),
      limits: LoadInput.limits)
    request.configuration = configuration
    return request
  }

  /// The configuration values.
  private var configuration: ConfigurationSource { ConfigurationSource(variables.mapValues(Value.string)) }
}

// MARK: - Findings

extension LoadInput {
  /// Returns the problems of the findings, of their texts, and of valid graphs.
  private static func problems(of check: ModuleCheck) -> [String] {
    var problems: [String] = []
    for finding in check.diagnostics {
      let locations = [finding.location] + finding.related.map(\.location) + finding.fixes.map(\.location)
      for location in locations where !isInside(location, check) {
        problems.append("\(location) is outside: \(finding)")
      }
      if finding.environments?.isEmpty == true { problems.append("\(finding) holds nowhere") }
    }
    var writer = JSONWriter()
    JSONRenderer.write(check.diagnostics, to: &writer)
    for graph in check.compositions.compactMap(\.graph) {
      _ = CompiledPlan(compiling: graph)
      let order = graph.buildingOrder
      if order.sorted() != Array(order.indices) { problems.append("\(order) is no order of all services") }
    }
    if !isJSON(writer.text) { problems.append("no JSON: \(writer.text)") }
    let text = check.renderer().text(of: check.diagnostics)
    if text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" }) { problems.append("controls: \(text)") }
    return problems
  }

  /// Returns whether a range lies in its file.
  private static func isInside(_ location: Diagnostic.Location, _ check: ModuleCheck) -> Bool {
    guard let start = location.start, let end = location.end, start <= end else { return false }
    guard location.file != "<command line>" else { return start == SourcePosition(line: 1, column: 1) && start == end }
    guard let bytes = location.source.map({ check.source($0).bytes }) else { return false }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return [start, end].allSatisfy { position in
      guard lines.indices.contains(position.line - 1) else { return false }
      let length = lines[position.line - 1].count { $0 & 0xC0 != 0x80 }
      return (1...length + 1).contains(position.column)
    }
  }

  /// Returns whether the library's reader accepts a text as JSON.
  private static func isJSON(_ text: String) -> Bool {
    var bag = DiagnosticBag()
    let source = SourceFile(name: "", text: text)
    let document = Document(reading: source, file: FileID(0), syntax: .json, limits: Limits(), bag: &bag)
    return document.isComplete && !bag.hasErrors
  }
}

// MARK: - Loading again

extension LoadInput {
  /// Returns the problems of loading the text of a valid module again.
  private func problemsOfLoadingAgain(_ check: ModuleCheck) -> [String] {
    guard let graph = check.compositions.first?.graph else { return [] }
    let first = ResolvedModule(graph)
    let text = JSONWriter.text(of: first.moduleFile)
    // A literal secret is masked, so that the text means something else.
    guard !text.contains("<secret ") else { return [] }
    var again = files
    again["app.json"] = Array(text.utf8)
    var request = ModuleRequest(
      entry: .file("app.json"), variables: .init(variables), limits: Limits(fileSize: 1 << 20, nesting: 64, files: 3))
    request.configuration = configuration
    let second = ModuleCheck(checking: request, environments: [], files: again, catalog: catalog)
    guard let graph = second.compositions.first?.graph else {
      return ["does not load again: \(text) \(second.diagnostics)"]
    }
    let (old, new) = (first.value, ResolvedModule(graph).value)
    return ["services", "aliases", "bindings", "start"].filter {
      LoadInput.part($0, of: old) != LoadInput.part($0, of: new)
    }
    .map { "loads again with other \($0): \(text)" }
  }

  /// Returns the problems of a valid module after converting its files to property lists and back.
  private func problemsOfConverting(_ check: ModuleCheck) -> [String] {
    guard let graph = check.compositions.first?.graph else { return [] }
    var converted = self
    for name in ["app.json", "part.json", "layer.json"] {
      let bytes = (try? files.contents(of: name, limit: .max).get()) ?? []
      guard let text = LoadInput.convertedToPropertyListAndBack(bytes) else { return [] }
      converted.files[name] = Array(text.utf8)
    }
    let again = converted.check([], layers: [.file("layer.json")])
    guard let other = again.compositions.first?.graph else { return ["converted, does not load: \(again.diagnostics)"] }
    let (old, new) = (ResolvedModule(graph).moduleFile, ResolvedModule(other).moduleFile)
    return old == new ? [] : ["converted, says something else: \(JSONWriter.text(of: new))"]
  }

  /// Returns a JSON text after conversion to a property list and back, or `nil` if a property list cannot represent it.
  private static func convertedToPropertyListAndBack(_ bytes: [UInt8]) -> String? {
    func read(_ bytes: [UInt8], _ syntax: Syntax) -> Document {
      var bag = DiagnosticBag()
      return Document(reading: SourceFile(name: "", bytes: bytes), file: FileID(0), syntax: syntax, bag: &bag)
    }
    guard !bytes.isEmpty else { return "" }
    let document = read(bytes, .json)
    guard document.isComplete, document.unwritableNodes(in: .plist).isEmpty, let list = document.text(in: .plist) else {
      return nil
    }
    return read(Array(list.utf8), .plist).text(in: .json)
  }

  /// Returns the value of a key in a map, or `nil` if there is none.
  private static func part(_ key: String, of value: Value) -> Value? {
    guard case .map(let entries) = value else { return nil }
    return entries.first { $0.key == key }?.value
  }
}
