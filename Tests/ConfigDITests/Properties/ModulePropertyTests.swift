// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// Properties that hold for every module, tested on random ones. A failure names its seed.
struct ModulePropertyTests {
  /// The seeds to test.
  private static let seeds = Array(1...UInt64(LongTests.size(16, full: 50)))

  /// Returns the complete output of a check.
  private func output(of check: ModuleCheck) -> String {
    var writer = JSONWriter()
    writer.array { writer in
      JSONRenderer.write(check.diagnostics, to: &writer)
      for graph in check.compositions.compactMap(\.graph) {
        writer.value(ResolvedModule(graph).value)
        writer.value(ResolvedModule(graph).moduleFile)
      }
    }
    return writer.text
      + check.renderer().text(of: check.diagnostics)
  }

  /// Returns the findings and resolved modules of a check, without lines and columns, which depend on the layout of the
  /// files.
  private func meaning(of check: ModuleCheck) -> [String] {
    let findings = check.diagnostics.map { finding in
      // A tag is reported at its first occurrence in the text, so its path depends on the order of keys.
      let path = [.tagWithoutService, .unusedTag].contains(finding.code) ? "" : finding.path
      return "\(finding.code) \(finding.location.file) \(path) \(finding.message) \(finding.notes)"
        + " \(finding.help ?? "") \(finding.environments ?? [])"
    }
    let resolved = check.compositions.compactMap(\.graph).map { "\(withoutOrigins(ResolvedModule($0).value))" }
    return findings.sorted() + resolved
  }

  /// Returns a resolved module without the positions of its parameters.
  private func withoutOrigins(_ value: Value) -> Value {
    guard case .map(let entries) = value else { return value }
    return .map(entries.filter { $0.key != "origin" }.map { .init(key: $0.key, value: withoutOrigins($0.value)) })
  }

  @Test(arguments: [false, true])
  func `composing is deterministic`(hasFaults: Bool) {
    for seed in Self.seeds {
      let module = RandomModule(seed: seed, hasFaults: hasFaults)
      #expect(output(of: module.check()) == output(of: module.check()), "seed \(seed)")
    }
  }

  @Test(arguments: [false, true])
  func `the order of keys never changes the result`(hasFaults: Bool) {
    for seed in Self.seeds {
      let module = RandomModule(seed: seed, hasFaults: hasFaults)
      let expected = meaning(of: module.check())
      for order in 0..<UInt64(LongTests.size(1, full: 3)) {
        #expect(meaning(of: module.shuffled(seed: order).check()) == expected, "seed \(seed), order \(order)")
      }
    }
  }

