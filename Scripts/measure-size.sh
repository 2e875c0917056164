#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures what a program pays for ConfigDI without traits.
#
# The size is that of a release build, linked statically and stripped, and what loading a module and looking a service up
# adds to it: to a program that only prints a word, and to one that uses FoundationEssentials already. The time is what a
# clean build of the client takes the processor, user and system together, whatever else the machine does.
#
# usage: Scripts/measure-size.sh [GREATEST]     fails where a program that uses FoundationEssentials grows by more than
#                                               GREATEST bytes (default 4,000,000)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
greatest=${1:-4000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$root/Scripts/write-client.sh" "$folder"
cd "$folder"
# The manifests are compiled once for all builds, and count for none.
swift package describe >/dev/null

# Builds the client anew and prints the seconds of the processor.
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
  [[ $("$programs/$name") == "it works" ]] || { echo "$name does not run as it should"; exit 1; }
  strip -o "$name" "$programs/$name"
  size[$name]=$(stat -c %s "$name")
  printf '%-18s %12d bytes\n' "$name" "${size[$name]}"
done
grown=$((size[foundation-client] - size[foundation]))
printf 'added to %-9s %12d bytes\n' empty $((size[client] - size[empty])) foundation "$grown"
((grown <= greatest)) || { echo "more than $greatest bytes"; exit 1; }
