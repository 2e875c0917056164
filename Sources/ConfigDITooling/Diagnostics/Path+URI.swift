// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension Path {
  /// Returns the `file:` URI of an absolute path (RFC 8089). The URI of a folder ends with a slash.
  package static func fileURI(of path: String, isFolder: Bool = false) -> String {
    let uri = "file://" + percentEncoded(path)
    return isFolder && uri.utf8.last != UInt8(ascii: "/") ? uri + "/" : uri
  }

  /// Returns a path as a URI path (RFC 3986 section 3.3): all but unreserved characters and slashes percent-encoded.
  package static func percentEncoded(_ path: String) -> String {
    var encoded: [UInt8] = []
    for byte in path.utf8 {
      if byte.isLetter || byte.isDigit || "-._~/".utf8.contains(byte) {
        encoded.append(byte)
      } else {
        encoded += (byte < 0x10 ? "%0" : "%").utf8
        encoded += String(byte, radix: 16, uppercase: true).utf8
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
