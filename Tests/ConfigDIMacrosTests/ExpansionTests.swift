// SPDX-License-Identifier: Apache-2.0
#if Macros
  import Testing

  /// The expansion of `@Resolvable` for a type with an initializer.
  @Suite struct ExpansionTests {
    @Test func `the attribute adds the members and the conformance`() {
      let expansion = Expansion(
        """
        @Resolvable
        final class SMTPMailer: Mailer {
          init(host: String, port: Int = 25, logger: any Logger) {}
        }
        """)
      #expect(
        expansion.text == """
          final class SMTPMailer: Mailer {
            init(host: String, port: Int = 25, logger: any Logger) {}

            @_optimize(none)
            nonisolated static var injection: ConfigDI.Injection<SMTPMailer> {
              let _argument0 = ConfigDI.BuilderArgument<String>._parameter("host")
              let _argument1 = ConfigDI.BuilderArgument<Int>._parameter("port", default: 25)
              let _argument2 = ConfigDI.BuilderArgument<any Logger>._parameter("logger")
              return ConfigDI.Injection(_argument0, _argument1, _argument2) {
                SMTPMailer(host: $0, port: $1, logger: $2)
              }
            }
          }

          nonisolated extension SMTPMailer: ConfigDI.Resolvable {}
          """)
      #expect(expansion.findings == [])
    }

    @Test(arguments: ["class", "final class", "struct", "actor"])
    func `a type of any kind without arguments has a builder`(kind: String) {
      let expansion = Expansion("@Resolvable \(kind) Clock {\n  init() {}\n}")
      #expect(expansion.text.contains("ConfigDI.Injection {\n      Clock()\n    }"))
      #expect(expansion.findings == [])
    }

    @Test(arguments: [
      ("x: Int", "x: $0"), ("_ x: Int", "$0"), ("with x: Int", "with: $0"), ("in x: Int", "in: $0"),
      ("`inout` x: Int", "`inout`: $0"), ("`var` x: Int", "var: $0"), ("`default` x: Int", "default: $0"),
      ("`init` x: Int", "init: $0"), ("`self` x: Int", "self: $0"), ("`a b` x: Int", "`a b`: $0"),
      ("`1a` x: Int", "`1a`: $0"),
    ])
    func `labels are used in the call`(parameter: String, argument: String) {
      #expect(Expansion(making: "(\(parameter))").call == "T(\(argument))")
    }

    @Test(arguments: [("x", "x"), ("_ x", "x"), ("with x", "with"), ("`in`", "in")])
    func `the key is the label, otherwise the internal name`(parameter: String, key: String) {
      #expect(Expansion(making: "(\(parameter): Int)").arguments == ["Int>._parameter(\"\(key)\")"])
    }

    @Test(arguments: [
      ("any P", "any P"), ("Int?", "Int?"), ("P!", "P?"), ("[String: any P]", "[String: any P]"),
      ("(any P)?", "(any P)?"), ("Lazy<any P>", "Lazy<any P>"), ("P & Q", "P & Q"), ("(Int)", "(Int)"),
      ("Self", "Self"),
      ("@escaping () -> Int", "() -> Int"), ("@escaping @Sendable (Int) -> Void", "@Sendable (Int) -> Void"),
      ("(() -> Void)?", "(() -> Void)?"), ("@autoclosure () -> Int", "Int"),
      ("@autoclosure @escaping () -> [P]", "[P]"),
      ("consuming P", "P"), ("borrowing P", "P"), ("sending P", "P"), ("__owned P", "P"), ("P.Type", "P.Type"),
    ])
    func `the argument type omits the modifiers of the parameter`(written: String, given: String) {
      let expansion = Expansion(making: "(x: \(written))")
      #expect(expansion.arguments == ["\(given)>._parameter(\"x\")"])
      #expect(expansion.findings == [])
    }

    @Test func `a default value is used if no argument is given`() {
      let expansion = Expansion(making: "(a: Int = 1, b: any P = P1(), c: [Int] = [1, 2], d: P? = nil)")
      #expect(
        expansion.arguments == [
          "Int>._parameter(\"a\", default: 1)", "any P>._parameter(\"b\", default: P1())",
          "[Int]>._parameter(\"c\", default: [1, 2])", "P?>._parameter(\"d\", default: nil)",
        ])
    }

    @Test(arguments: [
      "file: String = #fileID", "line: UInt = #line", "pair: (Int, Int) = (1, 2)", "pair: (Int, Int)? = nil",
      "actor: isolated (any Actor)? = #isolation", "_: Int = 3",
    ])
    func `a parameter of an unsupported type uses its default`(parameter: String) {
      let expansion = Expansion(making: "(a: Int, \(parameter), b: Int)")
      #expect(expansion.call == "T(a: $0, b: $1)")
      #expect(expansion.findings == [])
    }

    @Test(arguments: [
      ("", "T(x: $0)"), (" throws", "try T(x: $0)"), (" throws(E)", "try T(x: $0)"), (" async", "await T(x: $0)"),
      (" async throws", "try await T(x: $0)"),
    ])
    func `an initializer may be throwing and async`(effects: String, call: String) {
      #expect(Expansion(making: "(x: Int)\(effects)").call == call)
    }

    @Test(arguments: [
      ("@MainActor class T { init() {} }", true, "T()"), ("class T { @MainActor init() {} }", true, "T()"),
      ("@MainActor class T { nonisolated init() {} }", false, "T()"),
      ("@MainActor class T { @DBActor init() {} }", false, "await T()"),
      ("@MainActor class T { init() async {} }", true, "await T()"),
      ("@DBActor class T { init() {} }", false, "await T()"),
      ("@globalActor actor T { static let shared = T(); init() {} }", false, "T()"),
      ("@DBActor class T { init() async throws {} }", false, "try await T()"),
      ("@MainActor class T { let x = 1 }", true, "T()"), ("@objc class T { init() {} }", false, "T()"),
      ("actor T { init() {} }", false, "T()"),
    ])
    func `an initializer is called in its isolation domain`(type: String, isOnMain: Bool, call: String) {
      let expansion = Expansion("@Resolvable " + type)
      #expect(expansion.call == call)
      #expect(expansion.text.contains("Injection(on: MainActor.shared) { @MainActor in") == isOnMain)
    }

    @Test(arguments: [
      (#"as: (any P).self, Q.self"#, ".providing(.type((any P).self, { $0 }), .type(Q.self, { $0 }))"),
      (#"as: Q.self, asItself: true"#, ".providing(.type(Q.self, { $0 }), .itself)"),
      (#"onDispose: "close""#, ".disposing { let _ = $0.close() }"),
      (#"as: Q.self, onDispose: "close""#, ".providing(.type(Q.self, { $0 })).disposing { let _ = $0.close() }"),
    ])
    func `provided types and the dispose action follow the builder`(attribute: String, calls: String) {
      let expansion = Expansion("@Resolvable(\(attribute)) final class T {\n  init() {}\n}")
      let text = expansion.text.filter { !$0.isWhitespace }
      #expect(text.contains("ConfigDI.Injection<T>{T()}" + calls.filter { !$0.isWhitespace } + "}"))
      #expect(expansion.findings == [])
    }

    @Test func `arguments that only the build plugin reads do not change the expansion`() {
      let plain = Expansion("@Resolvable final class T {\n  init() {}\n}")
      let marked = Expansion("@Resolvable(registered: false) final class T {\n  init() {}\n}")
      #expect(marked.text == plain.text && marked.findings == [])
    }

    @Test func `an explicit key replaces the name`() {
      let expansion = Expansion(
        #"@Resolvable(keys: ["url": "address", "b": "in"], secrets: "url") struct T { init(url: String, b: Int) {} }"#)
      #expect(expansion.arguments == [#"String>.value("address", secret: true)"#, #"Int>._parameter("in")"#])
      #expect(expansion.call == "T(url: $0, b: $1)")
      #expect(expansion.findings == [])
    }

    @Test func `the main actor is the first argument`() {
      let expansion = Expansion("@Resolvable @MainActor class T {\n  init(x: Int) {}\n}")
      #expect(
        expansion.text.contains("Injection(on: MainActor.shared, _argument0) { @MainActor in"))
    }

    @Test(arguments: [
      ("public class T { init() {} }", "public "), ("open class T { init() {} }", "public "),
      ("package struct T { init() {} }", "package "), ("struct T { init() {} }", ""),
      ("internal struct T { init() {} }", ""), ("private struct T { init() {} }", ""),
    ])
    func `the member has the access level of the type`(type: String, modifier: String) {
      let expansion = Expansion("@Resolvable " + type)
      #expect(expansion.text.contains("\n  \(modifier)nonisolated static var injection"))
    }

    @Test(arguments: [("public ", "public "), ("package ", "package "), ("", "")])
    func `a nested type has the access level of its extension`(outer: String, modifier: String) {
      let expansion = Expansion("\(outer)extension Outer {\n  @Resolvable struct T {\n    init() {}\n  }\n}")
      #expect(expansion.text.contains("\n    \(modifier)nonisolated static var injection"))
      #expect(expansion.text.contains("extension Outer.T: ConfigDI.Resolvable {"))
    }

    @Test func `arguments of the attribute describe the arguments of parameters`() {
      let expansion = Expansion(
        """
        @Resolvable(runtime: "user", "pair", secrets: "token", "pin", decorates: "inner")
        struct T {
          init(inner: any P, user: User, pair: (Int, Int), token: String, pin: Int? = nil, rest: Int) {}
        }
        """)
      #expect(
        expansion.arguments == [
          "any P>.decorated(\"inner\")", "User>.runtime(\"user\")", "(Int, Int)>.runtime(\"pair\")",
          "String>.value(\"token\", secret: true)", "Int?>.value(\"pin\", default: nil, secret: true)",
          "Int>._parameter(\"rest\")",
        ])
      #expect(expansion.findings == [])
    }

    @Test func `of several initializers the marked one is called`() {
      let expansion = Expansion(
        """
        @Resolvable struct T {
          init() {}
          @Injectable init(x: Int) {}
          #if DEBUG
            init(y: Int) {}
          #endif
        }
        """)
      #expect(expansion.call == "T(x: $0)")
      #expect(expansion.findings == [])
    }

    @Test func `an unavailable initializer is ignored`() {
      let expansion = Expansion(
        """
        @Resolvable class T: Base {
          init(x: Int) {}
          @available(*, unavailable) required init?(coder: NSCoder) { nil }
        }
        """)
      #expect(expansion.call == "T(x: $0)")
      #expect(expansion.findings == [])
    }

    @Test func `a type that declares the conformance only gets the member`() {
      let expansion = Expansion("@Resolvable struct T: Resolvable {\n  init() {}\n}", conforms: true)
      #expect(expansion.call == "T()")
      #expect(!expansion.text.contains("extension"))
      #expect(expansion.findings == [])
    }

    @Test func `a type with its own member gets no second one`() {
      let injection = "static var injection: Injection<T> { Injection { T(x: 1) } }"
      let expansion = Expansion("@Resolvable struct T {\n  let x: Int\n  \(injection)\n}")
      #expect(expansion.lines(beginningWith: "nonisolated static var injection") == [])
      #expect(expansion.lines(beginningWith: "nonisolated init(") == ["nonisolated init(x: Int) {"])
      #expect(
        expansion.lines(beginningWith: "nonisolated extension T") == ["nonisolated extension T: ConfigDI.Resolvable {}"]
      )
    }
  }
#endif
