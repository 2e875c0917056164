// SPDX-License-Identifier: Apache-2.0

/// What one file declares. It knows the format, but no other file.
package struct ModuleFile: Sendable {
  /// The file.
  package let file: FileID
  /// Whether the file could be read and is of this version; nothing else of it counts where it is not.
  package var isUsable = true
  /// The file's own name, or nil where it gives none.
  package var module: Token?
  /// The files that are composed before this one, in order.
  package var imports: [FilePath] = []
  /// The environments, in the order of the file.
  package var environments: [EnvironmentDeclaration] = []
  /// The named scopes, outermost first.
  package var scopes: [Token] = []
  /// The keys of the top level that have an error of shape as a whole, do not belong in this file, or may be meant by an
  /// unknown one: it is not known what they define.
  var malformedKeys: KeywordSet = []
  /// Whether the file's services are autowired where they do not say it.
  package var isAutowired: FlagToken?
  /// The tags that the file declares, each with the key that names it.
  package var tags: [Token] = []
  /// What the file says about all warnings of a code; only in the entry module.
  package var severities: [SeverityRules.Setting] = []
  /// What the file says about the warnings in its maps.
  package var suppressions: [SeverityRules.Suppression] = []
  /// What the file adds.
  package var added = Sections()
  /// What the file replaces whole.
  package var replaced = Sections()
  /// What the file merges into existing entries.
  package var overridden = Sections()
  /// What the file removes.
  package var removed: [Removal] = []

  /// Whether it is known which other files the file names, unless it could not be read.
  var namesAllFiles: Bool {
    !malformedKeys.contains(.imports) && !malformedKeys.contains(.environments)
      && !environments.contains(where: \.isMalformed)
  }

  /// A file that declares nothing.
  init(file: FileID) { self.file = file }

  /// The parameters that the file declares secret.
  var secretParameters: [Name] {
    [added, replaced, overridden].flatMap(\.parameters).filter { $0.body.isSecret?.value == true }.map(\.name)
  }
}

/// A name and the token that says it.
package struct Token: Hashable, Sendable {
  /// The name.
  package var name: Name
  /// The string or key.
  package var node: NodeRef
}

/// A truth value and the token that says it.
package struct FlagToken: Hashable, Sendable {
  /// The value.
  package var value: Bool
  /// The token.
  package var node: NodeRef
}

extension NodeRef {
  /// The value of the key at this node.
  var value: NodeRef { NodeRef(file: file, node: node + 1) }

  /// The key of the map's value at this node.
  var key: NodeRef { NodeRef(file: file, node: node - 1) }
}

/// A path to another file, as an import or a layer names it.
package struct FilePath: Hashable, Sendable {
  /// The path as written.
  package var text: String
  /// The string.
  package var node: NodeRef
  /// Whether the file may be missing.
  package var isOptional = false
}

/// An environment and its layers.
package struct EnvironmentDeclaration: Sendable {
  /// The environment's name.
  package var name: String
  /// The key that declares the environment.
  package var key: NodeRef
  /// The layers in their order.
  package var layers: [FilePath]
  /// Whether the declaration has an error of shape, so that the environment cannot be checked.
  package var isMalformed: Bool
}

/// The sections of a file whose entries have ids.
package enum Section: String, CaseIterable, Sendable {
  case parameters, templates, services, aliases, bindings

  /// One entry of the section in words.
  var entryInWords: String { self == .aliases ? "alias" : String(rawValue.dropLast()) }
}

/// Entries by section, in the order of the file.
package struct Sections: Sendable {
  /// Parameters.
  package var parameters: [Declaration<ParameterDeclaration>] = []
  /// Templates.
  package var templates: [Declaration<ServiceDeclaration>] = []
  /// Services.
  package var services: [Declaration<ServiceDeclaration>] = []
  /// Whether one of the services extends a template.
  var hasExtendingService = false
  /// Aliases.
  package var aliases: [Declaration<Token>] = []
  /// Bindings.
  package var bindings: [Declaration<Token>] = []
}

/// One entry of a section.
package struct Declaration<Body: Sendable>: Sendable {
  /// The id.
  package var name: Name
  /// The key that names the entry.
  package var key: NodeRef
  /// Whether the entry has an error of shape. It defines its id and takes no part in further checks.
  package var isMalformed: Bool
  /// What the entry says, as a composition shares it.
  private(set) var shared: Shared<Body>

  /// An entry as a file says it.
  init(name: Name, key: NodeRef, isMalformed: Bool, body: Body) {
    self.name = name
    self.key = key
    self.isMalformed = isMalformed
    shared = Shared(body)
  }

  /// What the entry says.
  package var body: Body {
    _read { yield shared.content }
    _modify { yield &shared.content }
  }
}

/// An id that a file removes from a section.
package struct Removal: Sendable {
  /// The section.
  package var section: Section
  /// The id.
  package var id: Token
}
