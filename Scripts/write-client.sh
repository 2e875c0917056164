#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes a package that uses ConfigDI without any trait, for other scripts to build, run and measure. Its programs print
# `it works`:
#
#   client             loads a module and looks up a service
#   empty              does nothing else
#   foundation         uses `URL`, `Data` and `JSONDecoder` of FoundationEssentials
#   foundation-client  does what `foundation` does, and what `client` does
#
# usage: Scripts/write-client.sh FOLDER     FOLDER is created
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
client=${1:?usage: Scripts/write-client.sh FOLDER}
mkdir -p "$client"/Sources/{client,empty,foundation,foundation-client}
cd "$client"

cat >Package.swift <<END
// swift-tools-version: 6.1
import PackageDescription

let library: [Target.Dependency] = [.product(name: "ConfigDI", package: "ConfigDI")]
let package = Package(
  name: "client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ConfigDI", path: "$root", traits: [])],
  targets: [
    .executableTarget(name: "client", dependencies: library),
    .executableTarget(name: "empty"),
    .executableTarget(name: "foundation"),
    .executableTarget(name: "foundation-client", dependencies: library),
  ]
)
END
cat >app.json <<'END'
{ "configdi": 1, "module": "client", "services": { "word": { "type": "Word", "values": { "text": "it works" } } } }
END
echo 'print("it works")' >Sources/empty/main.swift
cat >Sources/client/main.swift <<'END'
import ConfigDI

struct Word { let text: String }

var registry = Registry()
registry.add("Word", .value("text", String.self)) { text in Word(text: text) }
let container = try Container(module: "app.json", registry: registry)
print(try container.resolve(Word.self).text)
END
cat >Sources/foundation/main.swift <<'END'
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct Module: Decodable { let module: String }

let file = URL(filePath: "app.json")
guard try JSONDecoder().decode(Module.self, from: Data(contentsOf: file)).module == "client" else {
  fatalError("app.json is another file")
}
print("it works")
END
{
  sed '$d' Sources/foundation/main.swift
  sed '1d' Sources/client/main.swift
} | sed '1i import ConfigDI\n' >Sources/foundation-client/main.swift
