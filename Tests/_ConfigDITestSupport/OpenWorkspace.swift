// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
package import ConfigDITooling

/// An editor's workspace of files in memory, with a cursor in one of them.
///
/// A `‸` in a text marks the cursor; that file is open. The workspace's folder is `/w`.
package struct OpenWorkspace {
  /// The workspace.
  package let workspace: EditorWorkspace
  /// The path of the file with the cursor.
  package private(set) var path = ""
  /// The place of the cursor.
  package private(set) var cursor = TextPosition(line: 0, character: 0)
  /// What the first check found.
  package let findings: [EditorWorkspace.FileFindings]

  /// A workspace of some files, by path below its folder; `unsaved` ones differ from the disk.
  package init(
    _ files: [String: String], unsaved: [String: String] = [:], syntaxes: [ModuleSyntax] = [], entry: String? = nil,
    catalog: String? = nil, root: String? = nil, allowedPaths: [String] = [], variables: [String: String] = [:],
    encoding: PositionEncoding = .utf16
  ) {
    var texts: [String: String] = [:]
    var open = unsaved
    for (name, text) in files {
      if text.contains("‸") { open[name] = text }
      texts[name] = text.replacing("‸", with: "")
    }
    let disk = MemoryFiles(texts: texts, workingFolder: "/w")
    var configuration = EditorWorkspace.Configuration()
    configuration.folders = ["/w"]
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

  /// The labels of what can be typed at the cursor.
  package var labels: [String] { completions.map(\.label) }

  /// What can be typed at the cursor.
  package var completions: [CompletionItem] { workspace.completions(in: path, at: cursor) }

  /// The text of the file with the cursor after an item was taken.
  package func text(taking label: String) -> String? {
    guard let item = completions.first(where: { $0.label == label }), let text = workspace.texts[path] else {
      return nil
    }
    var bytes = text.bytes
    bytes.replaceSubrange(item.edit.range, with: item.edit.text.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What is shown of what stands at the cursor.
  package var hover: String? { workspace.hover(in: path, at: cursor)?.markdown }

  /// Where what stands at the cursor is declared, as `path:line:character` from 1.
  package var definitions: [String] { workspace.definitions(in: path, at: cursor).map(\.words) }

  /// Where what stands at the cursor is named.
  package var references: [String] {
    workspace.references(in: path, at: cursor, includingDeclarations: true).map(\.words)
  }

  /// The texts of the files that a rename changes, by path, or the reason why it does not.
  package func renaming(to name: String) -> (texts: [String: String], refusal: String?) {
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

  /// The codes and places of the findings of a file, as `CDI0501 3:10` from 1.
  package func codes(in name: String) -> [String] {
    workspace.findings(of: "/w/\(name)").map { "\($0.code) \($0.range.start.line + 1):\($0.range.start.character + 1)" }
  }
}

extension FileRange {
  /// The file below the workspace's folder and the place, from 1.
  fileprivate var words: String { "\(path.dropFirst(3)):\(range.start.line + 1):\(range.start.character + 1)" }
}

/// Folders of files in memory.
package struct MemoryFolders: FolderListing {
  /// The absolute paths of the files.
  private let paths: [String]

  /// The folders of some files.
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
