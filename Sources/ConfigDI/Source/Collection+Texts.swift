// SPDX-License-Identifier: Apache-2.0

extension Collection where Element == String {
  /// The strings sorted by Unicode scalars, ascending.
  package var ascending: [String] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}

extension Collection {
  /// Returns the elements sorted by a string of each, by Unicode scalars, ascending.
  package func ascending(by text: (Element) -> String) -> [Element] {
    sorted { text($0).utf8.lexicographicallyPrecedes(text($1).utf8) }
  }
}
