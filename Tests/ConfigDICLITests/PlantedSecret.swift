// SPDX-License-Identifier: Apache-2.0
import _ConfigDITestSupport

/// A random module that contains a secret. It is valid or broken, and each file has one of the syntaxes.
///
/// Each module has the parameter `key`, which some file of the load declares secret or tries to. The secret is in one
/// or more of the places from which a parameter gets its value: literals, layers, a variable, an environment file, a
/// file, a setting, or a configuration value.
struct PlantedSecret {
  /// A datum of a module file.
  indirect enum Tree {
    case map([(String, Tree)])
    case list([Tree])
    case text(String)
    case number(Int)
    case flag(Bool)
  }

  /// The secret.
  let secret: String
  /// The files by name.
  private(set) var files: [String: String] = [:]
  /// The environment variables.
  private(set) var variables: [String: String] = [:]
  /// The names of the module files.
  private(set) var modules: [String] = []
  /// The name of the entry module.
  private(set) var entry = ""
  /// The options for each command that loads the module.
  private(set) var options: [String] = []
  /// The generator of the random choices.
  private var random: SeededRandom

  /// Creates the module of a seed.
  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    // Digits for a number, or else capitals and digits, so that no other text of an output resembles the secret.
    let isNumber = seed % 4 == 0
    let characters = Array(isNumber ? "123456789" : "ZQXJKVW79")
    var secret = ""
    for _ in 0..<(isNumber ? 12 : 14) { secret.append(characters[Int(random.next() % UInt64(characters.count))]) }
    self.secret = secret
    compose(isNumber: isNumber)
  }

  /// The parts of five characters, which no output may contain.
  var pieces: [String] {
    let characters = Array(secret)
    return (0...characters.count - 5).map { String(characters[$0..<$0 + 5]) }
  }
}

// MARK: - Choices

extension PlantedSecret {
  /// Returns true with a probability of one in `oneIn`.
  private mutating func happens(_ oneIn: UInt64) -> Bool { random.next() % oneIn == 0 }

  /// Returns a random element.
  private mutating func one<Element>(_ elements: [Element]) -> Element {
    elements[Int(random.next() % UInt64(elements.count))]
  }
}

// MARK: - Composing

