// SPDX-License-Identifier: Apache-2.0

/// A scalar that the caller changes: `--set services.mailer.values.timeout=30s`.
package struct Setting: Hashable, Sendable {
  /// The path as diagnostics write it.
  package var path: String
  /// The new value as a text.
  package var text: String

  /// Reads `PATH=TEXT`; nil where there is no `=`.
  package init?(_ argument: String) {
    let bytes = argument.utf8
    guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    path = String(Substring(bytes[..<sign]))
    text = String(Substring(bytes[sign...].dropFirst()))
  }

  /// A setting without `=`, of which nothing is repeated: it may be a secret whose path was forgotten.
  static let malformed = Setting(path: "", text: "")

  /// A setting of a path.
  private init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}

/// The caller's settings as nodes of a document of their own, so that a changed value has a token like any other.
package struct SettingsDocument {
  /// The document, the last of the composition.
  package private(set) var document: Document
  /// The path of the setting that each node belongs to.
  private(set) var paths: [String] = []

  /// A document without nodes.
  init(file: FileID) {
    document = Document(source: SourceFile(name: "<command line>", bytes: []), file: file)
    document.hasPositions = false
  }

  /// Adds a value and gives its node.
  mutating func append(_ value: Value, path: String) -> NodeRef {
    let node = UInt32(document.nodes.count)
    document.append(value)
    paths += Array(repeating: path, count: document.nodes.count - paths.count)
    return NodeRef(file: document.file, node: node)
  }
}

extension Setting {
  /// The last of the settings of each path, in their order: a later one takes the place of an earlier.
  static func lastOfEachPath(_ settings: [Setting]) -> [Setting] {
    var seen: Set<[UInt8]> = []
    return settings.reversed().filter { seen.insert(Array($0.path.utf8)).inserted }.reversed()
  }
}

extension Document {
  /// Appends a value as nodes without a place in any text.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  fileprivate mutating func append(_ value: Value, as kind: NodeKind = .string) {
    let place = nodes.count
    nodes.append(Node(kind: kind, start: 0, end: 0, next: UInt32(place + 1)))
    switch value {
    case .string(let text), .duration(let text), .size(let text):
      nodes[place].payload = Int64(texts.count)
      texts.append(text)
    case .integer(let integer):
      nodes[place].kind = .integer
      nodes[place].payload = integer
    case .real(let real):
      nodes[place].kind = .real
      nodes[place].payload = Int64(bitPattern: real.bitPattern)
    case .boolean(let boolean):
      nodes[place].kind = .boolean
      nodes[place].payload = boolean ? 1 : 0
    case .data(let bytes):
      nodes[place].kind = .data
      nodes[place].payload = Int64(data.count)
      data.append(bytes)
    case .list(let elements):
      nodes[place].kind = .list
      nodes[place].payload = Int64(elements.count)
      for element in elements { append(element) }
    case .map(let entries):
      nodes[place].kind = .map
      nodes[place].payload = Int64(entries.count)
      for entry in entries {
        append(.string(entry.key), as: .key)
        append(entry.value)
      }
    }
    nodes[place].next = UInt32(nodes.count)
  }
}
