// SPDX-License-Identifier: Apache-2.0
#if Macros
  /// The generated source file with the function that registers the marked types of a module.
  struct RegistrationsFile {
    /// The name of the module.
    let module: String
    /// The types, sorted by name.
    let types: [MarkedType]
    /// The imports of all source files.
    private let imports: [Import]

    /// Creates a file for types in any order, with the imports of all source files.
    init(module: String, types: [MarkedType], imports: [Import]) {
      self.module = module
      self.imports = imports
      self.types = types.sorted { ($0.name, $0.place.file, $0.place.line) < ($1.name, $1.place.file, $1.place.line) }
    }

    /// The types that would be registered under the name of another type, if both exist under the same conditions.
    ///
    /// Types under different conditions may never meet. If they do, the registry reports it when a module is loaded.
    var problems: [Problem] {
      var first: [[String]: MarkedType] = [:]
      return types.sorted { ($0.place.file, $0.place.line) < ($1.place.file, $1.place.line) }.compactMap { type in
        let key = [String(type.registeredName)] + type.conditions
        guard let other = first[key] else {
          first[key] = type
          return nil
        }
        return Problem(message: oneName(type), place: type.place, note: (isFirst(other), other.place))
      }
    }

    /// The source text. Equal types give equal text.
    var text: String {
      let statements = types.flatMap { type in
        let file = type.place.file.split(separator: "/").last ?? ""
        let call = #"add(\#(type.name).self, fileID: "\#(module)/\#(file)", line: \#(type.place.line))"#
        return lines(call, under: type.conditions).map { "    \($0)" }
      }
      let head = """
        nonisolated extension ConfigDI.Registry {
          /// Registers the types of this target that are marked with `@Resolvable`, each under its own name.
          mutating func addResolvableTypes() {
        """
      let comment = "// Written by the build plugin ConfigDIRegistrationsPlugin."
      return ([comment] + importLines + ["", head] + statements + ["  }", "}", ""]).joined(separator: "\n")
    }

    /// The imports of the library and of the files with registered types, which a type in an extension may need.
    ///
    /// Without the setting `InternalImportsByDefault`, a module must not be imported with an access level other than
    /// `public` in one file, and without one in another. An unused `public import` is a warning.
    private var importLines: [String] {
      let internalModules = Set(imports.filter(\.isInternal).map(\.module))
      let files = Set(types.map(\.place.file))
      let library = Import(file: "", module: "ConfigDI", imported: "ConfigDI", isInternal: false, conditions: [])
      let texts = ([library] + imports.filter { files.contains($0.file) }).map { each in
        let access = internalModules.contains(each.module) ? "internal " : ""
        return lines("\(access)import \(each.imported)", under: each.conditions)
      }
      return Set(texts).map { $0.joined(separator: "\n") }.sorted()
    }

    /// Returns a line, and the compilation conditions around it.
    private func lines(_ line: String, under conditions: [String]) -> [String] {
      let condition = conditions.map { "(\($0))" }.joined(separator: " && ")
      return condition.isEmpty ? [line] : ["#if \(condition)", line, "#endif"]
    }
  }

  /// The message about two types with one name.
  private func oneName(_ type: MarkedType) -> String {
    "\"\(type.name)\" would be the second type that is registered as \"\(type.registeredName)\"; write "
      + "@Resolvable(registered: false), and register it by hand under another name"
  }

  /// The note about the type that already has the name.
  private func isFirst(_ type: MarkedType) -> String { "the first is \"\(type.name)\"" }
#endif
