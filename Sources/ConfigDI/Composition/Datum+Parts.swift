// SPDX-License-Identifier: Apache-2.0

extension Datum {
  /// The size of a list element or map entry, in bytes, in addition to its text.
  static let elementSize = 16

  /// The size of the datum in bytes: its texts, plus `elementSize` for each element and entry.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`. Not inlined into itself.
  @inline(never)
  var size: Int {
    switch content {
    case .scalar(let value): value.canonicalText?.utf8.count ?? 1
    case .text(let text): text.written.utf8.count
    case .list(let elements): elements.reduce(0) { $0 + $1.size + Datum.elementSize }
    case .map(let entries): entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.size + Datum.elementSize }
    case .unset, .broken: 1
    }
  }

  /// The nesting depth of the maps and lists in the datum; 0 for a scalar.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`. Not inlined into itself.
  @inline(never)
  var depth: Int {
    switch content {
    case .list, .map: 1 + (parts.lazy.map(\.depth).max() ?? 0)
    case .scalar, .text, .unset, .broken: 0
    }
  }
}