  @Test func `a generated valid module has no findings, and its text loads to the same composition`() throws {
    var reloaded = 0
    for seed in Self.seeds {
      let module = RandomModule(seed: seed, hasFaults: false)
      let check = module.check()
      guard let graph = check.compositions[0].graph else {
        // The only remaining error is a list or map parameter inside a longer text.
        #expect(
          check.diagnostics.filter { $0.severity == .error }.allSatisfy { $0.code == .collectionInText }, "seed \(seed)"
        )
        continue
      }
      let first = ResolvedModule(graph)
      var again = module
      again.files = ["app.json": first.moduleFile]
      let secondCheck = again.check(environments: [])
      let second = ResolvedModule(
        try #require(secondCheck.compositions[0].graph, "seed \(seed): \(secondCheck.diagnostics)"))
      for key in ["services", "aliases", "bindings", "start"] {
        #expect(first.value.at(key) == second.value.at(key), "seed \(seed), \(key)")
      }
      // The reloaded text causes no warning that the module does not cause.
      let warnings = Set(check.diagnostics.map { "\($0.code) \($0.message)" })
      for warning in secondCheck.diagnostics.map({ "\($0.code) \($0.message)" }) {
        #expect(warnings.contains(warning), "seed \(seed)")
      }
      // The text of a literal secret is masked, so its placeholders are lost.
      if module.secrets.isEmpty { #expect(second.moduleFile == first.moduleFile, "seed \(seed)") }
      reloaded += 1
    }
    #expect(reloaded > Self.seeds.count / 3)
  }

  @Test func `an empty layer changes nothing`() {
    for seed in Self.seeds {
      var module = RandomModule(seed: seed, hasFaults: seed % 2 == 0)
      let expected = meaning(of: module.check())
      module.files["empty.json"] = ["configdi": 1, "module": "empty"]
      module.addLayers(["empty.json"])
      #expect(meaning(of: module.check()) == expected, "seed \(seed)")
    }
  }

  @Test func `a layer that removes the additions of another restores the former result`() {
    for seed in Self.seeds {
      let module = RandomModule(seed: seed, hasFaults: true)
      var changed = module
      changed.files["add.json"] = [
        "configdi": 1, "module": "add", "parameters": ["added": 1],
        "templates": ["added": ["type": "T", "inject": ["x": "svc0"]]],
        "services": [
          "svc": [
            "extends": "added", "values": ["v": "${added}"], "tags": ["tail"],
            "decorate": [["type": "W", "inject": ["y": "svc0"]]], "when": ["environment": "dev"],
          ]
        ],
        "aliases": ["added": "svc"], "bindings": ["Added": "added"],
      ]
      changed.files["take.json"] = [
        "configdi": 1, "module": "take",
        "remove": [
          "parameters": ["added"], "templates": ["added"], "services": ["svc"], "aliases": ["added"],
          "bindings": ["Added"],
        ],
      ]
      changed.addLayers(["add.json", "take.json"])
      #expect(meaning(of: changed.check()) == meaning(of: module.check()), "seed \(seed)")
    }
  }

  @Test func `every finding is located at the token of its path`() throws {
    var seen: Set<DiagnosticCode> = []
    for seed in Self.seeds {
      let check = RandomModule(seed: seed, hasFaults: true).check()
      var places: [String: TokenPlaces] = [:]
      for finding in check.diagnostics {
        seen.insert(finding.code)
        let source = check.source(try #require(finding.location.source))
        let tokens = places[source.name] ?? TokenPlaces(source)
        places[source.name] = tokens
        let start = try #require(finding.location.start), end = try #require(finding.location.end)
        // If an element of the path is hidden, the path ends before it, since its keys may be part of a secret. The
        // message then hides names, too.
        let isCut = finding.message.contains("\"…\"")
        let paths = tokens.paths(from: start, to: end)
        #expect(
          paths.contains { $0 == finding.path || isCut && $0.hasPrefix(finding.path) }, "seed \(seed): \(finding)")
      }
    }
    #expect(seen.count >= 11, "\(seen)")
  }

  @Test func `a secret is in no output, and in no error in any form`() throws {
    var count = 0
    for seed in Self.seeds {
      for hasFaults in [false, true] {
        let module = RandomModule(seed: seed, hasFaults: hasFaults)
        let output = output(of: module.check())
        for secret in module.secrets { #expect(!output.contains(secret), "seed \(seed): \(secret)") }
        let thrown = module.loadError().map { "\($0) \(String(reflecting: $0)) \($0.diagnostics)" }
        let error = try #require(thrown, "seed \(seed)")
        for secret in module.secrets { #expect(!error.contains(secret), "seed \(seed): \(secret)") }
        count += module.secrets.count
      }
    }
    #expect(count > Self.seeds.count)
  }
}

extension RandomModule {
  /// Appends layers after that of the environment.
  fileprivate mutating func addLayers(_ names: [String]) {
    guard case .map(let entries)? = files["app.json"] else { return }
    files["app.json"] = .map(
      entries.map { entry in
        entry.key == "environments"
          ? .init(key: entry.key, value: ["dev": .list((["layer.json"] + names).map(Value.string))]) : entry
      })
  }
}

/// The tokens of a file by position, found by an independent traversal of the document.
private struct TokenPlaces {
  private var paths: [[SourcePosition]: [String]] = [:]
  /// The line and column of each byte offset.
  private var positions: [SourcePosition] = []

  init(_ source: SourceFile) {
    var position = SourcePosition(line: 1, column: 1)
    for scalar in String(decoding: source.bytes, as: UTF8.self).unicodeScalars {
      positions += Array(repeating: position, count: UTF8.width(scalar))
      position = position.moved(behind: scalar)
    }
    positions.append(position)
    var bag = DiagnosticBag()
    let document = Document(reading: source, file: FileID(0), syntax: .json, limits: Limits(), bag: &bag)
    note(0, "", document)
  }

  /// Returns the paths of the tokens that have exactly this range.
  func paths(from start: SourcePosition, to end: SourcePosition) -> [String] { paths[[start, end], default: []] }

  private mutating func note(_ node: UInt32, _ path: String, _ document: Document) {
    note(tokenOf: node, path, document)
    for key in document.keys(of: node) {
      let text = document.text(of: key)
      let isPlain = text.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || isalnum($0) }
      let step = isPlain ? (path.isEmpty ? text : ".\(text)") : "[\"\(text)\"]"
      note(tokenOf: key, path + step, document)
      note(key + 1, path + step, document)
    }
    for (index, element) in document.elements(of: node).enumerated() { note(element, path + "[\(index)]", document) }
  }

  private mutating func note(tokenOf node: UInt32, _ path: String, _ document: Document) {
    let range = document.range(of: node)
    paths[[positions[range.start], positions[range.end]], default: []].append(path)
  }

  private func isalnum(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
