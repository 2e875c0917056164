// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
package import ConfigDITooling

/// An editor workspace of files in memory, with a cursor in one of them.
///
/// A `‸` in a text marks the cursor; that file is open in the editor. The workspace folder is `/w` if no others are given.
package struct OpenWorkspace {
  /// The workspace.
  package let workspace: EditorWorkspace
  /// The path of the file with the cursor.
  package private(set) var path = ""
  /// The position of the cursor.
  package private(set) var cursor = TextPosition(line: 0, character: 0)
  /// The findings of the first check.
  package let findings: [EditorWorkspace.FileFindings]

  /// Creates a workspace from texts by path below its folder. The open texts in `unsaved` may differ from the disk.
  package init(
    _ files: [String: String], unsaved: [String: String] = [:], syntaxes: [ModuleSyntax] = [], entry: String? = nil,
    catalog: String? = nil, root: String? = nil, allowedPaths: [String] = [], variables: [String: String] = [:],
    encoding: PositionEncoding = .utf16, folders: [String] = ["/w"]
  ) {
    var texts: [String: String] = [:]
    var open = unsaved
    for (name, text) in files {
      if text.contains("‸") { open[name] = text }
      texts[name] = text.replacing("‸", with: "")
    }
    let disk = MemoryFiles(texts: texts, workingFolder: "/w")
    var configuration = EditorWorkspace.Configuration()
    configuration.folders = folders
    configuration.entry = entry
    configuration.catalog = catalog
    configuration.root = root
    configuration.allowedPaths = allowedPaths
    configuration.variables = variables
    configuration.syntaxes = syntaxes
    workspace = EditorWorkspace(configuration, files: disk, listing: MemoryFolders(texts.keys.map { "/w/\($0)" }))
    workspace.encoding = encoding
    for (name, text) in open {
      let marked = MarkedText(text)
      let content = EditorText(marked.bytes)
      workspace.setText(content, of: "/w/\(name)")
      if text.contains("‸") {
        path = "/w/\(name)"
        cursor = content.position(of: marked.offset, encoding)
      }
    }
    findings = workspace.refresh()
  }

  /// The labels of the completions at the cursor.
  package var labels: [String] { completions.map(\.label) }

  /// The completions at the cursor.
  package var completions: [CompletionItem] { workspace.completions(in: path, at: cursor) }

  /// Returns the text of the file with the cursor after a completion was inserted, or `nil` if there is no such label.
  package func text(accepting label: String) -> String? {
    guard let item = completions.first(where: { $0.label == label }), let text = workspace.texts[path] else {
      return nil
    }
    var bytes = text.bytes
    bytes.replaceSubrange(item.edit.range, with: item.edit.text.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The hover text for the symbol at the cursor.
  package var hover: String? { workspace.hover(in: path, at: cursor)?.markdown }

  /// The declarations of the symbol at the cursor, as `path:line:character`, counted from 1.
  package var definitions: [String] { workspace.definitions(in: path, at: cursor).map(\.description) }

  /// The occurrences of the symbol at the cursor, including declarations, as `path:line:character`, counted from 1.
  package var references: [String] {
    workspace.references(in: path, at: cursor, includingDeclarations: true).map(\.description)
  }

  /// Renames the symbol at the cursor. Returns the changed texts by path, or the reason why the rename is rejected.
  package func renaming(to name: String) -> (texts: [String: String], error: String?) {
    switch workspace.rename(in: path, at: cursor, to: name) {
    case .refused(let reason): return ([:], reason)
    case .edits(let edits):
      var texts: [String: String] = [:]
      for (path, edits) in edits {
        guard case .success(let bytes) = workspace.files.contents(of: path, limit: .max) else { continue }
        var text = EditorText(bytes)
        for edit in edits.sorted(by: { $0.range.start > $1.range.start }) {
          text = text.replacing(edit.range, by: edit.text, workspace.encoding)
        }
        texts[String(path.dropFirst(3))] = String(decoding: text.bytes, as: UTF8.self)
      }
      return (texts, nil)
    }
  }

  /// Returns the codes and positions of the findings of a file, as `CDI0501 3:10`, counted from 1.
  package func codes(in name: String) -> [String] {
    workspace.findings(of: "/w/\(name)").map { "\($0.code) \($0.range.start.line + 1):\($0.range.start.character + 1)" }
  }
}

extension FileRange {
  /// The path relative to the workspace folder and the position, counted from 1.
  fileprivate var description: String { "\(path.dropFirst(3)):\(range.start.line + 1):\(range.start.character + 1)" }
}

/// The folders that contain a list of files in memory.
package struct MemoryFolders: FolderListing {
  /// The absolute paths of the files.
  private let paths: [String]

  /// Creates the folders of the given files.
  package init(_ paths: [String]) { self.paths = paths }

  package func entries(of folder: String) -> [(name: String, isFolder: Bool)] {
    var entries: [String: Bool] = [:]
    for path in paths where path.hasPrefix(folder + "/") {
      let parts = path.dropFirst(folder.count + 1).split(separator: "/")
      if let first = parts.first { entries[String(first)] = parts.count > 1 }
    }
    return entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
