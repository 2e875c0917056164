// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0

import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "ConfigDI",
  // `Mutex` and atomics of the standard library need these versions.
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .visionOS(.v2), .watchOS(.v11)],
  products: [
    .executable(name: "configdi", targets: ["ConfigDICLI"]),
    .library(name: "ConfigDI", targets: ["ConfigDI"]),
    .library(name: "ConfigDICommands", targets: ["ConfigDICommands"]),
    .library(name: "ConfigDILogging", targets: ["ConfigDILogging"]),
    .library(name: "ConfigDIMetrics", targets: ["ConfigDIMetrics"]),
    .library(name: "ConfigDIServiceLifecycle", targets: ["ConfigDIServiceLifecycle"]),
    .library(name: "ConfigDISwiftConfiguration", targets: ["ConfigDISwiftConfiguration"]),
    .library(name: "ConfigDITesting", targets: ["ConfigDITesting"]),
    .library(name: "ConfigDITracing", targets: ["ConfigDITracing"]),
    .library(name: "ConfigDIYAML", targets: ["ConfigDIYAML"]),
    .plugin(name: "ConfigDIPlugin", targets: ["ConfigDIPlugin"]),
    .plugin(name: "ConfigDIRegistrationsPlugin", targets: ["ConfigDIRegistrationsPlugin"]),
  ],
  traits: [
    .default(enabledTraits: ["CommandLine"]),
    .trait(
      name: "BuildPlugin", description: "The build plugin `ConfigDIPlugin`, which needs the tool.",
      enabledTraits: ["CommandLine"]),
    .trait(name: "CommandLine", description: "The command line tool `configdi`, which needs swift-argument-parser."),
    .trait(name: "Logging", description: "An observer that writes to a logger, which needs swift-log."),
    .trait(
      name: "Macros",
      description: "The macro `@Resolvable`, and the plugin that registers marked types, which need swift-syntax."),
    .trait(name: "Metrics", description: "An observer that measures builds, which needs swift-metrics."),
    .trait(
      name: "ServiceLifecycle",
      description: "Services that run in a group, which needs swift-service-lifecycle and swift-log."),
    .trait(
      name: "SwiftConfiguration",
      description: "Parameters that read a `ConfigReader`, which needs swift-configuration."),
    .trait(name: "Tracing", description: "An observer that makes spans, which needs swift-distributed-tracing."),
    .trait(name: "YAML", description: "Module files in YAML, which need Yams."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0", traits: []),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    // Wide, so that a client whose other packages have macros, too, finds one version for all.
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
  ],
  targets: [
    // The library: no third-party package, no full Foundation.
    .target(
      name: "ConfigDI",
      dependencies: [.target(name: "ConfigDIMacros", condition: .when(traits: ["Macros"]))]
    ),
    .testTarget(
      name: "ConfigDITests",
      dependencies: ["ConfigDI", "ConfigDITooling", "_ConfigDITestSupport"],
      // Texts that the tests find by their own path.
      exclude: ["Golden"]
    ),
    // The container as its users see it: what it promises, and what five other containers promise.
    .testTarget(
      name: "ConfigDILookUpTests",
      dependencies: ["ConfigDI", "_ConfigDITestSupport"]
    ),
    // The container under threads and tasks: its faults, the matrix, the interleavings, the model.
    .testTarget(
      name: "ConfigDIContainerTests",
      dependencies: ["ConfigDI", "_ConfigDITestSupport"]
    ),

    // What tests of applications need: containers by layer, mocks, records of what was built.
    .target(
      name: "ConfigDITesting",
      dependencies: ["ConfigDI"]
    ),
    .testTarget(
      name: "ConfigDITestingTests",
      dependencies: ["ConfigDI", "ConfigDITesting", "_ConfigDITestSupport"],
      // The module of a page's example, which the tests find by their own path.
      exclude: ["TestingPage/Configs"]
    ),

    // What only the tool needs of a module: inspection, forms for machines, conversion, catalogs from files. An
    // application links none of it, so it is no product.
    .target(
      name: "ConfigDITooling",
      dependencies: ["ConfigDI"]
    ),
    .testTarget(
      name: "ConfigDIToolingTests",
      dependencies: ["ConfigDI", "ConfigDITooling", "_ConfigDITestSupport"]
    ),

    // The commands of the tool, which an application can offer on its own registry. Empty without the trait `CommandLine`.
    .target(
      name: "ConfigDICommands",
      dependencies: [
        "ConfigDI",
        "ConfigDITooling",
        .target(name: "ConfigDIYAML", condition: .when(traits: ["YAML"])),
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLine"])),
      ],
      // The first is a link to the page in Documentation: what the tool says of a code is what that says. The others are the
      // page of `graph`.
      resources: [.embedInCode("DiagnosticCodes.md")]
        + [
          "page.html", "page.css", "model.js", "selection.js", "layers.js", "placing.js", "routing.js", "drawing.js",
          "panel.js", "controls.js",
        ].map { .embedInCode("Page/\($0)") }
    ),
    // The tool. Its tests run the built binary.
    .executableTarget(name: "ConfigDICLI", dependencies: ["ConfigDICommands"]),
    .testTarget(
      name: "ConfigDICLITests",
      dependencies: ["ConfigDI", "ConfigDICLI", "_ConfigDITestSupport", "_configdi-embedded"]
    ),
    // A program with the commands in it, for the tests.
    .executableTarget(
      name: "_configdi-embedded",
      dependencies: [
        "ConfigDI", "ConfigDICommands",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLine"])),
      ],
      path: "Tests/_EmbeddedTool"
    ),

    // Checks the modules of a target in its build, by the tool.
    //
    // Behind a trait, as SwiftPM builds the tool of a plugin a second time, for the machine that builds, also where nobody
    // uses the plugin.
    .plugin(
      name: "ConfigDIPlugin", capability: .buildTool(),
      dependencies: [.target(name: "ConfigDICLI", condition: .when(traits: ["BuildPlugin"]))]),

    // What `@Resolvable` writes. Empty without the trait `Macros`, as are its tests.
    .macro(
      name: "ConfigDIMacros",
      dependencies: swiftSyntax(
        "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder",
        "SwiftSyntaxMacros")
    ),
    // Writes the registrations of the types that are marked with `@Resolvable`, in the build of their target. The program does
    // nothing without the trait `Macros`, which builds swift-syntax in any case.
    .executableTarget(name: "ConfigDIRegistrations", dependencies: swiftSyntax("SwiftParser", "SwiftSyntax")),
    .plugin(
      name: "ConfigDIRegistrationsPlugin", capability: .buildTool(),
      dependencies: [.target(name: "ConfigDIRegistrations", condition: .when(traits: ["Macros"]))]),
    .testTarget(
      name: "ConfigDIMacrosTests",
      dependencies: [
        "ConfigDI", "ConfigDIRegistrations", .target(name: "ConfigDIMacros", condition: .when(traits: ["Macros"])),
      ]
        + swiftSyntax(
          "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacroExpansion",
          "SwiftSyntaxMacros")
    ),

    // What a server brings along, each empty without the trait of its name.
    .target(name: "ConfigDILogging", dependencies: ["ConfigDI", logging]),
    .target(
      name: "ConfigDIMetrics",
      dependencies: [
        "ConfigDI", .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
      ]
    ),
    .target(
      name: "ConfigDITracing",
      dependencies: [
        "ConfigDI",
        tracing("Tracing"),
      ]
    ),
    .target(
      name: "ConfigDIServiceLifecycle",
      dependencies: [
        "ConfigDI",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["ServiceLifecycle"])),
        serviceLifecycle("ServiceLifecycle"), serviceLifecycle("UnixSignals"),
      ]
    ),
    .target(name: "ConfigDISwiftConfiguration", dependencies: ["ConfigDI", configuration]),
    .testTarget(
      name: "ConfigDIServerTests",
      dependencies: [
        "ConfigDI", "ConfigDILogging", "ConfigDIMetrics", "ConfigDITracing", "ConfigDIServiceLifecycle",
        "ConfigDISwiftConfiguration", "_ConfigDITestSupport", configuration, logging,
        .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
        tracing("InMemoryTracing"), tracing("Tracing"), serviceLifecycle("ServiceLifecycle"),
      ]
    ),

    // Module files in YAML. Empty without the trait `YAML`.
    .target(
      name: "ConfigDIYAML",
      dependencies: [
        "ConfigDI",
        .product(name: "Yams", package: "Yams", condition: .when(traits: ["YAML"])),
      ]
    ),
    .testTarget(
      name: "ConfigDIYAMLTests",
      dependencies: ["ConfigDI", "ConfigDITooling", "ConfigDIYAML", "_ConfigDITestSupport"]
    ),

    // What several test targets share.
    .target(
      name: "_ConfigDITestSupport",
      dependencies: ["ConfigDI", "ConfigDITooling"],
      path: "Tests/_ConfigDITestSupport"
    ),
  ]
)

