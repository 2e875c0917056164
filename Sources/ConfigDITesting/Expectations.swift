// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
  public import ConfigDI
  public import Testing

  /// Expects that a module has no errors in any of its environments, checked against its registry, and that no mistake
  /// was made while the registry was filled.
  ///
  /// ```swift
  /// @Test func deployments() { expectValid(.shop) }
  /// ```
  ///
  /// Missing variables and files of parameters are not reported. Outside of a test of Swift Testing, where issues get lost,
  /// such as in one of XCTest, this stops the program if there is something to report: use `TestModule.validate`.
  ///
  /// - Parameters:
  ///   - module: The module. Its environment is ignored.
  ///   - environments: The environments to check; `nil` for all that the module declares, or for the module alone if it
  ///     declares none.
  ///   - strictly: Whether warnings count as errors.
  ///   - awaits: Whether the application awaits the load; if not, eager services that have to be awaited are errors.
  /// - Returns: all findings, as in `LoadError.diagnostics`.
  @discardableResult public func expectValid(
    _ module: TestModule, environments: [String]? = nil, strictly: Bool = false, awaits: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Diagnostic] {
    module.recordRegistryMistakes(sourceLocation)
    let check = module.check(environments, awaits: awaits)
    if !check.passes(strictly: strictly) { record(LoadError(check).description, sourceLocation) }
    return check.diagnostics
  }

  /// Expects that a module has exactly the given findings, in all of its environments together, and that no mistake was
  /// made while its registry was filled.
  ///
  /// ```swift
  /// @Test func aMisspeltReferenceIsFound() {
  ///   expectFindings(.unknownService, in: TestModule(text: misspelt, registry: makeRegistry()))
  /// }
  /// ```
  ///
  /// Outside of a test of Swift Testing, this stops the program if the findings are others.
  ///
  /// - Parameters:
  ///   - codes: The codes of the findings, in any order, each as often as it is found.
  ///   - module: The module. Its environment is ignored.
  ///   - environments: The environments to check; `nil` for all that the module declares, or for the module alone if it
  ///     declares none.
  /// - Returns: all findings, as in `LoadError.diagnostics`.
  @discardableResult public func expectFindings(
    _ codes: DiagnosticCode..., in module: TestModule, environments: [String]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Diagnostic] {
    module.recordRegistryMistakes(sourceLocation)
    let check = module.check(environments)
    let found = check.diagnostics.map(\.code).sorted()
    if found != codes.sorted() {
      record("expected \(codes.sorted()), found \(found)\n\(LoadError(check))", sourceLocation)
    }
    return check.diagnostics
  }

  extension TestModule {
    /// Records the mistakes of the registry, with which a load would fail.
    fileprivate func recordRegistryMistakes(_ sourceLocation: SourceLocation) {
      do { try registry.validate() } catch { record("\(error)", sourceLocation) }
    }
  }

  /// Records an issue of the running test. Stops the program if there is none, since the issue would get lost, and a test
  /// of XCTest would pass.
  private func record(_ problem: String, _ sourceLocation: SourceLocation) {
    if Test.current != nil {
      Issue.record("\(problem)", sourceLocation: sourceLocation)
      return
    }
    fatalError(
      """
      \(problem)

      This is not reported, since the code at \(sourceLocation) is not run by a test of Swift Testing. In a test of XCTest, \
      call `try module.validate()`, which throws the findings.
      """)
  }
#endif
