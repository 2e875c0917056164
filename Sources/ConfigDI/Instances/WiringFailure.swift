// SPDX-License-Identifier: Apache-2.0

/// A mismatch between a plan and a registry. A plan is made only of what was checked against the registry, so a
/// mismatch is a defect of the code that made it.
struct WiringFailure: Error, CustomStringConvertible {
  let description: String

  private init(_ description: String) { self.description = description }

  static func typeMissing(_ name: String) -> WiringFailure { .init("type \"\(name)\" is not registered") }

  static let wrongArgumentCount = WiringFailure("the plan and the builder have different numbers of arguments")

  /// The plan has an argument of another kind than the builder expects.
  static func wrongArgument(key: String) -> WiringFailure { .init("argument \"\(key)\" has the wrong kind") }

  /// A value does not convert to the type of the argument. It is not shown, since it may be secret.
  static func mismatch(key: String, _ mismatch: ValueMismatch) -> WiringFailure {
    .init("argument \"\(key)\": \(mismatch.message(isSecret: true))")
  }

  static func serviceMismatch(_ id: String, type: String) -> WiringFailure {
    .init("service \"\(id)\" does not provide \"\(type)\"")
  }

  static func wrongOrder(_ id: String) -> WiringFailure {
    .init("service \"\(id)\" comes before a service that it depends on")
  }

  static let nothingDecorated = WiringFailure("a decorated argument has no decorated instance")

  static func argumentsMissing(_ id: String) -> WiringFailure {
    .init("service \"\(id)\" requires run-time arguments, which an injection cannot pass")
  }

  static let runtimeArgumentMissing = WiringFailure("a run-time argument is missing")

  static let nothingSupplied = WiringFailure("an argument has no supplier")
}
