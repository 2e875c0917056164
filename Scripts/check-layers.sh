#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Type-checks each room of Sources/ConfigDI and Sources/ConfigDITooling with only the rooms that Scripts/layers.txt lets
# it name. Swift has no borders between the folders of one module; this draws them.
#
# usage: Scripts/check-layers.sh [ROOM ...]      all rooms unless some are named
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rooms=()
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT
declare -A allowed

complain() {
  echo "check-layers: $*" >&2
  exit 1
}

# The folder of a room. A room outside of the library bears the name of its target.
folder_of() {
  case $1 in
    */*) echo "Sources/$1" ;;
    *) echo "Sources/ConfigDI/$1" ;;
  esac
}

# A room may name only rooms above it in the file, so the file itself cannot hold a circle.
read_layers() {
  local line room below
  while IFS= read -r line; do
    line=${line%%#*}
    [[ -n ${line//[[:space:]]/} ]] || continue
    [[ $line == *:* ]] || complain "a line without a colon in Scripts/layers.txt: $line"
    room=${line%%:*}
    [[ ! -v allowed[$room] ]] || complain "$room stands twice in Scripts/layers.txt"
    [[ -d $(folder_of "$room") ]] || complain "there is no folder $(folder_of "$room")"
    for below in ${line#*:}; do
      [[ -v allowed[$below] ]] || complain "$room names $below, which does not stand above it in Scripts/layers.txt"
    done
    rooms+=("$room")
    allowed[$room]=${line#*:}
  done <Scripts/layers.txt
}

# Every folder is a room, and no file stands outside of one.
check_folders() {
  local entry name
  for entry in Sources/ConfigDI/* Sources/ConfigDITooling/*; do
    name=${entry#Sources/}
    name=${name#ConfigDI/}
    case $entry in
      *.docc) ;;
      *.swift) complain "$entry stands in no room" ;;
      *) [[ ! -d $entry || -v allowed[$name] ]] || complain "the room $name is not in Scripts/layers.txt" ;;
    esac
  done
}

# The room and all that it may name, through others too, one a line.
reach() {
  local below
  echo "$1"
  for below in ${allowed[$1]}; do reach "$below"; done
}

# Runs the compiler on the files of a module.
compile() {
  local module=$1
  shift
  swiftc -whole-module-optimization -parse-as-library -swift-version 6 -module-name "$module" -package-name configdi \
    -enable-upcoming-feature ExistentialAny \
    -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility \
    -suppress-warnings "$@"
}

# Type-checks a room with what it may name. The rooms of the library that a room of another target may name are a module.
check_room() {
  local library=() own=() reached
  while IFS= read -r reached; do
    while IFS= read -r file; do
      if [[ $reached == */* ]]; then own+=("$file"); else library+=("$file"); fi
    done < <(find "$(folder_of "$reached")" -name '*.swift' | sort)
  done < <(reach "$1" | sort -u)
  if [[ $1 == */* ]]; then
    compile ConfigDI -emit-module -emit-module-path "$modules/ConfigDI.swiftmodule" "${library[@]}" &&
      compile "${1%%/*}" -typecheck -I "$modules" "${own[@]}"
  else
    compile ConfigDI -typecheck "${library[@]}"
  fi
}

read_layers
check_folders
[[ $# -eq 0 ]] || rooms=("$@")
passed=0
failed=0
for room in "${rooms[@]}"; do
  [[ -v allowed[$room] ]] || complain "there is no room $room in Scripts/layers.txt"
  if check_room "$room"; then
    echo "ok    $room"
    passed=$((passed + 1))
  else
    echo "FAIL  $room names a room outside of: ${allowed[$room]:- (none)}"
    failed=$((failed + 1))
  fi
done
echo "layers: $passed passed, $failed failed"
[[ $failed -eq 0 ]]
