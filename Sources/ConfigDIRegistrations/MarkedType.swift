// SPDX-License-Identifier: Apache-2.0
#if Macros
  /// A type that is marked with `@Resolvable`, and that the generated function registers.
  struct MarkedType {
    /// Its name, with those of the types around it: `Outer.Clock`.
    var name: String
    /// The conditions of compilation under which it exists, outermost first.
    var conditions: [String]
    /// Where its name stands.
    var place: Place

    /// The name under which it is registered: that of a nested type is its own, without those around it.
    var registeredName: Substring { name[(name.lastIndex(of: ".").map(name.index(after:)) ?? name.startIndex)...] }
  }

  /// A place in a source file.
  struct Place: CustomStringConvertible {
    /// The file, as the build names it.
    var file: String
    /// The line, from 1.
    var line: Int
    /// The column, from 1, in bytes of UTF-8, as the compiler counts.
    var column: Int

    /// The place as the compiler writes it.
    var description: String { "\(file):\(line):\(column)" }
  }

  /// Why the marked types cannot be registered.
  struct Problem: CustomStringConvertible {
    /// What is wrong, in one sentence.
    var message: String
    /// Where.
    var place: Place
    /// A second place, and what it shows.
    var note: (message: String, place: Place)?

    /// The lines of the problem, in the form of the compiler.
    var description: String {
      "\(place): error: \(message)" + (note.map { "\n\($0.place): note: \($0.message)" } ?? "")
    }
  }
#endif
