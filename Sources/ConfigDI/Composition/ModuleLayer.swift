// SPDX-License-Identifier: Apache-2.0

/// A module file that is applied behind those of the environment: a file on the disk, or a text.
///
/// ```swift
/// let container = try Container(
///   module: "Configs/app.json", layers: ["Configs/local.json", .text(recordingMailer)], registry: registry)
/// ```
public struct ModuleLayer: Hashable, Sendable, ExpressibleByStringLiteral {
  /// Where the layer's text is.
  enum Content: Hashable, Sendable {
    /// A file, by its path.
    case file(String)
    /// The text itself, in JSON.
    case text(String, name: String)
  }

  /// Where the layer's text is.
  let content: Content

  /// A layer on the disk; the path is relative to the working folder.
  public static func file(_ path: String) -> ModuleLayer { ModuleLayer(content: .file(path)) }

  /// A layer in JSON that is given as a text. `name` is what messages call it; its imports are relative to the working folder.
  public static func text(_ json: String, name: String = "<layer>") -> ModuleLayer {
    ModuleLayer(content: .text(json, name: name))
  }

  /// A layer of some content.
  private init(content: Content) { self.content = content }

  /// A layer on the disk, by its path.
  public init(stringLiteral path: String) { self.init(content: .file(path)) }
}
