// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// The choice of a service by run-time arguments.
@Suite struct ArgumentTests {
  /// A protocol for an existential argument.
  protocol Plug: Sendable {
    /// A text that identifies the value.
    var text: String { get }
  }

  /// A conforming type.
  struct RoundPlug: Plug {
    /// A text that identifies the value.
    let text = "round"
  }

  /// A service that records its arguments.
  final class Tool: Sendable {
    /// The arguments.
    let text: String

    /// Creates a tool.
    init(_ text: String) { self.text = text }
  }

  /// An existential argument matches a parameter of the same existential type, also as the first argument.
  @Test func anExistentialMatchesAsTheFirstArgument() async throws {
    let container = Container()
    container.register(Tool.self, scope: .transient) { (_: Resolver, plug: any Plug) in Tool(plug.text) }
    container.register(Tool.self, scope: .transient) { (_: Resolver, plug: any Plug, number: Int) in
      Tool("\(plug.text) \(number)")
    }
    container.register(Tool.self, named: "named", scope: .transient) { (_: Resolver, plug: any Plug) in
      Tool("named \(plug.text)")
    }
    let plug: any Plug = RoundPlug()
    let looks: [() throws -> Tool?] = [
      { try container.resolve(Tool.self, arguments: plug) },
      { try container.resolve(Tool.self, arguments: plug, 1) },
      { try container.resolve(Tool.self, named: "named", arguments: plug) },
      { try container.resolveOptional(Tool.self, arguments: plug) },
      { try container.resolve(Lazy<Tool>.self, arguments: plug).get() },
      { try container.resolve(Provider<Tool>.self, named: "named").get(arguments: plug) },
      { try container.resolve(Provider<Tool>.self, named: "named").binding(arguments: plug).get() },
      { try container.resolve(Provider<Tool>.self, named: "named").lazy(arguments: plug).get() },
    ]
    let texts = looks.map { look in Result { try look()?.text ?? "nil" } }
    let wanted = ["round", "round 1", "named round", "round", "round", "named round", "named round", "named round"]
    for (index, (text, wanted)) in zip(texts, wanted).enumerated() {
      #expect((try? text.get()) == wanted, "\(index): \(text)")
    }
    let text = try await container.resolveAsync(Tool.self, arguments: plug).text
    #expect(text == "round")
  }

  /// A use of a provider with arguments.
  enum Use: CaseIterable {
    case get, getInScope, binding, lazy, getAsync, named
  }

  /// A provider chooses the service by the arguments of each use, even if the type also has a service without arguments
  /// or with others.
  @Test(arguments: Use.allCases)
  func aProviderFindsTheServiceByTheArgumentsOfEachCall(use: Use) async throws {
    let container = Container(scopes: ["request"])
    let name = use == .named ? "tool" : nil
    container.register(Tool.self, named: name, scope: .transient) { Tool("none") }
    container.register(Tool.self, named: name, scope: .transient) { (_: Resolver, number: Int) in Tool("\(number)") }
    container.register(Tool.self, named: name, scope: .transient) { (_: Resolver, text: String) in Tool(text) }
    let scope = try container.openScope("request")
    let look: () throws -> Provider<Tool> = {
      if let name { return try scope.resolve(Provider<Tool>.self, named: name) }
      return try scope.resolve(Provider<Tool>.self)
    }
    let provider = try look()
    let texts: [String]
    switch use {
    case .getAsync:
      texts = [
        try await provider.getAsync(arguments: 7).text, try await provider.getAsync(arguments: "text").text,
        try await provider.getAsync().text,
      ]
    default:
      let gets = {
        switch use {
        case .getInScope:
          [
            try provider.get(in: scope, arguments: 7).text, try provider.get(in: scope, arguments: "text").text,
            try provider.get(in: scope).text,
          ]
        case .binding:
          [
            try provider.binding(arguments: 7).get().text, try provider.binding(arguments: "text").get().text,
            try provider.get().text,
          ]
        case .lazy:
          [
            try provider.lazy(arguments: 7).get().text, try provider.lazy(arguments: "text").get().text,
            try provider.lazy().get().text,
          ]
        default:
          [
            try provider.get(arguments: 7).text, try provider.get(arguments: "text").text, try provider.get().text,
          ]
        }
      }
      texts = try gets()
    }
    #expect(texts == ["7", "text", "none"])
  }

  /// A look-up of a provider without arguments throws if all services of the type take some. A provider made for some
  /// arguments chooses by those of each use, and throws if no service takes them.
  @Test func aProviderWithoutItsArgumentsThrows() throws {
    let container = Container()
    container.register(Tool.self, scope: .transient) { (_: Resolver, number: Int) in Tool("\(number)") }
    container.register(Tool.self, scope: .transient) { (_: Resolver, text: String) in Tool(text) }
    // It is unknown which of the two services a use will need.
    #expect(try failure { try container.resolve(Provider<Tool>.self) }?.code == .wrongArguments)
    let provider = try container.resolve(Provider<Tool>.self, arguments: 7)
    #expect(try provider.get().text == "7")
    #expect(try provider.get(arguments: "text").text == "text")
    #expect(try failure { try provider.get(arguments: true) }?.code == .wrongArguments)
  }

  /// A service with run-time arguments registered in code is transient, unless its registration has another scope.
  @Test func aServiceWithRunTimeArgumentsIsKeptIfItsRegistrationRequestsIt() throws {
    let container = Container()
    container.register(Tool.self) { (_: Resolver, number: Int) in Tool("\(number)") }
    container.register(Tool.self, named: "kept", scope: .shared) { (_: Resolver, number: Int) in Tool("\(number)") }
    #expect(try container.resolve(Tool.self, arguments: 1) !== container.resolve(Tool.self, arguments: 1))
    #expect(
      try container.resolve(Tool.self, named: "kept", arguments: 1)
        === container.resolve(Tool.self, named: "kept", arguments: 1))
  }
}
