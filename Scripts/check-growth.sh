#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks that time, memory and output of the tool grow at most linearly with the size of a module, for every list, map and
# name of the format that can be long, deep or numerous, and for every kind of error: Scripts/check-growth.sh [OPTIONS]
#
# Writes a small module, enlarges it along one or two axes, and runs a release build on it and on one of four times the
# size. Fails if the second run takes more than 8 times as much and more than a minimum, and if a third run of 16 times the
# size does so, too. So neither noise nor a budget that ends the growth is a failure. Without options it checks each axis alone
# and 250 pairs of them, then each axis alone in the largest forms of output. All pairs and more forms of output take some
# hours:
#
#   Scripts/check-growth.sh --size 4000 --pairs -1 --commands validate,json,sarif,github,xcode,resolve,explain,dot,html,diff
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=(swift build -c release --product configdi -debug-info-format none)
"${build[@]}" >/dev/null
tool=$("${build[@]}" --show-bin-path)/configdi
if [[ $# -eq 0 ]]; then
  python3 Scripts/Measuring/growth.py "$tool" --size 1000 --pairs 250 --pair-size 250
  set -- --size 400 --commands html,diff,schema,list
fi
python3 Scripts/Measuring/growth.py "$tool" "$@"
