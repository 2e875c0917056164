// SPDX-License-Identifier: Apache-2.0

/// A parameter that a condition compares.
package struct ConditionUse: Sendable {
  /// The parameter, with the token that names it.
  package var parameter: Token
  /// The service that has the condition.
  package var service: Name
}

/// Evaluates the conditions of services against the final parameters.
struct ConditionPass {
  /// The result of evaluating a condition.
  enum Outcome {
    /// The condition holds.
    case holds
    /// The condition does not hold.
    case fails
    /// The condition depends on something that was reported as an error.
    case unknown
  }

  /// The parameters that conditions compare, each with the service that has the condition.
  private(set) var uses: [ConditionUse] = []
  /// The findings.
  private(set) var bag = DiagnosticBag()
  /// The names of the load.
  private let names: NameTable
  /// The environment, or `nil` if there is none.
  private let environment: String?
  /// The environments that the module declares, or `nil` if they are not known.
  private let environments: [EnvironmentDeclaration]?
  /// Their names.
  private lazy var environmentNames = (environments ?? []).map(\.name)
  /// The names of the declared environments. Made only for a condition that names one, since a module may have many
  /// environments, each with a pass of its own.
  private lazy var declared = Set(environmentNames.map(ScalarString.init))
  private var parameters: [Name: ComposedParameter] = [:]
  /// The values of the parameters that conditions compared so far; `nil` for a parameter without a value.
  private var values: [Name: Value?] = [:]
  /// The declared environments, as candidates for suggestions.
  private lazy var environmentIndex = SuggestionIndex(environmentNames)
  /// The parameters whose missing sources have been reported.
  private var reported: Set<Name> = []
  /// The finding for each parameter without a value.
  private let missing: [Name: Finding]

  /// Creates a pass over the conditions of a composition.
  ///
  /// - Parameters:
  ///   - missing: The finding for each parameter whose variable or file is missing.
  ///   - environments: The environments that the module declares, or `nil` if they are not known.
  init(
    _ module: MergedModule, parameters: [ComposedParameter], missing: [Name: Finding], environment: String?,
    environments: [EnvironmentDeclaration]?
  ) {
    self.missing = missing
    names = module.names
    self.environment = environment
    self.environments = environments
    for parameter in parameters { self.parameters[parameter.name] = parameter }
  }

  /// Evaluates the condition of a service. Reports every mistake in it, even if the rest decides the outcome.
  mutating func outcome(of condition: Condition, of service: Name) -> Outcome {
    noteUses(in: condition, of: service)
    return outcome(of: condition)
  }

  /// Records the parameters that the condition of a service compares.
  mutating func noteUses(in condition: Condition, of service: Name) {
    for (parameter, _) in condition.comparisons where parameters[parameter.name] != nil {
      uses.append(ConditionUse(parameter: parameter, service: service))
    }
  }

  /// Evaluates a condition.
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

  /// Evaluates a list of conditions: `unknown` if one is unknown, else `decisive` if one is that, else `other`.
  private mutating func outcome(
    of conditions: [Condition], decidedBy decisive: Outcome, else other: Outcome
  ) -> Outcome {
    var outcomes: [Outcome] = []
    for condition in conditions { outcomes.append(outcome(of: condition)) }
    if outcomes.contains(.unknown) { return .unknown }
    return outcomes.contains(decisive) ? decisive : other
  }

  /// Evaluates whether the environment is one of those that a condition names. Reports unknown environments.
  private mutating func outcome(ofEnvironments tokens: [Token]) -> Outcome {
    var outcome = Outcome.fails
    for token in tokens {
      let name = names[token.name]
      if !declared.contains(ScalarString(name)) {
        if environments != nil {
          let near = environmentIndex.suggestions(for: name)
          bag.report(.unknownEnvironment(name, near: near, environmentNames, at: token.node))
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
  /// Evaluates whether a parameter has the value that a condition names.
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

  /// Reports the missing variables and files that a parameter depends on, directly or through placeholders.
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
  /// Adds suggestions to the findings about unknown parameters.
  mutating func suggest(_ history: History) {
    bag.suggest(
      among: parameters.keys.map { names[$0] }, for: .unknownCondition,
      removal: { [names] in history.removal(of: $0, in: [.parameters], names) })
  }
}

extension Finding {
  /// A condition on an environment that the module does not declare.
  fileprivate static func unknownEnvironment(
    _ name: String, near: [String], _ declared: [String], at node: NodeRef
  ) -> Finding {
    var finding = Finding(.unknownCondition, "condition refers to unknown environment \"\(name)\"", at: node)
    finding.suggest(
      near,
      orElse: declared.isEmpty ? "the module declares no environments" : "declared environments: " + declared.quotedList
    )
    return finding
  }

  /// A condition on a parameter that does not exist.
  fileprivate static func unknownConditionParameter(_ id: String, at node: NodeRef) -> Finding {
    var finding = Finding(
      .unknownCondition, "condition refers to unknown parameter \"\(id)\"", at: node, label: "no parameter has this id",
      subject: id)
    finding.possibleCauses = [Section.parameters.rawValue]
    return finding
  }

  /// A condition with a literal that is not of the parameter's type, so that the two are never equal.
  fileprivate static func neverEqual(_ id: String, _ type: ParameterType, at node: NodeRef) -> Finding {
    var finding = Finding.typeMismatch(node, type)
    finding.notes = ["the condition compares it with parameter \"\(id)\""]
    return finding
  }
}
