// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "bench", targets: ["bench"])
  ],
  dependencies: [
    // Without traits: as in most applications, and so that no third-party package is fetched.
    .package(name: "ConfigDI", path: "..", traits: [])
  ],
  targets: [
    .executableTarget(name: "bench", dependencies: ["CMeasuring", .product(name: "ConfigDI", package: "ConfigDI")]),
    // In C, so that the Swift optimizer cannot inline its functions.
    .target(name: "CMeasuring"),
  ]
)

for target in package.targets where target.name == "bench" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
