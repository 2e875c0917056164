#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Creates a package whose target uses the plugin ConfigDIRegistrationsPlugin, and builds it repeatedly: a marked type is
# registered without further code, also in a new file; types that cannot be registered and syntax errors fail the build at their
# lines; the program that writes the registrations runs only if a file has changed; and all of this compiles in a target whose
# default isolation is the main actor.
#
# usage: Scripts/check-registrations.sh FOLDER [SCRATCH [TRAITS [OPTION ...]]]
#        FOLDER is created. SCRATCH may contain the library, built with TRAITS (default: Macros) and the OPTIONs.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
client=${1:?usage: Scripts/check-registrations.sh FOLDER [SCRATCH [TRAITS [OPTION ...]]]}
mkdir -p "$client/Sources/app"
client=$(cd "$client" && pwd)
scratch=${2:-$client/.build}
[[ $scratch == /* ]] || scratch=$PWD/$scratch
options=(--scratch-path "$scratch" "${@:4}")
cd "$client"
. "$root/Scripts/plugin-client.sh"
attempt=(swift run "${options[@]}" app)
mark='Registering the types of'

write_manifest "$root" ConfigDIRegistrationsPlugin "${3:-Macros}"
cat >Sources/app/Greeter.swift <<'END'
import ConfigDI

@Resolvable struct Greeter: Sendable {
  let name: String
}

@MainActor @Resolvable final class Window {
  let greeter: Greeter
}

#if os(Windows)
  @Resolvable struct Absent {}
#else
  @Resolvable(registered: false) private struct Box<Content: Sendable>: Sendable {
    let greeter: Greeter
  }
#endif

#if os(Windows)
  @Resolvable
#endif
struct Unmarked: Sendable {}

#if !os(Windows)
  @Resolvable
#endif
struct Marked: Sendable {}
END
cat >Sources/app/main.swift <<'END'
import ConfigDI

var registry = Registry()
registry.addResolvableTypes()
try registry.validate()
for type in registry.catalogWithLines.types { print(type.name, type.source) }
END

# Except in one step only the text of files changes: if a file is added or removed, SwiftPM rebuilds the library, since it
# has two build records, one for the plugin's program.
greeter=("Greeter app/Greeter.swift:3" "Marked app/Greeter.swift:27" "Window app/Greeter.swift:7")
expect "marked types are registered" 0 1 "${greeter[@]}"
! grep -qE '^(Absent|Box|Unmarked)' output || { echo "FAIL  a type is registered that must not be"; exit 1; }
new=Sources/app/Clock.swift
printf 'import ConfigDI\n\nenum Time { @Resolvable final class Clock: Sendable {} }\n' >$new
expect "and one in a new file" 0 1 "Clock app/Clock.swift:3" "${greeter[@]}"
printf 'import ConfigDI\n\n@Resolvable private struct Clock {}\n' >$new
expect "a private type is an error at its line" 1 1 \
  "$client/$new:3:28: error: \"Clock\" is private, so that addResolvableTypes() cannot register it"
printf 'import ConfigDI\n\n@Resolvable struct Greeter {}\n' >$new
expect "two types of one name are an error at the second" 1 1 \
  "$client/Sources/app/Greeter.swift:3:20: error: \"Greeter\" would be the second" "$client/$new:3:20: note:"
printf 'import ConfigDI\n\n@Resolvable struct Other { let url: }\n' >$new
expect "a syntax error is reported by the compiler" 1 1 "$new:3:37: error:"
printf '' >$new
expect "a removed type is not registered" 0 1 "${greeter[@]}"
! grep -q '^Clock' output || { echo "FAIL  Clock is registered"; exit 1; }
expect "unchanged code is not read" 0 0 "${greeter[@]}"

# The code that the macro and the plugin write can be used anywhere, also if the default isolation is the main actor.
sed -i.bak -e 's/tools-version: 6.1/tools-version: 6.2/' -e '/plugins:/i\      swiftSettings: [.defaultIsolation(MainActor.self), .enableUpcomingFeature("InferIsolatedConformances")],' \
  Package.swift
cat >Sources/app/Greeter.swift <<'EOF'
import ConfigDI

nonisolated protocol Language: Sendable {}
@Resolvable(as: (any Language).self) nonisolated struct English: Language {}
@Resolvable struct Greeter { let language: any Language }
@MainActor @Resolvable final class Window { let greeter: Greeter }

nonisolated func application() -> Registry {
  var registry = Registry()
  registry.addResolvableTypes()
  return registry
}
EOF
cat >Sources/app/main.swift <<'EOF'
import ConfigDI

let text = """
  { "configdi": 1, "module": "app", "autowire": true, "services": {
    "window": { "type": "Window" }, "greeter": { "type": "Greeter" }, "english": { "type": "English" } } }
  """
print(try Container(text: text, registry: application()).resolve(Window.self).greeter.language)
EOF
expect "types can be nonisolated in a target of the main actor" 0 1 "English()"
