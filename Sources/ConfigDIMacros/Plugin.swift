// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  /// The compiler plugin that implements the macros.
  @main
  struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [InjectableMacro.self, ResolvableMacro.self]
  }
#else
  /// A program that does nothing. A macro target must be a program even without the trait.
  @main
  struct Plugin {
    /// Does nothing.
    static func main() {}
  }
#endif
