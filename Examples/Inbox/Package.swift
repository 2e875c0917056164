// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "Inbox",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: [
    .executable(name: "inbox", targets: ["inbox"])
  ],
  dependencies: [
    // No traits: an app needs only the library, so no third-party package is fetched.
    .package(name: "ConfigDI", path: "../..", traits: [])
  ],
  targets: [
    .executableTarget(name: "inbox", dependencies: ["InboxKit", .product(name: "ConfigDI", package: "ConfigDI")]),
    .target(
      name: "InboxKit",
      dependencies: [.product(name: "ConfigDI", package: "ConfigDI")],
      // The module files, their layers and the messages for previews are resources of the app's bundle.
      resources: [.copy("Modules")]
    ),
    .testTarget(
      name: "InboxKitTests",
      dependencies: [
        "InboxKit", .product(name: "ConfigDI", package: "ConfigDI"),
        .product(name: "ConfigDITesting", package: "ConfigDI"),
      ]
    ),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    // These are the settings of new app projects in Xcode.
    .defaultIsolation(MainActor.self),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
