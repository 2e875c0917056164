#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the compile time of registrations: processor seconds (user and system) and the object size of a module with some
# registrations, compiled for release with the flags of the package manager; the library is built before. All modules have the
# same types; the module "types" has nothing else, and its cost is subtracted from the others.
#
#   types       the types alone
#   add         Registry.add with a closure and five arguments each, data and services mixed
#   initializer Registry.add with an initializer, and the same arguments
#   register    Container.register with a closure that looks up its dependencies
#   dictionary  closures in a dictionary
#   stand-in    registrations of a stand-in for Swinject, which cannot be fetched here: the same form of interface
#   resolvable  types with @Resolvable, and Registry.add of these; only with MACROS=1, which builds swift-syntax first
#
# usage: Scripts/measure-compile-time.sh [COUNT [RUNS [SCRATCH]]]     200 registrations, the best of three runs;
#        SCRATCH holds the built library between calls. KEEP=FOLDER keeps the generated package there.
#        Fails if those of `add`, of `initializer` or of `resolvable` take over GREATEST (default 2) times as long as the stand-in's.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
count=${1:-200}
runs=${2:-3}
greatest=${GREATEST:-2}
if [[ -n ${KEEP:-} ]]; then
  folder=$(realpath -m "$KEEP")
  mkdir -p "$folder"
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
scratch=$(realpath -m "${3:-$folder/.build}")
traits=${MACROS:+'"Macros"'}
mkdir -p "$folder/Sources/library" "$folder/Sources/standin"
cd "$folder"

