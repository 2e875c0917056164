// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  /// The capabilities of the client on which the server depends.
  struct ClientCapabilities {
    /// The units in which the characters of a position are counted.
    var encoding = PositionEncoding.utf16
    /// Whether completions may contain tab stops.
    var supportsSnippets = false
    /// Whether the server can ask for notifications of changes on disk.
    var supportsWatcherRegistration = false
    /// Whether the symbols of a document may be trees.
    var supportsHierarchicalSymbols = false
    /// Whether findings may have related locations.
    var supportsRelatedInformation = true

    /// Creates the capabilities of a client that is not known yet.
    init() {}

    /// Reads the capabilities that a client sends in `initialize`.
    init(_ capabilities: JSONValue) {
      let encodings = capabilities["general"]["positionEncodings"].elements.compactMap(\.text)
      encoding = encodings.lazy.compactMap(PositionEncoding.init).first ?? .utf16
      let document = capabilities["textDocument"]
      supportsSnippets = document["completion"]["completionItem"]["snippetSupport"].isTrue
      supportsWatcherRegistration = capabilities["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"].isTrue
      supportsHierarchicalSymbols = document["documentSymbol"]["hierarchicalDocumentSymbolSupport"].isTrue
      let related = document["publishDiagnostics"]["relatedInformation"]
      supportsRelatedInformation = related.isNull || related.isTrue
    }
  }

  extension LanguageServer {
    /// Starts the session: reads what the client sends about itself, and returns the capabilities of the server.
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

    /// Creates the workspace again from the current configuration. Keeps the open texts.
    private func renewWorkspace() {
      workspace = EditorWorkspace(replacing: workspace, configuration, files: DiskFiles(), listing: DiskFolders())
      workspace.encoding = client.encoding
    }

    /// Handles a change of the workspace folders.
    func didChangeFolders(_ event: JSONValue) {
      let removed = Set(event["removed"].elements.compactMap { path(ofURI: $0["uri"].text) })
      configuration.folders.removeAll { removed.contains($0) }
      for folder in event["added"].elements.compactMap({ path(ofURI: $0["uri"].text) })
      where !configuration.folders.contains(folder) {
        configuration.folders.append(folder)
      }
      renewWorkspace()
    }

    /// Returns the canonical path of an open document or of a `file:` URI; `nil` for any other URI.
    func path(ofURI uri: String?) -> String? {
      guard let uri else { return nil }
      if let open = documents.first(where: { $0.value.uri == uri }) { return open.key }
      return DocumentURI.path(of: uri).map { workspace.canonicalPath(of: $0) }
    }

    /// Returns the URI of a path. For an open document it is the URI that the client uses.
    func uri(of path: String) -> JSONValue { .string(documents[path]?.uri ?? Path.fileURI(of: path)) }
  }

  // MARK: - Texts

  extension LanguageServer {
    /// Stores the text of an opened document, if its file extension or its language is one of module files.
    func didOpen(_ document: JSONValue) {
      guard let uri = document["uri"].text, let text = document["text"].text else { return }
      let folder = configuration.folders.first ?? workspace.canonicalPath(of: ".")
      let virtual = { DocumentURI.virtualPath(of: uri, language: document["languageId"].text ?? "", in: folder) }
      guard let path = path(ofURI: uri) ?? virtual(), Syntax(path: path) != nil else { return }
      documents[path] = OpenDocument(uri: uri, version: document["version"].number)
      workspace.setText(EditorText(text), of: path)
    }

    /// Applies changes to an open document. Each change refers to the result of the previous one.
    func didChange(_ parameters: JSONValue) {
      guard let path = path(ofURI: parameters["textDocument"]["uri"].text), documents[path] != nil,
        var text = workspace.texts[path]
      else { return }
      for change in parameters["contentChanges"].elements {
        guard let new = change["text"].text else { continue }
        text = text.replacing(TextRange(change["range"]), by: new, client.encoding)
      }
      if let version = parameters["textDocument"]["version"].number { documents[path]?.version = version }
      workspace.setText(text, of: path)
    }

    /// Handles the saving of a document: sets its text again, or the text in the message, so that it is checked again.
    func didSave(_ parameters: JSONValue) {
      guard let path = path(ofURI: parameters["textDocument"]["uri"].text), let text = workspace.texts[path] else {
        return
      }
      workspace.setText(parameters["text"].text.map { EditorText($0) } ?? text, of: path)
    }

    /// Removes the text of a document that the client has closed. From now on its file on disk is used.
    func didClose(_ parameters: JSONValue) {
      guard let path = path(ofURI: parameters["textDocument"]["uri"].text) else { return }
      documents[path] = nil
      workspace.close(path)
    }

    /// Checks the modules with changed files. Sends the findings of each file whose findings differ from before, and of
    /// each open file that has changed.
    ///
    /// A client keeps findings by URI. If those of a file were sent for another URI before, they are removed there: the
    /// client may have another URI for a file that it opens, and the URI of an untitled document ends with it.
    func publish() {
      for file in workspace.refresh() {
        let uri = uri(of: file.path)
        let old = findingURIs.updateValue(uri, forKey: file.path)
        if let old, old != uri { notify("textDocument/publishDiagnostics", ["uri": old, "diagnostics": []]) }
        var parameters: [String: JSONValue] = ["uri": uri, "diagnostics": .list(file.findings.map(diagnostic))]
        if let version = documents[file.path]?.version { parameters["version"] = .integer(version) }
        notify("textDocument/publishDiagnostics", .map(parameters))
      }
    }
  }
#endif
