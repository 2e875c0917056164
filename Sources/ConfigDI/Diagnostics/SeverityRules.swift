// SPDX-License-Identifier: Apache-2.0

/// What the files of a module say about its warnings: which are suppressed, and which are errors.
///
/// Errors cannot be changed, so that no module loads that is not sound.
package struct SeverityRules: Sendable {
  /// What the entry module says about all warnings of a code.
  package struct Setting: Sendable {
    /// The code.
    package let code: DiagnosticCode
    /// The severity of its warnings; nil: they are suppressed.
    package let severity: Severity?
    /// Why, or nil.
    package let reason: String?
    /// The key that names the code.
    package let key: NodeRef
  }

  /// What a file says about the warnings of a code in one of its maps.
  package struct Suppression: Sendable {
    /// The code.
    package let code: DiagnosticCode
    /// Why.
    package let reason: String
    /// The key that names the code.
    package let key: NodeRef
    /// The nodes of the file whose warnings are suppressed.
    package let nodes: Range<UInt32>
  }

  /// What distinguishes suppressions that cannot hold for the same warning.
  private struct Scope: Hashable {
    let code: DiagnosticCode
    let file: FileID
  }

  /// The severity of a finding, or its suppression.
  enum Verdict {
    /// It is shown, with a note about who made it an error.
    case shown(Severity, note: String?)
    /// It is suppressed, by what a key says.
    case suppressed(by: NodeRef, reason: String)
  }

  /// Whether every environment that the module declares was checked: only then it is known what is unused in all of them.
  package var isComplete = true
  /// Whether the registered types are known.
  package var knowsTypes = false
  /// What the entry module says, by code.
  private var settings: [DiagnosticCode: Setting] = [:]
  /// What the files say, by code and file, ascending by their first nodes: that of the whole file, then those of entries,
  /// which do not overlap.
  private var suppressions: [Scope: [Suppression]] = [:]

  /// The files say nothing.
  package init() {}

  /// What some files say.
  package init(settings: [Setting], suppressions: some Sequence<Suppression>) {
    for setting in settings { self.settings[setting.code] = setting }
    for suppression in suppressions {
      self.suppressions[Scope(code: suppression.code, file: suppression.key.file), default: []].append(suppression)
    }
    for scope in self.suppressions.keys {
      self.suppressions[scope]?.sort { $0.nodes.lowerBound < $1.nodes.lowerBound }
    }
  }

  /// Whether the files say nothing.
  package var isEmpty: Bool { settings.isEmpty && suppressions.isEmpty }
}

extension SeverityRules {
  /// The severity of a finding, or its suppression. What stands nearest to it decides.
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
    // What is unused in one environment may be used in another, and an application loads one of them.
    guard severity == .error, isComplete || !code.needsAllEnvironments else { return .shown(.warning, note: nil) }
    return .shown(.error, note: SeverityRules.note(setting))
  }

  /// The places whose entries may suppress a warning: where it stands, and if that depends on the ids of the services that it
  /// is about, at each of these, so that a new service with a smaller id takes no suppression away.
  private func places(of finding: Finding) -> [Place] {
    [finding.place] + (finding.code == .ambiguousType ? finding.related.map(\.place) : [])
  }

  /// What an entry says about a warning, or else the file.
  private func nearestSuppression(of code: DiagnosticCode, at place: Place) -> Suppression? {
    guard case .node(let node) = place, let found = suppressions[Scope(code: code, file: node.file)] else { return nil }
    let behind = found.partitioningIndex { $0.nodes.lowerBound > node.node }
    if behind > 0, found[behind - 1].nodes.contains(node.node) { return found[behind - 1] }
    return found.first.flatMap { $0.nodes.contains(node.node) ? $0 : nil }
  }

  /// The severity of the findings of a code that are shown.
  func severity(of code: DiagnosticCode) -> Severity {
    let finding = Finding(code, "", at: .commandLine(path: ""))
    if case .shown(let severity, _) = verdict(on: finding) { return severity }
    return code.severity
  }

  /// The warnings about suppressions that were not needed, in no order.
  ///
  /// Only a check of all environments knows that, and for what types decide only one that knows these.
  ///
  /// - Parameter used: The keys of what suppressed something.
  func idleSuppressions(butFor used: Set<NodeRef>) -> [Finding] {
    guard isComplete, !isEmpty else { return [] }
    var idle = suppressions.values.joined().map { ($0.code, $0.key) }
    idle += settings.values.filter { $0.severity == nil }.map { ($0.code, $0.key) }
    return idle.filter { code, key in !used.contains(key) && isDecided(code) }.map {
      .idleSuppression(of: $0, at: $1)
    }
  }

  /// Whether it is known that there is no warning of a code where none was reported.
  private func isDecided(_ code: DiagnosticCode) -> Bool {
    switch code {
    // A suppression of these warnings cannot be idle by itself.
    case .idleSuppression: false
    case .deprecated, .ambiguousType: knowsTypes
    case .looksLikeReference: !knowsTypes
    default: true
    }
  }
}

// MARK: - Messages

extension SeverityRules {
  /// Why a warning is an error.
  private static func note(_ setting: Setting) -> String {
    let reason = setting.reason.map { ": \($0)" } ?? ""
    return "\"diagnostics\" of the entry module makes \(setting.code) an error\(reason)"
  }
}

extension Finding {
  /// A suppression that was not needed.
  fileprivate static func idleSuppression(of code: DiagnosticCode, at key: NodeRef) -> Finding {
    Finding(
      .idleSuppression, "there is no warning \(code) to suppress here", at: key, help: "remove the suppression",
      replacement: .removal)
  }
}
