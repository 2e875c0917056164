#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the time of the tool, the best of many runs of a release build: its start, and a check of a module of 1,000
# services in five environments, each of which changes fifty of them.
#
# usage: Scripts/measure-tool.sh [RUNS]     fails if the start takes over 15 ms, or the check over 100
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
runs=${1:-40}
swift build -c release --product configdi 2>&1 | tail -1
tool=$(swift build -c release --show-bin-path)/configdi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 - "$folder" "$tool" "$runs" <<'PYTHON'
import json, subprocess, sys, time

folder, tool, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
environments = ["dev", "test", "stage", "prod", "demo"]


def service(place):
    service = {"type": f"Type{place % 50}", "values": {"size": place, "address": "${host}:8080"}}
    if place:
        service["inject"] = {"left": f"s{(place - 1) // 2}", "right": f"s{place * 2 // 3}"}
    return service


def write(name, **content):
    with open(f"{folder}/{name}.json", "w") as file:
        json.dump({"configdi": 1, "module": name, **content}, file, indent=1)


write(
    "app", environments={name: [f"{name}.json"] for name in environments}, parameters={"host": "example.net"},
    services={f"s{place}": service(place) for place in range(1_000)})
for name in environments:
    write(name, override={"services": {f"s{place}": {"values": {"size": place + 5}} for place in range(10, 60)}})

failed = False
for words, greatest in [(["--version"], 15), (["validate", f"{folder}/app.json"], 100)]:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run([tool, *words], check=True, capture_output=True)
        times.append((time.perf_counter() - start) * 1_000)
    print(f"{words[0]:10} {min(times):6.1f} ms of {greatest}")
    failed = failed or min(times) > greatest
sys.exit(failed)
PYTHON
