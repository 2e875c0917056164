// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  /// What the server needs to know of the client.
  struct ClientCapabilities {
    /// The units of positions.
    var encoding = PositionEncoding.utf16
    /// Whether completions may have tab stops.
    var usesSnippets = false
    /// Whether the server can ask to be told of changes on the disk.
    var registersWatchers = false
    /// Whether outlines may be trees.
    var showsTrees = false
    /// Whether findings may have further places.
    var showsRelated = true

    /// Nothing is known.
    init() {}

    /// What a client says of itself.
    init(_ capabilities: JSONValue) {
      let encodings = capabilities["general"]["positionEncodings"].elements.compactMap(\.text)
      encoding = encodings.lazy.compactMap(PositionEncoding.init).first ?? .utf16
      let document = capabilities["textDocument"]
      usesSnippets = document["completion"]["completionItem"]["snippetSupport"].isTrue
      registersWatchers = capabilities["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"].isTrue
      showsTrees = document["documentSymbol"]["hierarchicalDocumentSymbolSupport"].isTrue
      let related = document["publishDiagnostics"]["relatedInformation"]
      showsRelated = related.isNull || related.isTrue
    }
  }

  extension LanguageServer {
    /// Begins the session: takes what the client can do and where it works, and says what the server can do.
    func initialize(_ parameters: JSONValue) -> JSONValue {
      client = ClientCapabilities(parameters["capabilities"])
      let options = parameters["initializationOptions"]
      configuration.entry = options["entry"].text ?? configuration.entry
      configuration.catalog = options["catalog"].text ?? configuration.catalog
      configuration.root = options["root"].text ?? configuration.root
      configuration.allowedPaths += options["allowPaths"].elements.compactMap(\.text)
      var folders = parameters["workspaceFolders"].elements.compactMap { path(ofURI: $0["uri"].text) }
      if folders.isEmpty {
        folders = [path(ofURI: parameters["rootUri"].text) ?? parameters["rootPath"].text].compactMap(\.self)
      }
      configuration.folders = folders.filter(Path.isAbsolute)
      renewWorkspace()
      return [
        "serverInfo": ["name": "configdi", "version": .string(ToolContext.version)],
        "capabilities": [
          "positionEncoding": .string(client.encoding.rawValue),
          "textDocumentSync": ["openClose": true, "change": 2, "save": ["includeText": false]],
          "completionProvider": ["triggerCharacters": ["\"", "{", ".", "/", ":"]],
          "hoverProvider": true,
          "definitionProvider": true,
          "referencesProvider": true,
          "documentHighlightProvider": true,
          "documentSymbolProvider": true,
          "renameProvider": ["prepareProvider": true],
          "codeActionProvider": ["codeActionKinds": ["quickfix", "source.fixAll"]],
          "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
        ],
      ]
    }

    /// Begins anew with the folders of the configuration; open texts stay.
    private func renewWorkspace() {
      let texts = workspace.texts
      workspace = EditorWorkspace(configuration, files: DiskFiles(), listing: DiskFolders())
      workspace.encoding = client.encoding
      for (path, text) in texts { workspace.setText(text, of: path) }
    }

    /// Takes note of other folders.
    func didChangeFolders(_ event: JSONValue) {
      let removed = Set(event["removed"].elements.compactMap { path(ofURI: $0["uri"].text) })
      configuration.folders.removeAll { removed.contains($0) }
      for folder in event["added"].elements.compactMap({ path(ofURI: $0["uri"].text) })
      where !configuration.folders.contains(folder) {
        configuration.folders.append(folder)
      }
      renewWorkspace()
    }

    /// The canonical path of a URI; nil where it is none of a file.
    func path(ofURI uri: String?) -> String? {
      guard let uri else { return nil }
      if let open = documents.first(where: { $0.value.uri == uri }) { return open.key }
      return DocumentURI.path(of: uri).map { workspace.canonicalPath(of: $0) }
    }

    /// The URI of a path: the client's own where it has the file open.
    func uri(of path: String) -> JSONValue { .string(documents[path]?.uri ?? Path.fileURI(of: path)) }
  }

  // MARK: - Texts

  extension LanguageServer {
    /// Takes the text of a document that is opened.
    func didOpen(_ document: JSONValue) {
      guard let uri = document["uri"].text, let text = document["text"].text else { return }
      let folder = configuration.folders.first ?? workspace.canonicalPath(of: ".")
      let virtual = { DocumentURI.virtualPath(of: uri, language: document["languageId"].text ?? "", in: folder) }
      guard let path = path(ofURI: uri) ?? virtual(), Syntax(path: path) != nil else { return }
      documents[path] = OpenDocument(uri: uri, version: document["version"].number)
      workspace.setText(EditorText(text), of: path)
    }

    /// Takes the changes of a document, each of the text that the one before it gave.
    func didChange(_ parameters: JSONValue) {
      guard let path = path(ofURI: parameters["textDocument"]["uri"].text), documents[path] != nil,
        var text = workspace.texts[path]
      else { return }
      for change in parameters["contentChanges"].elements {
        guard let new = change["text"].text else { continue }
        text = text.replacing(TextRange(change["range"]), by: new, client.encoding)
      }
      documents[path]?.version = parameters["textDocument"]["version"].number ?? documents[path]?.version
      workspace.setText(text, of: path)
    }

    /// Takes note of a saved document: what else reads it reads the same text.
    func didSave(_ parameters: JSONValue) {
      guard let path = path(ofURI: parameters["textDocument"]["uri"].text), let text = workspace.texts[path] else {
        return
      }
      workspace.setText(parameters["text"].text.map { EditorText($0) } ?? text, of: path)
    }

    /// Forgets the text of a document: its file counts again.
    func didClose(_ parameters: JSONValue) {
      guard let path = path(ofURI: parameters["textDocument"]["uri"].text) else { return }
      documents[path] = nil
      workspace.close(path)
    }

    /// Checks what has changed, and sends the findings of the files in which they are others.
    func publish() {
      for file in workspace.refresh() {
        var parameters: [String: JSONValue] = [
          "uri": uri(of: file.path), "diagnostics": .list(file.findings.map(diagnostic)),
        ]
        if let version = documents[file.path]?.version { parameters["version"] = .integer(version) }
        notify("textDocument/publishDiagnostics", .map(parameters))
      }
    }
  }
#endif
