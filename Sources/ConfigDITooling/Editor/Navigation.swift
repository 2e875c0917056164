// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// A range of a file.
package struct FileRange: Hashable, Sendable {
  /// The canonical path.
  package let path: String
  /// The range in the file.
  package let range: TextRange
}

/// The result of a rename.
package enum RenameResult {
  /// The edits by canonical path, in ascending order within each file.
  case edits([String: [(range: TextRange, text: String)]])
  /// The reason why the rename is refused.
  case refused(String)
}

extension EditorWorkspace {
  /// Returns the declarations of the item at a position: its definition, and its overrides and replacements. For a
  /// type, returns its entry in the catalog; for a path, the start of the file.
  package func definitions(in path: String, at position: TextPosition) -> [FileRange] {
    guard let (_, _, target, _) = target(in: path, at: position) else { return [] }
    var found: [FileRange] = []
    for snapshot in snapshots(of: path) {
      switch target {
      case .symbol(let symbol):
        found += ranges(of: snapshot.index.occurrences(of: symbol).filter(\.isDeclaration), in: snapshot)
      case .type(let name): found += catalogEntry(of: name, in: snapshot)
      case .path(let text):
        let destination = files.canonicalPath(of: Path.join(Path.folder(of: path), text))
        let start = TextPosition(line: 0, character: 0)
        if snapshot.documents[destination] != nil {
          found.append(FileRange(path: destination, range: TextRange(start: start, end: start)))
        }
      case .keyword, .provided, .argument, .code: break
      }
    }
    return found.withoutRepetitions
  }

  /// Returns the occurrences of the symbol at a position, in all modules that renaming it would affect.
  package func references(
    in path: String, at position: TextPosition, includingDeclarations: Bool
  ) -> [FileRange] {
    guard case .symbol(let symbol)? = target(in: path, at: position)?.target else { return [] }
    return snapshots(naming: symbol, from: path).flatMap { snapshot in
      ranges(
        of: snapshot.index.occurrences(of: symbol).filter { includingDeclarations || !$0.isDeclaration }, in: snapshot)
    }.withoutRepetitions
  }

  /// Returns the occurrences in one file of the symbol at a position, and whether each is a declaration.
  package func highlights(in path: String, at position: TextPosition) -> [(range: TextRange, isWrite: Bool)] {
    guard case .symbol(let symbol)? = target(in: path, at: position)?.target,
      let snapshot = snapshots(of: path).first, let document = snapshot.documents[path]
    else { return [] }
    var walk = PositionWalk(EditorText(document.source.bytes), encoding)
    return snapshot.index.occurrences(of: symbol).filter { snapshot.path(of: $0.token) == path }
      .map { (walk.range(of: document.range(of: $0)), $0.isDeclaration) }
  }

  /// Returns the ranges of occurrences in a module. Leaves out those in binary files.
  private func ranges(of occurrences: [SymbolOccurrence], in snapshot: EditorSnapshot) -> [FileRange] {
    var walks: [String: PositionWalk] = [:]
    return occurrences.compactMap { occurrence in
      let path = snapshot.path(of: occurrence.token)
      guard let document = snapshot.documents[path], document.hasPositions else { return nil }
      let bytes = document.range(of: occurrence)
      let range = walks[path, default: PositionWalk(EditorText(document.source.bytes), encoding)].range(of: bytes)
      return FileRange(path: path, range: range)
    }
  }

  /// Returns the range of a type's name in the catalog file. Empty if there is none.
  private func catalogEntry(of name: String, in snapshot: EditorSnapshot) -> [FileRange] {
    guard let path = snapshot.catalogPath, let document = snapshot.documents[path], !document.nodes.isEmpty else {
      return []
    }
    for key in document.keys(of: 0) where document.text(of: key) == "types" {
      for type in document.elements(of: key + 1) {
        for member in document.keys(of: type) where document.text(of: member) == "name" {
          guard document.text(of: member + 1) == name else { continue }
          var walk = PositionWalk(EditorText(document.source.bytes), encoding)
          let token = document[member + 1]
          return [FileRange(path: path, range: walk.range(of: Int(token.start)..<Int(token.end)))]
        }
      }
    }
    return []
  }
}

extension [FileRange] {
  /// The ranges in their order, each only once.
  fileprivate var withoutRepetitions: [FileRange] {
    var seen: Set<FileRange> = []
    return filter { seen.insert($0).inserted }
  }
}

// MARK: - Renaming

extension EditorWorkspace {
  /// Returns the name at a position and its range if it can be renamed, or else `nil`.
  package func renamable(in path: String, at position: TextPosition) -> (range: TextRange, name: String)? {
    guard let (_, text, target, range) = target(in: path, at: position), case .symbol(let symbol) = target,
      symbol.kind != .binding, snapshots(of: path).contains(where: { !$0.index.occurrences(of: symbol).isEmpty })
    else { return nil }
    var walk = PositionWalk(text, encoding)
    return (walk.range(of: range), symbol.name)
  }

