// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ConfigDI

@Suite struct EnvironmentVariablesTests {
  @Test func `the variables of the process are read at each load`() throws {
    let name = "CONFIGDI_TEST_\(UInt32.random(in: 0...UInt32.max))"
    defer { unsetenv(name) }
    var registry = Registry()
    registry.add("Word", String.init(describing:), .value("text", String.self))
    let source = ModuleSource(
      text: """
        { "configdi": 1, "module": "m", "parameters": { "p": { "env": "\(name)", "default": "unset" } },
          "services": { "word": { "type": "Word", "values": { "text": "${p}" } } } }
        """)
    func word() throws -> String { try Container(source, registry: registry).resolve(named: "word") }
    #expect(try word() == "unset")
    setenv(name, "one", 1)
    #expect(try word() == "one")
    setenv(name, "two, größer", 1)
    #expect(try word() == "two, größer")
  }

  @Test func `given variables compare by bytes, and the process is not read`() {
    let given = EnvironmentVariables(["é": "one", "PATH2": ""])
    #expect(given["é"] == "one")
    #expect(given["e\u{301}"] == nil)
    #expect(given["PATH2"] == "")
    #expect(given["PATH"] == nil)
  }
}
