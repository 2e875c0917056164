// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// What can stand at the cursor.
package struct CompletionItem: Hashable, Sendable {
  /// What an item is, for its icon.
  package enum Kind: Sendable {
    case keyword, argument, service, parameter, template, scope, tag, environment, type, value, file, folder
  }

  /// What is shown and searched.
  package var label: String
  /// What it is.
  package var kind: Kind
  /// One line about it.
  package var detail: String?
  /// Markdown about it.
  package var documentation: String?
  /// What is replaced, and by what.
  package var edit: SourceEdit
  /// Whether the text has the tab stops of a snippet.
  package var isSnippet = false
  /// What the text at the cursor is compared with.
  package var filterText: String
  /// Whether the item is deprecated.
  package var isDeprecated = false
  /// Smaller ones come first.
  package var rank = 1
}

/// Finds what can stand at a cursor.
struct Completer {
  /// The workspace.
  let workspace: EditorWorkspace
  /// The file.
  let path: String
  /// The text.
  let text: [UInt8]
  /// What the format has at the cursor.
  let context: CursorContext
  /// The modules of the file; the first answers for what may differ.
  let snapshots: [EditorSnapshot]
  /// Whether the client takes snippets.
  let usesSnippets: Bool

  /// A thing to offer, before it is known how the syntax writes it.
  struct Offer {
    /// The text or key.
    var text: String
    /// What it is.
    var kind: CompletionItem.Kind
    /// One line about it.
    var detail: String?
    /// Markdown about it.
    var documentation: String?
    /// Whether it is written without quotes: a number or truth value.
    var isBare = false
    /// Of a key what its value is.
    var form: ValueForm?
    /// Whether it is deprecated.
    var isDeprecated = false
    /// Smaller ones come first.
    var rank = 1
  }

  /// The types of the first module.
  var types: EditorTypes? { snapshots.first.map(EditorTypes.init) }
  /// The module that answers first.
  var snapshot: EditorSnapshot? { snapshots.first }

  /// The items, by rank and then as they are found.
  func items() -> [CompletionItem] {
    if let placeholder = context.placeholder(in: text) { return parameters(in: placeholder) }
    let offers = context.isInKey ? keys() : values(of: context.slot)
    var seen: Set<String> = []
    return offers.filter { seen.insert($0.text).inserted }.map(item).sorted {
      ($0.rank, $0.label) < ($1.rank, $1.label)
    }
  }

  /// The names of a kind that some module of the file defines, and those that its own last sound text defines, ascending.
  func names(of kind: SymbolKind) -> [String] {
    var names = Set(snapshots.flatMap { $0.index.definedNames(of: kind) })
    if let own = workspace.soundDocument(of: path),
      snapshots.contains(where: { $0.documents[path]?.isComplete == false })
    {
      names.formUnion(SymbolIndex([own]).definedNames(of: kind))
    }
    // What is being typed is no name yet.
    if let typed = context.cursor.token?.text, names.contains(typed) {
      let symbol = Symbol(kind, typed)
      if snapshots.allSatisfy({ $0.index.occurrences(of: symbol).count < 2 }) { names.remove(typed) }
    }
    return names.sorted()
  }

  /// The parameters, within `${` and `}`.
  private func parameters(in placeholder: (range: Range<Int>, isClosed: Bool)) -> [CompletionItem] {
    let own = context.entry?.kind == .parameter ? context.entry?.name : nil
    return names(of: .parameter).filter { $0 != own }.map { name in
      CompletionItem(
        label: name, kind: .parameter, detail: nil, documentation: documentation(of: Symbol(.parameter, name)),
        edit: SourceEdit(range: placeholder.range, text: name + (placeholder.isClosed ? "" : "}")), filterText: name)
    }
  }

  /// What files say of something, for an item.
  func documentation(of symbol: Symbol) -> String? { snapshots.lazy.compactMap { $0.index.entry(symbol)?.doc }.first }
}

