// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation

@testable import ShopKit

/// The shop's module file, as the tests load it.
enum ShopModule {
  /// The folder of the module file.
  static let folder = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../../Configs/Shop").standardizedFileURL

  /// The shop in an environment, with further layers given as texts.
  static func container(
    _ environment: String, layers: [ModuleLayer] = [], variables: [String: String] = [:],
    registry: Registry = .shop()
  ) throws -> Container {
    try Container(
      module: folder.appendingPathComponent("app.json").path, environment: environment, layers: layers,
      variables: variables, registry: registry)
  }

  /// A layer that is given as the map behind one of its keys, such as `override`.
  static func layer(_ key: String, _ json: String) -> ModuleLayer {
    .text(#"{ "configdi": 1, "module": "of.a.test", "\#(key)": \#(json) }"#, name: "of-a-test.json")
  }

  /// Runs a test with an empty folder, which is removed afterwards.
  static func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
