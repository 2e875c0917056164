// SPDX-License-Identifier: Apache-2.0
#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  /// The program that the compiler asks for what macros write.
  @main
  struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [InjectableMacro.self, ResolvableMacro.self]
  }
#else
  /// A program that does nothing: a target for macros is one, with or without the trait.
  @main
  struct Plugin {
    /// Ends.
    static func main() {}
  }
#endif
