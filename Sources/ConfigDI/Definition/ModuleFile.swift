// SPDX-License-Identifier: Apache-2.0

/// The declarations of one file, decoded without looking at any other file.
package struct ModuleFile: Sendable {
  /// The file.
  package let file: FileID
  /// Whether the file was read completely and has a supported format version. If not, ignore the rest.
  package var isUsable = true
  /// The module's name; `nil` if the file gives none.
  package var module: Token?
  /// The imports, in order. They are composed before this file.
  package var imports: [FilePath] = []
  /// The environments, in file order.
  package var environments: [EnvironmentDeclaration] = []
  /// The named scopes, outermost first.
  package var scopes: [Token] = []
  /// The top-level keys whose content is not known: their value has a structural error, they are not allowed in this
  /// file, or an unknown key may be a misspelling of them.
  var malformedKeys: KeywordSet = []
  /// Whether services are autowired if they do not say so themselves.
  package var isAutowired: FlagToken?
  /// The tags that the file declares, each with its key.
  package var tags: [Token] = []
  /// The severities that the file sets for diagnostic codes. Only the entry module has any.
  package var severities: [SeverityRules.Setting] = []
  /// The warnings that the file suppresses, each within one of its maps.
  package var suppressions: [SeverityRules.Suppression] = []
  /// The entries that the file adds.
  package var added = Sections()
  /// The entries that the file replaces.
  package var replaced = Sections()
  /// The entries that the file merges into existing ones.
  package var overridden = Sections()
  /// The entries that the file removes.
  package var removed: [Removal] = []

  /// Whether the imports and layers of the file are all known. Also `true` for a file that could not be read.
  var namesAllFiles: Bool {
    !malformedKeys.contains(.imports) && !malformedKeys.contains(.environments)
      && !environments.contains(where: \.isMalformed)
  }

  /// Creates a file without declarations.
  init(file: FileID) { self.file = file }

  /// The entries of plain sections and under verbs.
  var allSections: [Sections] { [added, replaced, overridden] }

  /// Whether some service extends a template.
  var hasExtendingService: Bool { allSections.contains(where: \.hasExtendingService) }

  /// The declarations of parameters, of plain sections and under verbs.
  var parameters: [Declaration<ParameterDeclaration>] { allSections.flatMap(\.parameters) }

  /// The parameters that the file declares as secret.
  var secretParameters: [Name] { parameters.filter { $0.body.isSecret?.value == true }.map(\.name) }
}

/// A name with the token that it was read from.
package struct Token: Hashable, Sendable {
  /// The name.
  package var name: Name
  /// The token, a string or a key.
  package var node: NodeRef
}

/// A boolean or a number with the token that it was read from.
package struct ScalarToken<Scalar: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  package var value: Scalar
  /// The token.
  package var node: NodeRef
}

/// A boolean with its token.
package typealias FlagToken = ScalarToken<Bool>

extension NodeRef {
  /// The value node of the key at this node.
  var value: NodeRef { NodeRef(file: file, node: node + 1) }

  /// The key node of the map value at this node.
  var key: NodeRef { NodeRef(file: file, node: node - 1) }
}

/// A path to another file, from an import or a layer.
package struct FilePath: Equatable, Sendable {
  /// The path as written.
  package var text: String
  /// The token of the path, a string.
  package var node: NodeRef
  /// Whether the file is allowed to be missing.
  package var isOptional = false
}

/// An environment with its layers.
package struct EnvironmentDeclaration: Sendable {
  /// The environment's name.
  package var name: String
  /// The key that declares the environment.
  package var key: NodeRef
  /// The layers, in order.
  package var layers: [FilePath]
  /// Whether the declaration has a structural error, so that the environment cannot be checked.
  package var isMalformed: Bool
}

/// The sections of a file, which map ids to entries.
package enum Section: String, CaseIterable, Sendable {
  case parameters, templates, services, aliases, bindings

  /// The word for one entry of the section in messages.
  package var entryInWords: String { self == .aliases ? "alias" : String(rawValue.dropLast()) }
}

/// The entries of each section, in file order.
package struct Sections: Sendable {
  /// The parameters.
  package var parameters: [Declaration<ParameterDeclaration>] = []
  /// The templates.
  package var templates: [Declaration<ServiceDeclaration>] = []
  /// The services.
  package var services: [Declaration<ServiceDeclaration>] = []
  /// Whether at least one of the services extends a template.
  var hasExtendingService = false
  /// The aliases.
  package var aliases: [Declaration<Token>] = []
  /// The bindings.
  package var bindings: [Declaration<Token>] = []
}

/// One entry of a section, as a file declares it, or as merged from the files applied so far.
package struct Declaration<Body: Sendable>: Sendable {
  // In this order the properties take 32 bytes; a load keeps all declarations of its files.

  /// The id.
  package var name: Name
  /// The key that defined or last replaced the entry.
  package var key: NodeRef
  /// The key of the override that left a merged entry without a required part, or `nil`.
  var incomplete: NodeRef?
  /// Whether the entry has a structural error. Such an entry defines its id, but is not checked further.
  package var isMalformed: Bool
  /// Whether an override was merged into the entry, so that no single file declares all of it.
  var isMerged = false
  /// The content, which a merged entry shares with the declaring file until another file changes it.
  private(set) var shared: Shared<Body>

  /// Creates an entry of a file.
  init(name: Name, key: NodeRef, isMalformed: Bool, body: Body) {
    self.name = name
    self.key = key
    self.isMalformed = isMalformed
    shared = Shared(body)
  }

  /// The content of the entry.
  package var body: Body {
    _read { yield shared.content }
    _modify { yield &shared.content }
  }
}

/// The removal of an entry from a section.
package struct Removal: Sendable {
  /// The section.
  package var section: Section
  /// The id of the removed entry.
  package var id: Token
}
