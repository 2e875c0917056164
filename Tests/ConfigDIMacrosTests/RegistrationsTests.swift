// SPDX-License-Identifier: Apache-2.0
#if Macros
  import Foundation
  import Testing

  /// Tests of the program that writes the registrations of types marked with `@Resolvable`.
  @Suite struct RegistrationsTests {
    /// The result of one run of the program.
    private struct Run {
      var status: Int32
      var error: String
      /// The generated file; `nil` if none was written.
      var written: String?

      /// The lines above the generated function's extension, without the comment.
      var imports: [String] {
        (written ?? "").split(separator: "\n").dropFirst().prefix { !$0.contains("extension") }.map(String.init)
      }

      /// The lines of the generated function's body, without indentation.
      var statements: [String] {
        (written ?? "").split(separator: "\n").drop { !$0.contains("func") }.dropFirst().prefix { $0 != "  }" }
          .map { $0.trimmingCharacters(in: .whitespaces) }
      }
    }

    /// A temporary folder with the source files of a module.
    private struct Module: ~Copyable {
      private let folder: URL
      private let names: [String]

      init(_ files: KeyValuePairs<String, String>) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "registrations-\(UUID().uuidString)")
        names = files.map(\.key)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
      }

      deinit { try? FileManager.default.removeItem(at: folder) }

      /// The location of the generated file.
      var output: URL { folder.appending(path: "out.swift") }

      /// Runs the program on the files of the module and on further paths.
      func run(adding others: String...) throws -> Run {
        let process = Process()
        process.executableURL = program
        process.currentDirectoryURL = folder
        process.arguments = ["App", "out.swift"] + names + others
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let error = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Run(
          status: process.terminationStatus, error: error, written: try? String(contentsOf: output, encoding: .utf8))
      }
    }

    @Test func `marked types are registered with their source locations`() throws {
      let run = try Module([
        "B.swift": "import ConfigDI\n\n@Resolvable struct Store { let url: String }\nstruct Plain {}\n",
        "A.swift": """
        enum Outer {
          /// A class.
          @ConfigDI.Resolvable(as: (any Mailer).self)
          final class Mailer {}
          @MainActor @Resolvable public final class Model {}
        }
        extension Outer.Inner { @Resolvable actor Cache {} }
        """,
      ]).run()
      #expect(run.status == 0 && run.error == "")
      #expect(
        run.written == """
          // Written by the build plugin ConfigDIRegistrationsPlugin.
          import ConfigDI

          nonisolated extension ConfigDI.Registry {
            /// Registers the types of this target that are marked with `@Resolvable`, each under its own name.
            mutating func addResolvableTypes() {
              add(Outer.Inner.Cache.self, fileID: "App/A.swift", line: 7)
              add(Outer.Mailer.self, fileID: "App/A.swift", line: 4)
              add(Outer.Model.self, fileID: "App/A.swift", line: 5)
              add(Store.self, fileID: "App/B.swift", line: 3)
            }
          }

          """)
    }

    @Test func `a module without marked types has an empty function`() throws {
      let run = try Module(["A.swift": "struct Plain {}"]).run()
      #expect(run.status == 0 && run.written?.contains("addResolvableTypes() {\n  }\n}\n") == true)
    }

    @Test func `imports of files with registered types are repeated`() throws {
      let run = try Module([
        "A.swift": """
        package import ConfigDI
        @preconcurrency public import struct Foundation.URL
        public import UI
        #if canImport(Storage)
          import Storage
          extension Storage.Space { @Resolvable struct Disk {} }
        #endif
        @Resolvable struct Store {}
        """,
        "B.swift": "fileprivate import UI\nimport Unused\nstruct Plain {}",
        "C.swift": "public import ConfigDI\n@Resolvable struct Mailer {}",
      ]).run()
      #expect(run.status == 0 && run.error == "")
      #expect(
        run.imports == [
          "#if (canImport(Storage))", "import Storage", "#endif", "import struct Foundation.URL",
          "internal import ConfigDI", "internal import UI",
        ])
    }

    @Test func `conditional compilation is kept`() throws {
      let run = try Module([
        "A.swift": """
        #if DEBUG
        @Resolvable struct Five {}
        #elseif os(Linux)
        struct Outer {
        #if FAST || SMALL
        @Resolvable struct Four {}
        #endif
        }
        @Resolvable struct Seven {}
        #else
        @Resolvable struct Six {}
        #endif
        """
      ]).run()
      #expect(run.status == 0 && run.error == "")
      #expect(
        run.statements == [
          "#if (DEBUG)", #"add(Five.self, fileID: "App/A.swift", line: 2)"#, "#endif",
          "#if (!(DEBUG)) && (os(Linux)) && (FAST || SMALL)",
          #"add(Outer.Four.self, fileID: "App/A.swift", line: 6)"#, "#endif",
          "#if (!(DEBUG)) && (os(Linux))", #"add(Seven.self, fileID: "App/A.swift", line: 9)"#, "#endif",
          "#if (!(DEBUG)) && (!(os(Linux)))", #"add(Six.self, fileID: "App/A.swift", line: 11)"#, "#endif",
        ])
    }

    @Test func `a mark inside a condition registers its type inside this condition`() throws {
      let run = try Module([
        "A.swift": """
        #if os(Linux)
          #if FAST
          @Resolvable
          #endif
        #elseif DEBUG
        @MainActor @Resolvable(as: (any P).self)
        #else
        @Resolvable(registered: false)
        #endif
        struct Store {}
        #if SMALL
        enum Outer {
          #if FAST
          @available(*, deprecated)
          #endif
          @Sendable struct Plain {}
          #if !FAST
          @Resolvable
          #endif
          final class Mailer {}
        }
        #endif
        """
      ]).run()
      #expect(run.status == 0 && run.error == "")
      #expect(
        run.statements == [
          "#if (SMALL) && (!FAST)", #"add(Outer.Mailer.self, fileID: "App/A.swift", line: 20)"#, "#endif",
          "#if (os(Linux)) && (FAST)", #"add(Store.self, fileID: "App/A.swift", line: 10)"#, "#endif",
          "#if (!(os(Linux))) && (DEBUG)", #"add(Store.self, fileID: "App/A.swift", line: 10)"#, "#endif",
        ])
    }

    @Test func `other attributes and unsupported types are ignored`() throws {
      let run = try Module([
        "A.swift": """
        // @Resolvable struct InComment {}
        let text = "@Resolvable struct InText {}"
        func f() { @Resolvable struct Local {} }
        let closure = { @Resolvable struct Local {} }
        var computed: Int { @Resolvable struct Local {}; return 1 }
        @Resolvable2 struct Other {}
        @Resolvable enum Wrong {}
        @Resolvable protocol AlsoWrong {}
        @Resolvable(registered: false) struct Named {}
        @Resolvable(as: (any P).self, registered: false) private struct Box<Content> {}
        """
      ]).run()
      #expect(run.status == 0 && run.error == "" && run.statements == [])
    }

    @Test func `a type that cannot be registered is an error at its name`() throws {
      let run = try Module([
        "A.swift": "@Resolvable private struct Hidden {}\n", "B.swift": "\n@Resolvable struct Box<Content> {}\n",
        "C.swift": "fileprivate enum Outer { @Resolvable struct In {} }",
        "D.swift": "extension Box where Content == Int { @Resolvable(registered: true) struct In {} }",
        "E.swift": "@available(macOS 26, *) @Resolvable struct New {}",
        "F.swift": "private extension Outer {\n  /* é */ @Resolvable actor Other {} }",
        "G.swift": "#if DEBUG\n@available(macOS 26, *)\n#endif\n@Resolvable struct Newer {}",
      ]).run()
      #expect(run.status == 1 && run.written == nil)
      let rest =
        ", so that addResolvableTypes() cannot register it; write @Resolvable(registered: false), and register it by hand"
      #expect(
        run.error.split(separator: "\n") == [
          "A.swift:1:28: error: \"Hidden\" is private\(rest)", "B.swift:2:20: error: \"Box\" is generic\(rest)",
          "C.swift:1:45: error: \"Outer.In\" is private\(rest)", "D.swift:1:75: error: \"Box.In\" is generic\(rest)",
          "E.swift:1:44: error: \"New\" has an attribute @available\(rest)",
          "F.swift:2:30: error: \"Outer.Other\" is private\(rest)",
          "G.swift:4:20: error: \"Newer\" has an attribute @available\(rest)",
        ])
    }

    @Test func `two types of one name are an error at the second`() throws {
      let run = try Module([
        "B.swift": "enum Mail { @Resolvable struct Clock {} }", "A.swift": "\n@Resolvable struct Clock {}",
        "C.swift": "#if FAST\nenum Web { @Resolvable struct Clock {} }\n#endif",
        "D.swift": "enum Other { @Resolvable(registered: false) struct Clock {} }",
      ]).run()
      #expect(run.status == 1 && run.written == nil)
      #expect(
        run.error == """
          B.swift:1:32: error: "Mail.Clock" would be the second type that is registered as "Clock"; write \
          @Resolvable(registered: false), and register it by hand under another name
          A.swift:2:20: note: the first is "Clock"

          """)
    }

    @Test func `a syntax error is left to the compiler`() throws {
      let run = try Module([
        "A.swift": "@Resolvable struct Store { let url: }\n@Resolvable struct Cache {", "B.swift": "}}}} @Resolvable",
      ]).run()
      #expect(run.status == 0 && run.error == "")
      #expect(
        run.statements == [
          #"add(Cache.self, fileID: "App/A.swift", line: 2)"#, #"add(Store.self, fileID: "App/A.swift", line: 1)"#,
        ])
    }

    @Test func `an unchanged file is not written again`() throws {
      let module = try Module(["A.swift": "@Resolvable struct Store {}"])
      #expect(try module.run().status == 0)
      let old = Date(timeIntervalSince1970: 1_000_000)
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: module.output.path)
      #expect(try module.run().status == 0)
      let attributes = try FileManager.default.attributesOfItem(atPath: module.output.path)
      #expect(attributes[.modificationDate] as? Date == old)
    }

    @Test func `a file that cannot be read is an error`() throws {
      let run = try Module(["A.swift": "struct Plain {}"]).run(adding: "/gone.swift")
      #expect(run.status == 1 && run.written == nil)
      #expect(run.error.hasPrefix("error: cannot read /gone.swift: ") && !run.error.dropLast().contains("\n"))
    }
  }

  /// The location of the program, which is in the folder of the test bundle or in one that contains it.
  private let program: URL = {
    let arguments = ProcessInfo.processInfo.arguments
    let bundle = arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
    var folder = URL(filePath: bundle)
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      // The second name is that of a build of the tests alone.
      for name in ["ConfigDIRegistrations", "ConfigDIRegistrations-tool"] {
        let program = folder.appending(path: name)
        if FileManager.default.isExecutableFile(atPath: program.path) { return program }
      }
    }
    return URL(filePath: "ConfigDIRegistrations")
  }()
#endif
