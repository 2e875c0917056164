// SPDX-License-Identifier: Apache-2.0

@_spi(Measuring) import ConfigDI
import Foundation

/// A large module as plain structures, decoded without checks.
private struct PlainModule: Decodable {
  /// The version of the format.
  var configdi: Int
  /// The name of the module.
  var module: String
  /// The bindings.
  var bindings: [String: String]
  /// The services.
  var services: [String: Service]

  /// One service.
  struct Service: Decodable {
    /// The name of the registered type.
    var type: String
    /// The references.
    var inject: [String: String]
    /// The values.
    var values: [String: Int]
  }
}

extension Benchmark {
  /// Reading of the bytes of a module into a document, and into a container.
  static let loading = [
    Benchmark("baseline.jsonserialization") {
      let data = Data(ModuleText.text(serviceCount: 10_000).utf8)
      return { count in
        for _ in 0..<count { use(try JSONSerialization.jsonObject(with: data)) }
      }
    },
    Benchmark("baseline.jsondecoder") {
      let data = Data(ModuleText.text(serviceCount: 10_000).utf8)
      let decoder = JSONDecoder()
      return { count in
        for _ in 0..<count { use(try decoder.decode(PlainModule.self, from: data)) }
      }
    },
    Benchmark("read.10000", atMost: 0.1, of: "baseline.jsonserialization") {
      let bytes = Array(ModuleText.text(serviceCount: 10_000).utf8)
      return { count in
        for _ in 0..<count { use(TreeReading.nodeCount(ofJSON: bytes)) }
      }
    },
    loading(1_000),
    loading(10_000, atMost: 0.8, of: "baseline.jsondecoder"),
    loading(100_000, atMost: 11, of: "load.10000"),
  ]

  /// Returns the benchmark of loading a module, with a maximum cost relative to another one.
  private static func loading(_ serviceCount: Int, atMost ratio: Double, of baseline: String) -> Benchmark {
    Benchmark("load.\(serviceCount)", atMost: ratio, of: baseline, prepare: loading(serviceCount).prepare)
  }

  /// Returns the benchmark of loading a module, as a baseline.
  private static func loading(_ serviceCount: Int) -> Benchmark {
    Benchmark("load.\(serviceCount)") {
      let text = ModuleText.text(serviceCount: serviceCount)
      let registry = ModuleText.registry
      return { count in
        for _ in 0..<count { use(try Container(text: text, registry: registry)) }
      }
    }
  }
}
