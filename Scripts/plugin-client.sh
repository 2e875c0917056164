# SPDX-License-Identifier: Apache-2.0
#
# For the scripts that try a plugin in a package of its own; they source it.

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

# Runs the command of the array `attempt`, and checks how that ended, that its output has some texts, and how many lines of it
# have the text `mark`, by which the plugin's program tells that it runs. The output is left in the file `output`.
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
