#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the build cost of the library: processor seconds (user and system) of a clean debug and release build of a client
# without traits, compared with a client of a stand-in for Swinject, which cannot be fetched here; and the growth in bytes of a
# program that links FoundationEssentials already, statically linked and stripped.
#
# Packages are resolved and manifests compiled before, so the figures are those of the compiler, the linker and the build system.
#
# usage: Scripts/measure-client-build.sh [build|size]...     both by default
#        Fails if a release build takes over GREATEST_RATIO (default 30) times as long as the stand-in's, or a program grows by
#        more than GREATEST_SIZE bytes (default 1,500,000).
#
# The stand-in compiles in a fifth of the time of Swinject: a client that took 23 times as long as one of Swinject takes 116
# times as long as one of the stand-in. So 30 corresponds to the budget of 6.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
greatest_ratio=${GREATEST_RATIO:-30}
greatest_size=${GREATEST_SIZE:-1500000}
parts=" ${*:-build size} "
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# package FOLDER PACKAGE PRODUCT: a package whose program `client` uses a product of another package, which PACKAGE declares.
package() {
  mkdir -p "$1/Sources/client"
  cat >"$1/Package.swift" <<END
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "$(basename "$1")",
  platforms: [.macOS(.v15)],
  dependencies: [${2:-}],
  targets: [.executableTarget(name: "client", dependencies: [${3:-}])]
)
END
}

library=".package(name: \"ConfigDI\", path: \"$root\", traits: [])"
product='.product(name: "ConfigDI", package: "ConfigDI")'

package "$folder/configdi" "$library" "$product"
cat >"$folder/configdi/Sources/client/main.swift" <<'END'
import ConfigDI

protocol Voice: Sendable { var word: String { get } }
struct Word: Voice { let word: String }
final class Speaker: Sendable {
  let voice: any Voice
  init(voice: any Voice) { self.voice = voice }
}

var registry = Registry()
registry.add("Word", as: (any Voice).self, .value("text", String.self)) { Word(word: $0) }
let container = try Container(module: "app.json", registry: registry)
container.register(Speaker.self) { Speaker(voice: try $0.resolve((any Voice).self)) }
print(try container.resolve(Speaker.self).voice.word)
END
cat >"$folder/app.json" <<'END'
{ "configdi": 1, "module": "client", "services": { "word": { "type": "Word", "values": { "text": "it works" } } } }
END

mkdir -p "$folder/standin/Sources/StandIn"
cat >"$folder/standin/Package.swift" <<'END'
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "standin",
  platforms: [.macOS(.v15)],
  products: [.library(name: "StandIn", targets: ["StandIn"])],
  targets: [.target(name: "StandIn", swiftSettings: [.swiftLanguageMode(.v5)])]
)
END
"$root/Scripts/Measuring/stand-in.sh" >"$folder/standin/Sources/StandIn/Container.swift"
package "$folder/standin-client" '.package(path: "../standin")' '.product(name: "StandIn", package: "standin")'
cat >"$folder/standin-client/Sources/client/main.swift" <<'END'
import StandIn

protocol Voice: Sendable { var word: String { get } }
struct Word: Voice { let word: String }
final class Speaker: Sendable {
  let voice: any Voice
  init(voice: any Voice) { self.voice = voice }
}

let container = Container()
container.register((any Voice).self) { _ in Word(word: "it works") }
container.register(Speaker.self) { Speaker(voice: $0.resolve((any Voice).self)!) }
print(container.resolve(Speaker.self)!.voice.word)
END

# Prints the processor seconds of a clean build.
clean_build() {
  (
    cd "$folder/$1"
    swift package describe >/dev/null
    rm -rf .build
    python3 - "$2" <<'PYTHON'
import os, subprocess, sys

process = subprocess.Popen(
    ["swift", "build", "-c", sys.argv[1]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
text = process.stdout.read()
_, status, usage = os.wait4(process.pid, 0)
if os.waitstatus_to_exitcode(status):
    sys.exit(text)
print(f"{usage.ru_utime + usage.ru_stime:.2f}")
PYTHON
  )
}

if [[ $parts == *" build "* ]]; then
  printf '%-10s %10s %10s %8s\n' "processor s" ConfigDI stand-in ratio
  for configuration in debug release; do
    ours=$(clean_build configdi "$configuration")
    theirs=$(clean_build standin-client "$configuration")
    ratio=$(awk -v ours="$ours" -v theirs="$theirs" 'BEGIN { printf "%.1f", ours / theirs }')
    printf '%-10s %10s %10s %8s\n' "$configuration" "$ours" "$theirs" "$ratio"
  done
  if awk -v ratio="$ratio" -v greatest="$greatest_ratio" 'BEGIN { exit !(ratio > greatest) }'; then
    echo "a release build takes more than $greatest_ratio times as long"
    failed=1
  fi
fi

if [[ $parts == *" size "* ]]; then
  package "$folder/essentials"
  cat >"$folder/essentials/Sources/client/main.swift" <<'END'
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

let address = URL(string: "https://example.net/it%20works")
let data = Data((address?.path ?? "").utf8)
let word = await Task { String(decoding: data.dropFirst(), as: UTF8.self) }.value
print(word)
END
  for name in essentials configdi; do
    (
      cd "$folder/$name"
      build=(swift build -c release --static-swift-stdlib --scratch-path "$folder/static-$name")
      "${build[@]}" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
      strip -o "$folder/$name.stripped" "$("${build[@]}" --show-bin-path)/client"
    )
    [[ $(cd "$folder" && "./$name.stripped") == "it works" ]] || { echo "$name fails"; exit 1; }
  done
  base=$(stat -c %s "$folder/essentials.stripped")
  ours=$(stat -c %s "$folder/configdi.stripped")
  printf '%-34s %12d bytes\n' "with FoundationEssentials" "$base" "and the library" "$ours" growth "$((ours - base))"
  if ((ours - base > greatest_size)); then
    echo "more than $greatest_size bytes"
    failed=1
  fi
fi
exit "$failed"
