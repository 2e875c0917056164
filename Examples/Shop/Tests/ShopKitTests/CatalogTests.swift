// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Testing

@testable import ShopKit

@Suite struct CatalogTests {
  @Test func `the catalog beside the module file matches the registry`() throws {
    let checkedIn = try String(contentsOf: ShopModule.folder.appendingPathComponent("catalog.json"), encoding: .utf8)
    // To update the file: swift run --package-path Examples/Shop shop --catalog > Configs/Shop/catalog.json
    #expect(Registry.shop().catalog.json == checkedIn)
  }
}
