// SPDX-License-Identifier: Apache-2.0

/// The services by the names by which they can be looked up, and the bindings that decide among several.
struct ProviderIndex {
  /// The services of each name, ascending; a misshapen one provides nothing.
  private var services: [String: [Int]] = [:]
  /// The service that a binding gives each name.
  private var bound: [String: Int] = [:]
  /// The names whose binding leads nowhere, which is told where it stands.
  private var dead: Set<String> = []

  /// The providers of a module.
  init(_ definition: ModuleDefinition, _ types: RegisteredTypes?) {
    for (place, service) in definition.services.enumerated() where !service.isMisshapen {
      let type = service.declaration.type.flatMap { types?[$0.name] }
      for name in service.provides(of: type, definition.names) { services[name, default: []].append(place) }
    }
    for binding in definition.bindings {
      let name = definition.names[binding.name]
      if let service = binding.service {
        bound[name] = service
      } else if binding.excluded == nil {
        dead.insert(name)
      }
    }
  }

  /// The services that provide a name, ascending, one of them excepted.
  func all(_ name: String, except consumer: Int?) -> [Int] { (services[name] ?? []).filter { $0 != consumer } }

  /// The services that could answer for a name: the bound one, else all that provide it; nil where the binding is broken.
  func candidates(_ name: String, except consumer: Int?) -> [Int]? {
    if let service = bound[name], service != consumer { return [service] }
    return dead.contains(name) ? nil : all(name, except: consumer)
  }
}

extension ComposedService {
  /// The names by which the service is looked up, each once: what the file says of them and the type, where that is known,
  /// provides; where the file says nothing, all of the type.
  func provides(of type: TypeDescriptor?, _ names: NameTable) -> [String] {
    guard let said = declaration.provides?.appended else { return type?.provides ?? [] }
    var seen: Set<Name> = []
    let texts = said.filter { seen.insert($0.name).inserted }.map { names[$0.name] }
    return type.map { type in texts.filter(type.provides.contains) } ?? texts
  }
}

// MARK: - Binding by type

extension ReferenceLinker {
  /// The arguments of a holder that are bound by type, descending by key: the required ones that no file names.
  func autowiredArguments(of holder: Holder) -> [ArgumentDescriptor] {
    guard holder.isAutowired, let type = holder.argumentType else { return [] }
    let arguments = type.arguments.filter { argument in
      guard case .service = argument.kind else { return false }
      return !argument.isOptional && !argument.hasDefault
    }
    guard !arguments.isEmpty else { return [] }
    let given = Set((holder.inject + holder.declaredValues).map(\.name))
    return
      arguments
      .filter { argument in definition.names.existingName(argument.key).map { !given.contains($0) } ?? true }
      .sorted { $1.key.utf8.lexicographicallyPrecedes($0.key.utf8) }
  }

  /// Binds an argument of a holder by its type; none or several candidates for a single service are told.
  mutating func bind(_ argument: ArgumentDescriptor, of holder: inout Holder, _ link: Link) {
    guard case .service(let wanted, let wrapper) = argument.kind else { return }
    var link = link
    link.injection = holder.injections.count
    link.access = wrapper == .lazy ? .lazy : wrapper == .provider ? .provider : .immediate
    var reference = LinkedReference.broken
    switch wrapper {
    case .list, .map:
      let services = providers.all(wanted, except: link.service)
      guard spend(services.count, at: holder.key) else { break }
      for service in services { addEdge(to: service, link, wrapper == .map ? .map : .list, at: holder.key) }
      let references = services.map { LinkedReference.service($0, holder.key) }
      reference =
        wrapper == .list
        ? .list(references, holder.key)
        : .map(
          zip(services, references).map {
            LinkedReference.Entry(key: definition.names[definition.services[$0].name], reference: $1)
          }, holder.key)
    case .direct, .lazy, .provider:
      guard let candidates = providers.candidates(wanted, except: link.service) else { break }
      if candidates.count == 1 {
        addEdge(to: candidates[0], link, .direct, at: holder.key)
        reference = .service(candidates[0], holder.key)
      } else {
        if !candidates.isEmpty { ambiguousNames.insert(wanted) }
        let ids = candidates.map { definition.names[definition.services[$0].name] }
        bag.report(.notOneCandidate(holder, argument.key, wanted, ids))
      }
    }
    holder.injections.append(
      LinkedInjection(key: argument.key, node: holder.key, isAutowired: true, reference: reference))
  }
}

// MARK: - Messages

extension Finding {
  /// How many candidates a message names at most.
  private static let shownCandidates = 16

  /// An argument for which there is no service, or more than one.
  fileprivate static func notOneCandidate(
    _ holder: Holder, _ key: String, _ wanted: String, _ candidates: [String]
  ) -> Finding {
    let what = "the argument \"\(key)\" of \(holder.inWords)"
    var finding: Finding
    if candidates.isEmpty {
      finding = Finding(.noCandidate, "\(what) wants \"\(wanted)\", which no service provides", at: holder.key)
      finding.help = "add \"\(key)\" to \"inject\", or a service that provides \"\(wanted)\""
    } else {
      let rest = candidates.count - shownCandidates
      let list = candidates.prefix(shownCandidates).quotedList + (rest > 0 ? " and \(rest) more" : "")
      finding = Finding(
        .severalCandidates, "\(what) wants \"\(wanted)\", which several services provide: \(list)", at: holder.key)
      finding.help = "add \"\(key)\" to \"inject\", or \"\(wanted)\" to \"bindings\""
    }
    finding.subject = "\(holder.inWords) \(key)"
    return finding
  }
}
