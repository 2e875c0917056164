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
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT
declare -A allowed

complain() {
  echo "check-layers: $*" >&2
  exit 1
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
  local line folder below
  while IFS= read -r line; do
    line=${line%%#*}
    [[ -n ${line//[[:space:]]/} ]] || continue
    [[ $line == *:* ]] || complain "a line without a colon in Scripts/layers.txt: $line"
    folder=${line%%:*}
    [[ ! -v allowed[$folder] ]] || complain "$folder occurs twice in Scripts/layers.txt"
    [[ -d $(path_of "$folder") ]] || complain "there is no folder $(path_of "$folder")"
    for below in ${line#*:}; do
      [[ -v allowed[$below] ]] || complain "$folder uses $below, which is not above it in Scripts/layers.txt"
    done
    folders+=("$folder")
    allowed[$folder]=${line#*:}
  done <Scripts/layers.txt
}

# Every folder must be in Scripts/layers.txt, and every file in a folder.
check_folders() {
  local entry name
  for entry in Sources/ConfigDI/* Sources/ConfigDITooling/*; do
    name=${entry#Sources/}
    name=${name#ConfigDI/}
    case $entry in
      *.docc) ;;
      *.swift) complain "$entry is in no folder" ;;
      *) [[ ! -d $entry || -v allowed[$name] ]] || complain "the folder $name is not in Scripts/layers.txt" ;;
    esac
  done
}

# Prints a folder and all folders that it may use, directly or indirectly, one per line.
allowed_folders() {
  local below
  echo "$1"
  for below in ${allowed[$1]}; do allowed_folders "$below"; done
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
      typecheck "${1%%/*}" -I "$modules" "${own[@]}" "${others[@]}"
  else
    typecheck ConfigDI "${own[@]}" "${library[@]}"
  fi
}

read_layers
check_folders
[[ $# -eq 0 ]] || folders=("$@")
passed=0
failed=0
for folder in "${folders[@]}"; do
  [[ -v allowed[$folder] ]] || complain "there is no folder $folder in Scripts/layers.txt"
  if check_folder "$folder"; then
    echo "ok    $folder"
    passed=$((passed + 1))
  else
    echo "FAIL  $folder uses a folder other than: ${allowed[$folder]:- (none)}"
    failed=$((failed + 1))
  fi
done
echo "layers: $passed passed, $failed failed"
[[ $failed -eq 0 ]]
