// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The rename of a symbol in all files of a module.
///
/// Does not write files. `changes` contains the new contents.
package struct ModuleRename {
  /// An occurrence of the name that is changed.
  package struct Place {
    /// The name of the file, as shown in findings.
    package let file: String
    /// The position of the name.
    package let position: SourcePosition
  }

  /// The reason why a symbol cannot be renamed.
  package enum Failure: Error {
    /// The module has errors, so not all uses may be known.
    case invalidModule(ModuleCheck)
    /// The rename is refused for the given reason, such as an invalid new name.
    case refused(String)
    /// No symbol has the old name. `near` contains similar names.
    case unknown(near: [String])
  }

  /// The renamed symbol.
  package let symbol: Symbol
  /// The name of its kind in messages.
  package let kind: String
  /// The new name.
  package let name: String
  /// The changed occurrences, by file in the order in which the files were read, then by position.
  package let places: [Place]
  /// The changed files, ascending by path.
  package let changes: [ModuleRepair.Change]

  /// Computes the edits that rename a symbol, and checks the module with them.
  ///
  /// - Parameters:
  ///   - old: The old name. A section as in `parameters.level` chooses between symbols of the same name.
  ///   - new: The new name. If `old` has a section, `new` may have it, too.
  /// - Throws: `Failure` if the module has errors, no symbol has the name, or the rename is refused.
  /// - Complexity: that of two checks.
  package init(
    of old: String, to new: String, in request: ModuleRequest, entry: String, files access: any FileAccess,
    knowing types: KnownTypes
  ) throws(Failure) {
    let files = OverlayFiles(over: access, workingFolder: access.workingFolder)
    let before = ModuleCheck(checking: request, environments: nil, files: files, knowing: types)
    guard before.isSound else { throw .invalidModule(before) }
    let snapshot = EditorSnapshot(
      checking: request, entry: files.canonicalPath(of: entry), files: files, types,
      map: ModuleMap(entry: nil))
    symbol = try ModuleRename.symbol(old, in: snapshot.index)
    kind = snapshot.index.kindInWords(of: symbol)
    // A section before the old name is not part of the name. It is removed from the new name, too.
    let section = old.prefix(old.count - symbol.name.count)
    let name = new.hasPrefix(section) ? String(new.dropFirst(section.count)) : new
    self.name = name
    if let reason = ModuleRename.obstacle(to: name, for: symbol, in: snapshot) { throw .refused(reason) }

    var (overlay, places) = (files, [Place]())
    let occurrences = Dictionary(grouping: snapshot.index.occurrences(of: symbol)) { snapshot.path(of: $0.token) }
    for path in snapshot.paths {
      guard let here = occurrences[path], let document = snapshot.documents[path] else { continue }
      guard document.hasPositions else { throw .refused("\(document.source.name) is a binary file") }
      let bytes = document.source.bytes
      let starts = Set(here.map { document.range(of: $0).lowerBound }).sorted()
      places += LineTable(bytes).positions(of: starts, in: bytes).map {
        Place(file: document.source.name, position: $0)
      }
      overlay[path] = bytes.applying(document.edits(renaming: here, to: name))
    }
    self.places = places
    changes = ModuleRepair.changes(overlay)
    let after = ModuleCheck(checking: request, environments: nil, files: overlay, knowing: types)
    if let reason = EditorWorkspace.effect(of: symbol, to: name, from: before, to: after) { throw .refused(reason) }
  }

  /// Returns the symbol with a name.
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

  /// Returns why a symbol cannot have a new name, or `nil` if it can.
  private static func obstacle(to name: String, for symbol: Symbol, in snapshot: EditorSnapshot) -> String? {
    if let reason = EditorWorkspace.obstacle(toName: name) { return reason }
    if name == symbol.name { return "that is its name already" }
    return EditorWorkspace.obstacle(to: Symbol(symbol.kind, name), in: snapshot)
  }
}

extension SymbolKind {
  /// The plural of the kind, which is its section if it has one, as in `services.mailer`.
  fileprivate var section: String { inWords + "s" }

  /// Creates the kind with a plural, or `nil` if no kind that can be renamed has it. `aliases` gives `service`.
  fileprivate init?(section: String) {
    let word = section == "aliases" ? SymbolKind.service.section : section
    guard let kind = SymbolKind.allCases.first(where: { $0.section == word && $0 != .binding }) else { return nil }
    self = kind
  }
}
