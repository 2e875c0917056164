// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI

  /// Conversion of URIs into paths: `file:` URIs (RFC 8089), the reverse of `Path.fileURI`, and texts without a file.
  enum DocumentURI {
    /// Returns the path of a `file:` URI, with or without a host name: `file:///a`, `file:/a`. `nil` for another scheme, or
    /// if the URI has no valid absolute path.
    static func path(of uri: String) -> String? {
      let scheme = "file:"
      guard uri.lowercased().hasPrefix(scheme) else { return nil }
      var rest = uri.utf8.dropFirst(scheme.utf8.count)
      // A host name is assumed to be that of this computer.
      if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") } }
      guard rest.first == UInt8(ascii: "/") else { return nil }
      let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      return decoded(Array(path))
    }

    /// Returns a path in a folder for a text without a file, such as `untitled:Untitled-1`. `nil` if the language has
    /// no syntax for modules, and for other schemes: `git:`, for example, names another state of an existing file.
    static func virtualPath(of uri: String, language: String, in folder: String) -> String? {
      guard uri.lowercased().hasPrefix("untitled:") else { return nil }
      let ending: String
      switch language {
      case "json": ending = "json"
      case "jsonc": ending = "jsonc"
      case "yaml": ending = "yaml"
      case "xml", "plist", "xmlplist": ending = "plist"
      default: return nil
      }
      let name = uri.utf8.map { $0.isLetter || $0.isDigit ? $0 : UInt8(ascii: "-") }
      return Path.join(folder, "\(String(decoding: name, as: UTF8.self)).\(ending)")
    }

    /// Returns a path with its percent escapes decoded. `nil` if an escape is malformed or stands for a zero byte, or
    /// if the result is not UTF-8.
    private static func decoded(_ path: [UInt8]) -> String? {
      var bytes: [UInt8] = []
      var at = 0
      while at < path.count {
        if path[at] == UInt8(ascii: "%") {
          guard at + 2 < path.count,
            let byte = UInt8(String(decoding: path[at + 1...at + 2], as: UTF8.self), radix: 16), byte != 0
          else { return nil }
          bytes.append(byte)
          at += 3
        } else {
          bytes.append(path[at])
          at += 1
        }
      }
      return String(validating: bytes, as: UTF8.self)
    }
  }
#endif
