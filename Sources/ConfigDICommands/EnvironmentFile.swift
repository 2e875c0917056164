// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI

  /// A file of environment variables: lines of the form `NAME=text`, empty lines, and comment lines that start with
  /// `#`. There is no quoting.
  struct EnvironmentFile {
    /// The variables by name. If several lines have the same name, the last one wins.
    let variables: [ScalarString: String]

    /// The reason why a file cannot be used.
    struct Failure: Error, Hashable {
      /// The message: what is wrong, and where.
      let message: String
    }

    /// Reads a file.
    ///
    /// - Throws: `Failure` if the file cannot be read, is not UTF-8, or has a malformed line.
    init(reading path: String, from files: some FileAccess) throws(Failure) {
      let limit = Limits().fileSize
      // A pipe, such as `<(decrypt some.env)`, or a device. It is opened once, because a pipe that was closed is empty.
      if FileWriter(path: path).isSpecial, let bytes = StandardStream.contents(ofPipe: path, limit: limit),
        bytes.count <= limit
      {
        try self.init(name: path, bytes: bytes)
        return
      }
      switch files.contents(of: path, limit: limit) {
      case .success(let bytes): try self.init(name: path, bytes: bytes)
      case .failure(let failure): throw Failure(message: "cannot read \"\(path)\": \(failure.words)")
      }
    }

    /// Parses the contents of a file.
    private init(name: String, bytes: [UInt8]) throws(Failure) {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Failure(message: "\(name): not UTF-8")
      }
      var variables: [ScalarString: String] = [:]
      let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        var line = index == 0 && line.starts(with: "\u{FEFF}".utf8) ? line.dropFirst(3) : line
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
        // The message does not show the line, which may be part of a secret.
        guard let sign = line.firstIndex(of: UInt8(ascii: "=")), sign > line.startIndex else {
          throw Failure(message: "\(name):\(index + 1): expected NAME=text")
        }
        variables[ScalarString(String(Substring(line[..<sign])))] = String(Substring(line[sign...].dropFirst()))
      }
      self.variables = variables
    }
  }

  extension FileFailure {
    /// The reason as text for a message.
    fileprivate var words: String {
      switch self {
      case .missing: "it does not exist"
      case .notAFile(let kind): "it is \(kind)"
      case .tooLarge: "it is too large"
      case .refused(let reason): reason
      case .changed: "it changed while it was read"
      }
    }
  }
#endif
