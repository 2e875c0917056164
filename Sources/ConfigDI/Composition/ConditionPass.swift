// SPDX-License-Identifier: Apache-2.0

/// A condition on a parameter.
package struct ConditionUse: Sendable {
  /// The parameter, and the string that names it.
  package var parameter: Token
  /// The service that stands under the condition.
  package var service: Name
}

/// Decides on the final parameters which services are there.
struct ConditionPass {
  /// What a condition comes to.
  enum Outcome {
    /// It holds.
    case holds
    /// It does not.
    case fails
    /// It depends on something that was reported as an error.
    case unknown
  }

  /// The parameters that conditions name, and the strings that do.
  private(set) var uses: [ConditionUse] = []
  /// The findings.
  private(set) var bag = DiagnosticBag()
  /// The names of the load.
  private let names: NameTable
  /// The environment, or nil.
  private let environment: String?
  /// The environments that the module declares; nil where that is not known.
  private let environments: [String]?
  /// The same in UTF-8.
  private let declared: Set<[UInt8]>
  /// The parameters by name.
  private var parameters: [Name: ComposedParameter] = [:]
  /// The value of each parameter that a condition named; nil where it has none.
  private var values: [Name: Value?] = [:]
  /// The environments that are declared, ready to be suggested.
  private lazy var environmentIndex = SuggestionIndex(environments ?? [])
  /// The parameters of which it was reported already what is missing behind them.
  private var reported: Set<Name> = []
  /// The finding for each parameter without a value.
  private let missing: [Name: Finding]

  /// A pass over the conditions of a composition.
  ///
  /// - Parameters:
  ///   - missing: The finding for each parameter whose variable or file is missing.
  ///   - environments: The environments that the module declares; nil where that is not known.
  init(
    _ module: MergedModule, parameters: [ComposedParameter], missing: [Name: Finding], environment: String?,
    environments: [String]?
  ) {
    self.missing = missing
    names = module.names
    self.environment = environment
    self.environments = environments
    declared = Set((environments ?? []).map { Array($0.utf8) })
    for parameter in parameters { self.parameters[parameter.name] = parameter }
  }

  /// What the condition of a service comes to. What is wrong in it is reported, also where the rest of it decides.
  mutating func outcome(of condition: Condition, of service: Name) -> Outcome {
    noteUses(in: condition, of: service)
    return outcome(of: condition)
  }

  /// Notes the parameters that the condition of a service names.
  mutating func noteUses(in condition: Condition, of service: Name) {
    for (parameter, _) in condition.comparisons where parameters[parameter.name] != nil {
      uses.append(ConditionUse(parameter: parameter, service: service))
    }
  }

  /// What a condition comes to.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func outcome(of condition: Condition) -> Outcome {
    switch condition {
    case .environment(let names, _, _): return outcome(ofEnvironments: names)
    case .parameter(let name, let literal, _): return outcome(ofParameter: name, equals: literal)
    case .all(let conditions, _): return outcome(of: conditions, decidedBy: .fails, else: .holds)
    case .any(let conditions, _): return outcome(of: conditions, decidedBy: .holds, else: .fails)
    case .malformed: return .unknown
    case .not(let condition, _):
      switch outcome(of: condition) {
      case .holds: return .fails
      case .fails: return .holds
      case .unknown: return .unknown
      }
    }
  }

  /// What a list of conditions comes to, of which one outcome decides for all.
  private mutating func outcome(
    of conditions: [Condition], decidedBy decisive: Outcome, else other: Outcome
  ) -> Outcome {
    var outcomes: [Outcome] = []
    for condition in conditions { outcomes.append(outcome(of: condition)) }
    if outcomes.contains(.unknown) { return .unknown }
    return outcomes.contains(decisive) ? decisive : other
  }

  /// Whether the environment is one of those that a condition names.
  private mutating func outcome(ofEnvironments tokens: [Token]) -> Outcome {
    var outcome = Outcome.fails
    for token in tokens {
      let name = names[token.name]
      if !declared.contains(Array(name.utf8)) {
        if let environments {
          let near = environmentIndex.suggestions(for: name)
          bag.report(.unknownEnvironment(name, near: near, environments, at: token.node))
        }
        outcome = .unknown
      } else if let environment, environment.utf8.elementsEqual(name.utf8), outcome == .fails {
        outcome = .holds
      }
    }
    return outcome
  }
}

// MARK: - Parameters

extension ConditionPass {
  /// Whether a parameter has the value that a condition names.
  private mutating func outcome(ofParameter token: Token, equals literal: Literal) -> Outcome {
    let id = names[token.name]
    guard let parameter = parameters[token.name] else {
      bag.report(.unknownConditionParameter(id, at: token.node))
      return .unknown
    }
    guard !parameter.isMalformed, parameter.declaration.type != nil || parameter.value.parameterType != nil else {
      return .unknown
    }
    guard let typed = parameter.type.value(ofLiteral: literal.value) else {
      bag.report(.neverEqual(id, parameter.type, at: literal.node))
      return .unknown
    }
    let value = values[parameter.name] ?? parameter.value.value
    values[parameter.name] = .some(value)
    if let value { return value.means(typed) ? .holds : .fails }
    reportMissing(behind: parameter)
    return .unknown
  }

  /// Reports the variables and files without which a parameter has no value.
  private mutating func reportMissing(behind parameter: ComposedParameter) {
    var pending = [parameter]
    while let parameter = pending.popLast() {
      guard reported.insert(parameter.name).inserted else { continue }
      if case .unset = parameter.value.content {
        if let finding = missing[parameter.name] { bag.report(finding) }
      }
      parameter.declaration.source?.literal?.forEachPlaceholder { name, _ in
        if let inner = parameters[name] { pending.append(inner) }
      }
    }
  }
}

// MARK: - Messages

extension ConditionPass {
  /// Gives unknown parameters the ids that come near.
  mutating func suggest() {
    bag.suggest(among: parameters.keys.map { names[$0] }, for: .unknownCondition)
  }
}

extension Finding {
  /// An environment in a condition that the module does not declare.
  fileprivate static func unknownEnvironment(
    _ name: String, near: [String], _ declared: [String], at node: NodeRef
  ) -> Finding {
    var finding = Finding(
      .unknownCondition, "condition refers to unknown environment \"\(name)\"", at: node)
    finding.suggest(
      near,
      orElse: declared.isEmpty ? "the module declares no environments" : "declared environments: " + declared.quotedList
    )
    return finding
  }

  /// A parameter in a condition that is not there.
  fileprivate static func unknownConditionParameter(_ id: String, at node: NodeRef) -> Finding {
    Finding(
      .unknownCondition, "condition refers to unknown parameter \"\(id)\"", at: node, label: "no parameter has this id",
      subject: id)
  }

  /// A literal that a parameter can never equal.
  fileprivate static func neverEqual(_ id: String, _ type: ParameterType, at node: NodeRef) -> Finding {
    var finding = Finding.misfit(node, type)
    finding.notes = ["the condition compares it with parameter \"\(id)\""]
    return finding
  }
}
