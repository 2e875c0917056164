// SPDX-License-Identifier: Apache-2.0

extension Collection where Element == String {
  /// The texts in ascending order of their Unicode scalars.
  package var ascending: [String] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

  /// The texts in double quotes, separated by commas; of very many the first, and how many more there are.
  var shortList: String {
    let shown = 16
    return prefix(shown).quotedList + (count > shown ? " and \(count - shown) more" : "")
  }
}
