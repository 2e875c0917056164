// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Finds the registered types of services, templates and arguments, even if the files cannot be composed.
struct EditorTypes {
  /// The module.
  let snapshot: EditorSnapshot

  /// The maximum number of templates and aliases that are followed from one entry.
  private static let maximumChain = 64

  /// Returns the type names in all declarations of a service or template, the latest first, then those of its templates
  /// and of the target of an alias.
  func typeNames(of symbol: Symbol) -> [String] {
    var names: [String] = []
    var pending = [symbol]
    var seen: Set<Symbol> = []
    while let symbol = pending.popLast(), seen.insert(symbol).inserted, seen.count < EditorTypes.maximumChain {
      guard let entry = snapshot.index.entry(symbol) else { continue }
      names += entry.types.reversed()
      pending += entry.templates.map { Symbol(.template, $0) }
      if let target = entry.target { pending.append(Symbol(.service, target)) }
    }
    return names
  }

  /// Returns the type of the service, template or decorator around the cursor, or `nil` if it is unknown. The `type`
  /// and `extends` in its map precede other declarations.
  func type(at context: CursorContext) -> TypeDescriptor? {
    guard let holder = context.holder else { return nil }
    if let name = context.outline.text(of: "type", in: holder.node) { return snapshot.types[name] }
    guard holder.slot != .decorator else { return nil }
    var names: [String] = []
    if let template = context.outline.text(of: "extends", in: holder.node) {
      names += typeNames(of: Symbol(.template, template))
    }
    if let entry = context.entry { names += typeNames(of: entry) }
    return names.lazy.compactMap { snapshot.types[$0] }.first
  }

  /// Returns the argument whose value contains the cursor, or `nil` if it is unknown.
  func argument(at context: CursorContext) -> ArgumentDescriptor? {
    guard let key = context.argument else { return nil }
    return type(at: context)?.arguments.first { $0.key == key }
  }

  /// Returns whether a service or alias provides a name, or `nil` if its type is unknown.
  func provides(_ id: String, _ wanted: String) -> Bool? {
    let symbol = Symbol(.service, id)
    if let declared = snapshot.index.entry(symbol)?.provides { return declared.contains(wanted) }
    let types = typeNames(of: symbol).compactMap { snapshot.types[$0] }
    // A layer may change the type, so one matching type is enough.
    return types.isEmpty ? nil : types.contains { $0.provides.contains(wanted) }
  }
}

extension TypeDescriptor {
  /// A one-line description, such as `class, provides Mailer`. Leaves out the kind if the product has a protocol type.
  var summary: String {
    var words = kind == .any ? [] : [kind.rawValue]
    if !provides.isEmpty { words.append("provides " + provides.joined(separator: ", ")) }
    if isAsync { words.append("async") }
    if isGiven { words.append("given by the application") }
    return words.joined(separator: ", ")
  }
}

extension ArgumentDescriptor {
  /// A one-line description of the value, such as `String, required`.
  var summary: String {
    var words: [String] = []
    switch kind {
    case .value(let type): words.append(type.notation)
    case .service(let type, let wrapper):
      switch wrapper {
      case .direct: words.append(type)
      case .lazy: words.append("Lazy<\(type)>")
      case .provider: words.append("Provider<\(type)>")
      case .list: words.append("[\(type)]")
      case .map: words.append("[String: \(type)]")
      }
    case .decorated(let type): words.append("\(type), decorated")
    case .runtime(let type, _): words.append("\(type), given at each look-up")
    case .scope(let name): words.append("opens scope \"\(name)\"")
    case .resolver: words.append("looks services up")
    }
    if let shownDefault {
      words.append("default \(JSONWriter.text(of: shownDefault, .line))")
    } else if hasDefault {
      words.append("has a default")
    } else if isOptional {
      words.append("optional")
    } else {
      switch kind {
      case .value, .service: words.append("required")
      case .decorated, .runtime, .scope, .resolver: break
      }
    }
    if isSecret { words.append("may be a secret") }
    return words.joined(separator: ", ")
  }
}
