// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Testing

@testable import ShopKit

@Suite struct LayerTests {
  @Test func `an additional layer replaces the mailer of prod by a recording one`() throws {
    let recording = ModuleLayer.text(
      """
      {
        "configdi": 1,
        "module": "recording",
        "replace": { "services": { "mailer": { "type": "RecordingMailer" } } }
      }
      """, name: "recording.json")
    try ShopModule.withTemporaryFolder { folder in
      let container = try ShopModule.container("prod", layers: [recording], variables: ["SHOP_DATA": folder.path])
      _ = try ShopDay(container)
      let mailer = try #require(try container.resolve((any Mailer).self) as? RecordingMailer)
      #expect(mailer.messages.map(\.to.first) == ["ada@example.net", "bob@example.net"])
      #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("outbox").path))
    }
  }

  @Test func `a layer that names a removed service is rejected`() throws {
    let stale = ModuleLayer.text(
      """
      {
        "configdi": 1,
        "module": "stale",
        "replace": { "services": { "mailman": { "type": "RecordingMailer" } } }
      }
      """, name: "stale.json")
    let error = try #require(throws: LoadError.self) { try ShopModule.container("test", layers: [stale]) }
    #expect(error.diagnostics.map(\.code) == [.nothingToChange])
    #expect("\(error)".contains("CDI0305"))
    #expect("\(error)".contains("stale.json:4:30"))
  }

  @Test func `a deployment must set the folder and the signing key`() throws {
    let deploy = ModuleLayer.file(ShopModule.folder.appendingPathComponent("layers/deploy.json").path)
    let error = try #require(throws: LoadError.self) { try ShopModule.container("prod", layers: [deploy]) }
    #expect(error.diagnostics.map(\.code) == [.missingSource, .missingSource])

    try ShopModule.withTemporaryFolder { folder in
      let variables = ["SHOP_DATA": folder.path, "SHOP_SIGNING_KEY": "a key of this test"]
      _ = try ShopModule.container("prod", layers: [deploy], variables: variables)
    }
  }

  @Test func `the summer layer adds an offer and cups, and removes nothing`() throws {
    let summer = ModuleLayer.file(ShopModule.folder.appendingPathComponent("layers/summer.jsonc").path)
    let container = try ShopModule.container("test", layers: [summer])
    let discount = try container.resolve((any Discount).self)
    let price = Money(cents: 10_000, currency: "EUR")
    #expect(["SUMMER", "WELCOME"].map { discount.apply(to: price, pieces: 1, code: $0).cents } == [8_000, 9_000])
    let stock = try container.resolve((any Stock).self)
    #expect(["cup", "tea"].map { stock.pieces(of: $0) } == [72, 40])
  }

  @Test func `a variable out of bounds fails the load`() throws {
    let error = try #require(throws: LoadError.self) {
      try ShopModule.container("dev", variables: ["SHOP_TAX_RATE": "19.0"])
    }
    #expect(error.diagnostics.map(\.code) == [.outOfBounds])
  }
}
