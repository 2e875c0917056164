// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import _ConfigDITestSupport

/// A random service of a module.
struct ModuleService {
  private static let types = ["Now", "Now", "Later", "Main"]
  private static let scopes = ["shared", "shared", "shared", "weak", "transient", "graph", "request"]

  let name: String
  private var type = "Now"
  private(set) var scope = "shared"
  private var parts: [String] = []
  private var later: [String] = []
  private var others: [String] = []
  private var isEager = false
  private var isDecorated = false
  private var hasTag = false
  private var version = 0
  /// Whether an instance belongs to a scope, so that nothing of a longer lifetime may need it.
  private(set) var isScoped = false

  /// Creates a service whose dependencies are some of the given ones.
  init(_ name: String, dependingOn services: ArraySlice<ModuleService>, _ random: inout SeededRandom) {
    self.name = name
    type = Self.types[random.below(Self.types.count)]
    scope = Self.scopes[random.below(Self.scopes.count)]
    version = random.below(3)
    isEager = scope == "shared" && random.below(4) == 0
    isDecorated = random.below(4) == 0
    hasTag = random.below(3) == 0
    let canBeScoped = ["transient", "graph", "request"].contains(scope)
    for service in services where canBeScoped || !service.isScoped {
      switch random.below(8) {
      case 0, 1, 2: parts.append(service.name)
      case 3: later.append(service.name)
      case 4 where !service.isScoped: others.append(service.name)
      default: continue
      }
      if service.isScoped { isScoped = true }
    }
    if scope == "request" { isScoped = true }
  }

  /// The declaration in the file.
  var text: String {
    let isKept = scope == "shared" || scope == "request"
    let list = { (names: [String]) in "[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]" }
    let decorator = #"{ "type": "Around", "values": { "name": "\#(name)", "isKept": \#(isKept) } }"#
    return """
      "\(name)": { "type": "\(type)", "scope": "\(scope)",
        "values": { "name": "\(isDecorated ? "inner of " : "")\(name)", "isKept": \(isKept), "version": \(version) },
        "inject": { "parts": \(list(parts)), "later": \(list(later)), "others": \(list(others)) }
        \(isDecorated ? #", "decorate": [\#(decorator)]"# : "") \(isEager ? #", "eager": true"# : "")
        \(hasTag && !isScoped ? #", "tags": ["tag"]"# : "") }
      """
  }
}

/// The file of a module, which changes.
final class ChangingModule: FileAccess {
  let workingFolder = "/"
  private let content: Locked<(services: [ModuleService], random: SeededRandom)>

  init(_ random: consuming SeededRandom) {
    var services: [ModuleService] = []
    for number in 0..<3 + random.below(5) {
      services.append(ModuleService("s\(number)", dependingOn: services[...], &random))
    }
    content = Locked((services, random))
  }

  var names: [String] { content.withLock { $0.services.map(\.name) } }

  /// Changes one of the services. Those after it, which may need it, are changed if it is in a scope now.
  func change() {
    content.withLock { content in
      let place = content.random.below(content.services.count)
      let wasScoped = content.services[place].isScoped
      for next in place..<content.services.count {
        content.services[next] = ModuleService(
          content.services[next].name, dependingOn: content.services[..<next], &content.random)
        if wasScoped || !content.services[place].isScoped { break }
      }
    }
  }

  /// Returns a layer that replaces some of the services. Each belongs to a scope if the replaced one did.
  func layer() -> ModuleLayer {
    let replaced = content.withLock { content in
      var replaced: [ModuleService] = []
      for (place, old) in content.services.enumerated() where content.random.below(3) == 0 {
        let new = ModuleService(old.name, dependingOn: content.services[..<place], &content.random)
        if new.isScoped == old.isScoped { replaced.append(new) }
      }
      return replaced.map(\.text).joined(separator: ", ")
    }
    return .text(#"{ "configdi": 1, "module": "layer", "replace": { "services": { \#(replaced) } } }"#)
  }

  private var text: String {
    let services = content.withLock { $0.services.map(\.text).joined(separator: ", ") }
    return """
      { "configdi": 1, "module": "m", "scopes": ["request"], "tags": { "tag": {} }, "services": {
        "token": { "type": "Token" }, "door": { "type": "Door" }, "info": { "type": "Info", "scope": "request" },
        "numbered": { "type": "Numbered", "values": { "isKept": true } }, \(services) } }
      """
  }

  func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure> { .success(Array(text.utf8)) }

  func canonicalPath(of path: String) -> String { path }
}