  /// Returns the edits that rename the symbol at a position in all affected modules, or the reason for refusing.
  ///
  /// - Complexity: that of two checks of each module.
  package func rename(in path: String, at position: TextPosition, to name: String) -> RenameResult {
    guard case .symbol(let symbol)? = target(in: path, at: position)?.target, symbol.kind != .binding else {
      return .refused("there is nothing here that can be renamed")
    }
    if let reason = EditorWorkspace.obstacle(toName: name) { return .refused(reason) }
    if name == symbol.name { return .edits([:]) }
    let snapshots = snapshots(naming: symbol, from: path)
    for snapshot in snapshots {
      let obstacle = EditorWorkspace.obstacle(to: Symbol(symbol.kind, name), in: snapshot)
      if let reason = obstacle ?? EditorWorkspace.obstacle(byAliasesOf: symbol, in: snapshot) {
        return .refused(reason)
      }
    }
    var edits: [String: [(range: TextRange, text: String)]] = [:]
    var renamed = files
    for snapshot in snapshots {
      let occurrences = Dictionary(grouping: snapshot.index.occurrences(of: symbol)) { snapshot.path(of: $0.token) }
      for (file, here) in occurrences where edits[file] == nil {
        guard let document = snapshot.documents[file] else { continue }
        guard document.hasPositions else { return .refused("\(document.source.name) is a binary file") }
        var walk = PositionWalk(EditorText(document.source.bytes), encoding)
        let found = document.edits(renaming: here, to: name)
        edits[file] = found.map { (walk.range(of: $0.range), $0.text) }
        renamed[file] = document.source.bytes.applying(found)
      }
    }
    for snapshot in snapshots {
      guard let before = snapshot.check, let after = snapshot.check(with: renamed) else { continue }
      if let reason = EditorWorkspace.effect(of: symbol, to: name, from: before, to: after) { return .refused(reason) }
    }
    return edits.isEmpty ? .refused("nothing has the name \"\(symbol.name)\"") : .edits(edits)
  }

  /// Returns why a YAML alias prevents renaming a symbol, or `nil`. The text of an anchor cannot be renamed if it names
  /// the symbol in some of the places that use it, but not in others.
  private static func obstacle(byAliasesOf symbol: Symbol, in snapshot: EditorSnapshot) -> String? {
    for path in snapshot.paths where path != snapshot.catalogPath {
      guard let document = snapshot.documents[path], let alias = document.alias(dividing: symbol) else { continue }
      return "what the alias \"\(alias)\" in \(document.source.name) stands for is the \(symbol.kind.inWords) "
        + "\"\(symbol.name)\" in some places and not in others"
    }
    return nil
  }

  /// Returns why a text cannot be the name of a symbol, or `nil` if it can.
  static func obstacle(toName name: String) -> String? {
    let isValid = Array(name.utf8).withUnsafeBufferPointer { NameGrammar.id.accepts($0) }
    return isValid
      ? nil : "\"\(name)\" is not a valid name: a letter or \"_\", then letters, digits, \"_\", \".\" and \"-\""
  }

  /// Returns why a module does not allow a symbol as a new name, or `nil` if it does.
  static func obstacle(to new: Symbol, in snapshot: EditorSnapshot) -> String? {
    for path in snapshot.paths where path != snapshot.catalogPath {
      if let document = snapshot.documents[path], !document.isComplete {
        return "\(document.source.name) has a syntax error, so that not all uses are known"
      }
    }
    if new.kind == .scope, Lifetime.words.contains(new.name) { return "\"\(new.name)\" is a built-in scope" }
    if !snapshot.index.occurrences(of: new).isEmpty {
      let article = new.kind == .environment ? "an" : "a"
      let kind = new.kind == .service ? "service or alias" : new.kind.inWords
      return "there is already \(article) \(kind) \"\(new.name)\""
    }
    return nil
  }

  /// Returns what a rename would change besides the name, or `nil` if nothing: a new finding, or the wiring, because the
  /// order and keys of tagged services and the order of the start may depend on ids.
  static func effect(
    of symbol: Symbol, to name: String, from before: ModuleCheck, to after: ModuleCheck
  ) -> String? {
    let (old, new) = (before.findingsByCode, after.findingsByCode)
    if let finding = after.diagnostics.first(where: { new[$0.code, default: 0] > old[$0.code, default: 0] }) {
      return "the module would have a new finding: \(finding.message)"
    }
    guard symbol.kind == .service else { return nil }
    for (old, new) in zip(before.compositions, after.compositions) {
      guard let old = old.graph.map({ ResolvedModule($0) }), let new = new.graph.map({ ResolvedModule($0) }) else {
        continue
      }
      let difference = ModuleDifference(from: old, to: new)
      let report = DifferenceReport(difference, from: "", to: "")
      // A disabled service and an alias are not in the graph, so there may be no difference.
      let ids = Set(difference.services.added + difference.services.removed)
      guard ids.isSubset(of: [symbol.name, name]) else { return "other services would change" }
      if let entry = report.listedChanges(in: .services).first, let change = entry.changes.first,
        difference.renames.count == 1 || ids.isEmpty
      {
        return
          "service \"\(entry.id)\" would change at \(change.path): the key or the order of a tagged service is its id"
      }
      let orders = new.orders
      for (what, order) in old.orders.ascending(by: \.key)
      where order.map({ $0 == symbol.name ? name : $0 }) != orders[what] {
        return "the order of the \(what) would change, which depends on their ids"
      }
    }
    return nil
  }
}

extension ModuleCheck {
  /// The number of findings of each code.
  fileprivate var findingsByCode: [DiagnosticCode: Int] {
    Dictionary(diagnostics.lazy.map { ($0.code, 1) }, uniquingKeysWith: +)
  }
}
