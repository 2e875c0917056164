#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes a package whose target uses the plugin ConfigDIRegistrationsPlugin, and runs it again and again: a marked type is
# registered without another word, also one in a new file; what cannot be registered, and a mistake in the syntax, fail the build
# at their lines; and the program that writes the registrations runs only where a file has changed.
#
# usage: Scripts/check-registrations.sh FOLDER [SCRATCH [TRAITS [OPTION ...]]]
#        The folder is made. SCRATCH may hold the library, built with TRAITS (default: Macros) and the OPTIONs.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
client=${1:?usage: Scripts/check-registrations.sh FOLDER [SCRATCH [TRAITS [OPTION ...]]]}
mkdir -p "$client/Sources/app"
client=$(cd "$client" && pwd)
options=(--scratch-path "$(realpath -m "${2:-$client/.build}")" "${@:4}")
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

# But for one step the files stay the same and only their text changes: where a file is added or removed, SwiftPM builds the
# library anew, since it keeps two records of the build, one for the plugin's program.
greeter=("Greeter app/Greeter.swift:3" "Marked app/Greeter.swift:27" "Window app/Greeter.swift:7")
expect "marked types are registered" 0 1 "${greeter[@]}"
! grep -qE '^(Absent|Box|Unmarked)' output || { echo "FAIL  a type is registered that should not be"; exit 1; }
new=Sources/app/Clock.swift
printf 'import ConfigDI\n\nenum Time { @Resolvable final class Clock: Sendable {} }\n' >$new
expect "so is one in a new file" 0 1 "Clock app/Clock.swift:3" "${greeter[@]}"
printf 'import ConfigDI\n\n@Resolvable private struct Clock {}\n' >$new
expect "one that is private is an error at its line" 1 1 \
  "$client/$new:3:28: error: \"Clock\" is private, so that addResolvableTypes() cannot register it"
printf 'import ConfigDI\n\n@Resolvable struct Greeter {}\n' >$new
expect "two of one name are an error at the second" 1 1 \
  "$client/Sources/app/Greeter.swift:3:20: error: \"Greeter\" would be the second" "$client/$new:3:20: note:"
printf 'import ConfigDI\n\n@Resolvable struct Other { let url: }\n' >$new
expect "a mistake in the syntax is the compiler's error" 1 1 "$new:3:37: error:"
printf '' >$new
expect "one that is gone is not registered" 0 1 "${greeter[@]}"
! grep -q '^Clock' output || { echo "FAIL  Clock is registered"; exit 1; }
expect "code that has not changed is not read" 0 0 "${greeter[@]}"
