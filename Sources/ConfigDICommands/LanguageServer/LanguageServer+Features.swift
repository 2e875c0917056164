// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  extension LanguageServer {
    /// The functions that answer requests, by method.
    var features: [String: (JSONValue) throws -> JSONValue] {
      [
        "textDocument/completion": completion, "textDocument/hover": hover, "textDocument/definition": definition,
        "textDocument/references": references, "textDocument/documentHighlight": highlights,
        "textDocument/prepareRename": prepareRename, "textDocument/rename": rename,
        "textDocument/codeAction": codeActions, "textDocument/documentSymbol": symbols,
      ]
    }

    /// Returns the canonical path of the document of a request, or `nil` if it is neither open nor a file.
    ///
    /// - Throws: `RequestError` if the request names no document.
    private func path(_ parameters: JSONValue) throws -> String? {
      guard let uri = parameters["textDocument"]["uri"].text else {
        throw RequestError(code: .invalidParameters, message: "textDocument.uri is missing")
      }
      return path(ofURI: uri)
    }

    /// Returns the position of a request.
    ///
    /// - Throws: `RequestError` if the request has no position.
    private func position(_ parameters: JSONValue) throws -> TextPosition {
      guard let position = TextPosition(parameters["position"]) else {
        throw RequestError(code: .invalidParameters, message: "position is missing")
      }
      return position
    }

    /// Returns the completions at a position.
    private func completion(_ parameters: JSONValue) throws -> JSONValue {
      let position = try position(parameters)
      guard let path = try path(parameters), let text = workspace.texts[path] else { return .null }
      let items = workspace.completions(in: path, at: position, usesSnippets: client.supportsSnippets)
      var walk = PositionWalk(text, client.encoding)
      let values = items.enumerated().map { place, item in
        var value: [String: JSONValue] = [
          "label": .string(item.label), "kind": .integer(item.kind.number),
          "filterText": .string(item.filterText),
          "sortText": .string(String(String(1_000_000 + place).dropFirst())),
          "textEdit": ["range": JSONValue(walk.range(of: item.edit.range)), "newText": .string(item.edit.text)],
          "insertTextFormat": .integer(item.isSnippet ? 2 : 1),
        ]
        if let detail = item.detail { value["detail"] = .string(detail) }
        if let words = item.documentation { value["documentation"] = ["kind": "markdown", "value": .string(words)] }
        if item.isDeprecated { value["deprecated"] = true }
        return JSONValue.map(value)
      }
      return ["isIncomplete": false, "items": .list(values)]
    }

    /// Returns the hover text for a position.
    private func hover(_ parameters: JSONValue) throws -> JSONValue {
      let position = try position(parameters)
      guard let path = try path(parameters), let hover = workspace.hover(in: path, at: position) else { return .null }
      return [
        "contents": ["kind": "markdown", "value": .string(hover.markdown)], "range": JSONValue(hover.range),
      ]
    }

    /// Returns the declarations of the item at a position.
    private func definition(_ parameters: JSONValue) throws -> JSONValue {
      let position = try position(parameters)
      guard let path = try path(parameters) else { return .null }
      return .list(workspace.definitions(in: path, at: position).map(location))
    }

    /// Returns the occurrences of the symbol at a position, with its declarations unless the client excludes them.
    private func references(_ parameters: JSONValue) throws -> JSONValue {
      let position = try position(parameters)
      guard let path = try path(parameters) else { return .null }
      let includes = parameters["context"]["includeDeclaration"]
      return .list(
        workspace.references(in: path, at: position, includingDeclarations: includes.isNull || includes.isTrue)
          .map(location))
    }

    /// Returns the occurrences of the symbol at a position in the same file.
    private func highlights(_ parameters: JSONValue) throws -> JSONValue {
      let position = try position(parameters)
      guard let path = try path(parameters) else { return .null }
      return .list(
        workspace.highlights(in: path, at: position).map { range, isWrite in
          ["range": JSONValue(range), "kind": isWrite ? 3 : 2]
        })
    }

    /// Returns the name at a position and its range, if it can be renamed.
    private func prepareRename(_ parameters: JSONValue) throws -> JSONValue {
      let position = try position(parameters)
      guard let path = try path(parameters), let found = workspace.renamable(in: path, at: position) else {
        return .null
      }
      return ["range": JSONValue(found.range), "placeholder": .string(found.name)]
    }

    /// Returns the edits of a rename. Throws a `RequestError` with the reason if it is refused.
    private func rename(_ parameters: JSONValue) throws -> JSONValue {
      let position = try position(parameters)
      guard let name = parameters["newName"].text else {
        throw RequestError(code: .invalidParameters, message: "newName is missing")
      }
      guard let path = try path(parameters) else { return .null }
      switch workspace.rename(in: path, at: position, to: name) {
      case .refused(let reason): throw RequestError(code: .requestFailed, message: reason)
      case .edits(let edits):
        return edit(of: edits.mapValues { $0.map { ($0.range, $0.text) } })
      }
    }

    /// Returns the code actions for a range: repairs of findings, suppressions, and one for all repairs of the file.
    private func codeActions(_ parameters: JSONValue) throws -> JSONValue {
      guard let range = TextRange(parameters["range"]) else {
        throw RequestError(code: .invalidParameters, message: "range is missing")
      }
      guard let path = try path(parameters) else { return .null }
      let wanted = parameters["context"]["only"].elements.compactMap(\.text)
      func isWanted(_ kind: String) -> Bool {
        wanted.isEmpty || wanted.contains { kind == $0 || kind.hasPrefix($0 + ".") }
      }
      var actions: [JSONValue] = []
      if isWanted("quickfix") {
        func add(_ found: [CodeAction], isPreferred: Bool) {
          actions += found.map { action in
            [
              "title": .string(action.title), "kind": "quickfix", "isPreferred": .boolean(isPreferred),
              "diagnostics": .list(action.finding.map { [diagnostic($0)] } ?? []), "edit": edit(of: action, path),
            ]
          }
        }
        add(workspace.codeActions(in: path, touching: range), isPreferred: true)
        add(workspace.suppressions(in: path, touching: range), isPreferred: false)
      }
      if isWanted("source.fixAll"), let action = workspace.fixAllAction(in: path) {
        actions.append(["title": .string(action.title), "kind": "source.fixAll", "edit": edit(of: action, path)])
      }
      return .list(actions)
    }

    /// Returns the symbols of a document, as trees if the client supports them.
    private func symbols(_ parameters: JSONValue) throws -> JSONValue {
      guard let path = try path(parameters) else { return .null }
      let symbols = workspace.symbols(in: path)
      return .list(
        client.supportsHierarchicalSymbols ? symbols.map(tree) : symbols.flatMap { flat($0, in: path, container: nil) })
    }
  }

  // MARK: - Values of the protocol

  extension LanguageServer {
    /// Returns a finding as a `Diagnostic` of the protocol.
    func diagnostic(_ finding: EditorDiagnostic) -> JSONValue {
      var value: [String: JSONValue] = [
        "range": JSONValue(finding.range), "severity": finding.severity == .error ? 1 : 2,
        "code": .string(finding.code), "source": "configdi", "message": .string(finding.message),
      ]
      // Editors fade what has the tag `Unnecessary` (1), and strike through what has the tag `Deprecated` (2).
      switch finding.code {
      case "CDI0701", "CDI0702", "CDI0703", "CDI0704": value["tags"] = [1]
      case "CDI0705": value["tags"] = [2]
      default: break
      }
      if client.supportsRelatedInformation, !finding.related.isEmpty {
        value["relatedInformation"] = .list(
          finding.related.map { related in
            [
              "location": ["uri": uri(of: related.path), "range": JSONValue(related.range)],
              "message": .string(related.message),
            ]
          })
      }
      return .map(value)
    }

    /// Returns a range in a file as a `Location`.
    private func location(_ range: FileRange) -> JSONValue {
      ["uri": uri(of: range.path), "range": JSONValue(range.range)]
    }

    /// Returns the edits of a code action as a `WorkspaceEdit`.
    private func edit(of action: CodeAction, _ path: String) -> JSONValue {
      edit(of: [path: action.fixes.map { ($0.range, $0.text) }])
    }

    /// Returns edits, given by path, as a `WorkspaceEdit`.
    private func edit(of edits: [String: [(TextRange, String)]]) -> JSONValue {
      var changes: [String: JSONValue] = [:]
      for (path, edits) in edits {
        changes[uri(of: path).text ?? ""] = .list(
          edits.map { ["range": JSONValue($0.0), "newText": .string($0.1)] })
      }
      return ["changes": .map(changes)]
    }

    /// Returns a symbol and its children as a `DocumentSymbol`.
    private func tree(_ symbol: DocumentSymbol) -> JSONValue {
      var value: [String: JSONValue] = [
        "name": .string(symbol.name), "kind": .integer(symbol.kind.number), "range": JSONValue(symbol.range),
        "selectionRange": JSONValue(symbol.selection), "children": .list(symbol.children.map(tree)),
      ]
      if let detail = symbol.detail { value["detail"] = .string(detail) }
      return .map(value)
    }

    /// Returns a symbol and its descendants as a list of `SymbolInformation`, in the order of the text.
    private func flat(_ symbol: DocumentSymbol, in path: String, container: String?) -> [JSONValue] {
      var value: [String: JSONValue] = [
        "name": .string(symbol.name), "kind": .integer(symbol.kind.number),
        "location": ["uri": uri(of: path), "range": JSONValue(symbol.range)],
      ]
      if let container { value["containerName"] = .string(container) }
      return [.map(value)] + symbol.children.flatMap { flat($0, in: path, container: symbol.name) }
    }
  }

  extension JSONValue {
    /// Creates a `Range` of the protocol.
    init(_ range: TextRange) { self = ["start": JSONValue(range.start), "end": JSONValue(range.end)] }

    /// Creates a `Position` of the protocol.
    init(_ position: TextPosition) {
      self = ["line": .integer(position.line), "character": .integer(position.character)]
    }
  }

  extension TextPosition {
    /// Reads a `Position` of the protocol. `nil` if the value is not one. Numbers outside of the range that the protocol
    /// allows (`uinteger`) are replaced by the nearest allowed ones.
    init?(_ value: JSONValue) {
      guard let line = value["line"].number, let character = value["character"].number else { return nil }
      func allowed(_ number: Int) -> Int { min(max(number, 0), Int(Int32.max)) }
      self.init(line: allowed(line), character: allowed(character))
    }
  }

  extension TextRange {
    /// Reads a `Range` of the protocol. `nil` if the value is not one.
    init?(_ value: JSONValue) {
      guard let start = TextPosition(value["start"]), let end = TextPosition(value["end"]) else { return nil }
      self.init(start: start, end: end)
    }
  }

  extension CompletionItem.Kind {
    /// The number of the kind in the protocol (`CompletionItemKind`).
    fileprivate var number: Int {
      switch self {
      case .keyword: 14
      case .argument: 5
      case .service: 18
      case .parameter: 6
      case .template: 7
      case .scope, .environment: 13
      case .tag: 20
      case .type: 7
      case .value: 12
      case .file: 17
      case .folder: 19
      }
    }
  }

  extension DocumentSymbol.Kind {
    /// The number of the kind in the protocol (`SymbolKind`).
    fileprivate var number: Int {
      switch self {
      case .section: 3
      case .service: 19
      case .parameter: 13
      case .template: 5
      case .alias: 20
      case .binding: 11
      case .environment: 2
      case .tag: 14
      }
    }
  }
#endif
