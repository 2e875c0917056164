// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// A fact that differs between two environments is in their difference, and the explanation names its file and line.
@Suite struct ChangedFactTests {
  @Test func `every changed fact is reported with its location`() throws {
    for seed in 0..<LongTests.size(ChangedFact.kindCount, full: 500) {
      let fact = ChangedFact(seed: seed)
      let what = "seed \(seed): \(fact.kind)\n\(fact.files)"
      let module = LoadedModule(MemoryFiles(texts: fact.files), LoadedModule.Options(variables: fact.variables))
      let graphs = module.check.compositions.map(\.graph)
      guard let dev = graphs.first ?? nil, let prod = graphs.last ?? nil else {
        Issue.record("\(what)\n\(module.findingsText)")
        continue
      }
      check(ModuleDifference(from: ResolvedModule(dev), to: ResolvedModule(prod)), of: fact, what)
      check(Explainer(dev), "dev", of: fact, what)
      check(Explainer(prod), "prod", of: fact, what)
    }
  }

  /// Checks that a difference shows the fact.
  private func check(_ difference: ModuleDifference, of fact: ChangedFact, _ what: String) {
    let section = difference.sections.first { $0.name.rawValue == fact.differing.section }?.section
    if let path = fact.path {
      let changes = section?.changed.first { $0.id == fact.differing.id }?.changes ?? []
      #expect(changes.contains { $0.path == path || $0.path.hasPrefix(path + ".") }, "\(what)\n\(difference)")
    } else {
      let ids = (section?.added ?? []) + (section?.removed ?? [])
      #expect(ids == [fact.differing.id], "\(what)\n\(difference)")
    }
    let report = DifferenceReport(difference, from: "dev", to: "prod")
    for secret in fact.secrets {
      #expect(!(report.text() + report.markdown() + JSONWriter.text(of: report.value)).contains(secret), "\(what)")
    }
    // No reported change has equal values.
    for change in difference.sections.flatMap(\.section.changed).flatMap(\.changes) where !change.isSecret {
      #expect(change.from != change.to, "\(what)\n\(change)")
    }
  }

  /// Checks that the explanation in an environment names the file and line of the fact, if its layer sets the fact.
  private func check(_ explainer: Explainer, _ environment: String, of fact: ChangedFact, _ what: String) {
    let explanation = explainer.explanation(of: fact.explained)
    let text = explanation.map { $0.text() + JSONWriter.text(of: $0.value) } ?? ""
    for secret in fact.secrets { #expect(!text.contains(secret), "\(what)\n\(text)") }
    guard let place = fact.places.first(where: { $0.environment == environment }) else {
      #expect(!text.contains("\(environment).json:"), "\(what)\n\(text)")
      return
    }
    let location: Diagnostic.Location? =
      switch fact.answer {
      case .part(let path): explanation?.decisions.first { $0.path == path || $0.path.hasPrefix(path + ".") }?.location
      case .removed(let path): explanation?.removals.first { $0.path == path }?.location
      case .removedEntry: explanation?.removals.first { $0.path.isEmpty }?.location
      case .condition: explanation?.condition?.location
      }
    #expect(location?.file == place.file && location?.start?.line == place.line, "\(what)\n\(text)")
    #expect(text.contains("\(place.file):\(place.line)"), "\(what)\n\(text)")
    guard let path = fact.user else { return }
    let value = explainer.explanation(of: "services.user")?.decisions.first { $0.path.hasPrefix(path) }
    #expect(value?.names(place.file, place.line) == true, "\(what)\n\(String(describing: value))")
  }
}

extension Explanation.Decision {
  /// Returns whether the decision, or one from which its value comes, names a file and line.
  fileprivate func names(_ file: String, _ line: Int) -> Bool {
    let locations = [location, source?.location].compactMap(\.self)
    return locations.contains { $0.file == file && $0.start?.line == line } || from.contains { $0.names(file, line) }
  }
}
