// SPDX-License-Identifier: Apache-2.0
import _ConfigDITestSupport

@testable import ConfigDI

extension RandomModule {
  /// The files as texts.
  private var memory: MemoryFiles { MemoryFiles(texts: files.mapValues { JSONWriter.text(of: $0) }) }

  /// Checks the module without layer and in its environment.
  func check(environments: [String]? = ["dev"]) -> ModuleCheck {
    ModuleCheck(
      checking: ModuleRequest(entry: .file("app.json"), variables: variables), environments: environments,
      files: memory)
  }

  /// What loading the module says without any registered type.
  func loadError() -> LoadError? {
    do {
      _ = try Container(
        ModuleSource(
          ModuleRequest(
            entry: .file("app.json"), settings: ["parameters.switch=no"].compactMap { Setting($0) },
            variables: variables, missing: .refused),
          environment: "dev", files: memory),
        registry: Registry())
    } catch let error as LoadError {
      return error
    } catch {}
    return nil
  }

  /// The module with another order of keys in every map.
  func shuffled(seed: UInt64) -> RandomModule {
    var random = SeededRandom(seed: seed)
    var copy = self
    for name in files.keys.sorted() { copy.files[name] = files[name]?.shuffled(using: &random) }
    return copy
  }
}

extension Value {
  /// The value with another order of keys in every map.
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