// MARK: - Keys

extension Completer {
  /// The keys that the map around the cursor may have, and does not have yet.
  private func keys() -> [Offer] {
    let siblings = context.siblings
    let offers: [Offer]
    switch context.slot.keyRole {
    case .keywords(let allowed)?: offers = keywords(allowed, siblings)
    case .ids(let section, let verb)?: offers = ids(section, verb)
    case .names(.tag)?:
      offers = names(of: .tag).map { Offer(text: $0, kind: .tag, form: .map) }
    case .arguments(let isInject)?: offers = arguments(isInject)
    case .codes?: offers = codes()
    case .names?, .free?, nil: offers = []
    }
    return offers.filter { !siblings.contains($0.text) }
  }

  /// Keys of the format. Of those that exclude each other only such as go with what is there.
  private func keywords(_ allowed: [Keyword], _ siblings: Set<String>) -> [Offer] {
    var allowed = allowed
    for forms in [Keyword.referenceForms, Keyword.conditionForms, Keyword.sourceForms]
    where Set(forms.flatMap { $0 }) == Set(allowed) {
      let form = forms.first { form in form.contains { siblings.contains($0.text) } }
      allowed = form ?? forms.map { $0[0] }
    }
    return (allowed + [.doc]).enumerated().map { place, keyword in
      Offer(
        text: keyword.text, kind: .keyword, documentation: keyword.words(in: context.slot),
        form: keyword.valueForm(in: context.slot), rank: keyword == .doc ? 99 : place)
    }
  }

  /// Ids of a section: those that are there under `override` and `replace`, in `bindings` what types provide.
  private func ids(_ section: Section, _ verb: FormatSlot.Verb) -> [Offer] {
    if section == .bindings {
      let names = Set(snapshots.flatMap { $0.catalog?.types.flatMap(\.provides) ?? [] })
      return names.sorted().map { Offer(text: $0, kind: .type, form: .string) }
    }
    guard verb != .define else { return [] }
    let names = Set(snapshots.flatMap { $0.index.definedNames(in: section) })
    return names.sorted().map { name in
      let symbol = Symbol(section.symbolKind, name)
      return Offer(
        text: name, kind: section.itemKind, detail: detail(of: symbol), documentation: documentation(of: symbol),
        form: section == .aliases ? .string : .map)
    }
  }

  /// The codes of warnings.
  private func codes() -> [Offer] {
    DiagnosticCode.all.filter { $0.severity == .warning }.map { code in
      Offer(
        text: code.description, kind: .value, detail: code.title, form: context.slot == .severities ? .map : .string)
    }
  }

  /// The arguments of the type around the cursor that nothing is given for yet.
  private func arguments(_ isInject: Bool) -> [Offer] {
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
      return Offer(
        text: argument.key, kind: .argument, detail: argument.summary, form: form, rank: isRequired ? 0 : 1)
    }
  }

  /// One line about an entry: its type.
  func detail(of symbol: Symbol) -> String? {
    guard let types else { return nil }
    return types.typeNames(of: symbol).first
  }
}

// MARK: - Writing

extension Completer {
  /// An offer as the syntax writes it.
  private func item(_ offer: Offer) -> CompletionItem {
    var item = CompletionItem(
      label: offer.text, kind: offer.kind, detail: offer.detail, documentation: offer.documentation,
      edit: SourceEdit(range: context.offset..<context.offset, text: ""), filterText: offer.text,
      isDeprecated: offer.isDeprecated, rank: offer.rank)
    switch context.syntax {
    case .json, .jsonc: writeJSON(offer, to: &item)
    case .yaml: writeYAML(offer, to: &item)
    case .plist: writeXML(offer, to: &item)
    }
    return item
  }

  /// A text as JSON has it between quotation marks.
  private func escaped(_ text: String) -> String {
    String(JSONWriter.text(of: .string(text), .line).dropFirst().dropLast())
  }

