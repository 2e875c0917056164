// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation

@testable import ShopKit

/// Loads the shop's module file for tests.
enum ShopModule {
  /// The folder that contains the module file.
  static let folder = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../../Configs/Shop").standardizedFileURL

  /// Creates a container of the shop in an environment, with further layers.
  static func container(
    _ environment: String, layers: [ModuleLayer] = [], variables: [String: String] = [:],
    registry: Registry = .shop()
  ) throws -> Container {
    try Container(
      module: folder.appendingPathComponent("app.json").path, environment: environment, layers: layers,
      variables: variables, registry: registry)
  }

  /// Returns a layer with one top-level key, such as `override`, and its JSON value.
  static func layer(_ key: String, _ json: String) -> ModuleLayer {
    .text(#"{ "configdi": 1, "module": "of.a.test", "\#(key)": \#(json) }"#, name: "of-a-test.json")
  }

  /// Runs a test with an empty temporary folder. Removes the folder afterwards.
  static func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
