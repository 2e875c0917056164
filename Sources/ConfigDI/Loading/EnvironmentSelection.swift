// SPDX-License-Identifier: Apache-2.0

/// An environment that is to be checked.
struct EnvironmentTarget {
  /// The name of the environment; `nil` for the module alone.
  var name: String?
  /// The declaration of the environment; `nil` if the module does not declare it.
  var declaration: EnvironmentDeclaration?
  /// The names of all environments that the module declares.
  var declared: [String] = []
  /// Whether the environment counts as checked.
  var isChecked = true

  /// The key that declares the environment; without a declaration, the first node of the entry module.
  var node: NodeRef { declaration?.key ?? NodeRef(file: FileID(0), node: 0) }

  /// Returns the environments of a check: the declared ones in their order, then those that are not declared.
  static func all(in files: ModuleFiles, _ wanted: [String]?) -> [EnvironmentTarget] {
    let declared = files.entryModule.environments
    let names = declared.map(\.name)
    let known = Set(names)
    let asked = wanted.map { Set($0) }
    var targets = declared.filter { asked?.contains($0.name) ?? !$0.isMalformed }
      .map { EnvironmentTarget(name: $0.name, declaration: $0, declared: names, isChecked: !$0.isMalformed) }
    var seen: Set<String> = []
    for name in wanted ?? [] where !known.contains(name) && seen.insert(name).inserted {
      targets.append(EnvironmentTarget(name: name, declared: names, isChecked: false))
    }
    if targets.isEmpty { targets.append(EnvironmentTarget(isChecked: wanted != nil || declared.isEmpty)) }
    return targets
  }
}

/// The state of checking one environment.
struct EnvironmentRun {
  /// The name of the environment; `nil` for the module alone.
  let name: String?
  /// The files in the order of composition.
  var order: CompositionOrder
  /// The findings so far.
  var bag: DiagnosticBag
  /// Whether the environment counts as checked.
  private(set) var isChecked: Bool

  /// Whether every file could be read.
  var isReadable: Bool { order.isReadable && isChecked }

  /// Finds and reads the files of an environment.
  init(_ target: EnvironmentTarget, in files: inout ModuleFiles, _ request: ModuleRequest) {
    name = target.name
    var order = CompositionOrder(of: &files, request, environment: target.declaration)
    isChecked = target.isChecked
    if let name = target.name {
      let entry = files.entryModule
      if !entry.isUsable || entry.malformedKeys.contains(.environments) {
        // It is not known which environments the module declares.
        isChecked = true
      } else if target.declaration == nil {
        order.report(.unknownEnvironment(name, target.declared))
      }
    }
    self.order = order
    bag = order.bag
  }
}

/// Chooses the environments that are composed. The total work is bounded, so that a check of many environments of a
/// large module ends in reasonable time.
struct EnvironmentSelection {
  /// The environments that are composed.
  private(set) var runs: [EnvironmentRun] = []
  /// The files of these environments, in the order of their first use.
  private(set) var fileOrder: [FileID] = []
  /// The first environment that is not composed, and the finding that reports this.
  private(set) var refusal: (EnvironmentTarget, Finding)?

  /// The limit in bytes for all environments together is this number times the greatest size of one file. A file counts
  /// once for each environment that applies it.
  private static let maximumFileCount = 32
  /// The least value of this limit, in bytes.
  private static let least = 16 << 20
  /// The bytes that each file counts in addition to its size, and that each finding about a file counts.
  private static let weight = 1_024

  /// Reads the files of the environments in order, up to the limit. The first environment is always composed.
  init(of all: [EnvironmentTarget], in files: inout ModuleFiles, _ request: ModuleRequest) {
    let (product, overflow) = request.limits.fileSize.multipliedReportingOverflow(
      by: EnvironmentSelection.maximumFileCount)
    let limit = overflow ? Int.max : max(product, EnvironmentSelection.least)
    var rest = limit
    var seen: Set<FileID> = []
    for (place, target) in all.enumerated() {
      let run = EnvironmentRun(target, in: &files, request)
      let order = run.order
      for file in order.files {
        rest -= min(rest, files.documents[file].source.bytes.count + EnvironmentSelection.weight)
      }
      rest -= min(rest, order.bag.findings.count * EnvironmentSelection.weight)
      guard rest > 0 || place == 0 else {
        let more = all.count - place - 1
        refusal = (target, .tooManyEnvironments(target.name ?? "", more: more, limit, at: target.node))
        return
      }
      for file in order.files where seen.insert(file).inserted { fileOrder.append(file) }
      runs.append(run)
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding about an environment that the module does not declare.
  fileprivate static func unknownEnvironment(_ name: String, _ declared: [String]) -> Finding {
    Finding(
      .unknownEnvironment, "unknown environment \"\(name)\"", at: .commandLine(path: ""),
      help: SuggestionIndex.help(suggestions(for: name, among: declared))
        ?? (declared.isEmpty ? "the module declares no environments" : "declared environments: " + declared.quotedList),
      subject: name)
  }

  /// Returns the finding about the first environment that is not checked because the limit is exceeded.
  fileprivate static func tooManyEnvironments(
    _ name: String, more: Int, _ limit: Int, at node: NodeRef
  ) -> Finding {
    Finding(
      .tooLarge,
      "the environments together apply files of more than \(limit) bytes: \"\(name)\""
        + (more > 0 ? " and \(more) more are not checked" : " is not checked"), at: node,
      help: "check them with --environment, some at a time")
  }
}
