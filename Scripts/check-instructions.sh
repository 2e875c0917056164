#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Counts the instructions of some benchmarks, and compares them with Benchmarks/instructions.txt: instructions do not depend
# on the load of the machine. Fails if an operation takes over 10 percent more instructions than in the file, or allocates more
# often; reports operations that take over 10 percent less. Counts only between the marks of `bench --repeat`, without the
# start of the program and one-time builds.
#
# usage: Scripts/check-instructions.sh [--update]     --update rewrites the file
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
figures=Benchmarks/instructions.txt
# The tolerance in percent, in both directions.
tolerance=10
# The benchmarks, with their repetitions.
benchmarks=(
  count.shared16 1000
  resolve.named 10000
  count.transient4 1000
  resolve.graph6 1000
  code.graph6 1000
  code.argument 1000
  scope.request 1000
  lazy.value 1000
  container.empty 1000
  load.1000 3
)

command -v valgrind >/dev/null || { apt-get update -qq && apt-get install -y -qq valgrind >/dev/null; }
build=(swift build -c release --package-path Benchmarks)
"${build[@]}" 2>&1 | tail -1
bench=$("${build[@]}" --show-bin-path)/bench
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Hash tables of the standard library have a random seed in each process, which would change the counts.
export SWIFT_DETERMINISTIC_HASHING=1
# At each mark callgrind writes the counts to a new file and resets them.
valgrind --tool=callgrind --callgrind-out-file="$scratch/out" --dump-before=mark_repetitions --compress-strings=no \
  "$bench" --repeat "${benchmarks[@]}" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
{
  echo "# Instructions and allocations of one operation; written by Scripts/check-instructions.sh --update."
  for ((place = 0; place < ${#benchmarks[@]}; place += 2)); do
    # Files with odd numbers have the counts before the marks, the file with an even number those between the marks.
    awk -v name="${benchmarks[place]}" -v count="${benchmarks[place + 1]}" '
      /^fn=/ { caller = substr($0, 4) }
      /^cfn=/ { called = substr($0, 5) }
      # posix_memalign calls malloc where that aligns enough.
      /^calls=/ && caller !~ /memalign/ && called ~ /^(malloc|calloc|realloc|posix_memalign|aligned_alloc|memalign)$/ {
        allocations += substr($1, 7)
      }
      /^totals:/ { instructions = $2 }
      END { printf "%s %.1f %.2f\n", name, instructions / count, allocations / count }' "$scratch/out.$((place + 2))"
  done
} >"$scratch/figures"

if [[ ${1:-} == --update ]]; then
  cp "$scratch/figures" "$figures"
  cat "$figures"
  exit
fi

printf '%-26s %14s %14s %8s %12s\n' "one operation" instructions expected change allocations
awk -v tolerance="$tolerance" '
  /^#/ { next }
  NR == FNR { instructions[$1] = $2; allocations[$1] = $3; next }
  !($1 in instructions) { print $1 " is not in the file"; failed = 1; next }
  {
    change = 100 * ($2 / instructions[$1] - 1)
    note = ""
    if (change < -tolerance) note = "better: record it with --update"
    if (change > tolerance) { note = "WORSE"; failed = 1 }
    # A tolerance of 0.1, because few repetitions sometimes grow a table.
    if ($3 > allocations[$1] + 0.1 && $3 > allocations[$1] * (1 + tolerance / 100)) { note = "ALLOCATES MORE"; failed = 1 }
    printf "%-26s %14.1f %14.1f %+7.1f%% %12.2f  %s\n", $1, $2, instructions[$1], change, $3, note
  }
  END { exit failed }' "$figures" "$scratch/figures"
