// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// A new name for something of a module, in all files of its composition: the edits, or why there are none.
///
/// Nothing is written; `changes` has what is to be.
package struct ModuleRename {
  /// One place that is changed.
  package struct Place {
    /// The file, as findings name it.
    package let file: String
    /// Where the name stands.
    package let position: SourcePosition
  }

  /// Why a module has no edits.
  package enum Failure: Error {
    /// The module has errors, so that not all uses are known.
    case unsound(ModuleCheck)
    /// The new name would not be right; the reason.
    case refused(String)
    /// Nothing has the old name; what comes near.
    case unknown(near: [String])
  }

  /// What is renamed.
  package let symbol: Symbol
  /// The new name.
  package let name: String
  /// The places, by file in the order in which the files were read, then by position.
  package let places: [Place]
  /// The files with the new name, ascending by path.
  package let changes: [ModuleRepair.Change]

  /// Finds the edits that give something another name.
  ///
  /// - Parameters:
  ///   - old: The name; `parameters.level` says that the parameter is meant where a service has the name, too.
  ///   - new: The new name, with the section where `old` has it, or without.
  /// - Complexity: that of two checks.
  package init(
    of old: String, to new: String, in request: ModuleRequest, entry: String, files access: any FileAccess,
    knowing types: KnownTypes
  ) throws(Failure) {
    let files = OverlayFiles(over: access, workingFolder: access.workingFolder)
    let before = ModuleCheck(checking: request, environments: nil, files: files, knowing: types)
    guard before.isSound else { throw .unsound(before) }
    let snapshot = EditorSnapshot(
      checking: request, entry: files.canonicalPath(of: entry), files: files, types,
      map: ModuleMap(entry: nil))
    symbol = try ModuleRename.symbol(old, in: snapshot.index)
    // The section of the old name is none of its letters, and so it is none of those of the new one.
    let section = old.prefix(old.count - symbol.name.count)
    let name = new.hasPrefix(section) ? String(new.dropFirst(section.count)) : new
    self.name = name
    if let reason = ModuleRename.obstacle(to: name, for: symbol, in: snapshot) { throw .refused(reason) }

    var (overlay, places) = (files, [Place]())
    let occurrences = Dictionary(grouping: snapshot.index.occurrences(of: symbol)) { snapshot.path(of: $0.token) }
    for path in snapshot.paths {
      guard let here = occurrences[path], let document = snapshot.documents[path] else { continue }
      guard document.hasPositions else { throw .refused("\(document.source.name) is a binary file") }
      let byToken = Dictionary(grouping: here) { $0.token.node }
      var edits: [SourceEdit] = []
      for node in byToken.keys.sorted() { edits += document.edits(renaming: byToken[node] ?? [], to: name) ?? [] }
      let bytes = document.source.bytes
      let starts = here.map { document.range(of: $0).lowerBound }.sorted()
      places += LineTable(bytes).positions(of: starts, in: bytes).map {
        Place(file: document.source.name, position: $0)
      }
      overlay[path] = bytes.applying(edits)
    }
    self.places = places
    changes = ModuleRepair.changes(overlay)
    let after = ModuleCheck(checking: request, environments: nil, files: overlay, knowing: types)
    if let reason = ModuleRename.effect(from: before, to: after, symbol, name) { throw .refused(reason) }
  }

  /// What has a name.
  private static func symbol(_ old: String, in index: SymbolIndex) throws(Failure) -> Symbol {
    var name = old
    var kinds = SymbolKind.allCases.filter { $0 != .binding }
    let isKnown = kinds.contains { !index.occurrences(of: Symbol($0, old)).isEmpty }
    if !isKnown, let dot = old.firstIndex(of: "."), let kind = SymbolKind(section: String(old[..<dot])) {
      (name, kinds) = (String(old[old.index(after: dot)...]), [kind])
    }
    let found = kinds.filter { !index.occurrences(of: Symbol($0, name)).isEmpty }
    guard let kind = found.first else {
      let names = Set(kinds.flatMap { index.definedNames(of: $0) })
      throw .unknown(near: suggestions(for: name, among: names.sorted()))
    }
    guard found.count == 1 else {
      let words = found.map { "\($0.section).\(name)" }.joined(separator: " or ")
      throw .refused("several things have the name \"\(name)\"; write \(words)")
    }
    return Symbol(kind, name)
  }

  /// Why a symbol cannot have another name, or nil.
  private static func obstacle(to name: String, for symbol: Symbol, in snapshot: EditorSnapshot) -> String? {
    guard Array(name.utf8).withUnsafeBufferPointer({ NameGrammar.id.accepts($0) }) else {
      return "\"\(name)\" is not a valid name: a letter or \"_\", then letters, digits, \"_\", \".\" and \"-\""
    }
    if name == symbol.name { return "that is its name already" }
    return EditorWorkspace.obstacle(to: Symbol(symbol.kind, name), in: snapshot)
  }

  /// What would change beside the name, or nil: a new finding, or another wiring, as the order and the keys of tagged services
  /// may depend on their ids.
  private static func effect(
    from before: ModuleCheck, to after: ModuleCheck, _ symbol: Symbol, _ name: String
  ) -> String? {
    guard after.counts.errors == 0, after.counts.warnings <= before.counts.warnings else {
      let finding = after.diagnostics.first { !before.diagnostics.contains($0) }
      return "the module would have a new finding: \(finding?.message ?? "")"
    }
    guard symbol.kind == .service else { return nil }
    for (old, new) in zip(before.compositions, after.compositions) {
      guard let old = old.graph, let new = new.graph else { continue }
      let difference = ModuleDifference(from: ResolvedModule(old), to: ResolvedModule(new))
      let report = DifferenceReport(difference, from: "", to: "")
      // A condition may take the service out, and an alias is no service.
      let ids = Set(difference.services.added + difference.services.removed)
      guard ids.isSubset(of: [symbol.name, name]) else { return "other services would change" }
      if let entry = report.listedChanges(in: .services).first, let change = entry.changes.first,
        difference.renames.count == 1 || ids.isEmpty
      {
        return
          "service \"\(entry.id)\" would change at \(change.path): the key or the order of a tagged service is its id"
      }
    }
    return nil
  }
}

extension SymbolKind {
  /// The section whose entries are of the kind, as in `services.mailer`; of tags and the like a word like it.
  fileprivate var section: String { inWords + "s" }

  /// The kind of a section's word.
  fileprivate init?(section: String) {
    let word = section == "aliases" ? SymbolKind.service.section : section
    guard let kind = SymbolKind.allCases.first(where: { $0.section == word && $0 != .binding }) else { return nil }
    self = kind
  }
}

extension [UInt8] {
  /// The text with some ranges replaced, which ascend and do not overlap.
  fileprivate func applying(_ edits: [SourceEdit]) -> [UInt8] {
    var changed: [UInt8] = []
    var end = 0
    for edit in edits {
      changed += self[end..<edit.range.lowerBound] + Array(edit.text.utf8)
      end = edit.range.upperBound
    }
    return changed + self[end...]
  }
}
