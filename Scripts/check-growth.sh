#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks that time, memory and output of the tool grow with the size of a module and not faster, whichever list, map or
# name of the format is long, deep or numerous, and whichever mistake occurs how often: Scripts/check-growth.sh [OPTIONS]
#
# Writes a small module, enlarges it in one respect or in two, and runs a release build on it and on one of four times the
# size. Fails where the second run takes more than 8 times as much and more than a floor, and so does a third one of 16 times
# the size, so that neither noise nor a budget that ends the growth fails it. Without options: each respect alone, and 250 pairs
# of them, in a check, then each respect alone in the forms of output that hold the most. For all pairs and more forms of
# output, some hours:
#
#   Scripts/check-growth.sh --size 4000 --pairs -1 --commands validate,json,sarif,github,xcode,resolve,explain,dot,html,diff
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=(swift build -c release --product configdi)
"${build[@]}" >/dev/null
tool=$("${build[@]}" --show-bin-path)/configdi
if [[ $# -eq 0 ]]; then
  python3 Scripts/Measuring/growth.py "$tool" --size 1000 --pairs 250 --pair-size 250
  set -- --size 400 --commands html,diff,schema,list
fi
python3 Scripts/Measuring/growth.py "$tool" "$@"
