// SPDX-License-Identifier: Apache-2.0

/// The instances whose disposal failed or did not end in time when a container was shut down or a scope was
/// closed.
public struct ShutdownError: Error, Sendable, CustomStringConvertible {
  /// The reason why an instance was not disposed of.
  public enum Reason: Sendable, CustomStringConvertible {
    /// Its disposal threw an error.
    case failed(any Error)
    /// Its disposal had not ended at the deadline.
    case timedOut
    /// Its disposal had not begun at the deadline.
    case notBegun
    /// Its builder had not ended at the deadline. The instance is disposed of when the builder ends.
    case notBuilt

    public var description: String {
      switch self {
      case .failed(let error): "\(error)"
      case .timedOut: "it had not ended at the deadline"
      case .notBegun: "the deadline came before its turn"
      case .notBuilt: "its builder had not ended at the deadline"
      }
    }
  }

  /// The failed disposal of one instance.
  public struct Failure: Sendable {
    /// The id of the service.
    public let id: String
    /// The reason why it was not disposed of.
    public let reason: Reason
    /// Whether its builder takes a value that is declared secret, so that the text of an error may contain one.
    fileprivate let takesSecrets: Bool

    /// The reason as text. Of an error whose text may contain a secret, it names only the type.
    public var reasonText: String {
      if case .failed(let error) = reason {
        error.text(takesSecrets: takesSecrets)
      } else {
        "\(reason)"
      }
    }
  }

  /// The failures, in the order of disposal; at least one.
  public let failures: [Failure]

  /// One line per failure.
  public var description: String {
    failures.map { "service \"\($0.id)\" was not disposed of: \($0.reasonText)" }.joined(separator: "\n")
  }

  /// Throws an error with the failures, if there are any.
  static func check(_ failures: [Failure]) throws(ShutdownError) {
    if !failures.isEmpty { throw ShutdownError(failures: failures) }
  }
}

extension Error {
  /// Returns the text of a builder's error for a message. It is only the name of the error's type if the builder takes
  /// secrets, which the text may contain.
  package func text(takesSecrets: Bool) -> String {
    takesSecrets ? "\(TypeName.name(of: type(of: self))), whose text may contain a secret" : "\(self)"
  }
}

extension Registration {
  func failure(_ reason: ShutdownError.Reason) -> ShutdownError.Failure {
    ShutdownError.Failure(id: id, reason: reason, takesSecrets: traits.contains(.takesSecrets))
  }
}
