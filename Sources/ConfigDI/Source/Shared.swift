// SPDX-License-Identifier: Apache-2.0

/// A copy-on-write box. Copies share the value until one of them is modified.
///
/// For values with many parts that are passed around: a copy retains one reference instead of one for each part.
package struct Shared<Content: Sendable>: Sendable {
  /// The value. An array of one element has copy-on-write storage, whose `Sendable` conformance the compiler checks.
  private var contents: [Content]

  /// Creates a box with a value of its own.
  package init(_ content: Content) { contents = [content] }

  /// The value.
  package var content: Content {
    _read { yield contents[0] }
    _modify { yield &contents[0] }
  }
}
