// SPDX-License-Identifier: Apache-2.0
// The fuzzers compile this file together with the library as one module, without its imports of the library.
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

extension LoadInput {
  /// The name of an environment variable and the key of a configuration value that every load has.
  static let secretName = "SECRET"
  /// The text of both. If all parameters that read them are secret, no output may contain five successive characters of
  /// it.
  static let secret = "qZ7Xw9KvJ3"

  /// The pieces of the secret that no output may contain.
  private static let pieces = (0...secret.count - 5).map { secret.dropFirst($0).prefix(5) }

  /// Returns whether some bytes contain a piece of the secret themselves.
  static func holdsSecret(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return pieces.contains { text.contains($0) }
  }

  /// Returns the outputs of a check that contain a piece of the secret, or none if an environment reads the secret as a
  /// value that may be shown.
  static func leaks(of check: ModuleCheck) -> [String] {
    let uses = TextSource.Kind.allCases.compactMap { check.summary.sourceUses[$0][ScalarString(secretName)] }
    guard !uses.isEmpty, uses.allSatisfy(\.isSecret) else { return [] }
    return outputs(of: check).filter { output in pieces.contains { output.contains($0) } }.map { "leaks: \($0)" }
  }

  /// Returns the output of the tool's commands about a module, in each format.
  static func outputs(of check: ModuleCheck) -> [String] {
    let findings = check.diagnostics
    var writer = JSONWriter()
    JSONRenderer.write(findings + check.suppressed, to: &writer)
    var outputs = [
      writer.text, check.renderer().text(of: findings), GitHubRenderer.text(of: findings),
      XcodeRenderer(workingFolder: "/").text(of: findings),
      SARIFRenderer(toolVersion: "1.0.0", workingFolder: "/").text(of: findings, suppressed: check.suppressed),
    ]
    for graph in check.compositions.compactMap(\.graph) {
      let resolved = ResolvedModule(graph)
      let diagram = WiringDiagram(of: resolved)
      let listing = ModuleListing(of: resolved)
      let explainer = Explainer(graph)
      outputs += [
        JSONWriter.text(of: resolved.value), JSONWriter.text(of: resolved.moduleFile), diagram.dot, diagram.mermaid,
        JSONWriter.text(of: listing.value(of: ModuleListing.Part.allCases)),
      ]
      for explanation in explainer.ids.compactMap({ explainer.explanation(of: $0) }) {
        outputs += [explanation.text(), JSONWriter.text(of: explanation.value)]
      }
    }
    return outputs
  }
}
