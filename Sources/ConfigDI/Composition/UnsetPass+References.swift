// SPDX-License-Identifier: Apache-2.0

extension UnsetPass {
  /// Removes the parts at paths from a reference.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  mutating func remove(_ paths: [Path], of reference: inout Reference) {
    switch reference {
    case .list(var elements, let node):
      remove(paths, of: &elements) { $0.remove($1, of: &$2) }
      reference = .list(elements, node)
    case .map(var entries, let node, let whole):
      let keys = KeyTrie(entries.map(\.key))
      remove(inside(.map, paths), of: &entries, find: keys.match) { $0.remove($1, of: &$2.reference) }
      reference = .map(entries, node, whole: whole)
    case .service(let token, var isOptional, let node):
      remove(.optional, paths, besides: .service, of: &isOptional)
      reference = .service(token, isOptional: isOptional, node)
    case .tagged(let token, var form, let node):
      remove(.as, paths, besides: .tagged, of: &form)
      reference = .tagged(token, form: form, node)
    case .id:
      missing += paths.map(\.token)
    }
  }

  /// Removes the parts at paths from a condition. Only elements of lists can be removed.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  mutating func remove(_ paths: [Path], of condition: inout Condition) {
    switch condition {
    case .all(var conditions, let node):
      remove(inside(.all, paths), of: &conditions) { $0.remove($1, of: &$2) }
      condition = .all(conditions, node)
    case .any(var conditions, let node):
      remove(inside(.any, paths), of: &conditions) { $0.remove($1, of: &$2) }
      condition = .any(conditions, node)
    case .not(var inner, let node):
      remove(inside(.not, paths), of: &inner)
      condition = .not(inner, node)
    case .environment(var environments, let list?, let node):
      remove(inside(.environment, paths), of: &environments) { pass, paths, _ in pass.missing += paths.map(\.token) }
      condition = .environment(environments, list: list, node)
    case .environment:
      missing += inside(.environment, paths).map(\.token)
    case .parameter:
      missing += inside(.equals, inside(.parameter, paths, orElse: [.equals])).map(\.token)
    case .malformed:
      break
    }
  }

  /// Removes an optional key from a reference. `required` is the key that makes its map a reference.
  private mutating func remove<Detail>(
    _ keyword: Keyword, _ paths: [Path], besides required: Keyword, of detail: inout Detail?
  ) {
    for path in inside(required, paths, orElse: [keyword]) {
      let wasThere = path.steps.leads(to: keyword) && path.steps.count == 1 && clear(&detail)
      if !wasThere { missing.append(path.token) }
    }
  }

  /// Returns the paths that begin with a key, without that step, and unchanged those that begin with one of `others`. A
  /// path that ends at the key is added to `necessary`, because its map would no longer be a reference or a condition.
  private mutating func inside(_ keyword: Keyword, _ paths: [Path], orElse others: [Keyword] = []) -> [Path] {
    var inside: [Path] = []
    for var path in paths {
      if path.steps.leads(to: keyword) {
        path.steps.removeFirst()
        if path.steps.isEmpty { necessary.append(path.token) } else { inside.append(path) }
      } else if others.contains(where: { path.steps.leads(to: $0) }) {
        inside.append(path)
      } else {
        missing.append(path.token)
      }
    }
    return inside
  }
}

extension ArraySlice<DottedPath.Step> {
  /// Returns whether the first step is a key of the format.
  fileprivate func leads(to keyword: Keyword) -> Bool {
    switch first {
    case .key(let text)?, .quoted(let text)?: Keyword(text: text) == keyword
    case .index?, nil: false
    }
  }
}