/// The product of swift-log, for the trait `Logging` alone.
var logging: Target.Dependency {
  .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"]))
}

/// The product of swift-configuration, for the trait `SwiftConfiguration` alone.
var configuration: Target.Dependency {
  .product(
    name: "Configuration", package: "swift-configuration", condition: .when(traits: ["SwiftConfiguration"]))
}

/// A product of swift-distributed-tracing, for the trait `Tracing` alone.
func tracing(_ product: String) -> Target.Dependency {
  .product(name: product, package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"]))
}

/// A product of swift-service-lifecycle, for the trait `ServiceLifecycle` alone.
func serviceLifecycle(_ product: String) -> Target.Dependency {
  .product(name: product, package: "swift-service-lifecycle", condition: .when(traits: ["ServiceLifecycle"]))
}

/// Products of swift-syntax, for the trait `Macros` alone.
func swiftSyntax(_ products: String...) -> [Target.Dependency] {
  products.map { .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"])) }
}

for target in package.targets where target.type != .plugin {
  var settings = target.swiftSettings ?? []
  settings.append(contentsOf: [
    // `any` in front of every existential, so that its cost is seen.
    .enableUpcomingFeature("ExistentialAny"),
    // What the library imports stays its own business.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // A member is visible only where its module is imported.
    .enableUpcomingFeature("MemberImportVisibility"),
  ])
  target.swiftSettings = settings
}

// A build under a sanitizer takes minutes: `CONFIGDI_TEST_TARGETS=ConfigDILookUpTests,ConfigDIContainerTests` leaves the other
// targets of tests out, and what they alone need.
if let names = Context.environment["CONFIGDI_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
