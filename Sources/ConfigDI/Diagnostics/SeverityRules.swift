// SPDX-License-Identifier: Apache-2.0

/// The rules of a module's files for its warnings: which are suppressed, and which are errors.
///
/// The severity of errors cannot be changed, so no module that has errors can be loaded.
package struct SeverityRules: Sendable {
  /// A rule of the entry module for all warnings with a code.
  package struct Setting: Sendable {
    /// The code.
    package let code: DiagnosticCode
    /// The severity of the warnings; `nil` if they are suppressed.
    package let severity: Severity?
    /// The reason, or `nil`.
    package let reason: String?
    /// The key that names the code.
    package let key: NodeRef
  }

  /// A suppression of the warnings with a code in one map of a file.
  package struct Suppression: Sendable {
    /// The code.
    package let code: DiagnosticCode
    /// The reason.
    package let reason: String
    /// The key that names the code.
    package let key: NodeRef
    /// The nodes of the file whose warnings are suppressed.
    package let nodes: Range<UInt32>
  }

  /// A key for grouping suppressions. A warning can match only suppressions with the same key.
  private struct Scope: Hashable {
    let code: DiagnosticCode
    let file: FileID
  }

  /// The severity of a finding, or the suppression that applies to it.
  enum Verdict {
    /// The finding is shown. The note tells what made it an error.
    case shown(Severity, note: String?)
    /// The finding is suppressed by the entry of a key.
    case suppressed(by: NodeRef, reason: String)
  }

  /// Whether all declared environments were checked. Otherwise it is not known what is unused in all of them.
  package var isComplete = true
  /// Whether the registered types are known.
  package var knowsTypes = false
  /// The rules of the entry module, by code.
  private var settings: [DiagnosticCode: Setting] = [:]
  /// The suppressions by code and file, in ascending order of their first nodes. The one of the whole file comes first,
  /// then those of entries, which do not overlap.
  private var suppressions: [Scope: [Suppression]] = [:]

  /// Creates rules that change nothing.
  package init() {}

  /// Creates the rules of some files.
  package init(settings: [Setting], suppressions: [Suppression]) {
    for setting in settings { self.settings[setting.code] = setting }
    for suppression in suppressions {
      self.suppressions[Scope(code: suppression.code, file: suppression.key.file), default: []].append(suppression)
    }
    self.suppressions = self.suppressions.mapValues { $0.ascending(by: \.nodes.lowerBound) }
  }

  /// Whether there are no rules.
  package var isEmpty: Bool { settings.isEmpty && suppressions.isEmpty }
}

extension SeverityRules {
  /// Returns the severity of a finding, or the suppression that applies. The rule nearest to the finding takes
  /// precedence.
  func verdict(on finding: Finding) -> Verdict {
    let code = finding.code
    guard code.severity == .warning, !isEmpty else { return .shown(code.severity, note: nil) }
    if let nearest = places(of: finding).lazy.compactMap({ nearestSuppression(of: code, at: $0) }).first {
      return .suppressed(by: nearest.key, reason: nearest.reason)
    }
    guard let setting = settings[code] else { return .shown(.warning, note: nil) }
    guard let severity = setting.severity else {
      return .suppressed(by: setting.key, reason: setting.reason ?? "")
    }
    // An entry that is unused in one environment may be used in another, and an application loads only one of them.
    guard severity == .error, isComplete || !code.needsAllEnvironments else { return .shown(.warning, note: nil) }
    return .shown(.error, note: SeverityRules.note(setting))
  }

  /// Returns the places at which a warning may be suppressed. If its own place depends on the ids of the services that
  /// it is about, these are the places of all of them, so that a new service with a smaller id ends no suppression.
  private func places(of finding: Finding) -> [Place] {
    [finding.place] + (finding.code == .ambiguousType ? finding.related.map(\.place) : [])
  }

  /// Returns the suppression of a warning by the entry at a place, or else by the whole file.
  private func nearestSuppression(of code: DiagnosticCode, at place: Place) -> Suppression? {
    guard case .node(let node) = place, let found = suppressions[Scope(code: code, file: node.file)] else { return nil }
    let behind = found.partitioningIndex { $0.nodes.lowerBound > node.node }
    if behind > 0, found[behind - 1].nodes.contains(node.node) { return found[behind - 1] }
    return found.first.flatMap { $0.nodes.contains(node.node) ? $0 : nil }
  }

  /// Returns the severity of findings with a code that are shown.
  func severity(of code: DiagnosticCode) -> Severity {
    let finding = Finding(code, "", at: .commandLine(path: ""))
    if case .shown(let severity, _) = verdict(on: finding) { return severity }
    return code.severity
  }

  /// Returns warnings about suppressions that suppressed nothing, in no particular order.
  ///
  /// Only a check of all environments can determine this. For codes that depend on types, the types must be known.
  ///
  /// - Parameter used: The keys of the suppressions that suppressed something.
  func idleSuppressions(butFor used: Set<NodeRef>) -> [Finding] {
    guard isComplete, !isEmpty else { return [] }
    var idle = suppressions.values.joined().map { ($0.code, $0.key) }
    idle += settings.values.filter { $0.severity == nil }.map { ($0.code, $0.key) }
    return idle.filter { code, key in !used.contains(key) && isDecided(code) }.map {
      .idleSuppression(of: $0, at: $1)
    }
  }

  /// Returns whether the absence of a warning with this code is certain if none was reported.
  private func isDecided(_ code: DiagnosticCode) -> Bool {
    switch code {
    // Suppressions of these warnings are not reported as idle themselves.
    case .idleSuppression: false
    case .deprecated, .ambiguousType: knowsTypes
    case .looksLikeReference: !knowsTypes
    default: true
    }
  }
}

// MARK: - Messages

extension SeverityRules {
  /// Returns a note that explains why a warning is an error.
  private static func note(_ setting: Setting) -> String {
    let reason = setting.reason.map { ": \($0)" } ?? ""
    return "\"diagnostics\" of the entry module makes \(setting.code) an error\(reason)"
  }
}

extension Finding {
  /// Returns the warning about a suppression that suppressed nothing.
  fileprivate static func idleSuppression(of code: DiagnosticCode, at key: NodeRef) -> Finding {
    Finding(
      .idleSuppression, "there is no warning \(code) to suppress here", at: key, help: "remove the suppression",
      replacement: .removal)
  }
}