extension PlantedSecret {
  /// Creates the files.
  private mutating func compose(isNumber: Bool) {
    let literal: Tree = isNumber ? .number(Int(secret) ?? 0) : .text(secret)
    let source = parameter(literal, isNumber: isNumber)
    var parameters: [(String, Tree)] = [("url", .text("https://${key}@host")), ("plain", .text("word"))]
    if happens(2) { parameters.append(("again", .map([("value", one([.text("${key}"), .list([.text("${url}")])]))]))) }
    var layer: [(String, Tree)] = []
    var part: [(String, Tree)] = []

    // Chooses the files that declare where the value comes from, and the file that declares it secret.
    let flag = one([
      ("secret", Tree.flag(true)), ("secret", .flag(true)), ("secret", .text("true")), ("secrte", .flag(true)),
    ])
    switch random.next() % 7 {
    case 0: parameters.append(("key", .map(source + [flag])))
    case 1: parameters.append(("key", .map([flag] + source)))
    case 2: part.append(("parameters", .map([("key", .map(source + [flag]))])))
    case 3:
      parameters.append(("key", .map(source)))
      layer.append(("override", .map([("parameters", .map([("key", .map([flag]))]))])))
    case 4:
      parameters.append(("key", .map([("value", .text("dummy")), flag])))
      layer.append(("override", .map([("parameters", .map([("key", .map(source))]))])))
    case 5:
      parameters.append(("key", .map(source + [flag])))
      let change: [(String, Tree)] = one([
        [("secret", .flag(false))], [("value", .text("dummy"))], [("unset", .list([.text("secret")]))],
        [("value", literal), ("secret", .flag(false))],
      ])
      layer.append((one(["override", "override", "replace"]), .map([("parameters", .map([("key", .map(change))]))])))
    default:
      part.append(("parameters", .map([("key", .map([("env", .text("KEY")), ("default", literal), flag]))])))
      layer.append(("replace", .map([("parameters", .map([("key", one([literal, .map([("value", literal)])]))]))])))
    }

    var service: [(String, Tree)] = [
      ("type", .text("T")),
      (
        "values",
        .map([
          ("a", one([.text("${key}"), .text("x${key}y"), .list([.text("${key}")]), .map([("k", .text("${url}"))])])),
          ("b", .text("${plain}")),
        ])
      ),
    ]
    if happens(3) {
      service.append(("when", .map([("not", .map([("parameter", .text("key")), ("equals", literal)]))])))
    }
    if happens(3) { service.append(("extends", .text("base"))) }
    if happens(3) {
      service.append(
        ("decorate", .list([.map([("type", .text("D")), ("values", .map([("c", .list([.text("${key}")]))]))])])))
    }
    var root: [(String, Tree)] = []
    if happens(3) { root.append(("x-note", literal)) }
    root.append(("parameters", .map(parameters)))
    root.append(("templates", .map([("base", .map([("values", .map([("t", .text("a${key}"))]))]))])))
    root.append(("services", .map([("s", .map(service)), ("o", .map([("type", .text("T"))]))])))
    if !part.isEmpty || happens(2) {
      let name = write("part", .map(part))
      root.append(("imports", .list([.text(name)])))
    }
    let dev = write("dev", .map([]))
    let prod = write(
      "prod",
      .map([("override", .map([("parameters", .map([("plain", .map([("value", .text("other"))]))]))]))]))
    root.append(("environments", .map([("dev", .list([.text(dev)])), ("prod", .list([.text(prod)]))])))
    addMistakes(literal, to: &root, &layer)
    if !layer.isEmpty { options += ["--layer", write("layer", .map(layer))] }
    if happens(4) { options += ["--set", "parameters.key=\(secret)"] }
    if happens(8) { options += ["--set", "parameters.kee=\(secret)"] }
    if happens(4) {
      files["vars.env"] = "# comment\nKEY=\(secret)\n"
      options += ["--env-file", "vars.env"]
    }
    if happens(2) { options += ["--config", "key=\(secret)"] }
    variables["KEY"] = secret
    files["key.txt"] = secret + (happens(2) ? "\n" : "")
    files["types.json"] = PlantedSecret.catalog(isSecret: !happens(3))
    if happens(2) { options += ["--catalog", "types.json"] }
    entry = write("app", .map(root))
    // The imports of a file with a syntax error are not read, so a declaration of the secret in them has no effect.
    let breakable = part.isEmpty ? modules : modules.filter { $0 != entry }
    if happens(2) { breakSyntax(of: one(breakable)) }
  }

  /// Returns the members of the parameter that state its value.
  private mutating func parameter(_ literal: Tree, isNumber: Bool) -> [(String, Tree)] {
    var members: [(String, Tree)]
    switch random.next() % 7 {
    case 0: members = [("env", .text("KEY"))]
    case 6: members = [("config", .text("key"))]
    case 1: members = [("file", .text("key.txt"))]
    case 2: members = [("env", .text("GONE")), ("default", literal)]
    case 3:
      members = [
        ("value", one([.list([.text("x"), literal]), .map([("k", .list([literal]))]), .map([(secret, .text("x"))])]))
      ]
    default: members = [("value", literal)]
    }
    if happens(4) { members.append(("oneOf", .list([literal, .text("x")]))) }
    if happens(4) { members.append(("type", .text(one(["int", "bool", "duration", "json", "strng"])))) }
    if happens(8) { members.append(("min", literal)) }
    return members
  }

  /// Adds errors of random kinds.
  private mutating func addMistakes(
    _ literal: Tree, to root: inout [(String, Tree)], _ layer: inout [(String, Tree)]
  ) {
    if happens(4) { root.append(("aliases", .map([("al", .text("ghost"))]))) }
    if happens(8) { root.append(("paramters", .map([("kay", .map([("value", literal), ("secret", .flag(true))]))]))) }
    if happens(8) {
      layer.append(("override", .map([("parameters", .map([("kee", .map([("value", literal)]))]))])))
    }
    if happens(8) { root.append(("parameters", .map([("key", literal)]))) }
    if happens(8) { root.append(("override", .map([("paramters", .map([("key", literal)]))]))) }
    if happens(8) {
      root.append(("bindings", .map([("X", .text("${key}"))])))
    }
  }

