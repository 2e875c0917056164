// SPDX-License-Identifier: Apache-2.0

/// The severity of a finding.
public enum Severity: String, Hashable, Sendable {
  /// The module cannot be loaded.
  case error
  /// The module loads, but something in it is probably a mistake.
  case warning
}

/// A stable code for the kind of a finding, such as `CDI0501`. The meaning of a code never changes.
public struct DiagnosticCode: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The four digits: 501 for `CDI0501`.
  public let number: Int

  /// Creates the code with a number.
  init(_ number: Int) { self.number = number }

  /// The code as shown in messages.
  public var description: String {
    let digits = String(number)
    return "CDI" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// The severity of findings with this code, unless the module changes it.
  public var severity: Severity {
    number == 308 || (701...799).contains(number) ? .warning : .error
  }

  /// Whether a finding with this code is valid only if it occurs in all environments that the module declares.
  var needsAllEnvironments: Bool {
    switch number {
    case 308, 701...704, 708...710: true
    default: false
    }
  }

  public static func < (left: DiagnosticCode, right: DiagnosticCode) -> Bool { left.number < right.number }
}

// MARK: - Reading

extension DiagnosticCode {
  /// CDI0101: malformed syntax.
  public static let syntaxError = DiagnosticCode(101)
  /// CDI0102: the same key twice in one map.
  public static let duplicateKey = DiagnosticCode(102)
  /// CDI0103: `null`, which is not allowed as a value.
  public static let nullValue = DiagnosticCode(103)
  /// CDI0104: invalid UTF-8, or a forbidden character.
  public static let invalidCharacter = DiagnosticCode(104)
  /// CDI0105: nested too deeply.
  public static let nestedTooDeeply = DiagnosticCode(105)
  /// CDI0106: a file that is too large, or too many files.
  public static let tooLarge = DiagnosticCode(106)
  /// CDI0107: a file that cannot be read.
  public static let unreadableFile = DiagnosticCode(107)
  /// CDI0108: a number out of range.
  public static let numberOutOfRange = DiagnosticCode(108)
  /// CDI0109: an unknown file ending.
  public static let unknownFileEnding = DiagnosticCode(109)
}

// MARK: - Shape

extension DiagnosticCode {
  /// CDI0201: a key that is not allowed in the map.
  public static let unknownKey = DiagnosticCode(201)
  /// CDI0202: a value of the wrong kind.
  public static let wrongKind = DiagnosticCode(202)
  /// CDI0203: a missing required key.
  public static let missingKey = DiagnosticCode(203)
  /// CDI0204: an invalid name.
  public static let invalidName = DiagnosticCode(204)
  /// CDI0205: an unsupported version of the format.
  public static let unsupportedVersion = DiagnosticCode(205)
  /// CDI0206: a key that is allowed only in the entry module.
  public static let entryModuleOnly = DiagnosticCode(206)
  /// CDI0207: keys that exclude each other.
  public static let excludingKeys = DiagnosticCode(207)
  /// CDI0208: an unknown diagnostic code.
  public static let unknownCode = DiagnosticCode(208)
  /// CDI0209: an attempt to change the severity of an error.
  public static let fixedSeverity = DiagnosticCode(209)
}

// MARK: - Composition

extension DiagnosticCode {
  /// CDI0301: an imported file or a layer that does not exist.
  public static let fileNotFound = DiagnosticCode(301)
  /// CDI0302: files that import each other in a cycle.
  public static let importCycle = DiagnosticCode(302)
  /// CDI0303: a path that leads out of the root.
  public static let pathLeavesRoot = DiagnosticCode(303)
  /// CDI0304: an id that is defined twice, without `override` or `replace`.
  public static let definedTwice = DiagnosticCode(304)
  /// CDI0305: a change or removal of an entry that does not exist.
  public static let nothingToChange = DiagnosticCode(305)
  /// CDI0306: an `unset` of a path that does not exist.
  public static let nothingToUnset = DiagnosticCode(306)
  /// CDI0307: an unknown environment.
  public static let unknownEnvironment = DiagnosticCode(307)
  /// CDI0308: an override that changes nothing.
  public static let overrideWithoutEffect = DiagnosticCode(308)
}

// MARK: - Parameters

extension DiagnosticCode {
  /// CDI0401: an unknown parameter.
  public static let unknownParameter = DiagnosticCode(401)
  /// CDI0402: parameters that refer to each other in a cycle.
  public static let parameterCycle = DiagnosticCode(402)
  /// CDI0403: a malformed placeholder.
  public static let malformedPlaceholder = DiagnosticCode(403)
  /// CDI0404: a list or a map inside a longer text.
  public static let collectionInText = DiagnosticCode(404)
  /// CDI0405: a missing environment variable or file without a default.
  public static let missingSource = DiagnosticCode(405)
  /// CDI0406: a text that cannot be converted to the declared type.
  public static let failedConversion = DiagnosticCode(406)
  /// CDI0407: a value outside `oneOf`, `min` or `max`.
  public static let outOfBounds = DiagnosticCode(407)
}

// MARK: - Wiring

