// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

@Suite struct RegistryPageTests {
  @Test func `every code block of the page is compiled`() throws {
    let compiled = Set(Markdown.codeLines(try Markdown("Tests/ConfigDITestingTests/RegistryExample.swift").text))
    let blocks = try Markdown("Documentation/Registry.md").blocks(of: "swift")
    #expect(blocks.count > 10)
    for line in blocks.flatMap(Markdown.codeLines) { #expect(compiled.contains(line), "\(line)") }
  }

  @Test func `types that the page registers can be built`() async throws {
    try await RegistryExample.verify(RegistryExample.registry())
  }

  @Test func `look-ups of the page succeed`() throws {
    let container = try Container(
      text: """
        { "configdi": 1, "module": "m", "scopes": ["request"], "autowire": true, "services": {
            "info": { "type": "RequestInfo", "scope": "request" }, "handler": { "type": "Handler", "scope": "request" },
            "session": { "type": "Session", "scope": "transient" }, "store": { "type": "MemoryStore" } } }
        """, registry: RegistryExample.registry())
    try RegistryExample.lookUp(in: container)
  }

  @Test func `registrations in code of the page can be looked up`() throws {
    let container = Container(scopes: ["request"])
    container.register((any RegistryExample.Store).self) { RegistryExample.MemoryStore() }
    RegistryExample.register(in: container)
    _ = try container.resolve(RegistryExample.SMTPMailer.self)
    _ = try container.resolve((any RegistryExample.Mailer).self)
    _ = try container.resolve(RegistryExample.Session.self, arguments: RegistryExample.UserID(7))
  }
}
