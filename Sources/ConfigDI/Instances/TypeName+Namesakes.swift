// SPDX-License-Identifier: Apache-2.0

extension TypeName {
  /// Returns the long names of the provided types that have the same short name as a wanted type, ascending.
  ///
  /// - Parameters:
  ///   - name: the short name of the wanted type. Replaced by its long name if another type has the same short name.
  ///   - provided: the provided types.
  /// - Returns: the names with module and outer types.
  static func setApart(_ name: inout String, of type: Any.Type, among provided: [Any.Type]) -> [String] {
    let namesakes = provided.filter { [name] in $0 != type && TypeName.name(of: $0) == name }
    guard !namesakes.isEmpty else { return [] }
    name = longName(of: type)
    return Set(namesakes.map { longName(of: $0) }).sorted()
  }

  /// Returns the names of some types. A name is the long one if one of `others` has the same short name.
  static func names(of types: [Any.Type], apartFrom others: [Any.Type]) -> [String] {
    types.map { type in
      let name = "\(type)"
      return others.contains { $0 != type && "\($0)" == name } ? longName(of: type) : name
    }
  }

  /// Returns the name with module and outer types. Omits the addresses of private contexts.
  static func longName(of type: Any.Type) -> String {
    qualifiedName(of: type).split(separator: ".").filter { !$0.hasPrefix("(unknown context at $") }
      .joined(separator: ".")
  }
}
