// SPDX-License-Identifier: Apache-2.0

/// A module file that is applied after the layers of the environment: a file on disk, or a text.
///
/// ```swift
/// let container = try Container(
///   module: "Configs/app.json", layers: ["Configs/local.json", .text(recordingMailer)], registry: registry)
/// ```
public struct ModuleLayer: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The location of the layer's text.
  enum Content: Hashable, Sendable {
    /// A file at a path.
    case file(String)
    /// The text itself, in JSON, and its name in messages.
    case text(String, name: String)
  }

  /// The location of the layer's text.
  let content: Content

  /// Creates a layer from a file on disk. The path is relative to the working folder.
  public static func file(_ path: String) -> ModuleLayer { ModuleLayer(content: .file(path)) }

  /// Creates a layer from a JSON text. Messages call it `name`. Its imports are relative to the working folder.
  public static func text(_ json: String, name: String = "<layer>") -> ModuleLayer {
    ModuleLayer(content: .text(json, name: name))
  }

  /// Creates a layer with the content.
  private init(content: Content) { self.content = content }

  /// Creates a layer from a file on disk, by its path.
  public init(stringLiteral path: String) { self.init(content: .file(path)) }
}
