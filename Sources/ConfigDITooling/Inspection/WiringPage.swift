// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The wiring of a module in several environments, and the tokens that decided its parts, as the data of a page.
///
/// Data that environments have in common is stored once. If environments differ in a part, each form of the part has
/// the set of its environments. Values are those of `explain`, with secrets as `<secret NAME>`. That two secrets differ
/// shows only in the `state` of their forms.
package struct WiringPage {
  /// The environments, in the order in which they were added. The name is `nil` for the module without an environment.
  private var environments: [(name: String?, isSound: Bool)] = []
  /// The index of the environment that the page shows first.
  private var shown = 0
  /// The module's name.
  package private(set) var module = ""
  /// The facts about services and parameters.
  private var contents = PageContents()

  /// Whether the values of what is added are hidden, since each may be a secret.
  package var hidesValues: Bool {
    get { contents.hidesValues }
    set { contents.hidesValues = newValue }
  }

  /// Creates a page without environments.
  package init() {}

  /// Adds an environment.
  ///
  /// - Parameters:
  ///   - name: The environment, or `nil` for the module without one.
  ///   - graph: The module in the environment, or `nil` if it has errors, so that nothing of it is shown.
  ///   - isShown: Whether the page shows the environment first.
  /// - Complexity: n log n in the module.
  package mutating func add(_ name: String?, _ graph: ValidatedGraph?, isShown: Bool) {
    let number = environments.count
    environments.append((name, graph != nil))
    if isShown { shown = number }
    guard let graph else { return }
    module = graph.graph.definition.module
    PageReading(ResolvedModule(graph), environment: number).read(into: &contents)
  }

  /// The named environments that have errors, in the order in which they were added.
  package var unsoundEnvironments: [String] { environments.filter { !$0.isSound }.compactMap(\.name) }

  /// The data of the page, which is the same for the same module.
  ///
  /// `sets` has sets of environments as runs of indices. `in` is an index in `sets`; data without `in` is in all
  /// environments without errors. `at` is the index of a file in `files`, a line and a column. Forms of a part with the
  /// same `state` have the same value, even if different tokens decided it. `to` and `from` are indices in `services`
  /// and `parameters`.
  package var value: Value {
    var whole = EnvironmentRuns()
    for number in environments.indices where environments[number].isSound { whole.add(number) }
    var sets = EnvironmentSets(whole: whole)
    let services = contents.services.value(&sets)
    let parameters = contents.parameters.value(&sets)
    let environments = environments.map { environment in
      var entries: [Value.Entry] = []
      if let name = environment.name { entries.append(Value.Entry(key: "name", value: .string(name.visible))) }
      if !environment.isSound { entries.append(Value.Entry(key: "hasErrors", value: true)) }
      return Value.map(entries)
    }
    return .map([
      Value.Entry(key: "module", value: .string(module.visible)),
      Value.Entry(key: "environments", value: .list(environments)),
      Value.Entry(key: "shown", value: .integer(Int64(shown))),
      Value.Entry(key: "sets", value: .list(sets.all.map(\.value))),
      Value.Entry(key: "files", value: .list(contents.files.map { .string($0.visible) })),
      Value.Entry(key: "services", value: services),
      Value.Entry(key: "parameters", value: parameters),
    ])
  }
}

/// The data of a page about the entries of a module.
struct PageContents {
  /// The services.
  var services = PageSection()
  /// The parameters.
  var parameters = PageSection()
  /// Whether values are hidden.
  var hidesValues = false
  /// The files of the tokens, in the order in which they were first used.
  private(set) var files: [String] = []
  /// The index of each file, by its name in UTF-8.
  private var fileNumbers: [[UInt8]: Int] = [:]

  /// Returns the index of a file. Adds the file if it is new.
  mutating func number(ofFile name: String) -> Int {
    let key = [UInt8](name.utf8)
    if let number = fileNumbers[key] { return number }
    fileNumbers[key] = files.count
    files.append(name)
    return files.count - 1
  }
}
