// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// A catalog with every kind of argument, as a value and as text.
package enum SampleCatalog {
  /// The catalog.
  package static let catalog = Catalog(types: [
    TypeDescriptor(
      name: "SMTPMailer", provides: ["Mailer", "SMTPMailer"], kind: .class, isSendable: true,
      deprecated: "use SESMailer", source: "Sources/App/Registrations.swift:41",
      arguments: [
        ArgumentDescriptor(key: "host", kind: .value(.string)),
        ArgumentDescriptor(key: "port", kind: .value(.integer(.Int)), defaultValue: 25),
        ArgumentDescriptor(key: "rate", kind: .value(.real(isSingle: false)), defaultValue: 0.5),
        ArgumentDescriptor(key: "pass", kind: .value(.string), isSecret: true),
        ArgumentDescriptor(key: "zones", kind: .value(.list(.string)), defaultValue: ["a", "b"]),
        ArgumentDescriptor(key: "wait", kind: .value(.optional(.duration)), isOptional: true),
        ArgumentDescriptor(key: "level", kind: .value(.oneOf(["debug", 3]))),
        ArgumentDescriptor(key: "maybe", kind: .value(.optional(.oneOf(["a"]))), isOptional: true),
        ArgumentDescriptor(key: "levels", kind: .value(.list(.optional(.oneOf(["a"]))))),
        ArgumentDescriptor(key: "byName", kind: .value(.map(.list(.oneOf(["a"]))))),
        ArgumentDescriptor(key: "money", kind: .value(.named("Money"))),
        ArgumentDescriptor(key: "logger", kind: .service(type: "Logger", wrapper: .direct)),
        ArgumentDescriptor(key: "cache", kind: .service(type: "Cache", wrapper: .direct), isOptional: true),
        ArgumentDescriptor(key: "db", kind: .service(type: "Database", wrapper: .lazy)),
        ArgumentDescriptor(key: "make", kind: .service(type: "Job", wrapper: .provider)),
        ArgumentDescriptor(key: "checks", kind: .service(type: "HealthCheck", wrapper: .list)),
        ArgumentDescriptor(key: "rules", kind: .service(type: "Rule", wrapper: .map)),
        ArgumentDescriptor(key: "inner", kind: .decorated(type: "Mailer")),
        ArgumentDescriptor(key: "userID", kind: .runtime(type: "String", isHashable: true)),
        ArgumentDescriptor(key: "requests", kind: .scope("request")),
        ArgumentDescriptor(key: "services", kind: .resolver),
      ]),
    TypeDescriptor(name: "Account", provides: [], kind: .actor, isSendable: false, isAsync: true, source: "A.swift:1"),
    TypeDescriptor(name: "RequestInfo", provides: ["RequestInfo"], kind: .struct, isGiven: true, source: "A.swift"),
  ])

  /// The expected value of `Catalog.json` for the catalog.
  package static let text = """
    {
      "configdi-catalog": 1,
      "types": [
        {
          "name": "Account",
          "provides": [],
          "kind": "actor",
          "sendable": false,
          "async": true,
          "source": "A.swift:1",
          "arguments": []
        },
        {
          "name": "RequestInfo",
          "provides": ["RequestInfo"],
          "kind": "struct",
          "sendable": true,
          "async": false,
          "given": true,
          "source": "A.swift",
          "arguments": []
        },
        {
          "name": "SMTPMailer",
          "provides": ["Mailer", "SMTPMailer"],
          "kind": "class",
          "sendable": true,
          "async": false,
          "deprecated": "use SESMailer",
          "source": "Sources/App/Registrations.swift:41",
          "arguments": [
            { "key": "host", "kind": "value", "type": "String" },
            { "key": "port", "kind": "value", "type": "Int", "default": 25 },
            { "key": "rate", "kind": "value", "type": "Double", "default": 0.5 },
            { "key": "pass", "kind": "value", "type": "String", "secret": true },
            { "key": "zones", "kind": "value", "type": "[String]", "default": ["a", "b"] },
            { "key": "wait", "kind": "value", "type": "Duration?" },
            { "key": "level", "kind": "value", "type": { "oneOf": ["debug", 3] } },
            { "key": "maybe", "kind": "value", "type": { "oneOf": ["a"] }, "optional": true },
            { "key": "levels", "kind": "value", "type": { "list": { "optional": { "oneOf": ["a"] } } } },
            { "key": "byName", "kind": "value", "type": { "map": { "list": { "oneOf": ["a"] } } } },
            { "key": "money", "kind": "value", "type": "Money" },
            { "key": "logger", "kind": "service", "type": "Logger" },
            { "key": "cache", "kind": "service", "type": "Cache", "optional": true },
            { "key": "db", "kind": "service", "type": "Database", "wrapper": "lazy" },
            { "key": "make", "kind": "service", "type": "Job", "wrapper": "provider" },
            { "key": "checks", "kind": "service", "type": "HealthCheck", "wrapper": "list" },
            { "key": "rules", "kind": "service", "type": "Rule", "wrapper": "map" },
            { "key": "inner", "kind": "decorated", "type": "Mailer" },
            { "key": "userID", "kind": "runtime", "type": "String", "hashable": true },
            { "key": "requests", "kind": "scope", "scope": "request" },
            { "key": "services", "kind": "resolver" }
          ]
        }
      ]
    }

    """
}