cat >Package.swift <<END
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "compile-time",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ConfigDI", path: "$root", traits: [$traits])],
  targets: [
    .target(name: "library", dependencies: [.product(name: "ConfigDI", package: "ConfigDI")]),
    .target(name: "standin", swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)
END
echo 'import ConfigDI' >Sources/library/library.swift
"$root/Scripts/Measuring/stand-in.sh" >Sources/standin/Container.swift
swift build -c release --scratch-path "$scratch" 2>&1 | tail -1
products=$(swift build -c release --scratch-path "$scratch" --show-bin-path)

python3 - "$folder" "$products" "$count" "$runs" "$greatest" "${MACROS:-}" <<'PYTHON'
import os, subprocess, sys

folder, products, count, runs, greatest = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
has_macros = sys.argv[6] != ""

# The five parameters of each service, in turn: name, type, argument of `add`, and how a closure fills it.
shapes = [
    [
        ("host", "String", '.value("host", String.self)', '"localhost"'),
        ("port", "Int", '.value("port", Int.self, default: 25)', "25"),
        ("logger", "any Logger", '.service("logger", (any Logger).self)', None),
        ("clock", "Clock", '.service("clock", Clock.self)', None),
        ("retries", "Int", '.value("retries", Int.self)', "3"),
    ],
    [
        ("store", "any Store", '.service("store", (any Store).self)', None),
        ("logger", "any Logger", '.service("logger", (any Logger).self)', None),
        ("metrics", "Metrics", '.service("metrics", Metrics.self)', None),
        ("path", "String", '.value("path", String.self)', '"/var/lib"'),
        ("isOpen", "Bool", '.value("isOpen", Bool.self, default: true)', "true"),
    ],
    [
        ("clock", "Clock", '.service("clock", Clock.self)', None),
        ("limit", "Int", '.value("limit", Int.self, default: 100)', "100"),
        ("names", "[String]", '.value("names", [String].self)', '["a", "b"]'),
        ("store", "any Store", '.service("store", (any Store).self)', None),
        ("share", "Double", '.value("share", Double.self)', "0.5"),
    ],
    [
        ("logger", "any Logger", '.service("logger", (any Logger).self)', None),
        ("metrics", "Metrics", '.service("metrics", Metrics.self)', None),
        ("clock", "Clock", '.service("clock", Clock.self)', None),
        ("title", "String", '.value("title", String.self, default: "none")', '"none"'),
        ("size", "Int", '.value("size", Int.self)', "8"),
    ],
]



def types(mark=""):
    text = """protocol Logger: Sendable { func log(_ text: String) }
protocol Store: Sendable { func read(_ key: String) -> String? }
final class Clock: Sendable { init() {} }
final class Metrics: Sendable { init() {} }
"""
    for number in range(count):
        shape = shapes[number % 4]
        text += f"protocol Port{number}: Sendable {{ func run() -> Int }}\n"
        text += f"{mark.format(number)}final class Service{number}: Port{number} {{\n"
        for name, type, _, _ in shape:
            text += f"  let {name}: {type}\n"
        # The macro has the default, as the argument of `add` has.
        parts = (f"{name}: {type}" + (f" = {value}" if mark and "default:" in argument else "")
                 for name, type, argument, value in shape)
        text += "  init(" + ", ".join(parts) + ") {\n"
        for name, _, _, _ in shape:
            text += f"    self.{name} = {name}\n"
        text += f"  }}\n  func run() -> Int {{ {number} }}\n}}\n"
    return text


def call(number, look_up):
    parts = (f"{name}: {look_up(type) if value is None else value}" for name, type, _, value in shapes[number % 4])
    return f"Service{number}(" + ", ".join(parts) + ")"


def metatype(type):
    return f"({type}).self" if type.startswith("any ") else f"{type}.self"


# One function for twenty registrations, like a program with several registration functions.
def functions(head, each, result=""):
    text = head
    for start in range(0, count, 20):
        text += each[0].format(start // 20)
        for number in range(start, min(start + 20, count)):
            text += each[1](number)
        text += "}\n"
    return text


def add(number):
    shape = shapes[number % 4]
    names = ", ".join(name for name, _, _, _ in shape)
    arguments = ", ".join(argument for _, _, argument, _ in shape)
    made = f"Service{number}(" + ", ".join(f"{name}: {name}" for name, _, _, _ in shape) + ")"
    return f'  registry.add(\n    "Service{number}", as: (any Port{number}).self, {arguments}\n  ) {{ {names} in {made} }}\n'


def initializer(number):
    # The types are those of the initializer.
    arguments = ", ".join(
        argument.replace(f", {metatype(type)}", "") for _, type, argument, _ in shapes[number % 4]
    )
    name = f"Service{number}"
    return f'  registry.add("{name}", as: (any Port{number}).self, {name}.init, {arguments})\n'


def register(number):
    made = call(number, lambda type: f"try $0.resolve({metatype(type)})")
    return f"  container.register((any Port{number}).self) {{ {made} }}\n"


def entry(number):
    made = call(number, lambda type: f"$0.look({metatype(type)})")
    return f"  services.factories[ObjectIdentifier((any Port{number}).self)] = {{ {made} }}\n"


def stand_in(number):
    made = call(number, lambda type: f"resolver.resolve({metatype(type)})!")
    return f"  container.register((any Port{number}).self) {{ resolver in {made} }}\n"


sources = {
    "types": "",
    "add": functions(
        "import ConfigDI\n", ("public func register{0}(in registry: inout Registry) {{\n", add)),
    "initializer": functions(
        "import ConfigDI\n", ("public func register{0}(in registry: inout Registry) {{\n", initializer)),
    "register": functions(
        "import ConfigDI\n", ("public func register{0}(in container: Container) {{\n", register)),
    "dictionary": functions(
        """public final class Services {
  var factories: [ObjectIdentifier: (Services) -> Any] = [:]
  func look<T>(_ type: T.Type) -> T { factories[ObjectIdentifier(type)]!(self) as! T }
}
""", ("public func register{0}(in services: Services) {{\n", entry)),
    "stand-in": functions(
        "import standin\n", ("public func register{0}(in container: standin.Container) {{\n", stand_in)),
}

if has_macros:
    sources["resolvable"] = functions(
        "import ConfigDI\n",
        ("public func register{0}(in registry: inout Registry) {{\n", lambda n: f"  registry.add(Service{n}.self)\n"))

commands, results = {}, {}
for name, text in sources.items():
    place = os.path.join(folder, "Clients", name)
    os.makedirs(place, exist_ok=True)
    files = []
    marked = "import ConfigDI\n" + types("@Resolvable(as: (any Port{}).self) ") if name == "resolvable" else types()
    for file, content in [("Types.swift", marked), ("Registrations.swift", text)]:
        files.append(os.path.join(place, file))
        with open(files[-1], "w") as stream:
            stream.write(content)
    command = ["swiftc", "-O", "-whole-module-optimization", "-g", "-parse-as-library", "-swift-version", "6"]
    command += ["-module-name", name.replace("-", "_") + "_client", "-I", os.path.join(products, "Modules")]
    command += ["-enable-upcoming-feature", "ExistentialAny"]
    if name == "resolvable":
        command += ["-load-plugin-executable", os.path.join(products, "ConfigDIMacros-tool#ConfigDIMacros")]
    command += ["-emit-module", "-emit-module-path", os.path.join(place, "client.swiftmodule")]
    command += ["-c", "-o", os.path.join(place, "client.o")] + os.environ.get("SWIFTFLAGS", "").split()
    commands[name] = command + files
# Interleaved, so that a slow moment of the machine affects all of them equally.
best = {}
for _ in range(runs):
    for name, command in commands.items():
        process = subprocess.Popen(command)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{name} does not compile")
        took = usage.ru_utime + usage.ru_stime
        best[name] = min(best.get(name, took), took)
for name in sources:
    object = os.path.join(folder, "Clients", name, "client.o")
    sizes = subprocess.run(["size", "-A", object], capture_output=True, text=True, check=True).stdout
    # Only the sections that are loaded, without the tables for the debugger and the linker.
    loaded = 0
    for line in sizes.splitlines():
        words = line.split()
        if len(words) == 3 and words[0].startswith((".text", ".data", ".rodata", ".bss", "swift5", ".eh_frame", ".gcc")):
            loaded += int(words[1])
    results[name] = (best[name], loaded, os.path.getsize(object))

base = results["types"]
print(f"{count} registrations, the best of {runs} runs; the module of types alone subtracted from the others")
print(f"{'module':12} {'processor s':>12} {'against stand-in':>17} {'code and data':>14} {'object file':>12}")
failed = []
stand_in_took = results["stand-in"][0] - base[0]
for name, (took, loaded, size) in results.items():
    if name == "types":
        print(f"{name:12} {took:12.2f} {'':>17} {loaded:14,} {size:12,}")
        continue
    ratio = (took - base[0]) / stand_in_took
    print(f"{name:12} {took - base[0]:12.2f} {ratio:17.2f} {loaded - base[1]:14,} {size - base[2]:12,}")
    if name in ("add", "initializer", "resolvable") and ratio > greatest:
        failed.append(f"{name}: more than {greatest:g} times as long as the stand-in's")
if failed:
    print("\n".join(failed))
sys.exit(1 if failed else 0)
PYTHON
