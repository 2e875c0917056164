// SPDX-License-Identifier: Apache-2.0

public import ConfigDI

extension Container {
  /// Has an instance, such as a mock, answer wherever a service would have.
  ///
  /// The rule is that of the module files: what is replaced must be there, and what replaces it must provide the same types. A
  /// mock is never silently late: where the service was built already, or something that holds an instance of it, that is an
  /// error.
  ///
  /// ```swift
  /// let mailer = MailerMock()
  /// try Container.current.replace(named: "mailer", with: mailer)
  /// ```
  ///
  /// The instance stands for the service with its decorators. What builders in code look up of a service that is not kept, and
  /// keep by themselves, is not known to the container, nor is what a `Lazy` has made of one.
  ///
  /// - Parameters:
  ///   - name: The id of the service, or where code gave it no name that of its type. A parent's services are not replaced by
  ///     way of a child.
  ///   - instance: The instance.
  /// - Throws: an error that says why the service was not replaced.
  public func replace<Service: Sendable>(
    named name: String, with instance: Service, fileID: String = #fileID, line: Int = #line
  ) throws {
    try replace(named: name, with: instance, origin: Origin(file: fileID, line: line))
  }
}
