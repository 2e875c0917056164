// SPDX-License-Identifier: Apache-2.0

/// Why a look-up failed: what was asked, by whom, what comes near, and where the services stand.
///
/// ```swift
/// do throws(ResolutionError) {
///   let mailer = try container.resolve((any Mailer).self)
/// } catch {
///   if error.code == .ambiguous { print("bind one of", error.candidates) }
///   print(error)
/// }
/// ```
///
/// The message is put together when it is read, since to name types and to search for near names is slow.
public struct ResolutionError: Error, Sendable {
  /// The kinds of failures. More may be added.
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind {
      case notRegistered, ambiguous, isPrivate, notProvided, wrongArguments, notOpen, closed, noScope, builderFailed
      case cycle, tooDeep, needsAwait, needsMainActor, cancelled, timedOut, wiringBroken, notGiven
    }

    fileprivate let kind: Kind

    /// No service provides the type, or has the name.
    public static let notRegistered = Code(kind: .notRegistered)
    /// Several services provide the type, and none is bound to it.
    public static let ambiguous = Code(kind: .ambiguous)
    /// Only private services provide the type or have the name; these can be injected, not looked up.
    public static let isPrivate = Code(kind: .isPrivate)
    /// The service of the name does not provide the type.
    public static let notProvided = Code(kind: .notProvided)
    /// The service takes other run-time arguments than the look-up has.
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
    /// The builders that call each other have used up the stack of the thread, or are too many for one look-up that awaits.
    public static let tooDeep = Code(kind: .tooDeep)
    /// The service, or one that it needs, is built asynchronously, and the look-up does not await it.
    public static let needsAwait = Code(kind: .needsAwait)
    /// The service, or one that it needs, is built on the main actor, and the look-up takes place elsewhere without `await`.
    public static let needsMainActor = Code(kind: .needsMainActor)
    /// The task of the look-up was cancelled.
    public static let cancelled = Code(kind: .cancelled)
    /// The service was still being built when the time was over in which the container had to start.
    public static let timedOut = Code(kind: .timedOut)
    /// What the application has given is not what the services want whose instances it gives: something is missing, or is
    /// declared by none of them.
    public static let notGiven = Code(kind: .notGiven)
    /// A plan and a registry do not go together, which the checks of a load exclude: a defect of this library.
    public static let wiringBroken = Code(kind: .wiringBroken)
  }

  /// What a message says. Worked out when it is read, since to name types and to search for near names is slow.
  struct Details {
    /// One sentence that says what is wrong.
    var message: String
    var candidates: [String] = []
  }

  /// What the error holds, in one word, as it is returned through many functions.
  private final class Content: Sendable {
    let code: Code
    let type: Any.Type?
    let name: String?
    let cycle: [Registration]
    let registration: Registration?
    let underlyingError: (any Error)?
    let details: @Sendable () -> Details

    init(
      _ code: Code, type: Any.Type?, name: String?, cycle: [Registration], registration: Registration?,
      underlyingError: (any Error)?, details: @escaping @Sendable () -> Details
    ) {
      self.code = code
      self.type = type
      self.name = name
      self.cycle = cycle
      self.registration = registration
      self.underlyingError = underlyingError
      self.details = details
    }
  }

  private let content: Content
  private var builders = BuilderChain()

  /// An error at the look-up itself.
  ///
  /// - Parameters:
  ///   - type: the type that was asked for.
  ///   - name: the name that was asked for.
  ///   - registration: the service that the error is about.
  init(
    _ code: Code, type: Any.Type? = nil, name: String? = nil, cycle: [Registration] = [],
    registration: Registration? = nil, underlyingError: (any Error)? = nil, details: @escaping @Sendable () -> Details
  ) {
    content = Content(
      code, type: type, name: name, cycle: cycle, registration: registration, underlyingError: underlyingError,
      details: details)
  }

  /// What is wrong.
  public var code: Code { content.code == .tooDeep && !recurrence.isEmpty ? .cycle : content.code }
  /// The name of the type that was asked for, or nil where the failure is not about a type.
  public var typeName: String? { content.type.map { TypeName.name(of: $0) } }
  /// The name of the service that was asked for or that the failure is about, or nil where there is none.
  public var name: String? { content.name ?? subject?.id }
  /// What could have been meant: for `ambiguous` the ids of all that provide the type, for `notProvided` the types that
  /// the service provides, else names that come near.
  public var candidates: [String] { content.details().candidates }
  /// For `cycle` the ids on the way from a service to itself; else empty.
  public var path: [String] { Registration.names(of: cycle) }
  /// Where the service is defined whose building failed, or which cannot be looked up; nil where there is none.
  public var origin: Origin? { subject?.origin }
  /// What a builder has thrown, or nil.
  public var underlyingError: (any Error)? { content.underlyingError }

  /// The ids of the services whose builders were at work, from the outermost look-up to the one that failed.
  ///
  /// Empty where the look-up itself failed.
  public var chain: [String] { Registration.names(of: builders.outermostFirst) }

  /// What a log calls the service that could not be built: the innermost of the chain, or what was asked for.
  package var cause: String { chain.last ?? name ?? typeName ?? "" }

  /// The service that the error is about: of a cycle that with which its path begins.
  private var subject: Registration? { cycle.first ?? content.registration }

  /// The services of a cycle, the first of them again at the end.
  ///
  /// What is built on one thread is found in the chain, also services that are not kept; what several threads wait for is known
  /// from the error itself.
  private var cycle: [Registration] {
    guard let last = content.cycle.last else { return content.code == .tooDeep ? recurrence : [] }
    let chain = builders.outermostFirst
    guard let first = chain.lastIndex(where: { $0 === last }), chain.count - first >= content.cycle.count - 1 else {
      return content.cycle
    }
    return ResolutionError.turned(chain[first...] + [last], in: chain)
  }

  /// The services of a cycle that has used up the stack, the first of them again at the end; empty where there is none.
  ///
  /// Look-ups in the container itself, or by way of a `Provider`, begin anew, so that a cycle of services that are not kept shows
  /// only in the chain. What takes no run-time arguments and recurs there would recur for ever.
  private var recurrence: [Registration] {
    let chain = builders.outermostFirst
    var places: [ObjectIdentifier: Int] = [:]
    for place in chain.indices.reversed() where chain[place].parameters.isEmpty {
      if let inner = places.updateValue(place, forKey: ObjectIdentifier(chain[place])) {
        return ResolutionError.turned(Array(chain[place...inner]), in: chain)
      }
    }
    return builders.selfBuilder.map { [$0, $0] } ?? []
  }

  /// A cycle that begins with that of its services which the look-up came to first.
  private static func turned(_ cycle: [Registration], in chain: [Registration]) -> [Registration] {
    let members = cycle.dropLast()
    let identities = Set(members.map { ObjectIdentifier($0) })
    guard let entry = chain.first(where: { identities.contains(ObjectIdentifier($0)) }),
      let place = members.firstIndex(where: { $0 === entry })
    else { return cycle }
    return members[place...] + members[..<place] + [entry]
  }

  /// The same error, seen from a service whose builder was at work.
  func under(_ registration: Registration) -> ResolutionError {
    var error = self
    error.builders.add(registration)
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
    let details = content.details()
    let (code, path, chain) = (code, path, chain)
    var lines = [path.first.map { "service \"\($0)\" depends on itself" } ?? message(details)]
    if !path.isEmpty { lines.append("  path: \(ResolutionError.joined(path))") }
    if !chain.isEmpty { lines.append("  needed by: \(ResolutionError.joined(chain))") }
    if let origin { lines.append("  defined at: \(origin)") }
    switch code.kind {
    case .ambiguous: lines.append("  candidates: \(details.candidates.joined(separator: ", "))")
    case .notProvided: lines.append("  provides: \(details.candidates.joined(separator: ", "))")
    case .wrongArguments: break
    default: if let help = SuggestionIndex.help(details.candidates) { lines.append("  \(help)") }
    }
    return lines.joined(separator: "\n")
  }

  /// The first line: for a service that has to be awaited, or called on the main actor, the builder that would have to be, too,
  /// where one needs it.
  private func message(_ details: Details) -> String {
    guard code == .needsAwait || code == .needsMainActor, let registration = content.registration,
      let consumer = builders.outermostFirst.last(where: { !$0.isSameService(as: registration) })
    else { return details.message }
    if code == .needsMainActor {
      return
        "service \"\(consumer.id)\" needs service \"\(registration.id)\", which is built on the main actor; register "
        + "\"\(consumer.id)\" on the main actor or declare the dependency as an argument, and look \"\(consumer.id)\" up "
        + "there, or with `resolveAsync`"
    }
    return
      "service \"\(consumer.id)\" needs service \"\(registration.id)\", which is built asynchronously; make the builder "
      + "of \"\(consumer.id)\" asynchronous or declare the dependency as an argument, and look \"\(consumer.id)\" up with "
      + "`resolveAsync`"
  }

  /// Ids with arrows between them, the middle of a long list left out.
  private static func joined(_ ids: [String]) -> String {
    guard ids.count > 2 * shownIDs else { return ids.joined(separator: " -> ") }
    let middle = ["(\(ids.count - 2 * shownIDs) more)"]
    return (ids.prefix(shownIDs) + middle + ids.suffix(shownIDs)).joined(separator: " -> ")
  }
}

