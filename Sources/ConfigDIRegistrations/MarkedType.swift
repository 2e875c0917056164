// SPDX-License-Identifier: Apache-2.0
#if Macros
  /// A type with `@Resolvable` that the generated function registers.
  struct MarkedType {
    /// The name, qualified by the enclosing types: `Outer.Clock`.
    var name: String
    /// The compilation conditions under which the type exists, outermost first.
    var conditions: [String]
    /// The place of its name.
    var place: Place

    /// The name under which the type is registered: without the enclosing types.
    var registeredName: Substring { name[(name.lastIndex(of: ".").map(name.index(after:)) ?? name.startIndex)...] }
  }

  /// An import of a source file.
  struct Import {
    /// The path of the file, as the build names it.
    var file: String
    /// The name of the module.
    var module: String
    /// What is imported: the module, or a declaration with its kind.
    var imported: String
    /// Whether the import has an access level other than `public`.
    var isInternal: Bool
    /// The compilation conditions around it, outermost first.
    var conditions: [String]
  }

  /// A place in a source file.
  struct Place: CustomStringConvertible {
    /// The path of the file, as the build names it.
    var file: String
    /// The line, from 1.
    var line: Int
    /// The column in bytes of UTF-8, from 1, as the compiler counts.
    var column: Int

    /// The place in the form of the compiler.
    var description: String { "\(file):\(line):\(column)" }
  }

  /// A reason why marked types cannot be registered.
  struct Problem: CustomStringConvertible {
    /// The problem, in one sentence.
    var message: String
    /// The place of the problem.
    var place: Place
    /// A related place, with a message about it.
    var note: (message: String, place: Place)?

    /// The lines of the problem, in the form of the compiler.
    var description: String {
      "\(place): error: \(message)" + (note.map { "\n\($0.place): note: \($0.message)" } ?? "")
    }
  }
#endif
