// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Finds the references of services that are optional in one module and required in another, as the files declare them.
///
/// The composed references do not show this: an existing service is injected either way.
enum OptionalReferences {
  /// The shape of a reference, without its target.
  private indirect enum Shape {
    /// One service, with its name in the file.
    case single(String, isOptional: Bool)
    /// Several references in order.
    case list([Shape])
    /// Several references by key.
    case map([[UInt8]: Shape])
    /// All services with a tag.
    case tagged

    /// The name of the service, or `nil` for other shapes.
    var target: String? { if case .single(let name, _) = self { name } else { nil } }

    /// Creates the shape of a reference.
    ///
    /// Recursive: the depth is bounded by `Limits.nesting`.
    init(_ reference: Reference, _ names: NameTable) {
      switch reference {
      case .id(let token): self = .single(names[token.name], isOptional: false)
      case .service(let token, let isOptional, _):
        self = .single(names[token.name], isOptional: isOptional?.value ?? false)
      case .tagged: self = .tagged
      case .list(let elements, _): self = .list(elements.map { Shape($0, names) })
      case .map(let entries, _, _):
        let parts = entries.map { ([UInt8]($0.key.utf8), Shape($0.reference, names)) }
        self = .map(Dictionary(parts) { first, _ in first })
      }
    }
  }

  /// Returns the differences in the services that both modules have, ascending by id, then by path. Added and removed
  /// references are left out, because they are reported as such.
  static func changes(from first: ResolvedModule, to second: ResolvedModule) -> [ModuleDifference.Entry] {
    let old = Dictionary(shapes(of: first)) { first, _ in first }
    return shapes(of: second).compactMap { id, shapes in
      guard let earlier = old[id] else { return nil }
      var changes: [ModuleDifference.Change] = []
      compare(.map(earlier), .map(shapes), at: [], isArgument: true, into: &changes)
      return changes.isEmpty ? nil : ModuleDifference.Entry(id: id, changes: changes.ascending(by: \.path))
    }
  }

  /// Returns the shapes of the references of each service and its decorators, by path, such as `inject.cache`.
  private static func shapes(of module: ResolvedModule) -> [(String, [[UInt8]: Shape])] {
    let graph = module.graph
    func shapes(_ holder: Holder, at prefix: String) -> [([UInt8], Shape)] {
      holder.inject.map {
        let path = Array((prefix + "inject").utf8).appending(module.text($0.name))
        return (path, Shape($0.content, graph.definition.names))
      }
    }
    return graph.definition.services.indices.map { place in
      let decorators = graph.decorators(of: place).enumerated().flatMap { shapes($1, at: "decorate[\($0)].") }
      return (
        graph.id(of: place), Dictionary(shapes(graph.holders[place], at: "") + decorators) { first, _ in first }
      )
    }
  }

  /// Records the differences at a path and below it.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  ///
  /// - Parameter isArgument: Whether the keys of the maps are paths.
  private static func compare(
    _ from: Shape, _ to: Shape, at path: [UInt8], isArgument: Bool = false,
    into changes: inout [ModuleDifference.Change]
  ) {
    switch (from, to) {
    case (.single(_, let wasOptional), .single(_, let isOptional)) where wasOptional != isOptional:
      changes.append(
        ModuleDifference.Change(
          path: String(decoding: path.appending("optional"), as: UTF8.self), from: .boolean(wasOptional),
          to: .boolean(isOptional)))
    case (.map(let left), .map(let right)):
      for (key, shape) in right {
        guard let other = left[key] else { continue }
        let name = String(decoding: key, as: UTF8.self)
        let step = isArgument ? key : path.appending("map").appending(name)
        compare(other, shape, at: step, into: &changes)
      }
    case (.list(let left), .list(let right)):
      // Elements that name the same service are compared, regardless of their positions.
      var remaining = Dictionary(grouping: left.reversed(), by: \.target)
      for (place, shape) in right.enumerated() {
        guard let other = remaining[shape.target]?.popLast() else { continue }
        compare(other, shape, at: path + Array("[\(place)]".utf8), into: &changes)
      }
    default: break
    }
  }
}
