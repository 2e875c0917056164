// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The wiring of a module in several environments, and who decided each part of it, as the data of a page.
///
/// What environments have in common is held once. Where they differ, each form of a part says which of them have it. Values
/// are those of `explain`: secrets as `<secret NAME>`. That two secrets differ is known from their forms alone.
package struct WiringPage {
  /// The environments, in the order in which they were added; no name for the module without any.
  private var environments: [(name: String?, isSound: Bool)] = []
  /// The environment that a reader sees first, by number.
  private var shown = 0
  /// The module's name.
  package private(set) var module = ""
  /// What is known of services and parameters.
  private var contents = PageContents()

  /// Whether no value is shown of what is added, as each may be a secret.
  package var hidesValues: Bool {
    get { contents.hidesValues }
    set { contents.hidesValues = newValue }
  }

  /// A page about no environment.
  package init() {}

  /// Adds an environment.
  ///
  /// - Parameters:
  ///   - name: The environment; nil for the module without any.
  ///   - graph: The module in it; nil where it has errors, so that nothing is shown of it.
  ///   - isShown: Whether a reader sees it first.
  /// - Complexity: n log n in the module.
  package mutating func add(_ name: String?, _ graph: ValidatedGraph?, isShown: Bool) {
    let number = environments.count
    environments.append((name, graph != nil))
    if isShown { shown = number }
    guard let graph else { return }
    module = graph.graph.definition.module
    PageReading(ResolvedModule(graph), environment: number).read(into: &contents)
  }

  /// The environments that have errors, in their order.
  package var unsoundEnvironments: [String] { environments.filter { !$0.isSound }.compactMap(\.name) }

  /// The data, the same for the same module.
  ///
  /// `sets` holds runs of environments, by number, to which `in` refers; what has no `in` is in all sound environments.
  /// `at` is a file's number in `files`, a line and a column. Two forms of a part with the same `state` have the same value,
  /// what decided it. `to` and `from` are places in `services` and `parameters`.
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

/// What a page says of the things of a module.
struct PageContents {
  /// The services.
  var services = PageSection()
  /// The parameters.
  var parameters = PageSection()
  /// Whether no value is shown.
  var hidesValues = false
  /// The files that decided something, in the order in which they were met.
  private(set) var files: [String] = []
  /// The place of each file, by its name in UTF-8.
  private var fileNumbers: [[UInt8]: Int] = [:]

  /// The place of a file.
  mutating func number(ofFile name: String) -> Int {
    let key = [UInt8](name.utf8)
    if let number = fileNumbers[key] { return number }
    fileNumbers[key] = files.count
    files.append(name)
    return files.count - 1
  }
}
