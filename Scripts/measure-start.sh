#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the start of a small program: processor time (user and system, of the whole process) of a release build with 50
# services from a file, from the start to the first service, which needs all others, against the same services wired by hand.
# Also of the first service registered in code with closures. Runs of all programs alternate.
#
# usage: Scripts/measure-start.sh [RUNS]     100 runs of each; prints the minimum and the median
#        Fails if the minimum of the program with a file is over GREATEST (default 5) milliseconds.
#        LINK=--static-swift-stdlib links statically.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
runs=${1:-100}
greatest=${GREATEST:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/Sources/{file,code,hand}
cd "$folder"

cat >Package.swift <<END
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "start",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ConfigDI", path: "$root", traits: [])],
  targets: [
    .executableTarget(name: "file", dependencies: [.product(name: "ConfigDI", package: "ConfigDI")]),
    .executableTarget(name: "code", dependencies: [.product(name: "ConfigDI", package: "ConfigDI")]),
    .executableTarget(name: "hand"),
  ]
)
END

python3 - <<'PYTHON'
import json

# Service n depends on 2n + 1 and 2n + 2, and has a number; every second one is looked up by a protocol.
count = 50


def needs(number):
    return [other for other in (2 * number + 1, 2 * number + 2) if other < count]


def type(number):
    return f"any Port{number}" if number % 2 else f"Service{number}"


def metatype(number):
    return f"(any Port{number}).self" if number % 2 else f"Service{number}.self"


def made(number, parts):
    return f"Service{number}(" + ", ".join(parts + [f"size: {number}"]) + ")"


types = ""
for number in range(count):
    parts = [(f"need{place}", type(other)) for place, other in enumerate(needs(number))] + [("size", "Int")]
    types += f"protocol Port{number}: Sendable {{ var size: Int {{ get }} }}\n"
    types += f"final class Service{number}: Port{number} {{\n"
    types += "".join(f"  let {name}: {type}\n" for name, type in parts)
    types += "  init(" + ", ".join(f"{name}: {type}" for name, type in parts) + ") {\n"
    types += "".join(f"    self.{name} = {name}\n" for name, _ in parts) + "  }\n}\n"

add = register = hand = ""
for number in reversed(range(count)):
    arguments = [f'.service("need{place}", {metatype(other)})' for place, other in enumerate(needs(number))]
    arguments.append('.value("size", Int.self)')
    names = [f"need{place}" for place in range(len(needs(number)))]
    product = f"Service{number}(" + ", ".join(f"{name}: {name}" for name in names + ["size"]) + ")"
    add += f'registry.add("Service{number}", as: {metatype(number)}, {", ".join(arguments)}) {{\n'
    add += f"  {', '.join(names + ['size'])} in {product}\n}}\n"
    looked = [f"need{place}: try $0.resolve({metatype(other)})" for place, other in enumerate(needs(number))]
    register += f"container.register({metatype(number)}) {{ {made(number, looked)} }}\n"
    given = [f"need{place}: service{other}" for place, other in enumerate(needs(number))]
    hand += f"let service{number}: {type(number)} = {made(number, given)}\n"

programs = {
    "file": "import ConfigDI\n\nvar registry = Registry()\n" + add
    + 'let container = try Container(module: "app.json", registry: registry)\n'
    + "print(try container.resolve(Service0.self).size)\n",
    "code": "import ConfigDI\n\nlet container = Container()\n" + register
    + "print(try container.resolve(Service0.self).size)\n",
    "hand": hand + "print(service0.size)\n",
}
for name, text in programs.items():
    with open(f"Sources/{name}/Types.swift", "w") as stream:
        stream.write(types)
    with open(f"Sources/{name}/main.swift", "w") as stream:
        stream.write(text)
services = {}
for number in range(count):
    services[f"s{number}"] = {"type": f"Service{number}", "values": {"size": number}}
    if needs(number):
        services[f"s{number}"]["inject"] = {f"need{place}": f"s{other}" for place, other in enumerate(needs(number))}
with open("app.json", "w") as stream:
    json.dump({"configdi": 1, "module": "start", "services": services}, stream, indent=2)
PYTHON

build=(swift build -c release ${LINK:-})
"${build[@]}" >log 2>&1 || { cat log; exit 1; }
python3 - "$("${build[@]}" --show-bin-path)" "$runs" "$greatest" <<'PYTHON'
import os, subprocess, sys

programs, runs, greatest = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
times = {"file": [], "code": [], "hand": []}
for run in range(runs + 3):
    for name, taken in times.items():
        process = subprocess.Popen([f"{programs}/{name}"], stdout=subprocess.PIPE)
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode or text != b"0\n":
            sys.exit(f"{name} does not run as it should")
        # The first runs read the files from the disk.
        if run >= 3:
            taken.append((usage.ru_utime + usage.ru_stime) * 1000)
print(f"{'50 services':12} {'least ms':>10} {'median ms':>10}")
for name, taken in times.items():
    print(f"{name:12} {min(taken):10.2f} {sorted(taken)[len(taken) // 2]:10.2f}")
if min(times["file"]) > greatest:
    sys.exit(f"more than {greatest:g} ms")
PYTHON
