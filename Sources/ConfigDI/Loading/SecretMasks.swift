// SPDX-License-Identifier: Apache-2.0

extension ModuleFiles {
  /// The literals of secret parameters, and those that conditions compare them with, by the name of their file.
  ///
  /// A parameter is secret everywhere where one file says so. Of a file that could not be read to its end, and that speaks
  /// of secrets, no text is shown: nobody knows which it is.
  package var secretMasks: [String: [TextRenderer.Mask]] {
    let secrets = secretParameters
    var masks: [String: [TextRenderer.Mask]] = [:]
    for document in documents.documents where document.hasPositions {
      let file = files[Int(document.file.index)]
      var masked: Set<Range<UInt32>> = []
      var found = file.parameters.filter { secrets.contains($0.name) }.flatMap { parameter in
        parameter.body.literals.flatMap { document.bytes(of: $0.node, besides: &masked) }.map {
          TextRenderer.Mask(range: $0, text: "<secret \(names[parameter.name])>")
        }
      }
      for (name, literal) in file.comparisons where secrets.contains(name) {
        found += document.bytes(of: literal.node, besides: &masked).map {
          TextRenderer.Mask(range: $0, text: "<secret \(names[name])>")
        }
      }
      if !file.isUsable, document.mentionsSecrets { found += document.allTexts }
      if !found.isEmpty { masks[document.source.name] = found }
    }
    return masks
  }

  /// The parameters that some file declares secret.
  private var secretParameters: Set<Name> {
    var secrets: Set<Name> = []
    for parameter in files.lazy.flatMap(\.parameters) where parameter.body.isSecret?.value == true {
      secrets.insert(parameter.name)
    }
    return secrets
  }
}

extension ModuleFile {
  /// The parameters of all sections.
  fileprivate var parameters: [Declaration<ParameterDeclaration>] {
    added.parameters + replaced.parameters + overridden.parameters
  }

  /// The parameters that conditions of the file name, each with the literal that it is compared with.
  fileprivate var comparisons: [(parameter: Name, literal: NodeRef)] {
    (added.services + replaced.services + overridden.services).flatMap { service in
      (service.body.condition?.comparisons ?? []).map { ($0.parameter.name, $0.literal.node) }
    }
  }
}

extension ParameterDeclaration {
  /// The nodes of the parameter's literals: its value, its default and what it allows.
  fileprivate var literals: [NodeRef] {
    [source?.literal?.node, fallback?.node, allowed?.node, least?.node, greatest?.node].compactMap { $0 }
  }
}

extension Document {
  /// The bytes of a node and all that it holds, and of what its aliases stand for, but for nodes met before.
  fileprivate func bytes(of node: UInt32, besides masked: inout Set<Range<UInt32>>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var pending = [node..<self[node].next]
    while let nodes = pending.popLast() {
      guard masked.insert(nodes).inserted else { continue }
      ranges.append(Int(self[nodes.lowerBound].start)..<Int(self[nodes.lowerBound].end))
      pending += copies(in: nodes).map(\.original)
    }
    return ranges
  }

  /// Whether a key of the file is `secret`.
  fileprivate var mentionsSecrets: Bool {
    nodes.indices.contains { nodes[$0].kind == .key && text(of: UInt32($0)) == Keyword.secret.text }
  }

  /// Every string that was read, and all behind the last of them.
  fileprivate var allTexts: [TextRenderer.Mask] {
    var ranges = nodes.filter { $0.kind == .string }.map { Int($0.start)..<Int($0.end) }
    let end = Int(nodes.map(\.end).max() ?? 0)
    if end < source.bytes.count { ranges.append(end..<source.bytes.count) }
    return ranges.map { TextRenderer.Mask(range: $0, text: "<secret>") }
  }
}
