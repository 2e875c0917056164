// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "shop", targets: ["shop"])
  ],
  dependencies: [
    // No traits: the shop needs only the library, so no third-party package is fetched.
    .package(name: "ConfigDI", path: "../..", traits: [])
  ],
  targets: [
    .executableTarget(name: "shop", dependencies: ["ShopKit", .product(name: "ConfigDI", package: "ConfigDI")]),
    .target(name: "ShopKit", dependencies: [.product(name: "ConfigDI", package: "ConfigDI")]),
    .testTarget(
      name: "ShopKitTests",
      dependencies: ["ShopKit", .product(name: "ConfigDI", package: "ConfigDI")]
    ),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
