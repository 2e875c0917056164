// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI

  /// The paths of `file:` URIs (RFC 8089), the reverse of which is `Path.fileURI`, and of texts without a file.
  enum DocumentURI {
    /// The path of a URI; nil for another scheme, and for what is no URI of an absolute path.
    static func path(of uri: String) -> String? {
      let prefix = "file://"
      guard uri.lowercased().hasPrefix(prefix) else { return nil }
      let rest = uri.utf8.dropFirst(prefix.utf8.count)
      // What stands before the path is a host, which is this one.
      guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
      let path = rest[slash...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      return decoded(Array(path))
    }

    /// The path that stands for a text without a file, such as `untitled:Untitled-1`, in a folder; nil for a language that no
    /// module is written in, and for another scheme: `git:` and the like name other states of files that exist.
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
      let name = uri.utf8.map { byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte : UInt8(ascii: "-")
      }
      return Path.join(folder, "\(String(decoding: name, as: UTF8.self)).\(ending)")
    }

    /// A path with its percent escapes taken back; nil where one is malformed or stands for a zero byte.
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
