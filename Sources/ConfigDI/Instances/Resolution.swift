// SPDX-License-Identifier: Apache-2.0

/// One look-up, as it is handed down from builder to builder: the stores it may use, its run-time arguments, and how deep it is.
struct Resolution: Sendable {
  /// The store of the scope in which the look-up takes place; nil for none but the container.
  var scope: InstanceStore?
  /// The store of what is shared within the look-up; nil where nothing is.
  var shared: InstanceStore?
  /// The run-time arguments; nil where there are none.
  var arguments: RuntimeArguments?
  /// The builders at work, the innermost first; nil near the beginning, where they are not noted.
  var path: ResolutionPath?
  /// How many builders are at work.
  var depth = 0

  /// The same look-up without its run-time arguments, for what the builder needs.
  var withoutArguments: Resolution {
    if arguments == nil { return self }
    var copy = self
    copy.arguments = nil
    return copy
  }
}

/// The builders at work in a look-up that has become deep: a list, to find the service that recurs.
final class ResolutionPath: Sendable {
  /// The service that is being built.
  let registration: Registration
  /// What it is built for.
  let outer: ResolutionPath?

  /// From this depth on builders are noted. Shallower look-ups, nearly all of them, do without.
  private static let firstNotedDepth = 32

  /// A service that is being built, and what it is built for.
  private init(_ registration: Registration, outer: ResolutionPath?) {
    self.registration = registration
    self.outer = outer
  }

  /// Adds a builder to a look-up.
  ///
  /// Whenever the depth has doubled, the path is searched for the service, so that a cycle of services that keep no instances
  /// is found after a number of steps linear in its length. A service with run-time arguments may recur.
  ///
  /// - Throws: `ResolutionError` with the cycle where the service is found.
  static func enter(_ registration: Registration, _ resolution: inout Resolution) throws(ResolutionError) {
    resolution.depth += 1
    guard resolution.depth >= firstNotedDepth else { return }
    if resolution.depth & (resolution.depth - 1) == 0, registration.parameters.isEmpty {
      var cycle: [Registration] = [registration]
      var node = resolution.path
      while let current = node {
        cycle.append(current.registration)
        if current.registration === registration { throw .cycle(cycle.reversed()) }
        node = current.outer
      }
    }
    resolution.path = ResolutionPath(registration, outer: resolution.path)
  }
}
