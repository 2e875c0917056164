// SPDX-License-Identifier: Apache-2.0

/// Why a look-up failed: what was asked, by whom, what comes near, and where the services stand.
///
/// ```swift
/// do {
///   let mailer = try container.resolve((any Mailer).self)
/// } catch {
///   if error.code == .ambiguous { print("bind one of", error.candidates) }
///   print(error)
/// }
/// ```
public struct ResolutionError: Error, Sendable {
  /// The kinds of failures. More may be added.
  public struct Code: Hashable, Sendable {
    /// The kinds that there are.
    fileprivate enum Kind {
      case notRegistered, ambiguous, isPrivate, notProvided, wrongArguments, notOpen, closed, noScope, builderFailed,
        cycle
      case needsAwait, needsMainActor, cancelled, wiringBroken
    }

    /// The kind.
    fileprivate let kind: Kind

    /// No service provides the type, or has the name.
    public static let notRegistered = Code(kind: .notRegistered)
    /// Several services provide the type, and the module binds none.
    public static let ambiguous = Code(kind: .ambiguous)
    /// Only private services provide the type or have the name; these can be injected, not looked up.
    public static let isPrivate = Code(kind: .isPrivate)
    /// The service of the name does not provide the type.
    public static let notProvided = Code(kind: .notProvided)
    /// The service wants other run-time arguments than the look-up brings along.
    public static let wrongArguments = Code(kind: .wrongArguments)
    /// The service lives in a named scope, and the look-up takes place in none of that name.
    public static let notOpen = Code(kind: .notOpen)
    /// The scope was closed, or the container was disposed of or is gone.
    public static let closed = Code(kind: .closed)
    /// There is no scope of the name, or it cannot be opened from here.
    public static let noScope = Code(kind: .noScope)
    /// A builder has thrown, or has made what cannot be kept; `underlyingError` says what was thrown.
    public static let builderFailed = Code(kind: .builderFailed)
    /// A service is needed to build itself.
    public static let cycle = Code(kind: .cycle)
    /// The service, or one that it needs, is built asynchronously, and the look-up does not await it.
    public static let needsAwait = Code(kind: .needsAwait)
    /// The service, or one that it needs, is built on the main actor, and the look-up takes place elsewhere without `await`.
    public static let needsMainActor = Code(kind: .needsMainActor)
    /// The task of the look-up was cancelled.
    public static let cancelled = Code(kind: .cancelled)
    /// A plan and a registry do not go together, which the checks of a load exclude: a defect of this library.
    public static let wiringBroken = Code(kind: .wiringBroken)
  }

  /// What the error holds, in one word, as it is returned through many functions.
  private final class Content: Sendable {
    /// See `code`.
    let code: Code
    /// One sentence that says what is wrong.
    let message: String
    /// See `typeName`.
    let typeName: String?
    /// See `name`.
    let name: String?
    /// See `candidates`.
    let candidates: [String]
    /// See `path`.
    let path: [String]
    /// See `origin`.
    let origin: Origin?
    /// See `underlyingError`.
    let underlyingError: (any Error)?

    /// What an error holds.
    init(
      _ code: Code, _ message: String, typeName: String?, name: String?, candidates: [String], path: [String],
      origin: Origin?, underlyingError: (any Error)?
    ) {
      self.code = code
      self.message = message
      self.typeName = typeName
      self.name = name
      self.candidates = candidates
      self.path = path
      self.origin = origin
      self.underlyingError = underlyingError
    }
  }

  /// What the error holds.
  private let content: Content

  /// The ids of the services whose builders were at work, from the outermost look-up to the one that failed.
  ///
  /// Empty where the look-up itself failed.
  public private(set) var chain: [String] = []

  /// An error at the look-up itself.
  init(
    _ code: Code, _ message: String, typeName: String? = nil, name: String? = nil, candidates: [String] = [],
    path: [String] = [], origin: Origin? = nil, underlyingError: (any Error)? = nil
  ) {
    content = Content(
      code, message, typeName: typeName, name: name, candidates: candidates, path: path, origin: origin,
      underlyingError: underlyingError)
  }

  /// What is wrong.
  public var code: Code { content.code }
  /// The name of the type that was asked for, or nil where the failure is not about a type.
  public var typeName: String? { content.typeName }
  /// The name of the service that was asked for, or nil where none was named.
  public var name: String? { content.name }
  /// What could have been meant: for `ambiguous` the ids of all that provide the type, for `notProvided` the types that
  /// the service provides, else names that come near.
  public var candidates: [String] { content.candidates }
  /// For `cycle` the ids on the way from a service to itself; else empty.
  public var path: [String] { content.path }
  /// Where the service is defined whose building failed, or which cannot be looked up; nil where there is none.
  public var origin: Origin? { content.origin }
  /// What a builder has thrown, or nil.
  public var underlyingError: (any Error)? { content.underlyingError }

  /// The same error, seen from services whose builders were at work, the outermost first.
  func under(_ ids: [String]) -> ResolutionError {
    var error = self
    var ids = ids[...]
    // A service and its decorators are one.
    if ids.last == error.chain.first { ids = ids.dropLast() }
    error.chain.insert(contentsOf: ids, at: 0)
    return error
  }
}

extension ResolutionError.Code: CustomStringConvertible {
  /// The name of the kind, as `notRegistered`.
  public var description: String { "\(kind)" }
}

extension ResolutionError: CustomStringConvertible {
  /// How many ids of a chain or a path a message shows at either end.
  private static let shownIDs = 16

  /// The message, and a line for each further fact.
  public var description: String {
    var lines = [content.message]
    if !path.isEmpty { lines.append("  path: \(ResolutionError.joined(path))") }
    if !chain.isEmpty { lines.append("  needed by: \(ResolutionError.joined(chain))") }
    if let origin { lines.append("  defined at: \(origin)") }
    switch code.kind {
    case .ambiguous: lines.append("  candidates: \(candidates.joined(separator: ", "))")
    case .notProvided: lines.append("  provides: \(candidates.joined(separator: ", "))")
    default: if let help = SuggestionIndex.help(candidates) { lines.append("  \(help)") }
    }
    return lines.joined(separator: "\n")
  }

  /// Ids with arrows between them, the middle of a long list left out.
  private static func joined(_ ids: [String]) -> String {
    guard ids.count > 2 * shownIDs else { return ids.joined(separator: " -> ") }
    let middle = ["(\(ids.count - 2 * shownIDs) more)"]
    return (ids.prefix(shownIDs) + middle + ids.suffix(shownIDs)).joined(separator: " -> ")
  }
}
