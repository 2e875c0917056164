// SPDX-License-Identifier: Apache-2.0

extension Composer {
  /// Takes the parts at some paths out of a service or template; paths that lead nowhere are told.
  mutating func unset(_ paths: [Token], in service: inout ServiceDeclaration) {
    guard !paths.isEmpty else { return }
    for path in UnsetPass(paths, of: &service, names).missing {
      bag.report(.nothingToUnset(names[path.name], at: path.node))
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A path under `unset` that leads nowhere.
  static func nothingToUnset(_ path: String, at node: NodeRef) -> Finding {
    var finding = Finding(.nothingToUnset, "cannot unset \"\(path)\": nothing has this path", at: node)
    finding.help = "paths are relative to the entry, as in \"eager\" and \"inject.cache\""
    return finding
  }
}
