// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// Fixes of random modules, applied to their files.
struct RepairPropertyTests {
  /// Returns a file after applying the fixes that a check found for it.
  private func repaired(
    _ text: String, _ name: String, by check: ModuleCheck, location: SourceLocation = #_sourceLocation
  )
    -> String
  {
    var bytes = Array(text.utf8)
    let fixes = check.diagnostics.flatMap(\.fixes).filter { $0.location.file == name }
    var begin = Int.max
    for (range, text) in fixes.map({ (offsets(of: $0.location, in: text), $0.text) })
      .sorted(by: { $0.0.lowerBound > $1.0.lowerBound })
    {
      #expect(range.upperBound <= begin, "repairs overlap", sourceLocation: location)
      bytes.replaceSubrange(range, with: Array(text.utf8))
      begin = range.lowerBound
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the byte offsets of a location, counted independently of the library.
  private func offsets(of location: Diagnostic.Location, in text: String) -> Range<Int> {
    var (offset, start, end) = (0, 0, 0)
    var position = SourcePosition(line: 1, column: 1)
    for scalar in text.unicodeScalars {
      if position == location.start { start = offset }
      if position == location.end { end = offset }
      offset += UTF8.width(scalar)
      position = position.moved(behind: scalar)
    }
    return start..<max(start, end)
  }

  /// Returns a module with a layer that repeats parts of it.
  private func files(seed: UInt64) -> [String: Value] {
    var random = SeededRandom(seed: seed)
    func scalar() -> Value { Bool.random(using: &random) ? .integer(Int64.random(in: 0..<3, using: &random)) : "${p}" }
    func datum(_ depth: Int) -> Value {
      guard depth < 2, Bool.random(using: &random) else { return scalar() }
      return .map((0...2).map { .init(key: "k\($0)", value: datum(depth + 1)) })
    }
    func services(_ change: Bool) -> Value {
      .map(
        (0..<4).map { number in
          let entries: [Value.Entry] = [
            .init(key: "type", value: .string("T\(Int.random(in: 0..<2, using: &random))")),
            .init(key: "inject", value: ["x": Bool.random(using: &random) ? "nine" : "nin", "y": ["nine"]]),
            .init(key: "values", value: .map((0..<3).map { .init(key: "v\($0)", value: datum(0)) })),
            .init(key: "tags", value: Bool.random(using: &random) ? ["a", "b"] : ["a": ["order": 1], "c": [:]]),
          ]
          return .init(
            key: "s\(number)", value: .map(change ? entries.filter { _ in Bool.random(using: &random) } : entries))
        })
    }
    return [
      "app.json": [
        "configdi": 1, "module": "app", "environments": ["dev": ["layer.json"]], "parameters": ["p": 1],
        "services": .map((services(false).entries) + [.init(key: "nine", value: ["type": "T"])]),
      ],
      "layer.json": [
        "configdi": 1, "module": "layer", "override": ["services": services(true), "parameters": ["p": 1]],
      ],
    ]
  }

  @Test(arguments: [Syntax.json, .plist])
  func `all fixes applied together leave valid files without further fixes`(syntax: Syntax) throws {
    var count = 0
    for seed in 0..<UInt64(LongTests.size(10, full: 60)) {
      var texts: [String: String] = [:]
      for (name, value) in files(seed: seed) {
        let ending = syntax == .json ? "json" : "plist"
        let text = JSONWriter.text(of: value).replacing(".json", with: ".\(ending)")
        let name = name.replacing(".json", with: ".\(ending)")
        var bag = DiagnosticBag()
        let document = Document(
          reading: SourceFile(name: name, text: text), file: FileID(0), syntax: .json, bag: &bag)
        texts[name] = syntax == .json ? text : PropertyListWriter.text(of: document)
      }
      let entry = Entry.file(syntax == .json ? "app.json" : "app.plist")
      // A map that becomes empty is reported in the next round.
      for round in 0..<6 {
        let check = ModuleCheck(
          checking: ModuleRequest(entry: entry), environments: nil, files: MemoryFiles(texts: texts))
        let reported = check.diagnostics.filter { [.overrideWithoutEffect, .unknownService].contains($0.code) }
        #expect(!check.diagnostics.contains { (101...299).contains($0.code.number) }, "seed \(seed), round \(round)")
        if reported.isEmpty { break }
        #expect(round < 5, "seed \(seed): \(reported)")
        count += reported.count
        #expect(reported.contains { !$0.fixes.isEmpty }, "seed \(seed)")
        for (name, text) in texts { texts[name] = repaired(text, name, by: check) }
      }
    }
    #expect(count > 100)
  }
}
