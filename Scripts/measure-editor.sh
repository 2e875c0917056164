#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the response times of the language server, in a release build, for a module of 1,000 services: from a change of one
# character to the findings, and for the requests of an editor between changes. In one environment, and in five that change
# fifty services each. Prints the best of many runs and the median.
#
# usage: Scripts/measure-editor.sh [RUNS]     fails if the best of a change to a module without environments takes over 50 ms
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
runs=${1:-40}
swift build -c release --product configdi 2>&1 | tail -1
tool=$(swift build -c release --show-bin-path)/configdi
folder=$(realpath "$(mktemp -d)")
trap 'rm -rf "$folder"' EXIT

python3 - "$folder" "$tool" "$runs" <<'PYTHON'
import json, os, statistics, subprocess, sys, time

folder, tool, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
environments = ["dev", "test", "stage", "prod", "demo"]


def service(place):
    service = {"type": f"Type{place % 50}", "values": {"size": place, "address": "${host}:8080"}}
    if place:
        service["inject"] = {"left": f"s{(place - 1) // 2}", "right": f"s{place * 2 // 3}"}
    return service


def write(name, **content):
    os.makedirs(os.path.dirname(f"{folder}/{name}.json"), exist_ok=True)
    with open(f"{folder}/{name}.json", "w") as file:
        json.dump({"configdi": 1, "module": name.replace("/", "."), **content}, file, indent=1)


services = {f"s{place}": service(place) for place in range(1_000)}
write("one/app", parameters={"host": "example.net"}, services=services)
write(
    "five/app", environments={name: [f"{name}.json"] for name in environments}, parameters={"host": "example.net"},
    services=services)
for name in environments:
    changed = {f"s{place}": {"values": {"size": place + 5}} for place in range(10, 60)}
    write(f"five/{name}", override={"services": changed})


class Session:
    def __init__(self, path):
        self.server = subprocess.Popen([tool, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.uri, self.number = f"file://{path}", 0
        self.text = open(path).read()
        root = os.path.dirname(path)
        self.request("initialize", {"processId": None, "rootUri": f"file://{root}", "capabilities": {}})
        self.notify("initialized", {})
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri, "languageId": "json", "version": 1, "text": self.text}})
        self.version = 1
        self.published()

    def send(self, message):
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.server.stdin.flush()

    def read(self):
        length = int(self.server.stdout.readline().split(b":")[1])
        self.server.stdout.readline()
        return json.loads(self.server.stdout.read(length))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.number:
                return message["result"]

    def published(self):
        while True:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == self.uri:
                if message["params"]["version"] == self.version:
                    return message["params"]["diagnostics"]

    def change(self, old, new):
        """Replaces the first occurrence of a text, as if by typing."""
        at = self.text.index(old)
        before = self.text[:at]
        line, start = before.count("\n"), at - (before.rfind("\n") + 1)
        self.version += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri, "version": self.version},
            "contentChanges": [{"text": new, "range": {
                "start": {"line": line, "character": start},
                "end": {"line": line, "character": start + len(old)}}}]})
        self.text = before + new + self.text[at + len(old):]

    def place(self, text, offset):
        at = self.text.index(text) + offset
        return {"textDocument": {"uri": self.uri}, "position": {
            "line": self.text.count("\n", 0, at), "character": at - (self.text.rfind("\n", 0, at) + 1)}}


def measure(words, run):
    times = []
    for place in range(runs):
        start = time.perf_counter()
        run(place)
        times.append((time.perf_counter() - start) * 1_000)
    print(f"  {words:44} best {min(times):6.1f} ms, median {statistics.median(times):6.1f}")
    return min(times)


worst = 0
for name in ["one", "five"]:
    session = Session(f"{folder}/{name}/app.json")
    print(f"1,000 services, {name} environment{'' if name == 'one' else 's'}:")

    def toggle(valid, broken):
        def run(place):
            session.change(*((valid, broken) if place % 2 == 0 else (broken, valid)))
            session.published()
        return run

    changes = [
        measure("a change to a wrong reference, and back", toggle('"right": "s333"', '"right": "s333x"')),
        measure("a change to a broken text, and back", toggle('"s500": {', '"s500": ')),
    ]
    if name == "one":
        worst = max(changes)
    reference = session.place('"right": "s333"', 11)

    def after_change(method, params):
        def run(place):
            session.change(*(('"size": 900,', '"size": 901,') if place % 2 == 0 else ('"size": 901,', '"size": 900,')))
            session.request(method, params)
        return run

    measure("a change and a completion of it", after_change("textDocument/completion", reference))
    for method in ["completion", "hover", "definition", "references", "documentSymbol"]:
        measure(method, lambda place: session.request(f"textDocument/{method}", reference))
    measure("rename", lambda place: session.request("textDocument/rename", {**reference, "newName": "other"}))
    session.server.kill()
sys.exit(worst > 50)
PYTHON
