// SPDX-License-Identifier: Apache-2.0

/// A copy-on-write box: copies share the value until one of them is changed.
///
/// For what has many parts and is handed from step to step: a copy costs one reference instead of one for each part.
package struct Shared<Content: Sendable>: Sendable {
  /// The value alone. An array of one shares and copies as it should, and the compiler knows it to be safe.
  private var contents: [Content]

  /// A value that is not shared yet.
  package init(_ content: Content) { contents = [content] }

  /// The value.
  package var content: Content {
    _read { yield contents[0] }
    _modify { yield &contents[0] }
  }
}
