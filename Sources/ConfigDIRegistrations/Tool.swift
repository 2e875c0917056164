// SPDX-License-Identifier: Apache-2.0
#if Macros
  import Foundation

  /// A program that writes the registrations of marked types: `ConfigDIRegistrations MODULE OUTPUT FILE ...`.
  ///
  /// The build plugin runs it. Problems are reported in the form of the compiler, so that build systems show them at
  /// their places. If there are any, nothing is written, and the exit status is 1.
  @main
  enum Tool {
    static func main() {
      let arguments = Array(CommandLine.arguments.dropFirst())
      guard arguments.count >= 2 else { fail("usage: ConfigDIRegistrations MODULE OUTPUT FILE ...") }
      var types: [MarkedType] = []
      var problems: [Problem] = []
      var imports: [Import] = []
      for path in arguments[2...] {
        let marked = MarkedTypes(in: source(of: path), of: path)
        types += marked.types
        problems += marked.problems
        imports += marked.imports
      }
      let file = RegistrationsFile(module: arguments[0], types: types, imports: imports)
      problems += file.problems
      guard problems.isEmpty else { fail(problems.map(\.description).joined(separator: "\n")) }
      write(file.text, to: arguments[1])
    }

    /// Returns the text of a file. The compiler reports parts that are not UTF-8.
    private static func source(of path: String) -> String {
      do {
        return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      } catch { fail("error: cannot read \(path): \(error.localizedDescription)") }
    }

    /// Writes a file, unless it already has this text: a new file would be compiled again.
    private static func write(_ text: String, to path: String) {
      let data = Data(text.utf8)
      if let current = try? Data(contentsOf: URL(filePath: path)), current == data { return }
      do {
        try data.write(to: URL(filePath: path), options: .atomic)
      } catch { fail("error: cannot write \(path): \(error.localizedDescription)") }
    }

    /// Prints an error and exits.
    private static func fail(_ message: String) -> Never {
      FileHandle.standardError.write(Data((message + "\n").utf8))
      exit(1)
    }
  }
#else
  /// A program that does nothing, without the trait `Macros`.
  @main
  enum Tool {
    /// Does nothing.
    static func main() {}
  }
#endif
