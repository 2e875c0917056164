// SPDX-License-Identifier: Apache-2.0

/// The mistakes that were made while a registry was filled, each with its places.
///
/// ```swift
/// do { try registry.validate() } catch { for mistake in error.mistakes { print(mistake) } }
/// // type "Clock" is registered twice: at App/Clocks.swift:12 and at App/Main.swift:30
/// ```
public struct RegistryError: Error, Hashable, Sendable {
  /// One mistake.
  public struct Mistake: Hashable, Sendable {
    /// The kind of the mistake.
    public let code: Code
    /// One sentence that describes the mistake, with its places.
    public let message: String
    /// The calls of `add`, in order; both if two calls conflict.
    public let places: [Origin]
  }

  /// The kinds of mistakes. More may be added.
  public struct Code: Hashable, Sendable {
    private enum Kind {
      case duplicateName, duplicateArgument, invalidName
    }

    private let kind: Kind

    /// Two registrations with the same name.
    public static let duplicateName = Code(kind: .duplicateName)
    /// A name that is not valid in a module file.
    public static let invalidName = Code(kind: .invalidName)
    /// Two arguments with the same key.
    public static let duplicateArgument = Code(kind: .duplicateArgument)
  }

  /// The mistakes, in the order in which they were made; at least one.
  public let mistakes: [Mistake]
}

extension RegistryError: CustomStringConvertible {
  public var description: String { mistakes.map(\.message).joined(separator: "\n") }
}

extension RegistryError.Code: CustomStringConvertible {
  /// The name of the code, such as `duplicateName`.
  public var description: String { "\(kind)" }
}

extension RegistryError.Mistake: CustomStringConvertible {
  public var description: String { message }
}

extension RegistryError.Mistake {
  static func duplicateName(_ name: String, first: Origin, second: Origin) -> Self {
    Self(
      code: .duplicateName, message: "type \"\(name)\" is registered twice: at \(first) and at \(second)",
      places: [first, second])
  }

  static func invalidName(_ name: String, at place: Origin) -> Self {
    Self(
      code: .invalidName,
      message: "\"\(name)\", registered at \(place), is not a valid name: \(NameGrammar.type.inWords)", places: [place])
  }

  static func duplicateArgument(_ key: String, of name: String, at place: Origin) -> Self {
    Self(
      code: .duplicateArgument, message: "type \"\(name)\", registered at \(place), has two arguments \"\(key)\"",
      places: [place])
  }
}
