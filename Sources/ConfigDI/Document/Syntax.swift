// SPDX-License-Identifier: Apache-2.0

/// A syntax in which a module can be written.
package enum Syntax: String, CaseIterable, Sendable {
  /// RFC 8259, strict.
  case json

  /// The syntax of a path's ending, which is compared without regard to case, or nil.
  package init?(path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    self.init(rawValue: name[name.index(after: dot)...].lowercased())
  }
}
