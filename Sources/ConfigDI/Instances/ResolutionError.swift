// SPDX-License-Identifier: Apache-2.0

/// The error of a failed look-up: what was requested, who needed it, similar names, and where the services are defined.
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
/// The message is created when it is read, since naming types and searching for similar names is slow.
public struct ResolutionError: Error, Sendable {
  /// The kind of a failure. More kinds may be added.
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind {
      case notRegistered, ambiguous, isPrivate, notProvided, wrongArguments, notOpen, closed, noScope, builderFailed
      case cycle, tooDeep, needsAwait, needsMainActor, cancelled, timedOut, wiringBroken, notGiven
    }

    fileprivate let kind: Kind

    /// No service provides the type or has the name.
    public static let notRegistered = Code(kind: .notRegistered)
    /// Several services provide the type, and none is bound to it.
    public static let ambiguous = Code(kind: .ambiguous)
    /// Only private services provide the type or have the name. They can be injected, but not looked up.
    public static let isPrivate = Code(kind: .isPrivate)
    /// The service with the name does not provide the type.
    public static let notProvided = Code(kind: .notProvided)
    /// The service takes other run-time arguments than the look-up passes.
    public static let wrongArguments = Code(kind: .wrongArguments)
    /// The service belongs to a named scope, and the look-up takes place outside of a scope of that name.
    public static let notOpen = Code(kind: .notOpen)
    /// The scope was closed, or the container was disposed of or released.
    public static let closed = Code(kind: .closed)
    /// No scope has the name, or the scope cannot be opened from here.
    public static let noScope = Code(kind: .noScope)
    /// A builder threw `underlyingError`, or returned a product that cannot be kept.
    public static let builderFailed = Code(kind: .builderFailed)
    /// A service depends on itself.
    public static let cycle = Code(kind: .cycle)
    /// Nested builders have used up the stack of the thread, or are too many for one look-up that awaits.
    public static let tooDeep = Code(kind: .tooDeep)
    /// The service or one of its dependencies is built asynchronously, and the look-up does not await it.
    public static let needsAwait = Code(kind: .needsAwait)
    /// The service or one of its dependencies is built on the main actor, and the look-up runs elsewhere without
    /// `await`.
    public static let needsMainActor = Code(kind: .needsMainActor)
    /// The task of the look-up was cancelled.
    public static let cancelled = Code(kind: .cancelled)
    /// The service was still being built at the end of the time limit for starting the container.
    public static let timedOut = Code(kind: .timedOut)
    /// The instances that the application gave do not match the services that receive them: one is missing, or no
    /// single service takes one.
    public static let notGiven = Code(kind: .notGiven)
    /// A plan and a registry do not match. The checks of a load exclude this, so it is a defect of this library.
    public static let wiringBroken = Code(kind: .wiringBroken)
  }

  /// The text of a message. Computed when it is read, since naming types and searching for similar names is slow.
  struct Details {
    /// One sentence that describes the failure.
    var message: String
    var candidates: [String] = []
  }

  private struct Content: Sendable {
    let code: Code
    let type: Any.Type?
    let name: String?
    let cycle: [Registration]
    let registration: Registration?
    let underlyingError: (any Error)?
    let details: @Sendable () -> Details
  }

  /// The content of an error, as one reference, since errors are returned through many functions.
  private let shared: Shared<Content>
  private var content: Content { shared.content }
  private var builders = BuilderChain()

  /// Creates an error of the look-up itself.
  ///
  /// - Parameters:
  ///   - type: the requested type.
  ///   - name: the requested name.
  ///   - registration: the service that the error is about.
  init(
    _ code: Code, of registration: Registration? = nil, type: Any.Type? = nil, name: String? = nil,
    cycle: [Registration] = [], underlyingError: (any Error)? = nil, details: @escaping @Sendable () -> Details
  ) {
    shared = Shared(
      Content(
        code: code, type: type, name: name, cycle: cycle, registration: registration,
        underlyingError: underlyingError, details: details))
  }

  /// The kind of the failure.
  public var code: Code { content.code == .tooDeep && !recurrence.isEmpty ? .cycle : content.code }
  /// The name of the requested type; `nil` if the failure is not about a type.
  public var typeName: String? { content.type.map { TypeName.name(of: $0) } }
  /// The name of the requested service, or of the one that the failure is about; `nil` if there is none.
  public var name: String? { content.name ?? subject?.id }
  /// The possible alternatives: for `ambiguous` the ids of all services that provide the type, for `notProvided` the
  /// types that the service provides, otherwise similar names.
  public var candidates: [String] { content.details().candidates }
  /// For `cycle`, the ids on the way from a service to itself; otherwise empty.
  public var path: [String] { Registration.names(of: cycle) }
  /// The place where the failed service is defined; `nil` if the failure is not about a registered service.
  public var origin: Origin? { subject?.origin }
  /// The error that a builder threw; `nil` if none did. If the builder takes a value that is declared secret, the message
  /// names only the type of this error, since its text may contain the secret.
  public var underlyingError: (any Error)? { content.underlyingError }

  /// The ids of the services that were being built, from the outermost look-up to the service that failed.
  ///
  /// Empty if the look-up itself failed.
  public var chain: [String] { Registration.names(of: builders.outermostFirst) }

  /// The name of the failed service in a log: the innermost of `chain`, or what was requested.
  package var cause: String { builders.innermost?.id ?? name ?? typeName ?? "" }

  /// The service that the error is about; for a cycle, the first service of its path.
  private var subject: Registration? { cycle.first ?? content.registration }

  /// The services of a cycle, with the first one again at the end.
  ///
  /// A cycle on one thread is taken from the chain, which includes transient services. A cycle of waits between threads
  /// is in the error itself.
  private var cycle: [Registration] {
    guard let last = content.cycle.last else { return content.code == .tooDeep ? recurrence : [] }
    let chain = builders.outermostFirst
    guard let first = chain.lastIndex(where: { $0 === last }), chain.count - first >= content.cycle.count - 1 else {
      return content.cycle
    }
    return ResolutionError.turned(chain[first...] + [last], in: chain)
  }

  /// The services of a cycle that has used up the stack, with the first one again at the end; empty if there is none.
  ///
  /// A look-up in the container itself or by a `Provider` is a new one, so a cycle of transient services shows only in
  /// the chain. A service without run-time arguments that recurs there would recur for ever.
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

  /// Rotates a cycle, so that it begins with the first of its services that the look-up reached.
  private static func turned(_ cycle: [Registration], in chain: [Registration]) -> [Registration] {
    let members = cycle.dropLast()
    let identities = Set(members.map { ObjectIdentifier($0) })
    guard let entry = chain.first(where: { identities.contains(ObjectIdentifier($0)) }),
      let place = members.firstIndex(where: { $0 === entry })
    else { return cycle }
    return members[place...] + members[..<place] + [entry]
  }

  /// Returns the error with a service added to the chain, whose builder was running.
  func under(_ registration: Registration) -> ResolutionError {
    var error = self
    error.builders.add(registration)
    return error
  }
}

