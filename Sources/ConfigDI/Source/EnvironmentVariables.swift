// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The environment variables that the parameters of a module read.
package enum EnvironmentVariables: Sendable {
  /// Those of the process, each read when a parameter asks for it.
  case process
  /// The given ones, and no others.
  case given([ScalarString: String])

  /// The given variables.
  package init(_ variables: [String: String]) {
    self = .given([ScalarString: String](variables.map { (ScalarString($0.key), $0.value) }) { $1 })
  }

  /// The text of a variable, or `nil` if it is not set. Bytes that are no UTF-8 become U+FFFD.
  package subscript(name: String) -> String? {
    switch self {
    case .process: getenv(name).map { String(cString: $0) }
    case .given(let variables): variables[ScalarString(name)]
    }
  }
}
