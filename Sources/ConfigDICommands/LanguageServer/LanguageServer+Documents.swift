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
      if let open = documents.first(where: { $0.uri == uri }) { return open.path }
      return DocumentURI.path(of: uri).map { workspace.canonicalPath(of: $0) }
    }

    /// Returns the URI of a path. For an open document it is the URI that the client uses.
    func uri(of path: String) -> JSONValue {
      .string(documents.last { $0.path == path }?.uri ?? Path.fileURI(of: path))
    }
  }

  // MARK: - Texts

  extension LanguageServer {
    /// Stores the text of an opened document, if its file extension or its language is one of module files.
    func didOpen(_ document: JSONValue) {
      guard let uri = document["uri"].text, let text = document["text"].text else { return }
      let folder = configuration.folders.first ?? workspace.canonicalPath(of: ".")
      let virtual = { DocumentURI.virtualPath(of: uri, language: document["languageId"].text ?? "", in: folder) }
      guard let path = path(ofURI: uri) ?? virtual(), Syntax(path: path) != nil else { return }
      documents.removeAll { $0.uri == uri }
      keep(OpenDocument(uri: uri, path: path, version: document["version"].number, text: EditorText(text)))
    }

    /// Adds a document as the last one, and uses its text as that of its file.
    private func keep(_ document: OpenDocument) {
      documents.append(document)
      workspace.setText(document.text, of: document.path)
    }

    /// Removes and returns the document that the parameters of a notification name; `nil` if it is not open.
    private func takeDocument(_ parameters: JSONValue) -> OpenDocument? {
      let uri = parameters["textDocument"]["uri"].text
      let place =
        documents.firstIndex { $0.uri == uri }
        ?? path(ofURI: uri).flatMap { path in documents.lastIndex { $0.path == path } }
      return place.map { documents.remove(at: $0) }
    }

    /// Applies changes to an open document. Each change refers to the result of the previous one.
    func didChange(_ parameters: JSONValue) {
      guard var document = takeDocument(parameters) else { return }
      for change in parameters["contentChanges"].elements {
        guard let new = change["text"].text else { continue }
        document.text = document.text.replacing(TextRange(change["range"]), by: new, client.encoding)
      }
      if let version = parameters["textDocument"]["version"].number { document.version = version }
      keep(document)
    }

    /// Handles the saving of a document: sets its text again, or the text in the message, so that it is checked again.
    func didSave(_ parameters: JSONValue) {
      guard var document = takeDocument(parameters) else { return }
      if let text = parameters["text"].text { document.text = EditorText(text) }
      keep(document)
    }

    /// Removes a document that the client has closed. From now on the text of its file is that of another document, or
    /// that on disk.
    func didClose(_ parameters: JSONValue) {
      guard let path = takeDocument(parameters)?.path else { return }
      if let other = documents.last(where: { $0.path == path }) {
        workspace.setText(other.text, of: path)
      } else {
        workspace.close(path)
      }
    }

    /// Checks the modules with changed files. Sends the findings of each file whose findings differ from before, and of
    /// each open file that has changed.
    ///
    /// A client keeps findings by URI. If those of a file were sent for another URI before, they are removed there: the
    /// client may have another URI for a file that it opens, and the URI of an untitled document ends with it.
    func publish() {
      for file in workspace.refresh() {
        let open = documents.filter { $0.path == file.path }
        let uris = open.isEmpty ? [Path.fileURI(of: file.path)] : open.map(\.uri)
        for uri in findingURIs.updateValue(uris, forKey: file.path) ?? [] where !uris.contains(uri) {
          notify("textDocument/publishDiagnostics", ["uri": .string(uri), "diagnostics": []])
        }
        let findings = JSONValue.list(file.findings.map(diagnostic))
        for (place, uri) in uris.enumerated() {
          var parameters: [String: JSONValue] = ["uri": .string(uri), "diagnostics": findings]
          if place < open.count, let version = open[place].version { parameters["version"] = .integer(version) }
          notify("textDocument/publishDiagnostics", .map(parameters))
        }
      }
    }
  }
#endif
