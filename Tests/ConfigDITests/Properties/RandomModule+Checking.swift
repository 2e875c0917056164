// SPDX-License-Identifier: Apache-2.0
import _ConfigDITestSupport

@testable import ConfigDI

extension RandomModule {
  /// The files as texts.
  private var memory: MemoryFiles { MemoryFiles(texts: files.mapValues { JSONWriter.text(of: $0) }) }

  /// Checks the module in some environments, by default in `dev`.
  func check(environments: [String]? = ["dev"]) -> ModuleCheck {
    ModuleCheck(
      checking: ModuleRequest(entry: .file("app.json"), variables: .init(variables)), environments: environments,
      files: memory)
  }

  /// Returns the error of loading the module with an empty registry.
  func loadError() -> LoadError? {
    do {
      _ = try Container(
        ModuleSource(
          ModuleRequest(
            entry: .file("app.json"), settings: ["parameters.switch=no"].compactMap { Setting($0) },
            variables: .init(variables), missing: .refused),
          environment: "dev", files: memory),
        registry: Registry())
    } catch let error as LoadError {
      return error
    } catch {}
    return nil
  }

  /// Returns the module with the keys of every map in another order.
  func shuffled(seed: UInt64) -> RandomModule {
    var random = SeededRandom(seed: seed)
    var copy = self
    for name in files.keys.sorted() { copy.files[name] = files[name]?.shuffled(using: &random) }
    return copy
  }
}

extension Value {
  /// Returns the value with the keys of every map in another order.
  fileprivate func shuffled(using random: inout SeededRandom) -> Value {
    switch self {
    case .list(let elements): return .list(elements.map { $0.shuffled(using: &random) })
    case .map(let entries):
      var shuffled: [Entry] = []
      for entry in entries.shuffled(using: &random) {
        shuffled.append(Entry(key: entry.key, value: entry.value.shuffled(using: &random)))
      }
      return .map(shuffled)
    default: return self
    }
  }
}
