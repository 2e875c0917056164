// SPDX-License-Identifier: Apache-2.0

#if SwiftConfiguration
  public import ConfigDI
  public import Configuration

  extension ModuleSource {
    /// Returns the module source with a reader, from which parameters with `config` take their values.
    ///
    /// ```swift
    /// let config = ConfigReader(provider: EnvironmentVariablesProvider())
    /// let container = try Container(ModuleSource("Configs/app.json").reading(config), registry: registry)
    /// ```
    ///
    /// A load takes one snapshot of the reader for each environment that it composes, so all values are consistent. A
    /// reload takes a new snapshot. A change in a provider does not start a reload: call `reload()` yourself.
    ///
    /// - Parameter reader: The reader. A key is relative to its scope.
    public func reading(_ reader: ConfigReader) -> ModuleSource {
      reading(ConfigurationSource(reader))
    }
  }

  extension ConfigurationSource {
    /// Creates a source of the values of a reader.
    ///
    /// A text is converted by the rules of the module format, like the text of an environment variable: `+5` and `05`
    /// are integers, `yes` is not a boolean. If a provider has a number, a boolean or an array, it must be of the
    /// parameter's type. A provider that reads 0 and 1 as booleans, such as the one for JSON, supplies both types, but in an
    /// array only integers.
    ///
    /// The value of a parameter that the module declares `secret` is read as a secret, so that access reporters do not
    /// show it. The mark of a provider that a value is a secret is ignored.
    ///
    /// A reader does not tell the type of a value, so each value is first read as a string. For a number, a boolean or
    /// an array, access reporters show this as a failed conversion.
    ///
    /// A value that its provider fails to read counts as missing, as for `ConfigReader.string(forKey:)`: the parameter
    /// takes its default, or the load reports `CDI0405`. The access reporter of the reader gets the error.
    public init(_ reader: ConfigReader) {
      self.init {
        let snapshot = reader.snapshot()
        return { snapshot.value(for: $0) }
      }
    }
  }

  extension ConfigSnapshotReader {
    /// Returns the value for a query; `nil` if there is none. Reading a value as another type than its own gives `nil`.
    fileprivate func value(for query: ConfigurationSource.Query) -> Value? {
      let key = ConfigKey(query.key)
      let isSecret = query.isSecret
      if let text = string(forKey: key, isSecret: isSecret) { return .string(text) }
      // The parameter's own type first, as access reporters show each read of another type as a failure.
      if query.type == .list, let list = list(forKey: key, isSecret: isSecret) { return .list(list) }
      if query.type == .double, let real = double(forKey: key, isSecret: isSecret) { return .real(real) }
      let integer = int(forKey: key, isSecret: isSecret)
      let real = integer == nil && query.type != .double ? double(forKey: key, isSecret: isSecret) : nil
      // Some providers read any number as a boolean.
      if query.type == .bool, integer.map({ 0...1 ~= $0 }) ?? (real == nil),
        let flag = bool(forKey: key, isSecret: isSecret)
      {
        return .boolean(flag)
      }
      if let integer { return .integer(Int64(integer)) }
      if let real { return .real(real) }
      if let flag = bool(forKey: key, isSecret: isSecret) { return .boolean(flag) }
      if query.type != .list, let list = list(forKey: key, isSecret: isSecret) { return .list(list) }
      return bytes(forKey: key, isSecret: isSecret).map(Value.data)
    }

    /// Returns the elements of an array; `nil` if there is no array.
    private func list(forKey key: ConfigKey, isSecret: Bool) -> [Value]? {
      if let texts = stringArray(forKey: key, isSecret: isSecret) { return texts.map(Value.string) }
      if let integers = intArray(forKey: key, isSecret: isSecret) { return integers.map { .integer(Int64($0)) } }
      if let reals = doubleArray(forKey: key, isSecret: isSecret) { return reals.map(Value.real) }
      if let flags = boolArray(forKey: key, isSecret: isSecret) { return flags.map(Value.boolean) }
      return byteChunkArray(forKey: key, isSecret: isSecret).map { $0.map(Value.data) }
    }
  }
#endif
