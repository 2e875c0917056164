// SPDX-License-Identifier: Apache-2.0

extension Sequence where Element == String {
  /// The names in double quotes, separated by commas: `["a", "b"]` is `"a", "b"`.
  package var quotedList: String { map { "\"\($0)\"" }.joined(separator: ", ") }
}
