// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// The text that a client shows for the item under the pointer.
package struct HoverText: Hashable, Sendable {
  /// The text, in Markdown.
  package let markdown: String
  /// The range of the name that the text describes.
  package let range: TextRange
}

extension EditorWorkspace {
  /// Returns the item at a position of an open file with the byte range of its name, its context and the text of the
  /// file. Returns `nil` if there is no item.
  func target(in path: String, at position: TextPosition) -> (
    context: CursorContext, text: EditorText, target: CursorContext.Target, range: Range<Int>
  )? {
    guard let text = texts[path], let syntax = Syntax(path: path),
      let context = CursorContext(text.bytes, syntax, at: text.offset(of: position, encoding)),
      let found = context.target(
        in: text.bytes,
        isTag: { name in
          snapshots(of: path).contains { !$0.index.occurrences(of: Symbol(.tag, name)).isEmpty }
        })
    else { return nil }
    return (context, text, found.target, found.range)
  }

  /// Returns the hover text for a position of an open file, or `nil` if there is none.
  package func hover(in path: String, at position: TextPosition) -> HoverText? {
    guard let (context, text, target, range) = target(in: path, at: position),
      snapshots(of: path).contains(where: { $0.map[path]?.isChecked == true })
    else { return nil }
    var parts: [String] = []
    for snapshot in snapshots(of: path) {
      let writer = HoverWriter(snapshot: snapshot, context: context, path: path)
      if let part = writer.markdown(of: target), !parts.contains(part) { parts.append(part) }
    }
    guard !parts.isEmpty else { return nil }
    var walk = PositionWalk(text, encoding)
    return HoverText(markdown: parts.joined(separator: "\n\n---\n\n"), range: walk.range(of: range))
  }
}

/// Writes the hover text of an item in one module.
private struct HoverWriter {
  /// The module.
  let snapshot: EditorSnapshot
  /// The context of the cursor.
  let context: CursorContext
  /// The canonical path of the file.
  let path: String

  /// The maximum number of lines in a list.
  private static let maximumListLength = 12

  /// Returns the Markdown text for an item, or `nil` if nothing is known about it.
  func markdown(of target: CursorContext.Target) -> String? {
    switch target {
    case .symbol(let symbol): markdown(of: symbol)
    case .keyword(let keyword, let slot): "`\(keyword.text)`\n\n\(keyword.documentation(in: slot))"
    case .type(let name): snapshot.types[name].map { "**type** `\(name)`\n\n" + description(of: $0) }
    case .provided(let name): provided(name)
    case .argument(let key):
      EditorTypes(snapshot: snapshot).type(at: context).flatMap { type in
        type.arguments.first { $0.key == key }.map { "**argument** `\(key)` of `\(type.name)`\n\n\($0.summary)" }
      }
    case .code(let code): "**\(code.severity.rawValue)** `\(code)`\n\n\(code.title)"
    case .path(let text):
      snapshot.documents[Path.normalize(Path.join(Path.folder(of: path), text))].map { document in
        "**file** `\(document.source.name)`"
      }
    }
  }

  /// Returns the text for a symbol: its kind, type, documentation, values, declarations and number of uses.
  private func markdown(of symbol: Symbol) -> String? {
    let occurrences = snapshot.index.occurrences(of: symbol)
    guard !occurrences.isEmpty else { return nil }
    let entry = snapshot.index.entry(symbol)
    var blocks = ["**\(snapshot.index.kindInWords(of: symbol))** `\(symbol.name)`"]
    if let target = entry?.target { blocks[0] += " of `\(target)`" }
    if symbol.kind == .service || symbol.kind == .template {
      // There are several if a layer changes the type.
      let names = typeNames(of: symbol)
      if !names.isEmpty { blocks[0] += " · " + names.map { "`\($0)`" }.joined(separator: ", ") }
      if names.count == 1, let type = snapshot.types[names[0]] { blocks.append(description(of: type)) }
    }
    if let doc = entry?.doc { blocks.append(doc) }
    if let deprecated = entry?.deprecated { blocks.append("**deprecated:** \(deprecated)") }
    if symbol.kind == .parameter { blocks += values(of: symbol.name) }
    if symbol.kind == .environment { blocks += layers(of: symbol.name) }
    let history = history(of: occurrences)
    if !history.isEmpty { blocks.append(history.joined(separator: "\n")) }
    let uses = occurrences.count { !$0.isDeclaration && $0.role != .removal }
    blocks.append(uses == 1 ? "1 use" : "\(uses) uses")
    return blocks.joined(separator: "\n\n")
  }