extension ResolutionError.Code: CustomStringConvertible {
  /// The name of the kind, such as `notRegistered`.
  public var description: String { "\(kind)" }
}

extension ResolutionError: CustomStringConvertible {
  /// The number of ids at either end of a chain or a path that a message shows.
  private static let shownIDs = 16

  /// The message, with one line for each further fact.
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

  /// Returns the first line. For `needsAwait` and `needsMainActor` it names the builder that has to be async or on the
  /// main actor, if there is one: the innermost closure, since a declared argument is awaited for its service.
  private func message(_ details: Details) -> String {
    guard code == .needsAwait || code == .needsMainActor, let registration = content.registration,
      case let consumers = builders.outermostFirst.filter({ !$0.isSameService(as: registration) }),
      let consumer = consumers.last(where: { $0.suppliers == nil }) ?? consumers.last
    else { return details.message }
    let isOnMainActor = code == .needsMainActor
    let remedy =
      if consumer.suppliers != nil {
        ""
      } else if isOnMainActor {
        "register \"\(consumer.id)\" on the main actor or declare the dependency as an argument, and "
      } else {
        "make the builder of \"\(consumer.id)\" asynchronous or declare the dependency as an argument, and "
      }
    return
      "service \"\(consumer.id)\" needs service \"\(registration.id)\", which is built "
      + "\(isOnMainActor ? "on the main actor" : "asynchronously"); \(remedy)look \"\(consumer.id)\" up "
      + (isOnMainActor ? "there, or with `resolveAsync`" : "with `resolveAsync`")
  }

  /// Joins ids with arrows. Omits the middle of a long list.
  private static func joined(_ ids: [String]) -> String {
    guard ids.count > 2 * shownIDs else { return ids.joined(separator: " -> ") }
    let middle = ["(\(ids.count - 2 * shownIDs) more)"]
    return (ids.prefix(shownIDs) + middle + ids.suffix(shownIDs)).joined(separator: " -> ")
  }
}

/// The services that were being built when an error was thrown. Adding one takes constant time.
struct BuilderChain: Sendable {
  /// A full part of the chain. A node has many services, so that the release of the list does not recurse far.
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
  /// The first service that was added.
  private(set) var innermost: Registration?
  /// A service without run-time arguments whose builder called itself; `nil` if there is none.
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
    if innermost == nil { innermost = registration }
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
  /// Returns whether this is the same service as another one, or a decorator of it.
  func isSameService(as other: Registration) -> Bool {
    if self === other { return true }
    guard let name, name == other.name, home === other.home else { return false }
    return decorator != nil || other.decorator != nil || traits.contains(.isDecorated)
      || other.traits.contains(.isDecorated)
  }

  /// Returns the ids of some services, with long type names for unnamed ones whose types have the same short name.
  static func names(of registrations: [Registration]) -> [String] {
    var types: [String: Set<ObjectIdentifier>] = [:]
    for registration in registrations where registration.isUnnamed {
      types[registration.id, default: []].insert(ObjectIdentifier(registration.factory.productType))
    }
    return registrations.map { registration in
      let id = registration.id
      guard registration.isUnnamed, let namesakes = types[id], namesakes.count > 1 else { return id }
      return TypeName.longName(of: registration.factory.productType)
    }
  }
}
