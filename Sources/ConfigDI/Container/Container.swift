// SPDX-License-Identifier: Apache-2.0

/// The services of one application, each built when it is first looked up, or at the start where the module says so.
///
/// A container is made from a module file, whose services are all checked and wired before one is built; or it is made
/// empty, and code registers what there is. Both mix.
///
/// ```swift
/// let container = try Container(module: "Configs/app.json", environment: "prod", registry: registry)
/// let mailer = try container.resolve((any Mailer).self)
/// let audit: any Logger = try container.resolve(named: "logger.audit")
///
/// let other = Container()
/// other.register((any Logger).self) { ConsoleLogger() }
/// other.register { Greeter(logger: try $0.resolve()) }
/// let greeter = try other.resolve(Greeter.self)
/// ```
///
/// All of it may be called from every thread, by builders too. A service is built once however many threads ask for it,
/// and to build one holds up only those who need it. With the container, or by `dispose`, kept instances are released in the
/// reverse of the order in which they were built.
///
/// How long an instance lives, the lifetime of its service says:
///
/// - `shared`: as long as the container.
/// - `weak`: as long as somebody holds it, and as the look-up runs that built it.
/// - `transient`: each use makes a new one.
/// - `graph`: as long as the outermost look-up, within which all uses receive the same one. What a builder looks up by way of
///   its resolver belongs to that look-up; what it looks up in a container is a look-up of its own. What is put off with a
///   `Lazy` belongs to the look-up in which the `Lazy` was made: it receives the instances of that look-up which somebody
///   still holds.
/// - the name of a scope: as long as the scope is open. See `Scope`.
///
/// A builder that captures its own container keeps it alive, until `dispose`; the resolver that it is handed does not.
public final class Container: Resolving {
  /// The registrations, and what was built of them.
  @usableFromInline let core: Core
  /// The container whose services are looked up where this one has none; nil for one that is no child.
  public let parent: Container?

  /// A container without services, which code registers.
  ///
  /// - Parameter scopes: the named scopes, outermost first, that services can live in and `scope` opens.
  public init(scopes: [String] = []) {
    core = Core(scopeNames: scopes, parent: nil)
    parent = nil
  }

  /// A container without services of its own, which finds those of another one.
  ///
  /// What it registers stands before the parent's, for its own look-ups alone: the parent is never changed, and what the
  /// parent builds receives the parent's services. It has the parent's scopes, and keeps the parent alive.
  ///
  /// ```swift
  /// let tenant = Container(parent: container)
  /// tenant.register((any Theme).self) { DarkTheme() }
  /// ```
  public init(parent: Container) {
    core = Core(scopeNames: [], parent: parent.core)
    self.parent = parent
  }

  /// Wires the services of a plan. Builds none.
  ///
  /// - Parameters:
  ///   - plan: what to build, checked against the registry.
  ///   - registry: the builders.
  /// - Throws: `ResolutionError` where plan and registry do not go together, which the checks of a load exclude.
  package init(plan: CompiledPlan, registry: Registry) throws(ResolutionError) {
    core = Core(scopeNames: plan.scopes, parent: nil)
    parent = nil
    do { try core.install(plan, registry) } catch { throw ResolutionError(error) }
  }

  /// Builds the services that the module wants built at the start, and all that they need, in the plan's order.
  ///
  /// - Throws: `ResolutionError` of the first service that cannot be built; those before it stay built.
  package func start() throws(ResolutionError) { try core.start() }

  deinit { core.empty(closing: true) }

  /// Lets all instances and all registrations go.
  ///
  /// The instances that the container and its open scopes keep are released in the reverse of the order in which they were
  /// built, those of scopes first. `onDispose` is called once for each, just before. Afterwards each look-up throws, also in
  /// children, scopes, `Lazy` and `Provider`; calling this again does nothing.
  ///
  /// May be called while other threads look services up: they receive an instance or an error, and what they are about to
  /// receive is released after they have.
  public func dispose() { core.empty(closing: true) }

  /// Lets all instances go, as `dispose` does, and keeps the registrations: the next look-ups build anew.
  ///
  /// Open scopes stay open, without their instances. An instance that was registered as such stays.
  public func reset() { core.empty(closing: false) }
}
