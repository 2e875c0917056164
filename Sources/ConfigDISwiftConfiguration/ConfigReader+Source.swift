// SPDX-License-Identifier: Apache-2.0

#if SwiftConfiguration
  public import ConfigDI
  public import Configuration

  extension ModuleSource {
    /// The module with a reader from which its parameters with `config` take their values.
    ///
    /// ```swift
    /// let config = ConfigReader(provider: EnvironmentVariablesProvider())
    /// let container = try Container(ModuleSource("Configs/app.json").reading(config), registry: registry)
    /// ```
    ///
    /// A load takes one snapshot of the reader for each environment that it composes, so that all values are of one moment.
    /// A container that reloads reads a new snapshot; it is not told when a provider changes: call `reload()` then.
    ///
    /// - Parameter reader: The reader. A key is relative to its scope.
    public func reading(_ reader: ConfigReader) -> ModuleSource {
      reading(ConfigurationSource(reader))
    }
  }

  extension ConfigurationSource {
    /// The values of a reader.
    ///
    /// A text is converted by the rules of the format, as that of an environment variable is: `+5` and `05` are integers,
    /// `yes` is no boolean. Where a provider has a number, a boolean or an array, it has to be of the parameter's type; a
    /// provider that itself reads 0 and 1 as booleans, as that for JSON does, gives both. The value of a secret parameter is
    /// read as a secret, so that access reporters do not show it.
    public init(_ reader: ConfigReader) {
      self.init {
        let snapshot = reader.snapshot()
        return { snapshot.value(for: $0) }
      }
    }
  }

  extension ConfigSnapshotReader {
    /// What there is for a query, or nil. A look-up of a type that the value does not have gives nothing.
    fileprivate func value(for query: ConfigurationSource.Query) -> Value? {
      let key = ConfigKey(query.key)
      let isSecret = query.isSecret
      if let text = string(forKey: key, isSecret: isSecret) { return .string(text) }
      let integer = int(forKey: key, isSecret: isSecret)
      // Some providers read any number as a boolean.
      if query.type == .bool, integer.map({ 0...1 ~= $0 }) ?? true, let flag = bool(forKey: key, isSecret: isSecret) {
        return .boolean(flag)
      }
      if let integer { return .integer(Int64(integer)) }
      if let real = double(forKey: key, isSecret: isSecret) { return .real(real) }
      if let flag = bool(forKey: key, isSecret: isSecret) { return .boolean(flag) }
      return list(forKey: key, isSecret: isSecret).map(Value.list)
    }

    /// The elements of an array, or nil where there is none.
    private func list(forKey key: ConfigKey, isSecret: Bool) -> [Value]? {
      if let texts = stringArray(forKey: key, isSecret: isSecret) { return texts.map(Value.string) }
      if let integers = intArray(forKey: key, isSecret: isSecret) { return integers.map { .integer(Int64($0)) } }
      if let reals = doubleArray(forKey: key, isSecret: isSecret) { return reals.map(Value.real) }
      return boolArray(forKey: key, isSecret: isSecret).map { $0.map(Value.boolean) }
    }
  }
#endif
