// SPDX-License-Identifier: Apache-2.0
#if Macros
  import Testing

  /// The expansion of `@Resolvable` for a type without an initializer.
  @Suite struct MemberwiseInitializerTests {
    @Test func `the initializer sets the stored properties`() {
      let expansion = Expansion(
        """
        @Resolvable
        struct T {
          let host: String
          private let logger: any Logger
        }
        """)
      #expect(
        expansion.text == """
          struct T {
            let host: String
            private let logger: any Logger

            nonisolated init(host: String, logger: any Logger) {
              self.host = host
              self.logger = logger
            }

            @_optimize(none)
            nonisolated static var injection: ConfigDI.Injection<T> {
              let _argument0 = ConfigDI.BuilderArgument<String>._parameter("host")
              let _argument1 = ConfigDI.BuilderArgument<any Logger>._parameter("logger")
              return ConfigDI.Injection(_argument0, _argument1) {
                T(host: $0, logger: $1)
              }
            }
          }

          nonisolated extension T: ConfigDI.Resolvable {}
          """)
      #expect(expansion.findings == [])
    }

    @Test(arguments: [
      "let x = 1", "let x: Int = 1", "var x: Int = 1", "static let x: Int", "class var x: Int { 1 }",
      "lazy var x: Int = 1", "var x: Int { 1 }", "var x: Int { get { 1 } set {} }", "var x: Int { _read { yield y } }",
      "@Published var x = 1", "@State var x: Int?", "@Injected var x: any P", "@LazyInjected(\"n\") var x: any P",
      "let (x, y): (Int, Int) = (1, 2)", "func x() {}", "#if DEBUG\n  let x = 1\n  func y() {}\n  #endif",
    ])
    func `what needs no value is left out`(member: String) {
      let expansion = Expansion(holding: "let a: Int\n  \(member)")
      #expect(expansion.lines(beginningWith: "nonisolated init(") == ["nonisolated init(a: Int) {"])
      #expect(expansion.findings == [])
    }

    @Test(arguments: [
      ("let x: Int", "x: Int"), ("var x: Int", "x: Int"), ("var x: Int { didSet {} }", "x: Int"),
      ("let x: P?", "x: P?"), ("var x: P?", "x: P? = nil"), ("weak var x: P?", "x: P? = nil"),
      ("var x: P!", "x: P! = nil"), ("unowned let x: P", "x: P"), ("let `in`: P", "`in`: P"),
      ("let x, y: Int", "x: Int, y: Int"), ("var x: Int, y = 1, z: P", "x: Int, z: P"),
      ("let x: () -> Int", "x: @escaping () -> Int"),
      ("let x: @Sendable () -> Int", "x: @escaping @Sendable () -> Int"),
      ("let x: (() -> Int)", "x: @escaping (() -> Int)"), ("let x: (() -> Int)?", "x: (() -> Int)?"),
      ("public private(set) var x: Int", "x: Int"), ("@MainActor var x: Int", "x: Int"),
      ("@available(*, deprecated) let x: Int // why", "x: Int"),
    ])
    func `a property without an initial value is a parameter`(property: String, parameters: String) {
      let expansion = Expansion(holding: property)
      #expect(expansion.lines(beginningWith: "nonisolated init(") == ["nonisolated init(\(parameters)) {"])
      #expect(expansion.findings == [])
    }

    @Test func `names in backticks are keys without the backticks`() {
      let expansion = Expansion(holding: "let `in`: P")
      #expect(expansion.arguments == ["P>._parameter(\"in\")"])
      #expect(expansion.lines(beginningWith: "self.") == ["self.`in` = `in`"])
      #expect(expansion.call == "T(in: $0)")
    }

    @Test func `a property named like a keyword that begins an expression is set`() {
      let expansion = Expansion(holding: "let await: P")
      #expect(expansion.lines(beginningWith: "self.") == ["self.await = `await`"])
      #expect(expansion.call == "T(await: $0)")
    }

    @Test func `a property that is nil by default may be omitted`() {
      let expansion = Expansion(holding: "var x: P?\n  let y: P?\n  var z: P!")
      #expect(
        expansion.arguments == [
          "P?>._parameter(\"x\", default: nil)", "P?>._parameter(\"y\")", "P?>._parameter(\"z\", default: nil)",
        ])
    }

    @Test func `no initializer is written without stored properties`() {
      let expansion = Expansion(holding: "var x = 1")
      #expect(!expansion.text.contains("init("))
      #expect(expansion.call == "T()")
      #expect(expansion.findings == [])
    }

    @Test(arguments: [
      ("public", "public let x: Int", "public "), ("public", "let x: Int", ""),
      ("public", "package let x: Int", "package "),
      ("public", "public let x: Int; private let y: Int", ""), ("public", "public let x: Int; let y = 1", "public "),
      ("package", "public let x: Int", "package "), ("", "public let x: Int", ""),
      ("public", "public private(set) var x: Int", "public "),
    ])
    func `the initializer has the access level of the type and its properties`(
      type: String, properties: String, modifier: String
    ) {
      let expansion = Expansion("@Resolvable \(type) struct T {\n  \(properties)\n}")
      #expect(expansion.lines(beginningWith: "\(modifier)nonisolated init(").count == 1)
    }

    @Test func `properties support the attributes of parameters`() {
      let expansion = Expansion(
        "@Resolvable(runtime: \"user\", secrets: \"pin\") struct T {\n  let user: User\n  let pin: Int\n}")
      #expect(expansion.arguments == ["User>.runtime(\"user\")", "Int>.value(\"pin\", secret: true)"])
    }
  }
#endif
