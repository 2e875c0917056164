// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
internal import ConfigDITooling
package import Testing

/// A module that was checked, with the findings that its text asks for.
///
/// A mark `«CDI0501»` in front of a token says that this finding, and no other, is told there; `«CDI0501@dev,prod»` that it
/// is told for these environments alone. The marks are taken out before the module is read.
package struct CheckedModule {
  /// The check.
  package let check: ModuleCheck

  /// Checks a module whose entry is `app.json` with the given members behind its head, and compares the findings.
  package init(
    _ members: String, files: [String: String] = [:], types: [TypeDescriptor]? = nil, catalog: String? = nil,
    environments: [String]? = nil, variables: [String: String] = [:], settings: [String] = [],
    missing: MissingSources = .tolerated, location: SourceLocation = #_sourceLocation
  ) {
    var texts = files
    texts["app.json"] = "{ \"configdi\": 1, \"module\": \"app\",\n\(members) }"
    let marked = MarkedTexts(texts)
    texts = marked.texts
    if let types { texts["types.json"] = Catalog(types: types).json }
    let request = ModuleRequest(
      entry: .file("app.json"), settings: settings.compactMap { Setting($0) }, variables: variables, missing: missing)
    check = ModuleCheck(
      checking: request, environments: environments, files: MemoryFiles(texts: texts),
      catalog: types == nil ? catalog : "types.json")
    let told = check.diagnostics.map { finding in
      "\(finding.place) \(finding.code)" + (finding.environments.map { "@" + $0.joined(separator: ",") } ?? "")
    }
    #expect(told.sorted() == marked.expectations.sorted(), sourceLocation: location)
  }

  /// The findings.
  package var findings: [Diagnostic] { check.diagnostics }

  /// The only finding.
  package func finding(_ location: SourceLocation = #_sourceLocation) throws -> Diagnostic {
    try #require(findings.count == 1, sourceLocation: location)
    return findings[0]
  }

  /// The graph of the first environment, which must be sound.
  package func graph(_ location: SourceLocation = #_sourceLocation) throws -> ValidatedGraph {
    try #require(check.compositions.first?.graph, sourceLocation: location)
  }

  /// The module as `resolve` prints it.
  package func resolved(_ location: SourceLocation = #_sourceLocation) throws -> Value {
    ResolvedModule(try graph(location)).value
  }

  /// The module as a file.
  package func moduleFile(_ location: SourceLocation = #_sourceLocation) throws -> String {
    JSONWriter.text(of: ResolvedModule(try graph(location)).moduleFile)
  }

  /// The findings as text, as the tool prints them.
  package var text: String {
    check.renderer().text(of: findings)
  }
}

extension Diagnostic {
  /// The file, line and column: `app.json:3:10`.
  package var place: String { "\(location.file):\(location.start?.line ?? 0):\(location.start?.column ?? 0)" }
}

extension Value {
  /// The part at a path of keys; nil where there is none.
  package func at(_ keys: String...) -> Value? {
    var part: Value? = self
    for key in keys {
      guard case .map(let entries)? = part else { return nil }
      part = entries.first { $0.key == key }?.value
    }
    return part
  }

  /// The keys of a map, in their order.
  package var keys: [String] {
    if case .map(let entries) = self { entries.map(\.key) } else { [] }
  }
}
