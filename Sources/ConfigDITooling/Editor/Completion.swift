// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// A completion at the cursor.
package struct CompletionItem: Hashable, Sendable {
  /// The kind of an item, from which a client chooses its icon.
  package enum Kind: Sendable {
    case keyword, argument, service, parameter, template, scope, tag, environment, type, value, file, folder
  }

  /// The text that is shown.
  package var label: String
  /// The kind of the item.
  package var kind: Kind
  /// A one-line description.
  package var detail: String?
  /// The documentation, in Markdown.
  package var documentation: String?
  /// The edit that inserts the item.
  package var edit: SourceEdit
  /// Whether the text of the edit is a snippet with tab stops.
  package var isSnippet = false
  /// The text that a client compares with the text at the cursor.
  package var filterText: String
  /// Whether the item is deprecated.
  package var isDeprecated = false
  /// The rank; items of a lower rank come first.
  package var rank = 1
}

/// Computes the completions at a cursor.
struct Completer {
  /// The workspace.
  let workspace: EditorWorkspace
  /// The canonical path of the file.
  let path: String
  /// The text of the file.
  let text: [UInt8]
  /// The outline of the text, and the slot of the format at the cursor.
  let context: CursorContext
  /// The modules that the file belongs to. The first one determines what may differ between them.
  let snapshots: [EditorSnapshot]
  /// Whether the client supports snippets.
  let usesSnippets: Bool

  /// A completion before it is written in the syntax of the file.
  struct Candidate {
    /// The value or key, without quotes and escapes.
    var text: String
    /// The kind of the item.
    var kind: CompletionItem.Kind
    /// A one-line description.
    var detail: String?
    /// The documentation, in Markdown.
    var documentation: String?
    /// Whether it is written without quotes, as a number or a boolean.
    var isBare = false
    /// The form of the value, if the candidate is a key.
    var form: ValueForm?
    /// Whether it is deprecated.
    var isDeprecated = false
    /// The rank; candidates of a lower rank come first.
    var rank = 1
  }

  /// The registered types of the first module.
  var types: EditorTypes? { snapshots.first.map(EditorTypes.init) }

  /// Returns the completions, sorted by rank, then by label.
  func items() -> [CompletionItem] {
    if let placeholder = context.placeholder(in: text) { return parameters(in: placeholder) }
    let candidates = context.isInKey ? keys() : values(of: context.slot)
    var seen: Set<String> = []
    return candidates.filter { seen.insert($0.text).inserted }.map(item).sorted {
      ($0.rank, $0.label) < ($1.rank, $1.label)
    }
  }

  /// Returns the names of a kind that any module of the file defines, ascending. While the file has a syntax error,
  /// includes the names that its last complete document defines.
  func names(of kind: SymbolKind) -> [String] {
    var names = Set(snapshots.flatMap { $0.index.definedNames(of: kind) })
    if let own = workspace.lastCompleteDocuments[path],
      snapshots.contains(where: { $0.documents[path]?.isComplete == false })
    {
      names.formUnion(SymbolIndex([own]).definedNames(of: kind))
    }
    // A name that occurs only at the cursor is still being typed.
    if let typed = context.cursor.token?.text, names.contains(typed) {
      let symbol = Symbol(kind, typed)
      if snapshots.allSatisfy({ $0.index.occurrences(of: symbol).count < 2 }) { names.remove(typed) }
    }
    return names.sorted()
  }

  /// Returns the parameters for a placeholder.
  private func parameters(in placeholder: (range: Range<Int>, isClosed: Bool)) -> [CompletionItem] {
    let own = context.entry?.kind == .parameter ? context.entry?.name : nil
    return names(of: .parameter).filter { $0 != own }.map { name in
      CompletionItem(
        label: name, kind: .parameter, detail: nil, documentation: documentation(of: Symbol(.parameter, name)),
        edit: SourceEdit(range: placeholder.range, text: name + (placeholder.isClosed ? "" : "}")), filterText: name)
    }
  }

  /// Returns the `doc` of a symbol from the first module that has one, or `nil`.
  func documentation(of symbol: Symbol) -> String? { snapshots.lazy.compactMap { $0.index.entry(symbol)?.doc }.first }
}

// MARK: - Keys

extension Completer {
  /// Returns the keys that the map around the cursor allows and does not contain yet.
  private func keys() -> [Candidate] {
    let siblings = context.siblings
    let candidates: [Candidate]
    switch context.slot.keyRole {
    case .keywords(let allowed)?: candidates = keywords(allowed, siblings)
    case .ids(let section, let verb)?: candidates = ids(section, verb)
    case .names(.tag)?:
      candidates = names(of: .tag).map { Candidate(text: $0, kind: .tag, form: .map) }
    case .arguments(let isInject)?: candidates = arguments(isInject)
    case .codes?: candidates = codes()
    case .names?, .free?, nil: candidates = []
    }
    return candidates.filter { !siblings.contains($0.text) }
  }

