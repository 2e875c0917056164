// SPDX-License-Identifier: Apache-2.0
#if YAML
  import ConfigDIYAML
  import _ConfigDITestSupport

  @testable import ConfigDI

  extension ReadDocument {
    /// Reads bytes as YAML.
    init(yaml bytes: [UInt8], limits: Limits = Limits()) {
      self.init(bytes, as: .yaml, with: [.yaml], limits: limits)
    }

    /// Reads a text as YAML.
    init(yaml text: String, limits: Limits = Limits()) { self.init(yaml: Array(text.utf8), limits: limits) }

    /// The texts of the tokens of all nodes, in the order of the nodes.
    var tokens: [String] {
      document.nodes.indices.map { node in
        let range = document.range(of: UInt32(node))
        return String(decoding: document.source.bytes[range.start..<range.end], as: UTF8.self)
      }
    }
  }
#endif
