// SPDX-License-Identifier: Apache-2.0

extension Value {
  /// Creates the value of a node as written, without expansion; `nil` if a part of it could not be read.
  ///
  /// Recursive; the depth is bounded by `Limits.nesting`.
  package init?(_ node: UInt32, of document: Document) {
    let found = document[node]
    switch found.kind {
    case .string, .key: self = .string(document.text(of: node))
    case .integer: self = .integer(found.payload)
    case .real: self = .real(Double(bitPattern: UInt64(bitPattern: found.payload)))
    case .boolean: self = .boolean(found.payload != 0)
    case .data: self = .data(document.data[Int(found.payload)])
    case .date, .invalid: return nil
    case .list:
      var elements: [Value] = []
      for element in document.elements(of: node) {
        guard let value = Value(element, of: document) else { return nil }
        elements.append(value)
      }
      self = .list(elements)
    case .map:
      var entries: [Entry] = []
      for key in document.keys(of: node) {
        guard let value = Value(key + 1, of: document) else { return nil }
        entries.append(Entry(key: document.text(of: key), value: value))
      }
      self = .map(entries)
    }
  }
}
