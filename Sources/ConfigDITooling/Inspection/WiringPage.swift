// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The wiring of a module in several environments, and the tokens that decided its parts, as the data of a page.
///
/// Data that environments have in common is stored once. If environments differ in a part, each form of the part has
/// the set of its environments. Values are those of `explain`, with secrets as `<secret NAME>`. That two secrets differ
/// shows only in the `state` of their forms.
package struct WiringPage {
  /// The environments, in the order in which they were added. The name is `nil` for the module without an environment.
  private var environments: [(name: String?, isValid: Bool)] = []
  /// The index of the environment that the page shows first.
  private var shown = 0
  /// The module's name.
  package private(set) var module = ""
  /// The facts about services and parameters.
  private var data = WiringPageData()

  /// Whether the values of what is added are hidden, since each may be a secret.
  package var hidesValues: Bool {
    get { data.hidesValues }
    set { data.hidesValues = newValue }
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
    WiringPageBuilder(module: ResolvedModule(graph), environment: number).add(to: &data)
  }

  /// The named environments that have errors, in the order in which they were added.
  package var environmentsWithErrors: [String] { environments.filter { !$0.isValid }.compactMap(\.name) }

  /// The data of the page, which is the same for the same module.
  ///
  /// `sets` has sets of environments as runs of indices. `in` is an index in `sets`; data without `in` is in all
  /// environments without errors. `at` is the index of a file in `files`, a line and a column. Forms of a part with the
  /// same `state` have the same value, even if different tokens decided it. `to` and `from` are indices in `services`
  /// and `parameters`.
  package var value: Value {
    var whole = EnvironmentSet()
    for number in environments.indices where environments[number].isValid { whole.add(number) }
    var sets = EnvironmentSetTable(whole: whole)
    let services = data.services.value(&sets)
    let parameters = data.parameters.value(&sets)
    let environments = environments.map { environment in
      Value([
        "name": environment.name.map { .string($0.visible) }, "hasErrors": environment.isValid ? nil : true,
      ])
    }
    return [
      "module": .string(module.visible),
      "environments": .list(environments),
      "shown": .integer(Int64(shown)),
      "sets": .list(sets.all.map(\.value)),
      "files": .list(data.files.map { .string($0.visible) }),
      "services": services,
      "parameters": parameters,
    ]
  }
}
