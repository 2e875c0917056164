// SPDX-License-Identifier: Apache-2.0

extension Collection where Element == String {
  /// The strings sorted by Unicode scalars, ascending.
  package var ascending: [String] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}
