#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures how much a program grows that loads a module and looks a service up: its size in a release build without traits,
# linked statically and stripped, against that of a program which only prints a word.
#
# usage: Scripts/measure-size.sh [GREATEST]     fails where the program grows by more than GREATEST bytes (default 2,000,000)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
greatest=${1:-2000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/empty" "$folder/Sources/client"
cd "$folder"

cat >Package.swift <<END
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "size",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ConfigDI", path: "$root", traits: [])],
  targets: [
    .executableTarget(name: "empty"),
    .executableTarget(name: "client", dependencies: [.product(name: "ConfigDI", package: "ConfigDI")]),
  ]
)
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
cat >app.json <<'END'
{ "configdi": 1, "module": "client", "services": { "word": { "type": "Word", "values": { "text": "it works" } } } }
END

build=(swift build -c release --static-swift-stdlib)
"${build[@]}" 2>&1 | tail -1
programs=$("${build[@]}" --show-bin-path)
for name in empty client; do
  [[ $("$programs/$name") == "it works" ]] || { echo "$name does not run as it should"; exit 1; }
  strip -o "$name" "$programs/$name"
done
grown=$(($(stat -c %s client) - $(stat -c %s empty)))
printf '%-8s %12d bytes\n' empty "$(stat -c %s empty)" client "$(stat -c %s client)" growth "$grown"
((grown <= greatest)) || { echo "more than $greatest bytes"; exit 1; }