extension DiagnosticCode {
  /// CDI0501: a reference to an unknown service.
  public static let unknownService = DiagnosticCode(501)
  /// CDI0502: a reference to a service that is disabled by its condition.
  public static let disabledService = DiagnosticCode(502)
  /// CDI0503: an alias of, or a binding to, an unknown service.
  public static let unknownTarget = DiagnosticCode(503)
  /// CDI0504: aliases that refer to each other in a cycle.
  public static let aliasCycle = DiagnosticCode(504)
  /// CDI0505: an unknown template.
  public static let unknownTemplate = DiagnosticCode(505)
  /// CDI0506: templates that extend each other in a cycle.
  public static let templateCycle = DiagnosticCode(506)
  /// CDI0507: an unknown scope.
  public static let unknownScope = DiagnosticCode(507)
  /// CDI0508: services that need each other in a cycle.
  public static let dependencyCycle = DiagnosticCode(508)
  /// CDI0509: a service that holds a service with a shorter lifetime.
  public static let captiveDependency = DiagnosticCode(509)
  /// CDI0510: two services with the same key in one tag.
  public static let duplicateTagKey = DiagnosticCode(510)
  /// CDI0511: a condition on an unknown parameter or environment.
  public static let unknownCondition = DiagnosticCode(511)
}

// MARK: - Types

extension DiagnosticCode {
  /// CDI0601: an unknown type.
  public static let unknownType = DiagnosticCode(601)
  /// CDI0602: an unknown argument.
  public static let unknownArgument = DiagnosticCode(602)
  /// CDI0603: a missing required argument.
  public static let missingArgument = DiagnosticCode(603)
  /// CDI0604: a value that does not fit the argument's type.
  public static let valueMismatch = DiagnosticCode(604)
  /// CDI0605: a referenced service that does not provide the argument's type.
  public static let serviceMismatch = DiagnosticCode(605)
  /// CDI0606: a service that declares a provided type that its registered type does not provide.
  public static let providesMismatch = DiagnosticCode(606)
  /// CDI0607: several candidates for one look-up, without a binding.
  public static let severalCandidates = DiagnosticCode(607)
  /// CDI0608: no candidate to autowire.
  public static let noCandidate = DiagnosticCode(608)
  /// CDI0609: a type that is not `Sendable` in a lifetime that threads share.
  public static let notSendable = DiagnosticCode(609)
  /// CDI0610: run-time arguments that are not `Hashable`, in a lifetime that keeps instances.
  public static let notHashable = DiagnosticCode(610)
  /// CDI0611: a reference for an argument that takes a value, or the reverse.
  public static let wrongArgumentKind = DiagnosticCode(611)
  /// CDI0612: a decorator without a decorated argument, or with several of them.
  public static let notADecorator = DiagnosticCode(612)
  /// CDI0613: a value type in a weak lifetime.
  public static let weakValueType = DiagnosticCode(613)
  /// CDI0614: a secret value for an argument that is not declared secret.
  public static let secretLeak = DiagnosticCode(614)
  /// CDI0615: a reference to a service that needs run-time arguments.
  public static let needsRuntimeArguments = DiagnosticCode(615)
  /// CDI0616: an eager service that needs `await`, in a load that does not await.
  public static let needsAwaitedLoad = DiagnosticCode(616)
  /// CDI0617: a lifetime or an eager start that is not possible for a given instance.
  public static let givenMismatch = DiagnosticCode(617)
}

// MARK: - Warnings

extension DiagnosticCode {
  /// CDI0701: a private service that nothing uses.
  public static let unusedService = DiagnosticCode(701)
  /// CDI0702: a parameter that nothing uses.
  public static let unusedParameter = DiagnosticCode(702)
  /// CDI0703: an alias that nothing uses.
  public static let unusedAlias = DiagnosticCode(703)
  /// CDI0704: a template that nothing uses.
  public static let unusedTemplate = DiagnosticCode(704)
  /// CDI0705: the use of something that is deprecated.
  public static let deprecated = DiagnosticCode(705)
  /// CDI0706: a type that several services provide, without a binding.
  public static let ambiguousType = DiagnosticCode(706)
  /// CDI0707: a string in `values` that equals a service's id.
  public static let looksLikeReference = DiagnosticCode(707)
  /// CDI0708: a request for a tag that no service has.
  public static let tagWithoutService = DiagnosticCode(708)
  /// CDI0709: a tag of a service that nothing requests.
  public static let unusedTag = DiagnosticCode(709)
  /// CDI0710: a suppression that suppresses nothing.
  public static let idleSuppression = DiagnosticCode(710)
}

// MARK: - All codes

extension DiagnosticCode {
  /// The numbers of all codes, in ascending order.
  private static let numbers: [ClosedRange<Int>] = [
    101...109, 201...209, 301...308, 401...407, 501...511, 601...617, 701...710,
  ]

  /// All codes, in ascending order.
  package static var all: [DiagnosticCode] { numbers.joined().map { DiagnosticCode($0) } }

  /// Creates a code from its text, such as `CDI0501`; `nil` if no code has this text.
  package init?(text: String) {
    guard text.utf8.starts(with: "CDI".utf8), text.utf8.count == 7, let number = Int(text.dropFirst(3)),
      DiagnosticCode.numbers.contains(where: { $0.contains(number) }), DiagnosticCode(number).description == text
    else { return nil }
    self.number = number
  }
}
