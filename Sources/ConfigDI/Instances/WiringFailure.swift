// SPDX-License-Identifier: Apache-2.0

/// Why a plan and a registry do not go together. A plan is made only of what was checked against the registry, so that
/// these are defects of whoever made it.
enum WiringFailure: Error {
  /// The plan names a type that is not registered.
  case typeMissing(String)
  /// The plan has another number of arguments than the builder.
  case wrongArgumentCount
  /// The plan gives an argument something of another kind than it wants.
  case wrongArgument(key: String)
  /// A value does not convert.
  case mismatch(key: String, ValueMismatch)
  /// A slot does not provide what an argument wants.
  case serviceMismatch(String, type: String)
  /// A slot stands before one that it needs.
  case wrongOrder(String)
  /// An argument wants what a decorator wraps, but there is nothing to wrap.
  case nothingDecorated
  /// An argument needs a service that itself wants run-time arguments.
  case argumentsMissing(String)
  /// A run-time argument was not brought along.
  case runtimeArgumentMissing
  /// An argument has no supplier of its own.
  case nothingSupplied
}

extension WiringFailure: CustomStringConvertible {
  var description: String {
    switch self {
    case .typeMissing(let name): "type \"\(name)\" is not registered"
    case .wrongArgumentCount: "the plan and the builder have different numbers of arguments"
    case .wrongArgument(let key): "argument \"\(key)\" has the wrong kind"
    case .mismatch(let key, let mismatch): "argument \"\(key)\": \(mismatch.description)"
    case .serviceMismatch(let id, let type): "service \"\(id)\" does not provide \"\(type)\""
    case .wrongOrder(let id): "service \"\(id)\" comes before a service that it depends on"
    case .nothingDecorated: "a decorated argument has no decorated instance"
    case .argumentsMissing(let id): "service \"\(id)\" requires run-time arguments, which an injection cannot pass"
    case .runtimeArgumentMissing: "a run-time argument is missing"
    case .nothingSupplied: "an argument has no supplier"
    }
  }
}
