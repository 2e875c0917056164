// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI

  #if YAML
    internal import ConfigDIYAML
  #endif

  extension [ModuleSyntax] {
    /// The syntaxes that this build of the tool reads in addition to those of the library.
    static var builtIn: [ModuleSyntax] {
      #if YAML
        [.yaml]
      #else
        []
      #endif
    }
  }
#endif