  /// Whether the cursor stands behind the opening quotation mark of a text. In front of it the text is replaced with its
  /// quotation marks, as the replaced range holds the cursor.
  private func isWithinQuotes(_ token: Outline.Token) -> Bool { token.content.lowerBound <= context.offset }

  /// Writes an offer as JSON.
  private func writeJSON(_ offer: Offer, to item: inout CompletionItem) {
    let token = context.cursor.token
    let isQuoted = token.map { $0.content != $0.range } ?? false
    let isKeyAlone = context.isInKey && !context.cursor.isFollowed
    if let token, isQuoted, token.isClosed, isWithinQuotes(token), !isKeyAlone, !offer.isBare {
      // Between the quotation marks that are there.
      item.edit = SourceEdit(range: token.content, text: escaped(offer.text))
      return
    }
    let quoted = offer.isBare ? offer.text : "\"\(escaped(offer.text))\""
    if isQuoted { item.filterText = quoted.hasPrefix("\"") ? quoted : "\"\(quoted)" }
    if let token {
      // What a missing quotation mark takes in is not of the token.
      item.edit.range = token.range.lowerBound..<(token.isClosed || !isQuoted ? token.range.upperBound : context.offset)
    }
    item.edit.text = quoted
    guard isKeyAlone else { return }
    let value = offer.form?.json ?? (plain: "", snippet: "$1")
    item.isSnippet = usesSnippets
    item.edit.text =
      usesSnippets ? "\(quoted.escapedInSnippet): \(value.snippet)" : "\(quoted): \(value.plain)"
  }

  /// Writes an offer as YAML.
  private func writeYAML(_ offer: Offer, to item: inout CompletionItem) {
    let token = context.cursor.token
    let isQuoted = token.map { $0.content != $0.range } ?? false
    if let token, isQuoted, token.isClosed, isWithinQuotes(token) {
      item.edit = SourceEdit(range: token.content, text: escaped(offer.text))
      return
    }
    let isClosed = isQuoted && token?.isClosed == true
    let needsNoQuotes = offer.text.utf8.allSatisfy(\.isOfName) && !YAMLWord.needsQuotes(offer.text)
    let isPlain = offer.isBare || (!isClosed && needsNoQuotes)
    let text = isPlain ? offer.text : "\"\(escaped(offer.text))\""
    if isQuoted { item.filterText = "\"\(offer.text)" }
    if let token {
      item.edit.range = token.range.lowerBound..<(isQuoted && !isClosed ? context.offset : token.range.upperBound)
    }
    item.edit.text = context.isInKey && !context.cursor.isFollowed ? "\(text): " : text
  }

  /// Writes an offer as an element of a property list, or as the text of the one around the cursor.
  private func writeXML(_ offer: Offer, to item: inout CompletionItem) {
    let escaped = XMLName.escaped(offer.text)
    if let token = context.cursor.token {
      item.edit = SourceEdit(
        range: token.content, text: escaped + (token.isClosed ? "" : "</\(context.isInKey ? "key" : "string")>"))
    } else if context.isInKey {
      item.edit.text = "<key>\(escaped)</key>"
    } else if offer.isBare {
      item.edit.text = ["true", "false"].contains(offer.text) ? "<\(offer.text)/>" : "<integer>\(escaped)</integer>"
    } else {
      item.edit.text = "<string>\(escaped)</string>"
    }
  }
}

extension ValueForm {
  /// What is inserted behind a key and its colon, in JSON.
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
  /// The text with the signs of a snippet escaped.
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
  /// What the entries of the section are, for their icon.
  fileprivate var itemKind: CompletionItem.Kind {
    switch self {
    case .parameters: .parameter
    case .templates: .template
    case .services, .aliases, .bindings: .service
    }
  }
}

extension ValueType {
  /// What kind of value a datum of the type is.
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
