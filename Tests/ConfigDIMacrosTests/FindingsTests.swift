// SPDX-License-Identifier: Apache-2.0
#if Macros
  import Testing

  /// The diagnostics of the macros, with their positions and fix-its.
  @Suite struct FindingsTests {
    /// Expects exactly one diagnostic, and no generated code.
    ///
    /// - Parameters:
    ///   - source: The source, with `§` before the token at which the diagnostic is reported.
    ///   - message: The message of the diagnostic.
    ///   - fixes: For each fix-it its message, and a substring of the source with the fix-it applied.
    private func expect(
      _ source: String, reports message: String, fixes: [(String, String)] = [], conforms: Bool = false,
      _ location: SourceLocation = #_sourceLocation
    ) {
      let before = source.prefix { $0 != "§" }.split(separator: "\n", omittingEmptySubsequences: false)
      let expansion = Expansion(source.filter { $0 != "§" }, conforms: conforms)
      let place = "\(before.count):\((before.last?.count ?? 0) + 1)"
      #expect(expansion.findings == ["\(place) \(message)"], sourceLocation: location)
      #expect(expansion.fixed.map(\.message) == fixes.map { $0.0 }, sourceLocation: location)
      for (fixed, fix) in zip(expansion.fixed, fixes) {
        #expect(fixed.text.contains(fix.1), "\(fixed.text)", sourceLocation: location)
      }
      #expect(!expansion.text.contains("ConfigDI."), sourceLocation: location)
    }

    @Test(arguments: ["§enum T { case a }", "§protocol T {}", "§extension T {}"])
    func `only a type with initializers can be built`(declaration: String) {
      expect(
        "@Resolvable\n\(declaration)", reports: "\"@Resolvable\" can only be attached to a class, a struct or an actor")
    }

    @Test func `a class that inherits its initializers is reported`() {
      expect(
        "@Resolvable final class §T: Base {\n  init(x: Int) {}\n}",
        reports: "\"T\" conforms to Resolvable already, by its superclass or an extension; "
          + "remove \"@Resolvable\" and register it with arguments", conforms: true)
    }

    @Test(arguments: [
      (#"keys: [§"ulr": "x"]"#, "the initializer of \"T\" has no parameter \"ulr\"; did you mean \"url\"?"),
      (#"keys: [§"url": "b"]"#, "the parameters \"url\" and \"b\" have the same key \"b\""),
      (#"keys: ["url": "x", §"url": "y"]"#, "\"url\" is named twice"),
      (#"keys: §names"#, "the keys must be a dictionary literal of string literals"),
      (#"as: Q.self, asItself: §flag"#, "expected the literal \"true\" or \"false\""),
      (#"registered: §flag"#, "expected the literal \"true\" or \"false\""),
      (#"onDispose: §"a b""#, "the dispose action must be the name of a method, as a string literal"),
      (#"onDispose: §name"#, "the dispose action must be the name of a method, as a string literal"),
    ])
    func `invalid attribute arguments about the type are reported`(attribute: String, message: String) {
      let fixes =
        attribute.contains("ulr") ? [("replace \"ulr\" with \"url\"", "keys: [\"url\": \"x\"]")] : []
      expect(
        "@Resolvable(\(attribute)) struct T {\n  init(url: String, b: Int) {}\n}", reports: message, fixes: fixes)
    }

    @Test func `several initializers are listed, and each can be marked`() {
      expect(
        "@Resolvable struct §T {\n  /// One.\n  init() {}\n  public init(x: Int, _ y: Int) {}\n}",
        reports: "\"T\" has 2 initializers, \"init()\", \"init(x:_:)\"; mark the one to use with \"@Injectable\"",
        fixes: [
          ("mark \"init()\" with \"@Injectable\"", "  /// One.\n  @Injectable init() {}\n  public init("),
          ("mark \"init(x:_:)\" with \"@Injectable\"", "  init() {}\n  @Injectable public init(x:"),
        ])
    }

    @Test func `one initializer is marked`() {
      expect(
        "@Resolvable struct T {\n  @Injectable init() {}\n  §@Injectable init(x: Int) {}\n}",
        reports: "only one initializer can be marked with \"@Injectable\"; \"init()\" is marked already",
        fixes: [("remove \"@Injectable\"", "  init(x: Int) {}")])
    }

    @Test(arguments: ["", "init() {}\n", "init() {}\n  init(y: Int) {}\n"])
    func `initializers inside conditional compilation are ignored`(others: String) {
      expect(
        "@Resolvable struct T {\n  \(others)  §#if A\n  #if B\n    init(x: Int) {}\n  #endif\n  #endif\n}",
        reports: "\"@Resolvable\" cannot read initializers inside \"#if\"; "
          + "declare one outside, marked with \"@Injectable\"")
    }

    @Test(arguments: [("init§?() {}", "init() throws {}"), ("init§!(x: Int) async {}", "init(x: Int) async throws {}")])
    func `a failable initializer is reported`(initializer: String, fixed: String) {
      expect(
        "@Resolvable struct T {\n  \(initializer)\n}",
        reports: "a container cannot use a failable initializer; make it throw instead",
        fixes: [("throw instead of returning nil", fixed)])
    }

    @Test func `a generic initializer is reported`() {
      expect(
        "@Resolvable struct T {\n  init§<S: P>(x: S) {}\n}",
        reports: "a container cannot use a generic initializer, since it cannot choose the types")
      expect(
        "@Resolvable struct T<A> {\n  init(x: A) §where A: P {}\n}",
        reports: "a container cannot use an initializer with a \"where\" clause")
    }

    @Test func `a parameter of an unsupported type is reported`() {
      expect(
        "@Resolvable struct T {\n  init(x: Int§..., y: Int) {}\n}",
        reports: "a container cannot pass the variadic parameter \"x\"; use an array",
        fixes: [("use an array", "init(x: [Int], y: Int) {}")])
      expect(
        "@Resolvable struct T {\n  init(x: §inout Int) {}\n}",
        reports: "a container cannot pass the inout parameter \"x\"",
        fixes: [("remove \"inout\"", "init(x: Int) {}")])
      expect(
        "@Resolvable struct T {\n  init(x: §isolated any Actor) {}\n}",
        reports: "a container cannot pass the isolated parameter \"x\"",
        fixes: [("remove \"isolated\"", "init(x: any Actor) {}")])
      expect(
        "@Resolvable struct T<each A> {\n  init(x: §repeat each A) {}\n}",
        reports: "a container cannot pass the parameter pack \"x\"")
    }

    @Test(arguments: ["§some P", "[§some P]", "(§some P)?", "§some P & Q"])
    func `a parameter of an opaque type is reported`(type: String) {
      let plain = type.filter { $0 != "§" }
      expect(
        "@Resolvable struct T {\n  init(x: \(type)) {}\n}",
        reports: "the type of \"x\" is opaque; use \"any\", or a concrete type",
        fixes: [("replace \"some\" with \"any\"", "init(x: \(plain.replacing("some", with: "any"))) {}")])
    }

    @Test(arguments: [
      "init(x: §(Int, Int)) {}", "init(x: §(Int, Int)?) {}", "init(x: §((Int, Int))) {}", "let x: §(Int, Int)",
    ])
    func `a tuple is reported`(member: String) {
      expect(
        "@Resolvable struct T {\n  \(member)\n}",
        reports: "\"x\" is a tuple, which is neither a value nor a service; "
          + "use a named type, or mark the parameter as \"runtime\"")
    }

    @Test func `parameters need unique names`() {
      expect(
        "@Resolvable struct T {\n  init(§_: Int) {}\n}",
        reports: "this parameter has no name that could be its key; give it a label or an inner name")
      expect(
        "@Resolvable struct T {\n  init(x: Int, _ §x: Int) {}\n}",
        reports: "two parameters are named \"x\"; change the label of one")
    }

    @Test func `an unknown parameter name is reported, with the nearest one`() {
      expect(
        "@Resolvable(runtime: §\"usr\", secrets: \"pin\") struct T {\n  let user: Int\n  let pin: Int\n}",
        reports: "the initializer of \"T\" has no parameter \"usr\"; did you mean \"user\"?",
        fixes: [("replace \"usr\" with \"user\"", "(runtime: \"user\", secrets: \"pin\")")])
      expect(
        "@Resolvable(decorates: §\"other\") struct T {\n  init(user: Int) {}\n}",
        reports: "the initializer of \"T\" has no parameter \"other\"")
      expect(
        "@Resolvable(decorates: §\"x\") struct T {\n}", reports: "the initializer of \"T\" has no parameter \"x\"")
    }

    @Test func `names must be literals, each used once`() {
      expect(
        "@Resolvable(runtime: §name) struct T {\n  let user: Int\n}",
        reports: "the name of a parameter must be a string literal without interpolation")
      expect(
        "@Resolvable(runtime: §\"us\\(er)\") struct T {\n  let user: Int\n}",
        reports: "the name of a parameter must be a string literal without interpolation")
      expect(
        "@Resolvable(runtime: \"user\", secrets: §\"user\") struct T {\n  let user: Int\n}",
        reports: "\"user\" is named twice")
    }

    @Test func `a property that the initializer cannot set is reported`() {
      expect(
        "@Resolvable struct T {\n  var §x\n}", reports: "property \"x\" needs a type or an initial value",
        fixes: [("add a type annotation", "  var x: <#type#>\n}")])
      expect(
        "@Resolvable struct T {\n  let §(x, y): (Int, Int)\n}",
        reports: "a tuple pattern is not supported; declare each property by itself, or declare an initializer")
      expect(
        "@Resolvable struct T {\n  §@Clamped(1...2) var x: Int\n}",
        reports: "\"@Clamped\" may or may not initialize \"x\"; write an initial value, or declare an initializer")
      expect(
        "@Resolvable struct T {\n  §#if A\n    let x: Int\n  #endif\n}",
        reports: "\"@Resolvable\" cannot read stored properties inside \"#if\"; declare an initializer")
    }

    @Test func `an attribute that has no effect is reported`() {
      expect(
        "struct T {\n  §@Injectable init() {}\n}",
        reports: "\"@Injectable\" has no effect in a type without \"@Resolvable\"")
      expect(
        "extension T {\n  §@Injectable init() {}\n}",
        reports: "\"@Resolvable\" does not read initializers in extensions; move this one into the type")
      expect(
        "struct T {\n  §@Injectable func f() {}\n}", reports: "\"@Injectable\" can only be attached to an initializer",
        fixes: [("remove \"@Injectable\"", "  func f() {}")])
    }

    @Test func `all errors are reported at once`() {
      let expansion = Expansion("@Resolvable(runtime: \"z\") struct T {\n  init(x: inout Int, y: some P) {}\n}")
      #expect(expansion.findings.count == 3)
    }
  }
#endif