  /// Changes a character of a file, or truncates the file.
  private mutating func breakSyntax(of name: String) {
    var characters = Array(files[name] ?? "")
    guard !characters.isEmpty else { return }
    let place = Int(random.next() % UInt64(characters.count))
    switch random.next() % 4 {
    case 0: characters.remove(at: place)
    case 1: characters.insert(one(Array("\"{}[],:x&*!#<>\n")), at: place)
    case 2: characters[place] = one(Array("\"{}[],:x&*!#<>'\\"))
    default: characters.removeSubrange(place...)
    }
    files[name] = String(characters)
  }

  /// Returns a catalog of the types.
  private static func catalog(isSecret: Bool) -> String {
    let arguments = ["a", "b", "t", "c"].map {
      #"{"key": "\#($0)", "kind": "value", "type": "Any\#($0)", "optional": true, "secret": \#(isSecret)}"#
    }
    .joined(separator: ", ")
    return #"{"configdi-catalog": 1, "types": ["#
      + ["T", "D"].map {
        #"{"name": "\#($0)", "provides": ["\#($0)"], "kind": "class", "sendable": true, "async": false, "arguments": [\#(arguments)]}"#
      }
      .joined(separator: ", ") + "]}"
  }
}

// MARK: - Writing

extension PlantedSecret {
  /// Writes a module file in a random syntax, and returns its name.
  private mutating func write(_ name: String, _ body: Tree) -> String {
    guard case .map(let members) = body else { return "" }
    let tree = Tree.map([("configdi", .number(1)), ("module", .text(name))] + members)
    let ending = one(["json", "json", "jsonc", "yaml", "yaml", "plist"])
    let text: String
    switch ending {
    case "plist": text = "<plist version=\"1.0\">" + PlantedSecret.xml(tree) + "</plist>\n"
    case "yaml" where happens(2): text = PlantedSecret.yaml(tree, depth: 0)
    case "jsonc":
      text = "// was \(secret)\n" + PlantedSecret.json(tree, separator: happens(2) ? " " : " /* \(secret) */\n")
    default: text = PlantedSecret.json(tree, separator: happens(2) ? " " : "\n")
    }
    let file = "\(name).\(ending)"
    files[file] = text
    modules.append(file)
    return file
  }

  /// Returns a datum in JSON.
  private static func json(_ tree: Tree, separator: String) -> String {
    switch tree {
    case .map(let members):
      "{" + members.map { "\"\($0.0)\": " + json($0.1, separator: separator) }.joined(separator: "," + separator) + "}"
    case .list(let elements):
      "[" + elements.map { json($0, separator: separator) }.joined(separator: "," + separator) + "]"
    case .text(let text): "\"\(text)\""
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    }
  }

  /// Returns a datum in XML.
  private static func xml(_ tree: Tree) -> String {
    switch tree {
    case .map(let members): "<dict>\n" + members.map { "<key>\($0.0)</key>" + xml($0.1) + "\n" }.joined() + "</dict>"
    case .list(let elements): "<array>" + elements.map(xml).joined() + "</array>"
    case .text(let text): "<string>\(text)</string>"
    case .number(let number): "<integer>\(number)</integer>"
    case .flag(let flag): "<\(flag)/>"
    }
  }

  /// Returns a datum in the block style of YAML, with a line break at the end.
  private static func yaml(_ tree: Tree, depth: Int) -> String {
    let indentation = String(repeating: "  ", count: depth)
    switch tree {
    case .map(let members) where !members.isEmpty:
      return (depth == 0 ? "" : "\n")
        + members.map { "\(indentation)\($0.0): " + yaml($0.1, depth: depth + 1) }.joined()
    case .list(let elements): return json(.list(elements), separator: " ") + "\n"
    case .text(let text): return (text.contains("$") ? "\"\(text)\"" : text) + "\n"
    default: return json(tree, separator: " ") + "\n"
    }
  }
}