  /// Returns the keys of the format. Leaves out keys that cannot be combined with the keys already in the map.
  private func keywords(_ allowed: [Keyword], _ siblings: Set<String>) -> [Candidate] {
    var allowed = allowed
    for forms in [Keyword.referenceForms, Keyword.conditionForms, Keyword.sourceForms]
    where Set(forms.flatMap { $0 }) == Set(allowed) {
      let form = forms.first { form in form.contains { siblings.contains($0.text) } }
      allowed = form ?? forms.map { $0[0] }
    }
    return (allowed + [.doc]).enumerated().map { place, keyword in
      Candidate(
        text: keyword.text, kind: .keyword, documentation: keyword.documentation(in: context.slot),
        form: keyword.valueForm(in: context.slot), rank: keyword == .doc ? 99 : place)
    }
  }

  /// Returns ids of a section: the defined ids for `override` and `replace`, the provided names of types for
  /// `bindings`.
  private func ids(_ section: Section, _ verb: FormatSlot.Verb) -> [Candidate] {
    if section == .bindings {
      return allProvidedNames.map { Candidate(text: $0, kind: .type, form: .string) }
    }
    guard verb != .define else { return [] }
    let names = Set(snapshots.flatMap { $0.index.definedNames(in: section) })
    return names.sorted().map { name in
      let symbol = Symbol(section.symbolKind, name)
      return Candidate(
        text: name, kind: section.itemKind, detail: detail(of: symbol), documentation: documentation(of: symbol),
        form: section == .aliases ? .string : .map)
    }
  }

  /// Returns the codes of all warnings.
  private func codes() -> [Candidate] {
    DiagnosticCode.all.filter { $0.severity == .warning }.map { code in
      Candidate(
        text: code.description, kind: .value, detail: code.title, form: context.slot == .severities ? .map : .string)
    }
  }

  /// Returns the arguments of the type around the cursor that neither `inject` nor `values` has yet.
  private func arguments(_ isInject: Bool) -> [Candidate] {
    guard let types, let type = types.type(at: context), let holder = context.holder else { return [] }
    let other = context.outline.value(of: isInject ? "values" : "inject", in: holder.node)
    let given = Set(other.map { context.outline.nodes[$0].keys.map(\.text) } ?? [])
    return type.arguments.compactMap { argument in
      guard !given.contains(argument.key) else { return nil }
      let form: ValueForm
      switch argument.kind {
      case .service(_, let wrapper) where isInject: form = wrapper == .list ? .list : .string
      case .value(let type) where !isInject: form = type.form
      default: return nil
      }
      let isRequired = !argument.isOptional && !argument.hasDefault
      return Candidate(
        text: argument.key, kind: .argument, detail: argument.summary, form: form, rank: isRequired ? 0 : 1)
    }
  }

  /// Returns the type of an entry as a one-line description, or `nil` if the type is unknown.
  func detail(of symbol: Symbol) -> String? {
    guard let types else { return nil }
    return types.typeNames(of: symbol).first
  }
}

// MARK: - Writing

extension Completer {
  /// Returns the item that inserts a candidate in the syntax of the file.
  private func item(_ candidate: Candidate) -> CompletionItem {
    var item = CompletionItem(
      label: candidate.text, kind: candidate.kind, detail: candidate.detail, documentation: candidate.documentation,
      edit: SourceEdit(range: context.offset..<context.offset, text: ""), filterText: candidate.text,
      isDeprecated: candidate.isDeprecated, rank: candidate.rank)
    switch context.syntax {
    case .json, .jsonc: writeJSON(candidate, to: &item)
    case .yaml: writeYAML(candidate, to: &item)
    case .plist: writeXML(candidate, to: &item)
    }
    return item
  }

  /// Returns a text with the escapes of a JSON string, without quotation marks.
  private func escaped(_ text: String) -> String {
    String(JSONWriter.text(of: .string(text), .line).dropFirst().dropLast())
  }

  /// Returns whether the cursor is behind the opening quotation mark of a token. If it is in front of it, the quotation
  /// marks are replaced, too, because the replaced range must contain the cursor.
  private func isWithinQuotes(_ token: Outline.Token) -> Bool { token.content.lowerBound <= context.offset }

