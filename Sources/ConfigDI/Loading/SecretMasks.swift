// SPDX-License-Identifier: Apache-2.0

extension ModuleFiles {
  /// The literals of secret parameters, by the name of their file.
  ///
  /// A parameter is secret everywhere where one file says so. Of a file that could not be read to its end, and that speaks
  /// of secrets, no text is shown: nobody knows which it is.
  var secretMasks: [String: [TextRenderer.Mask]] {
    let secrets = secretParameters
    var masks: [String: [TextRenderer.Mask]] = [:]
    for document in documents.documents where document.hasPositions {
      let file = files[Int(document.file.index)]
      var found = file.parameters.filter { secrets.contains($0.name) }.flatMap { parameter in
        parameter.body.literals.map {
          TextRenderer.Mask(range: document.bytes(of: $0.node), text: "<secret \(names[parameter.name])>")
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
}

extension ParameterDeclaration {
  /// The nodes of the parameter's literals: its value, its default and what it allows.
  fileprivate var literals: [NodeRef] {
    let value = source.flatMap { $0.isText ? nil : $0.node }
    return [value, fallback, allowed].compactMap { $0 }
  }
}

extension Document {
  /// The bytes of a node and all that it holds.
  fileprivate func bytes(of node: UInt32) -> Range<Int> { Int(self[node].start)..<Int(self[node].end) }

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