/// The services whose builders were at work when an error was thrown. Adding one takes constant time.
struct BuilderChain: Sendable {
  /// A full part of the chain. Nodes of many services keep the list short, so that releasing it does not recurse far.
  private final class Node: Sendable {
    let registrations: [Registration]
    let inner: Node?

    init(_ registrations: [Registration], inner: Node?) {
      self.registrations = registrations
      self.inner = inner
    }
  }

  private static let nodeSize = 64
  /// The outer services, the innermost of them first.
  private var outer: [Registration] = []
  private var inner: Node?
  /// A service without run-time arguments whose builder was at work for itself; nil where there is none.
  private(set) var selfBuilder: Registration?

  /// Adds a service that needs all others. A service and its decorators count once.
  mutating func add(_ registration: Registration) {
    if let last = outer.last ?? inner?.registrations.last, last.isSameService(as: registration) {
      if last === registration, registration.parameters.isEmpty { selfBuilder = registration }
      return
    }
    if outer.count == BuilderChain.nodeSize {
      inner = Node(outer, inner: inner)
      outer = []
    }
    outer.append(registration)
  }

  var outermostFirst: [Registration] {
    var all: [Registration] = outer.reversed()
    var node = inner
    while let current = node {
      all += current.registrations.reversed()
      node = current.inner
    }
    return all
  }
}

extension Registration {
  /// Whether this is the same service as another one, or a decorator of it.
  func isSameService(as other: Registration) -> Bool {
    if self === other { return true }
    guard let name, name == other.name, home === other.home else { return false }
    return decorator != nil || other.decorator != nil || traits.contains(.isDecorated)
      || other.traits.contains(.isDecorated)
  }

  /// The ids of some services, with the full names of types where two of them share their short name.
  static func names(of registrations: [Registration]) -> [String] {
    var types: [String: Set<ObjectIdentifier>] = [:]
    for registration in registrations where registration.isUnnamed {
      types[registration.id, default: []].insert(ObjectIdentifier(registration.product.productType))
    }
    return registrations.map { registration in
      let id = registration.id
      guard registration.isUnnamed, let namesakes = types[id], namesakes.count > 1 else { return id }
      return TypeName.longName(of: registration.product.productType)
    }
  }
}
