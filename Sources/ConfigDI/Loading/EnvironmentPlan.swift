// SPDX-License-Identifier: Apache-2.0

/// An environment that is to be checked.
struct EnvironmentTarget {
  /// The environment, or nil for the module alone.
  var name: String?
  /// What the module declares of it; nil where it declares nothing.
  var declaration: EnvironmentDeclaration?
  /// The names of all environments that the module declares.
  var declared: [String] = []
  /// Whether the environment counts as checked.
  var isChecked = true

  /// The key that declares the environment, or the beginning of the entry module.
  var node: NodeRef { declaration?.key ?? NodeRef(file: FileID(0), node: 0) }

  /// The environments of a check, in the order in which they are declared; those that are not come last.
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

/// One environment while it is being checked.
struct EnvironmentRun {
  /// The environment's name, or nil for the module alone.
  let name: String?
  /// The files in the order of composition.
  var order: CompositionOrder
  /// The findings.
  var bag: DiagnosticBag
  /// Whether the environment counts as checked.
  private(set) var isChecked: Bool

  /// Whether every file could be read.
  var isReadable: Bool { order.isReadable && isChecked }

  /// Finds the files of an environment.
  init(_ target: EnvironmentTarget, in files: inout ModuleFiles, _ request: ModuleRequest) {
    name = target.name
    var order = CompositionOrder(
      of: &files, entry: request.entry.name, environment: target.declaration, layers: request.layers)
    isChecked = target.isChecked
    if let name = target.name {
      let entry = files.entryModule
      if !entry.isUsable || entry.malformedKeys.contains(.environments) {
        // What the module declares is not known.
        isChecked = true
      } else if target.declaration == nil {
        order.report(.unknownEnvironment(name, target.declared))
      }
    }
    self.order = order
    bag = order.bag
  }
}

/// Which environments are composed: as many as the work allows, so that many environments of a large module come to an end.
struct EnvironmentPlan {
  /// The environments that are composed. What they hold counts against the work that they may be.
  private(set) var runs: [EnvironmentRun] = []
  /// The files of these environments, in the order in which they are first applied.
  private(set) var fileOrder: [FileID] = []
  /// The first environment that is not composed, and the finding that says so.
  private(set) var refusal: (EnvironmentTarget, Finding)?

  /// How many of the greatest files all environments may apply together; a file counts once for each of them.
  private static let greatestFileCount = 32
  /// The bytes that they may apply in any case.
  private static let least = 16 << 20
  /// What a file costs beside its bytes, and a finding about one.
  private static let weight = 1_024

  /// Reads the files of all environments. The first environment is always composed.
  init(of all: [EnvironmentTarget], in files: inout ModuleFiles, _ request: ModuleRequest) {
    let (product, overflow) = request.limits.fileSize.multipliedReportingOverflow(by: EnvironmentPlan.greatestFileCount)
    let limit = overflow ? Int.max : max(product, EnvironmentPlan.least)
    var rest = limit
    var seen: Set<FileID> = []
    for (place, target) in all.enumerated() {
      let run = EnvironmentRun(target, in: &files, request)
      let order = run.order
      for file in order.files {
        rest -= min(rest, files.documents[file].source.bytes.count + EnvironmentPlan.weight)
      }
      rest -= min(rest, order.bag.findings.count * EnvironmentPlan.weight)
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
  /// An environment that the module does not declare.
  fileprivate static func unknownEnvironment(_ name: String, _ declared: [String]) -> Finding {
    var finding = Finding(
      .unknownEnvironment, "unknown environment \"\(name)\"", at: .commandLine(path: ""))
    finding.help =
      SuggestionIndex.help(suggestions(for: name, among: declared))
      ?? (declared.isEmpty
        ? "the module declares no environments" : "declared environments: " + declared.quotedList)
    finding.subject = name
    return finding
  }

  /// The first environment that is not checked, as the ones before it were too much work.
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
