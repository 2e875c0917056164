// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "notes", targets: ["notes"])
  ],
  dependencies: [
    // In your own package, use `url: "<URL of ConfigDI>", from: "1.0.0"` with the same traits.
    .package(
      name: "ConfigDI", path: "../..", traits: ["Logging", "Metrics", "ServiceLifecycle", "SwiftConfiguration"]),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0", traits: ["CommandLineArguments"]),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.0.0", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "notes",
      dependencies: [
        "NotesKit",
        .product(name: "ConfigDI", package: "ConfigDI"),
        .product(name: "ConfigDILogging", package: "ConfigDI"),
        .product(name: "ConfigDIMetrics", package: "ConfigDI"),
        .product(name: "ConfigDIServiceLifecycle", package: "ConfigDI"),
        .product(name: "ConfigDISwiftConfiguration", package: "ConfigDI"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .target(
      name: "NotesKit",
      dependencies: [
        .product(name: "ConfigDI", package: "ConfigDI"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),
    .testTarget(
      name: "NotesKitTests",
      dependencies: [
        "NotesKit",
        .product(name: "ConfigDIServiceLifecycle", package: "ConfigDI"),
        .product(name: "ConfigDISwiftConfiguration", package: "ConfigDI"),
        .product(name: "ConfigDITesting", package: "ConfigDI"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "InMemoryLogging", package: "swift-log"),
      ]
    ),
  ]
)

for target in package.targets {
  target.swiftSettings = [.enableUpcomingFeature("ExistentialAny")]
}