  /// Returns the distinct type names in all declarations of a service or template, in the order of the files.
  private func typeNames(of symbol: Symbol) -> [String] {
    var seen: Set<String> = []
    return EditorTypes(snapshot: snapshot).typeNames(of: symbol).reversed().filter { seen.insert($0).inserted }
  }

  /// Returns the description of a registered type.
  private func description(of type: TypeDescriptor) -> String {
    var lines = [type.summary]
    if !type.source.isEmpty { lines.append("registered at \(type.source)") }
    if let deprecated = type.deprecated { lines.append("**deprecated:** \(deprecated)") }
    lines += type.arguments.prefix(HoverWriter.maximumListLength).map { "- `\($0.key)`: \($0.summary)" }
    return lines.joined(separator: "\n").replacingLineBreaks
  }

  /// Returns the text for a provided name, or `nil` if no type provides it.
  private func provided(_ name: String) -> String? {
    let types = (snapshot.catalog?.types ?? []).filter { $0.provides.contains(name) }.map { "`\($0.name)`" }
    guard !types.isEmpty else { return nil }
    return "**provided name** `\(name)`\n\nprovided by \(types.joined(separator: ", "))"
  }

  /// Returns the values of a parameter by environment, in the form of `resolve`: a secret is `<secret NAME>`.
  ///
  /// Leaves out environments with errors, because a parameter in them may be a secret.
  private func values(of name: String) -> [String] {
    var lines: [String] = []
    for composition in snapshot.compositions.prefix(HoverWriter.maximumListLength) {
      guard composition.graph != nil, let definition = composition.definition,
        let id = definition.names.existingName(name),
        let parameter = definition.parameters.first(where: { $0.name == id })
      else { continue }
      let value =
        parameter.isSecret
        ? "<secret \(name)>" : JSONWriter.text(of: parameter.value.printed, .line).shortened(to: 200)
      lines.append("- \(composition.environment ?? "value"): `\(value)` (\(parameter.type.rawValue))")
    }
    return lines.isEmpty ? [] : [lines.joined(separator: "\n")]
  }

  /// Returns the list of an environment's layers.
  private func layers(of name: String) -> [String] {
    let layers = snapshot.map[snapshot.entry]?.environments.first { $0.name == name }?.layers ?? []
    return layers.isEmpty ? [] : [layers.map { "- `\(snapshot.displayName(of: $0))`" }.joined(separator: "\n")]
  }

  /// Returns the declarations and changes of a symbol, in the order of the files, with the environments of layers.
  private func history(of occurrences: [SymbolOccurrence]) -> [String] {
    var lines: [String] = []
    for occurrence in occurrences {
      let verb: String
      switch occurrence.role {
      case .definition: verb = "defined"
      case .override: verb = "overridden"
      case .replacement: verb = "replaced"
      case .removal: verb = "removed"
      case .reference, .placeholder, .unsetPath: continue
      }
      let path = snapshot.path(of: occurrence.token)
      guard let document = snapshot.documents[path] else { continue }
      var place = document.source.name
      if document.hasPositions {
        place += ":\(EditorText(document.source.bytes).line(of: document.range(of: occurrence).lowerBound) + 1)"
      }
      let environments = environments(applying: path)
      lines.append(
        "- \(verb) at `\(place)`"
          + (environments.isEmpty ? "" : " (\(environments.joined(separator: ", ")))"))
    }
    let shown = lines.prefix(HoverWriter.maximumListLength)
    return Array(shown) + (shown.count < lines.count ? ["- and \(lines.count - shown.count) more"] : [])
  }

  /// Returns the environments that apply a file. Empty if all environments do.
  private func environments(applying path: String) -> [String] {
    guard let entry = snapshot.map[snapshot.entry] else { return [] }
    var base: Set<String> = []
    collect(from: [snapshot.entry], into: &base)
    guard !base.contains(path) else { return [] }
    return entry.environments.filter { environment in
      var reached: Set<String> = []
      collect(from: environment.layers, into: &reached)
      return reached.contains(path)
    }.map(\.name)
  }

  /// Inserts files and everything that they import.
  private func collect(from paths: [String], into reached: inout Set<String>) {
    var pending = paths
    while let path = pending.popLast() {
      if reached.insert(path).inserted { pending += snapshot.map[path]?.imports ?? [] }
    }
  }
}

extension String {
  /// The text with hard line breaks of Markdown, except before list items.
  fileprivate var replacingLineBreaks: String {
    split(separator: "\n", omittingEmptySubsequences: false).reduce(into: "") { text, line in
      if !text.isEmpty { text += line.hasPrefix("- ") ? "\n" : "  \n" }
      text += line
    }
  }
}
