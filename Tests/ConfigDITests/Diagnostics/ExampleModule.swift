// SPDX-License-Identifier: Apache-2.0
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// A module from an example of the documentation, with the command that checks it.
struct ExampleModule {
  /// The texts of the files by path.
  var files: [String: String] = [:]
  /// The entry module, or `nil` for the file named `app`.
  private var entry: String?
  /// The environments to check, or `nil` for all that the module declares.
  private var environments: [String]?
  /// The environment variables.
  private var variables: [String: String] = [:]
  /// The settings.
  private var settings: [Setting] = []
  /// How missing variables are treated.
  private var missing = MissingSources.tolerated
  /// The limits of the load.
  private var limits = Limits()
  /// Whether the application that loads the module awaits eager services, or `nil` if the tool checks the module.
  private var awaits: Bool?

  /// A word of a command that examples do not support.
  struct UnknownCommand: Error {
    /// The unsupported word.
    let word: Substring
  }

  /// A module without files.
  init() {}

  /// Takes the files and options from a command such as
  /// `PORT=1 configdi validate app.json --set PATH=TEXT -e prod --require-env`.
  mutating func read(command: String) throws {
    var words = command.split(whereSeparator: \.isWhitespace)[...]
    while let word = words.first, let equals = word.firstIndex(of: "=") {
      variables[String(word[..<equals])] = String(word[word.index(after: equals)...])
      words = words.dropFirst()
    }
    guard words.starts(with: ["configdi", "validate"]), words.count > 2 else {
      throw UnknownCommand(word: words.first ?? "")
    }
    entry = String(words[words.startIndex + 2])
    words = words.dropFirst(3)
    while let word = words.popFirst() {
      switch (word, words.first) {
      case ("--require-env", _): missing = .refused
      case ("-e", let name?):
        environments = (environments ?? []) + [String(name)]
        words.removeFirst()
      case ("--set", let text?):
        guard let setting = Setting(String(text)) else { throw UnknownCommand(word: text) }
        settings.append(setting)
        words.removeFirst()
      default: throw UnknownCommand(word: word)
      }
    }
  }

  /// Takes the limits from a line of Swift that loads the module, or whether the load awaits.
  mutating func readLoad(_ swift: String) {
    if swift.contains("registry.add(\"Database\")") { awaits = swift.contains("await Container(") }
    for match in swift.matches(of: /(files|nesting): (\d+)/) {
      let limit = Int(match.output.2) ?? 0
      if match.output.1 == "files" { limits.files = limit } else { limits.nesting = limit }
    }
  }

  /// Checks the module with the options of the command.
  func check() -> ModuleCheck {
    let request = ModuleRequest(
      entry: .file(entry ?? files.keys.first { $0.hasPrefix("app.") } ?? "app.json"), settings: settings,
      variables: .init(variables), missing: missing, limits: limits)
    let files = MemoryFiles(texts: files, workingFolder: "/shop")
    if let awaits {
      var registry = Registry()
      registry.add("Database") { () async in 0 }
      return ModuleCheck(
        checking: request, environments: environments, files: files, types: .registry(registry, awaits: awaits))
    }
    return ModuleCheck(
      checking: request, environments: environments, files: files,
      catalog: self.files["catalog.json"] == nil ? nil : "catalog.json")
  }
}
