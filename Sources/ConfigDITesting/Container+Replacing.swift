// SPDX-License-Identifier: Apache-2.0

public import ConfigDI

extension Container {
  /// Replaces a service by an instance, such as a mock, in all look-ups and arguments.
  ///
  /// As in module files, the service must exist, and the replacement must provide the same types. If the service, or
  /// something that holds an instance of it, is already built, also in a child, this throws: a mock is never silently too
  /// late.
  ///
  /// ```swift
  /// let mailer = MailerMock()
  /// try Container.current.replace(named: "mailer", with: mailer)
  /// ```
  ///
  /// The instance replaces the service together with its decorators, until a reload builds the module's service again.
  /// The container does not know of uncached instances that a service of code retains, nor of those that a `Lazy` has made.
  /// A look-up of a transient service that is in flight may still return the old instance.
  ///
  /// - Parameters:
  ///   - name: The id of the service: its name, or the name of its type if code gave no name. A child does not replace
  ///     services of its parent.
  ///   - instance: The instance.
  /// - Throws: an error that says why the service was not replaced.
  public func replace<Service: Sendable>(
    named name: String, with instance: Service, fileID: String = #fileID, line: Int = #line
  ) throws {
    try replace(named: name, with: instance, origin: Origin(file: fileID, line: line))
  }
}
