// SPDX-License-Identifier: Apache-2.0

/// A place for one instance, which it keeps alive or only knows.
final class SoleInstance: Sendable {
  /// What is in the place.
  private struct Content {
    /// The instance, where it is kept alive.
    var built: Built?
    /// The instance, where it is not.
    weak var object: AnyObject?
  }

  /// What is in the place.
  private let content = Guarded(Content())

  /// The instance, or nil where there is none, or none any more.
  var found: Found? {
    content.withLock { content in
      if let built = content.built { return .built(built) }
      return content.object.map { .object($0) }
    }
  }

  /// Keeps an instance.
  func keep(_ built: Built) { content.withLock { $0.built = built } }

  /// Forgets the instance.
  func forget() {
    let old = content.withLock { content in
      defer { content = Content() }
      return Hold(content)
    }
    withExtendedLifetime(old) {}
  }

  /// Knows an instance as long as somebody else keeps it alive.
  func know(_ built: Built) { content.withLock { $0.object = built.object } }
}
