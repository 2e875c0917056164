// SPDX-License-Identifier: Apache-2.0

extension TypeName {
  /// Tells a wanted type apart from the provided ones that have the same short name, where there are some.
  ///
  /// - Parameters:
  ///   - name: the short name of the wanted type; with module and outer types afterwards, where that tells it apart.
  ///   - provided: the types that are there.
  /// - Returns: the names of those that have the same short name, with module and outer types, in order; often none.
  static func setApart(_ name: inout String, of type: Any.Type, among provided: [Any.Type]) -> [String] {
    let namesakes = provided.filter { [name] in $0 != type && TypeName.name(of: $0) == name }
    guard !namesakes.isEmpty else { return [] }
    name = longName(of: type)
    return Set(namesakes.map { longName(of: $0) }).sorted()
  }

  /// The names of some types, each with module and outer types where another one of the others has the same short name.
  static func names(of types: [Any.Type], apartFrom others: [Any.Type]) -> [String] {
    types.map { type in
      let name = "\(type)"
      return others.contains { $0 != type && "\($0)" == name } ? longName(of: type) : name
    }
  }

  /// The name with module and outer types, without what the runtime says of private ones, which are known by an address.
  static func longName(of type: Any.Type) -> String {
    qualifiedName(of: type).split(separator: ".").filter { !$0.hasPrefix("(unknown context at $") }
      .joined(separator: ".")
  }
}
