#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Creates a package that uses ConfigDI without any trait, builds it, and checks its dependencies:
# no third-party package, and of Foundation at most the essentials.
#
# usage: Scripts/check-client.sh FOLDER [SCRATCH [OPTION ...]]
#        FOLDER is created. SCRATCH may contain the library, built with the OPTIONs.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
client=${1:?usage: Scripts/check-client.sh FOLDER [SCRATCH [OPTION ...]]}
scratch=${2:-$client/.build}
[[ $scratch == /* ]] || scratch=$PWD/$scratch
build=(swift build --product client --scratch-path "$scratch" "${@:3}")
"$root/Scripts/write-client.sh" "$client"
cd "$client"

"${build[@]}"
program=$("${build[@]}" --show-bin-path)/client
[[ $("$program") == "it works" ]] || { echo "the client fails"; exit 1; }

# The identity of a local package is the name of its folder.
packages=$(swift package show-dependencies --format flatlist)
[[ $packages == "$(basename "${root,,}")" ]] || { echo "packages that the client depends on: $packages"; exit 1; }
if [[ -f Package.resolved ]] && grep -q '"identity"' Package.resolved; then
  echo "the client pins a package:"
  cat Package.resolved
  exit 1
fi
# The direct and indirect libraries of the program.
libraries=$( (readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; ldd "$program" | awk '{ print $1 }') | sort -u)
if grep -E '^libFoundation(Internationalization|Networking|XML)?\.so' <<<"$libraries"; then
  echo "the client links more of Foundation than its essentials"
  exit 1
fi
echo "packages: $packages; of Foundation: $(grep Foundation <<<"$libraries" | paste -sd' ' || true)"
