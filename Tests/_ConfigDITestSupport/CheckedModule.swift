// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
internal import ConfigDITooling
package import Testing

/// A checked module, whose findings are compared with marks in its text.
///
/// A mark `«CDI0501»` in front of a token expects exactly this finding at the token; `«CDI0501@dev,prod»` expects it
/// for these environments only. The marks are removed before the module is read.
package struct CheckedModule {
  /// The result of the check.
  package let check: ModuleCheck

  /// Checks a module whose entry file `app.json` consists of a header and the given members, and compares the findings.
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
      entry: .file("app.json"), settings: settings.compactMap { Setting($0) }, variables: .init(variables),
      missing: missing)
    check = ModuleCheck(
      checking: request, environments: environments, files: MemoryFiles(texts: texts),
      catalog: types == nil ? catalog : "types.json")
    let reported = check.diagnostics.map { finding in
      "\(finding.place) \(finding.code)" + (finding.environments.map { "@" + $0.joined(separator: ",") } ?? "")
    }
    #expect(reported.sorted() == marked.expectations.sorted(), sourceLocation: location)
  }

  /// All findings of the check.
  package var findings: [Diagnostic] { check.diagnostics }

  /// Returns the finding of the check. Fails the test unless there is exactly one.
  package func finding(_ location: SourceLocation = #_sourceLocation) throws -> Diagnostic {
    try #require(findings.count == 1, sourceLocation: location)
    return findings[0]
  }

  /// Returns the graph of the first environment. Fails the test if the module has errors.
  package func graph(_ location: SourceLocation = #_sourceLocation) throws -> ValidatedGraph {
    try #require(check.compositions.first?.graph, sourceLocation: location)
  }

  /// Returns the module as `resolve` prints it.
  package func resolved(_ location: SourceLocation = #_sourceLocation) throws -> Value {
    ResolvedModule(try graph(location)).value
  }

  /// Returns the module as a JSON module file.
  package func moduleFile(_ location: SourceLocation = #_sourceLocation) throws -> String {
    JSONWriter.text(of: ResolvedModule(try graph(location)).moduleFile)
  }

  /// The findings as the tool prints them.
  package var text: String {
    check.renderer().text(of: findings)
  }
}

extension Diagnostic {
  /// The file, line and column, such as `app.json:3:10`.
  package var place: String { "\(location.file):\(location.start?.line ?? 0):\(location.start?.column ?? 0)" }
}

extension Value {
  /// Returns the value at a path of keys, or `nil` if a key is missing.
  package func at(_ keys: String...) -> Value? {
    var part: Value? = self
    for key in keys {
      guard case .map(let entries)? = part else { return nil }
      part = entries.first { $0.key == key }?.value
    }
    return part
  }

  /// The keys of a map, in order. Empty for other values.
  package var keys: [String] {
    if case .map(let entries) = self { entries.map(\.key) } else { [] }
  }
}
