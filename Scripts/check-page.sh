#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the page of `configdi graph --format html`: its script by a linter, and the actions of a reader and their duration in
# a headless Chromium: Scripts/check-page.sh [TOOL [PICTURES]]. PICTURES is a folder for pictures of the page.
#
# Needs chromium, eslint and python3. Installs them on Debian as root; otherwise they must be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tool=${1:-$(swift build --show-bin-path)/configdi}

missing=()
for program in chromium eslint python3; do command -v "$program" >/dev/null || missing+=("$program"); done
if [[ ${#missing[@]} -gt 0 ]]; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The files share one scope, so they are checked together, in their order in the page.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '{"configdi": 1, "module": "m", "services": {"a": {"type": "T"}}}' >"$scratch/app.json"
"$tool" graph "$scratch/app.json" --format html >"$scratch/page.html"
sed -n '/^<script>$/,/^<\/script>$/p' "$scratch/page.html" | sed '1d;$d' >"$scratch/page.js"
grep -q '^followAddress();$' "$scratch/page.js" || { echo "the page has no script"; exit 1; }
# Other builds of nodejs do not search the modules of Debian.
NODE_PATH=/usr/share/nodejs eslint --no-eslintrc --config Scripts/Page/eslint.json --format unix --stdin <"$scratch/page.js"
echo "the script: $(wc -l <"$scratch/page.js") lines, no findings"

python3 Scripts/Page/check.py "$tool" ${2:+"$2"}