  /// Sets the edit of an item to a candidate in JSON.
  private func writeJSON(_ candidate: Candidate, to item: inout CompletionItem) {
    let token = context.cursor.token
    let isQuoted = token.map { $0.content != $0.range } ?? false
    let needsColon = context.isInKey && !context.cursor.isFollowed
    if let token, isQuoted, token.isClosed, isWithinQuotes(token), !needsColon, !candidate.isBare {
      // The existing quotation marks stay.
      item.edit = SourceEdit(range: token.content, text: escaped(candidate.text))
      return
    }
    let quoted = candidate.isBare ? candidate.text : "\"\(escaped(candidate.text))\""
    if isQuoted { item.filterText = quoted.hasPrefix("\"") ? quoted : "\"\(quoted)" }
    if let token {
      // Without a closing quotation mark, the text behind the cursor is not part of the token.
      item.edit.range = token.range.lowerBound..<(token.isClosed || !isQuoted ? token.range.upperBound : context.offset)
    }
    let separator = separator(behind: item.edit.range.upperBound)
    item.edit.text = quoted + separator
    guard needsColon else { return }
    let value = candidate.form?.json ?? (plain: "", snippet: "$1")
    item.isSnippet = usesSnippets
    item.edit.text =
      (usesSnippets ? "\(quoted.escapedInSnippet): \(value.snippet)" : "\(quoted): \(value.plain)") + separator
  }

  /// Returns the comma that JSON requires between a new member or element and one that follows without a comma.
  private func separator(behind end: Int) -> String {
    let next = text[end...].first { !" \t\r\n".utf8.contains($0) }
    return next.map("\"{[".utf8.contains) == true ? "," : ""
  }

  /// Sets the edit of an item to a candidate in YAML.
  private func writeYAML(_ candidate: Candidate, to item: inout CompletionItem) {
    let token = context.cursor.token
    let isQuoted = token.map { $0.content != $0.range } ?? false
    if let token, isQuoted, token.isClosed, isWithinQuotes(token) {
      item.edit = SourceEdit(range: token.content, text: escaped(candidate.text))
      return
    }
    let isClosed = isQuoted && token?.isClosed == true
    let needsNoQuotes = candidate.text.utf8.allSatisfy(\.isAllowedInID) && YAMLWriter.isPlain(candidate.text)
    let isPlain = candidate.isBare || (!isClosed && needsNoQuotes)
    let text = isPlain ? candidate.text : "\"\(escaped(candidate.text))\""
    if isQuoted { item.filterText = "\"\(candidate.text)" }
    if let token {
      item.edit.range = token.range.lowerBound..<(isQuoted && !isClosed ? context.offset : token.range.upperBound)
    }
    item.edit.text = context.isInKey && !context.cursor.isFollowed ? "\(text): " : text
  }

  /// Sets the edit of an item to a candidate in a property list: a new element, or the text of the element at the
  /// cursor.
  private func writeXML(_ candidate: Candidate, to item: inout CompletionItem) {
    let escaped = XMLText.escaped(candidate.text)
    if let token = context.cursor.token {
      item.edit = SourceEdit(
        range: token.content, text: escaped + (token.isClosed ? "" : "</\(context.isInKey ? "key" : "string")>"))
    } else if context.isInKey {
      item.edit.text = "<key>\(escaped)</key>"
    } else if candidate.isBare {
      item.edit.text =
        ["true", "false"].contains(candidate.text) ? "<\(candidate.text)/>" : "<integer>\(escaped)</integer>"
    } else {
      item.edit.text = "<string>\(escaped)</string>"
    }
  }
}

extension ValueForm {
  /// The JSON text that is inserted behind a key and its colon.
  fileprivate var json: (plain: String, snippet: String) {
    switch self {
    case .map: ("{}", "{$1}")
    case .list: ("[]", "[$1]")
    case .string: ("\"\"", "\"$1\"")
    case .any: ("", "$1")
    case .literal(let text): (text, "${1:\(text)}")
    }
  }
}

extension String {
  /// The text with the special characters of snippets escaped.
  fileprivate var escapedInSnippet: String {
    var escaped = ""
    for character in self {
      if character == "$" || character == "}" || character == "\\" { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}

extension Section {
  /// The kind of the items that stand for entries of the section.
  fileprivate var itemKind: CompletionItem.Kind {
    switch self {
    case .parameters: .parameter
    case .templates: .template
    case .services, .aliases, .bindings: .service
    }
  }
}

extension ValueType {
  /// The form of values of the type.
  fileprivate var form: ValueForm {
    switch self {
    case .string, .duration, .size, .bytes, .url: .string
    case .list: .list
    case .map: .map
    case .optional(let wrapped): wrapped.form
    case .integer, .real, .boolean, .oneOf, .named: .any
    }
  }
}
