# SPDX-License-Identifier: Apache-2.0
#
# Functions for the scripts that test a plugin in a separate package.

# Writes the manifest of a package whose target "app" uses a plugin of the library.
# usage: write_manifest LIBRARY PLUGIN TRAITS     TRAITS with commas between them
write_manifest() {
  cat >Package.swift <<END
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ConfigDI", path: "$1", traits: [$(sed 's/[^,][^,]*/"&"/g' <<<"$3")])],
  targets: [
    .executableTarget(
      name: "app", dependencies: [.product(name: "ConfigDI", package: "ConfigDI")],
      plugins: [.plugin(name: "$2", package: "ConfigDI")])
  ]
)
END
}

# Runs the command in the array `attempt`, and checks its status, some texts of its output, and the number of lines with the
# text `mark`, which the plugin's program prints in each run. The output is in the file `output` afterwards.
# usage: expect STEP STATUS RUNS [TEXT ...]
expect() {
  local step=$1 wanted=$2 runs=$3 status=0 text found
  shift 3
  "${attempt[@]}" >output 2>&1 || status=$?
  found=$(grep -c -- "$mark" output || true)
  for text in "$@"; do
    grep -qF -- "$text" output || { echo "FAIL  $step: no \"$text\" in"; cat output; exit 1; }
  done
  if [[ $((status != 0)) -ne $wanted || $found -ne $runs ]]; then
    echo "FAIL  $step: status $status, $found runs of the plugin's program"
    cat output
    exit 1
  fi
  grep -E "^$PWD/.*: (error|warning): " output | sed 's/^/      /' || true
  echo "ok    $step"
}
