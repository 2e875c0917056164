// SPDX-License-Identifier: Apache-2.0

/// The files of one environment in the order in which they are applied, each file once.
package struct CompositionOrder: Sendable {
  /// The files, in the order in which they are applied.
  package private(set) var files: [FileID] = []
  /// The findings about paths, reading and shape.
  package private(set) var bag = DiagnosticBag()
  /// Whether every file was read. If not, the files are not composed.
  package private(set) var isReadable = true

  /// Whether the imports of each visited file are being followed. A file that is not in it was not visited yet.
  private var isOpen: [FileID: Bool] = [:]
  /// The files whose imports are being followed, outermost first.
  private var open: [Visit] = []

  /// A file whose imports are being followed.
  private struct Visit {
    var file: FileID
    /// The index of the import to follow next.
    var next = 0
  }

  /// Follows the imports of the entry module, then the layers of the environment, then the layers of the caller.
  package init(of files: inout ModuleFiles, _ request: ModuleRequest, environment: EnvironmentDeclaration?) {
    switch files.entry {
    case .success(let file):
      visit(file, in: &files)
    case .failure(let failure):
      self.files.append(files.entryFile)
      let place = Place.bytes(files.entryFile, start: 0, end: 0, path: "")
      report(failure.finding(ofCallersFile: request.entry.name, at: place, missing: .unreadableFile, request))
      return
    }
    for layer in environment?.layers ?? [] {
      follow(layer, in: &files)
      visitOpenFiles(in: &files)
    }
    for layer in request.layers {
      switch (files.read(layer), layer.content) {
      case (.success(let file), _): visit(file, in: &files)
      case (.failure(let failure), .file(let name)), (.failure(let failure), .text(_, let name)):
        files.recordLack()
        report(failure.finding(ofCallersFile: name, at: .commandLine(path: ""), missing: .fileNotFound, request))
      }
    }
    isOpen = [:]
  }

  /// Reports a finding that makes composing impossible.
  package mutating func report(_ finding: Finding) {
    isReadable = false
    bag.report(finding)
  }
}

// MARK: - Following imports

extension CompositionOrder {
  /// Visits a file and everything that it imports, the imports first.
  private mutating func visit(_ file: FileID, in files: inout ModuleFiles) {
    begin(file, in: files)
    visitOpenFiles(in: &files)
  }

  /// Follows the imports of the innermost open file until no file is open.
  private mutating func visitOpenFiles(in files: inout ModuleFiles) {
    while let visit = open.last {
      let imports = files[visit.file].imports
      if visit.next < imports.count {
        open[open.count - 1].next += 1
        follow(imports[visit.next], in: &files)
      } else {
        open.removeLast()
        isOpen[visit.file] = false
        self.files.append(visit.file)
      }
    }
  }

  /// Opens a file, unless it was visited before.
  private mutating func begin(_ file: FileID, in files: ModuleFiles) {
    guard isOpen[file] == nil else { return }
    isOpen[file] = true
    open.append(Visit(file: file))
    bag.append(files.findings[Int(file.index)])
    if files.findings[Int(file.index)].hasReadingErrors || !files[file].isUsable { isReadable = false }
  }

  /// Opens the file at a path. Reports a path that cannot be read or that closes an import cycle.
  private mutating func follow(_ path: FilePath, in files: inout ModuleFiles) {
    guard let destination = files.destination(of: path) else {
      return report(files.paths.refusal(of: path.text, at: path.node))
    }
    switch files.read(destination) {
    case .success(let target) where isOpen[target] == true:
      let start = open.firstIndex { $0.file == target } ?? 0
      let cycle = open[start...].map(\.file) + [target]
      let documents = files.documents
      report(.importCycle(path, cycle.lazy.map { documents.name(of: $0) }.chain))
    case .success(let target):
      begin(target, in: files)
    case .failure(.access(.missing)) where path.isOptional:
      break
    case .failure(let failure):
      files.recordLack()
      report(failure.finding(of: path))
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Files that import each other in a cycle.
  fileprivate static func importCycle(_ path: FilePath, _ chain: String) -> Finding {
    Finding(
      .importCycle, "import cycle: \(chain)", at: path.node, label: "this import closes the cycle",
      help: "move the shared part into another file and import that file")
  }
}

extension ModuleFiles.Failure {
  /// Returns the finding for an import or a layer of an environment that could not be read.
  fileprivate func finding(of path: FilePath) -> Finding {
    finding(
      of: path.text, at: .node(path.node), missing: .fileNotFound, label: "no file has this path",
      help: "paths are relative to the file that contains them")
  }

  /// Returns the finding for a file of the caller that could not be read.
  fileprivate func finding(
    ofCallersFile path: String, at place: Place, missing: DiagnosticCode, _ request: ModuleRequest
  ) -> Finding {
    finding(of: path, at: place, missing: missing, help: "the path is relative to \(request.pathBase)")
  }

  /// Returns the finding for a file that could not be read.
  ///
  /// If the file does not exist, `missing` is the code of the finding, and the label and the help are added to it.
  package func finding(
    of path: String, at place: Place, missing: DiagnosticCode, label: String? = nil, help: String? = nil
  ) -> Finding {
    var finding: Finding
    switch self {
    case .unknownExtension(let readable):
      finding = Finding(.unknownFileEnding, "unsupported file extension: \"\(path)\"", at: place)
      finding.help =
        "supported extensions: " + readable.flatMap(\.endings).map { ".\($0)" }.joined(separator: ", ")
    case .syntaxNotBuiltIn(let syntax):
      finding = .syntaxNotBuiltIn(syntax, path, at: place)
    case .tooManyFiles:
      finding = Finding(.tooLarge, "too many files: \"\(path)\" exceeds the limit", at: place)
    case .access(.missing):
      finding = Finding(missing, "file \"\(path)\" does not exist", at: place, label: label, help: help)
    case .access(.tooLarge):
      finding = Finding(.tooLarge, "file \"\(path)\" is too large", at: place)
    case .access(.notAFile(let kind)):
      finding = Finding(.unreadableFile, "\"\(path)\" is \(kind), not a file", at: place)
    case .access(.refused(let words)):
      finding = Finding(.unreadableFile, "file \"\(path)\" cannot be read: \(words)", at: place)
    case .access(.changed):
      finding = Finding(.unreadableFile, "file \"\(path)\" changed while it was read", at: place)
    }
    finding.subject = path
    return finding
  }
}
