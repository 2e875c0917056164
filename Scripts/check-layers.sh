#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Type-checks each folder of Sources/ConfigDI and Sources/ConfigDITooling together with only those folders that
# Scripts/layers.txt allows it to use. Swift does not enforce dependencies between the folders of one module.
#
# usage: Scripts/check-layers.sh [FOLDER ...]      all folders by default
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folders=()
# The folders that each of them may use. Two arrays, since the bash of macOS has no associative ones.
allowed=()
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT

complain() {
  echo "check-layers: $*" >&2
  exit 1
}

# Sets `place` to the index of a folder; fails if it was not read from Scripts/layers.txt.
find_folder() {
  for ((place = 0; place < ${#folders[@]}; place++)); do
    [[ ${folders[place]} != "$1" ]] || return 0
  done
  return 1
}

# Prints the path of a folder. A folder of another target has the name of the target before it.
path_of() {
  case $1 in
    */*) echo "Sources/$1" ;;
    *) echo "Sources/ConfigDI/$1" ;;
  esac
}

# A folder may use only folders above it in the file, so that the file cannot contain a cycle.
read_layers() {
  local line folder below place
  while IFS= read -r line; do
    line=${line%%#*}
    [[ -n ${line//[[:space:]]/} ]] || continue
    [[ $line == *:* ]] || complain "a line without a colon in Scripts/layers.txt: $line"
    folder=${line%%:*}
    ! find_folder "$folder" || complain "$folder occurs twice in Scripts/layers.txt"
    [[ -d $(path_of "$folder") ]] || complain "there is no folder $(path_of "$folder")"
    for below in ${line#*:}; do
      find_folder "$below" || complain "$folder uses $below, which is not above it in Scripts/layers.txt"
    done
    folders+=("$folder")
    allowed+=("${line#*:}")
  done <Scripts/layers.txt
}

# Every folder must be in Scripts/layers.txt, and every file in a folder.
check_folders() {
  local entry name place
  for entry in Sources/ConfigDI/* Sources/ConfigDITooling/*; do
    name=${entry#Sources/}
    name=${name#ConfigDI/}
    case $entry in
      *.docc) ;;
      *.swift) complain "$entry is in no folder" ;;
      *) [[ ! -d $entry ]] || find_folder "$name" || complain "the folder $name is not in Scripts/layers.txt" ;;
    esac
  done
}

# Prints a folder and all folders that it may use, directly or indirectly, one per line.
allowed_folders() {
  local below place
  echo "$1"
  find_folder "$1"
  for below in ${allowed[place]}; do allowed_folders "$below"; done
}

# The options of the targets.
options=(-parse-as-library -swift-version 6 -package-name configdi -suppress-warnings
  -enable-upcoming-feature ExistentialAny
  -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility)
# Where the compiler finds the macros of the standard library, which only its driver knows.
plugins=$(swiftc -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)".*|\1/host/plugins|p')

# Type-checks those files of a module that are given as primary files.
typecheck() {
  local module=$1
  shift
  swiftc -frontend "${options[@]}" -plugin-path "$plugins" -module-name "$module" -typecheck "$@"
}

# Type-checks a folder with the folders that it may use, of which only the declarations are read. For a folder of another
# target, those of the library are compiled into a module.
check_folder() {
  local library=() others=() own=() used file
  while IFS= read -r used; do
    while IFS= read -r file; do
      if [[ $used == "$1" ]]; then
        own+=(-primary-file "$file")
      elif [[ $used == */* ]]; then
        others+=("$file")
      else
        library+=("$file")
      fi
    done < <(find "$(path_of "$used")" -name '*.swift' | sort)
  done < <(allowed_folders "$1" | sort -u)
  if [[ $1 == */* ]]; then
    swiftc "${options[@]}" -module-name ConfigDI -whole-module-optimization -Xfrontend -experimental-skip-all-function-bodies \
      -emit-module -emit-module-path "$modules/ConfigDI.swiftmodule" "${library[@]}" &&
      typecheck "${1%%/*}" -I "$modules" "${own[@]}" ${others[@]+"${others[@]}"}
  else
    typecheck ConfigDI "${own[@]}" ${library[@]+"${library[@]}"}
  fi
}

read_layers
check_folders
[[ $# -gt 0 ]] || set -- "${folders[@]}"
passed=0
failed=0
for folder; do
  find_folder "$folder" || complain "there is no folder $folder in Scripts/layers.txt"
  if check_folder "$folder"; then
    echo "ok    $folder"
    passed=$((passed + 1))
  else
    echo "FAIL  $folder uses a folder other than: ${allowed[place]:- (none)}"
    failed=$((failed + 1))
  fi
done
echo "layers: $passed passed, $failed failed"
[[ $failed -eq 0 ]]
