// SPDX-License-Identifier: Apache-2.0

/// The values that an application is configured with, by key: what parameters with `config` read.
///
/// ```swift
/// let source = ModuleSource("Configs/app.json").reading(ConfigurationSource(["http.port": 8080]))
/// ```
///
/// The product `ConfigDISwiftConfiguration` makes one of a `ConfigReader` of swift-configuration.
public struct ConfigurationSource: Sendable {
  /// What a parameter asks for.
  public struct Query: Sendable {
    /// The key, as the module file writes it.
    public let key: String
    /// The type that the parameter has.
    public let type: ParameterType
    /// Whether the value is a secret.
    public let isSecret: Bool
  }

  /// A look-up of a value; nil: there is none.
  public typealias LookUp = @Sendable (Query) -> Value?

  /// Makes a look-up in the values as they are when it is called.
  let snapshot: @Sendable () -> LookUp

  /// Values that may change between two loads.
  ///
  /// - Parameter snapshot: Called once for each environment that is composed; the look-up that it returns gives one value
  ///   for a key. A string is converted as the text of an environment variable is; any other value has to be of the
  ///   parameter's type, as a literal in a file has. No message shows a value.
  public init(snapshot: @escaping @Sendable () -> LookUp) { self.snapshot = snapshot }

  /// Values that do not change.
  public init(_ values: [String: Value]) {
    let values = [ScalarString: Value](values.map { (ScalarString($0.key), $0.value) }) { $1 }
    self.init { { values[ScalarString($0.key)] } }
  }
}
