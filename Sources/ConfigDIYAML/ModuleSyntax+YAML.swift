// SPDX-License-Identifier: Apache-2.0
#if YAML
  public import ConfigDI

  extension ModuleSyntax {
    /// The core schema of YAML 1.2, for files with the extensions `.yaml` and `.yml`.
    ///
    /// ```swift
    /// import ConfigDI
    /// import ConfigDIYAML
    ///
    /// let container = try Container(module: "app.yaml", registry: registry, syntaxes: [.yaml])
    /// ```
    ///
    /// A file must be a single document. `no` and `on` are strings. `null`, an empty value, a key that is not a string,
    /// and the merge key `<<` are errors. Anchors and aliases are supported.
    public static var yaml: ModuleSyntax {
      ModuleSyntax(.yaml) { text, builder, bag in
        var reader = YAMLReader(text, into: builder)
        return reader.document(bag: &bag)
      }
    }
  }
#endif
