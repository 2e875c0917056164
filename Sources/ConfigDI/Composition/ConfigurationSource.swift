// SPDX-License-Identifier: Apache-2.0

/// The configuration values of an application, by key. Parameters with a `config` source read them.
///
/// ```swift
/// let source = ModuleSource("Configs/app.json").reading(ConfigurationSource(["http.port": 8080]))
/// ```
///
/// The product `ConfigDISwiftConfiguration` creates one from a `ConfigReader` of swift-configuration.
public struct ConfigurationSource: Sendable {
  /// A request for the value of a parameter.
  public struct Query: Sendable {
    /// The key, as written in the module file.
    public let key: String
    /// The type of the parameter.
    public let type: ParameterType
    /// Whether the value is a secret.
    public let isSecret: Bool
  }

  /// A closure that looks up a value. It returns `nil` if there is no value for the key.
  public typealias LookUp = @Sendable (Query) -> Value?

  /// Returns a look-up in the values that are current at the time of the call.
  let snapshot: @Sendable () -> LookUp

  /// Creates a source whose values may change between two loads.
  ///
  /// - Parameter snapshot: Called once for each environment that is composed. The returned look-up has to return the
  ///   same value for a key each time. A string is converted like the text of an environment variable. Any other value
  ///   must be of the parameter's type, like a literal in a file. No message shows a value.
  public init(snapshot: @escaping @Sendable () -> LookUp) { self.snapshot = snapshot }

  /// Creates a source whose values do not change.
  public init(_ values: [String: Value]) {
    let values = [ScalarString: Value](values.map { (ScalarString($0.key), $0.value) }) { $1 }
    self.init { { values[ScalarString($0.key)] } }
  }
}
