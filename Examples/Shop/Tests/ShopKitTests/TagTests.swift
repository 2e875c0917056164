// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Testing

@testable import ShopKit

@Suite struct TagTests {
  /// A check that always reports one problem.
  private struct Complaint: HealthCheck {
    /// The problem to report.
    let text: String

    func problems() -> [String] { [text] }
  }

  @Test func `health checks run in the order of the tags, including those of a layer`() throws {
    var registry = Registry.shop()
    registry.add("Complaint", as: (any HealthCheck).self, .value("text", String.self)) { Complaint(text: $0) }
    let layer = ShopModule.layer(
      "services",
      """
      {
        "a": { "type": "Complaint", "values": { "text": "last" }, "tags": { "health": { "order": 30 } } },
        "b": { "type": "Complaint", "values": { "text": "between" }, "tags": { "health": { "order": 15 } } },
        "c": { "type": "Complaint", "values": { "text": "first" }, "tags": ["health"] }
      }
      """)
    try ShopModule.withTemporaryFolder { folder in
      let container = try ShopModule.container(
        "prod", layers: [layer], variables: ["SHOP_DATA": folder.path], registry: registry)
      // The file's only line is not a record, so the check of the stores (order 10) reports a problem too.
      try Data("no record\n".utf8).write(to: folder.appendingPathComponent("events.jsonl"))
      let problems = try container.resolve((any HealthCheck).self).problems()
      #expect(problems.count == 5)
      #expect(problems.first == "first")
      #expect(problems.dropFirst().first?.hasPrefix("events.jsonl cannot be read") == true)
      #expect(problems.dropFirst(2) == ["between", "Samovar, silver: 1 left", "last"])
    }
  }

  @Test func `the template moves every store to the folder of prod`() throws {
    try ShopModule.withTemporaryFolder { folder in
      let layer = ShopModule.layer(
        "services", #"{ "store.returns": { "extends": "store", "values": { "name": "returns.jsonl" } } }"#)
      let container = try ShopModule.container("prod", layers: [layer], variables: ["SHOP_DATA": folder.path])
      let store = try container.resolve(named: "store.returns") as any RecordStore
      try store.append(Record(id: "order-1", kind: "returned"))
      #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("returns.jsonl").path))
    }
  }

  @Test func `two offers with one code are rejected`() throws {
    let layer = ShopModule.layer(
      "override", #"{ "services": { "discount.party": { "tags": { "offer": { "key": "WELCOME" } } } } }"#)
    let error = try #require(throws: LoadError.self) { try ShopModule.container("test", layers: [layer]) }
    #expect(error.diagnostics.map(\.code) == [.duplicateTagKey])
  }
}
