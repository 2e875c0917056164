#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Creates a package whose target uses the plugin ConfigDIPlugin, and builds it repeatedly: a module with an error fails the
# build at its line, a fixed one builds, and an unchanged one is not checked again. Then the target uses the typed access that
# the plugin generates, until a service is renamed.
#
# usage: Scripts/check-plugin.sh FOLDER [SCRATCH [OPTION ...]]
#        FOLDER is created. SCRATCH may contain the tool, built with the OPTIONs.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
client=${1:?usage: Scripts/check-plugin.sh FOLDER [SCRATCH [OPTION ...]]}
mkdir -p "$client"/Sources/app "$client"/Configs/layers
client=$(cd "$client" && pwd)
scratch=${2:-$client/.build}
[[ $scratch == /* ]] || scratch=$PWD/$scratch
attempt=(swift build --scratch-path "$scratch" "${@:3}")
mark='Checking '
cd "$client"
. "$root/Scripts/plugin-client.sh"

echo 'print("it works")' >Sources/app/main.swift
cat >Configs/app.json <<'END'
{
  "configdi": 1, "module": "app", "environments": { "dev": [], "prod": ["layers/prod.json"] },
  "services": { "clock": { "type": "Clock" }, "greeter": { "type": "Greeter", "inject": { "clock": "clok" } } }
}
END
cat >Configs/layers/prod.json <<'END'
{ "configdi": 1, "module": "prod", "override": { "services": { "greeter": { "values": { "form": "plain" } } } } }
END
cat >Configs/catalog.json <<'END'
{ "configdi-catalog": 1, "types": [
  { "name": "Clock", "provides": ["Clock"], "kind": "class", "sendable": true, "arguments": [] },
  { "name": "Greeter", "provides": ["Greeter"], "kind": "class", "sendable": true, "swiftType": "app.Greeter", "arguments": [
    { "key": "clock", "kind": "service", "type": "Clock" },
    { "key": "form", "kind": "value", "type": "String", "default": "formal" } ] } ] }
END

# Replaces a text within a file. The file itself is not replaced, because its folder would change.
change() {
  local text
  text=$(sed "s|$2|$3|" "$1")
  echo "$text" >"$1"
}

write_manifest "$root" ConfigDIPlugin CommandLine
expect "without its trait the plugin reports that" 1 0 'needs the trait "BuildPlugin"'
write_manifest "$root" ConfigDIPlugin BuildPlugin
expect "without a list the build reports the missing file" 1 0 "lists its modules in $client/Sources/app/configdi-modules.json"
echo '{ "modules": [ { "modul": "../../Configs/app.json" } ] }' >Sources/app/configdi-modules.json
expect "an unknown key in the list is reported at its location" 1 1 \
  "$client/Sources/app/configdi-modules.json:1:18: error: unknown key \"modul\""
echo '{ "modules": [ { "module": "../../Configs/app.json" } ] }' >Sources/app/configdi-modules.json
expect "a module with an error fails the build at its line" 1 1 \
  "$client/Configs/app.json:3:100: error: service \"greeter\" injects unknown service \"clok\" [CDI0501]"
expect "it is checked again until it is fixed" 1 1 "app.json:3:100: error:"
change Configs/app.json '"clok"' '"clock"'
touch Sources/app/First.swift
expect "the fixed module builds" 0 1
expect "an unchanged module is not checked again" 0 0
echo 'print("it still works")' >Sources/app/main.swift
expect "nor if only code has changed" 0 0
change Configs/layers/prod.json '"plain"' '5'
expect "a layer is an input" 1 1 "layers/prod.json:1:97: error: argument \"form\""
change Configs/layers/prod.json '5' '"plain"'
expect "the fixed layer builds" 0 1
change Configs/catalog.json '"default": "formal"' '"default": "plain"'
expect "the catalog is an input" 0 1
expect "and is checked only once" 0 0

# A file that the plugin does not know: a build runs the plugin again only if the target's own folder has a new file.
echo '{ "configdi": 1, "module": "more", "parameters": { "unused": 1 } }' >Configs/layers/more.json
expect "an added file is noticed" 0 1
change Configs/app.json '"dev": \[\]' '"dev": ["layers/more.json"]'
expect "and so is its use; a warning is shown" 0 1 \
  "$client/Configs/layers/more.json:1:52: warning: parameter \"unused\" is never used [CDI0702]"
change Configs/layers/more.json '"unused": 1' '"unused": 1, "unusd": 2'
expect "and a change of it" 0 1 "\"unusd\" is never used"
touch Sources/app/Second.swift
expect "once the plugin has run again, it is an input" 0 1
expect "like the others" 0 0
echo '{ "modules": [ { "module": "../../Configs/app.json", "strict": true } ] }' >Sources/app/configdi-modules.json
expect "warnings fail the build if the list requests it" 1 1 "more.json:1:52: warning:"

# Typed access.
echo '{ "modules": [ { "module": "../../Configs/app.json", "accessor": "services" } ] }' >Sources/app/configdi-modules.json
cat >Sources/app/main.swift <<'END'
import ConfigDI

struct Clock: Sendable {}

struct Greeter: Sendable {
  let clock: Clock
  let form: String
}

var registry = Registry()
registry.add("Clock", Clock.init)
registry.add("Greeter", Greeter.init, .service("clock"), .value("form", default: "formal"))
let container = try Container(module: "Configs/app.json", environment: "prod", registry: registry)
print(try container.services.greeter.form)
END
expect "code uses a service by its property" 0 1
[[ $("$("${attempt[@]}" --show-bin-path)/app") == plain ]] || { echo "the program fails"; exit 1; }
change Configs/app.json '"greeter"' '"welcomer"'
change Configs/layers/prod.json '"greeter"' '"welcomer"'
expect "code that uses a renamed service does not compile" 1 1 \
  "Sources/app/main.swift:14:30: error: value of type 'AppServices<Container>' has no member 'greeter'"
change Sources/app/main.swift 'services.greeter' 'services.welcomer'
expect "with its new name it compiles" 0 0
