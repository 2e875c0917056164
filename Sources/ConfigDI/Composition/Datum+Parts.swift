// SPDX-License-Identifier: Apache-2.0

extension Datum {
  /// The part at a path, or nil where there is none. The empty path leads to the datum itself.
  func part(at steps: ArraySlice<DottedPath.Step>) -> Datum? {
    var datum = self
    var steps = steps
    while let step = steps.first {
      switch (datum.content, step) {
      case (.list(let elements), .index(let index)) where elements.indices.contains(index):
        datum = elements[index]
        steps = steps.dropFirst()
      case (.map(let entries), .key), (.map(let entries), .quoted):
        guard let found = SpelledKeys(entries.lazy.map(\.key)).longestMatch(of: steps) else { return nil }
        datum = entries[found.place].value
        steps = found.rest
      default: return nil
      }
    }
    return datum
  }

  /// The datum with another one in the place of the part at a path; nil where it has no such part. The empty path leads to
  /// the datum itself.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  func changing(at steps: ArraySlice<DottedPath.Step>, to part: Datum) -> Datum? {
    guard let step = steps.first else { return part }
    var copy = self
    switch (content, step) {
    case (.list(var elements), .index(let index)) where elements.indices.contains(index):
      guard let changed = elements[index].changing(at: steps.dropFirst(), to: part) else { return nil }
      elements[index] = changed
      copy.content = .list(elements)
    case (.map(var entries), .key), (.map(var entries), .quoted):
      guard let found = SpelledKeys(entries.lazy.map(\.key)).longestMatch(of: steps),
        let changed = entries[found.place].value.changing(at: found.rest, to: part)
      else { return nil }
      entries[found.place].value = changed
      copy.content = .map(entries)
    default: return nil
    }
    return copy
  }

  /// How many bytes an element of a list or map counts as: it takes more than its text.
  static let elementSize = 16

  /// The bytes of text in the datum and, weighed, its elements.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  var size: Int {
    switch content {
    case .scalar(let value): value.canonicalText?.utf8.count ?? 1
    case .text(let text): text.written.utf8.count
    case .list(let elements): elements.reduce(0) { $0 + $1.size + Datum.elementSize }
    case .map(let entries): entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.size + Datum.elementSize }
    case .unset, .broken: 1
    }
  }

  /// How many maps and lists in the datum lie inside one another.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  var depth: Int {
    switch content {
    case .list(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
    case .map(let entries): 1 + (entries.lazy.map(\.value.depth).max() ?? 0)
    case .scalar, .text, .unset, .broken: 0
    }
  }
}
