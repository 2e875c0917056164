#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of ConfigDI without traits for a program.
#
# The size is that of a release build, linked statically and stripped, and the growth by loading a module and looking up a
# service: of a program that only prints a word, and of one that uses FoundationEssentials already. The time is the processor
# time of a clean build of the client, user and system together.
#
# usage: Scripts/measure-size.sh [GREATEST]     fails if a program that uses FoundationEssentials grows by more than
#                                               GREATEST bytes (default 4,000,000)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
greatest=${1:-4000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$root/Scripts/write-client.sh" "$folder"
cd "$folder"
# The manifests are compiled once before all builds, and are not counted.
swift package describe >/dev/null

# Runs a clean build of the client and prints its processor seconds.
measure_build() {
  local configuration=$1 TIMEFORMAT='%U %S' times
  times=$({ time swift build -c "$configuration" --product client --scratch-path "clean-$configuration" >build.log 2>&1; } 2>&1) ||
    { cat build.log; exit 1; }
  awk -v configuration="$configuration" '{ printf "%-8s clean build of the client %8.1f processor seconds\n", configuration, $1 + $2 }' <<<"$times"
}
measure_build debug
measure_build release

build=(swift build -c release --static-swift-stdlib)
"${build[@]}" 2>&1 | tail -1
programs=$("${build[@]}" --show-bin-path)
declare -A size
for name in empty client foundation foundation-client; do
  [[ $("$programs/$name") == "it works" ]] || { echo "$name fails"; exit 1; }
  strip -o "$name" "$programs/$name"
  size[$name]=$(stat -c %s "$name")
  printf '%-18s %12d bytes\n' "$name" "${size[$name]}"
done
grown=$((size[foundation-client] - size[foundation]))
printf 'added to %-9s %12d bytes\n' empty $((size[client] - size[empty])) foundation "$grown"
((grown <= greatest)) || { echo "more than $greatest bytes"; exit 1; }
