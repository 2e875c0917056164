#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Simulates an editor session on a copy of the shop: a client speaks the Language Server Protocol with `configdi lsp` over
# pipes, breaks a layer, applies the offered fix, hovers, and renames a service in all files. Prints the output of the editor
# and the log of the server. Fails if a result is not the expected one.
#
# usage: Scripts/editor-transcript.sh [TOOL]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tool=${1:-$(swift build --show-bin-path)/configdi}
folder=$(realpath "$(mktemp -d)")
trap 'rm -rf "$folder"' EXIT
cp -r Configs/Shop "$folder/Shop"

python3 - "$folder" "$tool" <<'PYTHON'
import json, os, subprocess, sys

folder, tool = sys.argv[1], sys.argv[2]
shop = f"{folder}/Shop"


class Editor:
    """A client that keeps the texts of open files, and reads the messages of the server in order."""

    def __init__(self):
        self.log = f"{folder}/log"
        self.server = subprocess.Popen(
            [tool, "lsp", "--log", self.log], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.number, self.texts, self.versions, self.findings = 0, {}, {}, {}
        self.request("initialize", {"processId": None, "rootUri": f"file://{shop}", "capabilities": {
            "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}}}})
        self.notify("initialized", {})

    def send(self, message):
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.server.stdin.flush()

    def receive(self):
        length = int(self.server.stdout.readline().split(b":")[1])
        self.server.stdout.readline()
        message = json.loads(self.server.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.findings[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.number and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def uri(self, name):
        return f"file://{shop}/{name}"

    def open(self, name):
        text = open(f"{shop}/{name}").read()
        self.texts[name], self.versions[name] = text, 1
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(name), "languageId": "json", "version": 1, "text": text}})

    def place(self, name, offset):
        before = self.texts[name][:offset]
        return {"line": before.count("\n"), "character": offset - (before.rfind("\n") + 1)}

    def offset(self, name, place):
        lines = self.texts[name].split("\n")
        return sum(len(line) + 1 for line in lines[:place["line"]]) + place["character"]

    def find(self, name, text):
        return self.place(name, self.texts[name].index(text))

    def edit(self, name, edits):
        """Applies edits of the server or of the user, last first, and notifies the server."""
        for edit in sorted(edits, key=lambda edit: self.offset(name, edit["range"]["start"]), reverse=True):
            start, end = (self.offset(name, edit["range"][side]) for side in ["start", "end"])
            self.texts[name] = self.texts[name][:start] + edit["newText"] + self.texts[name][end:]
            self.versions[name] += 1
            self.notify("textDocument/didChange", {
                "textDocument": {"uri": self.uri(name), "version": self.versions[name]},
                "contentChanges": [{"range": edit["range"], "text": edit["newText"]}]})

    def type(self, name, old, new):
        start = self.find(name, old)
        end = self.place(name, self.texts[name].index(old) + len(old))
        self.edit(name, [{"range": {"start": start, "end": end}, "newText": new}])

    def settle(self):
        """Waits until the server has answered everything that was sent."""
        any_open = self.uri(next(iter(self.texts)))
        self.request("textDocument/documentSymbol", {"textDocument": {"uri": any_open}})
        return {uri: found for uri, found in self.findings.items() if found}


def shown(place):
    return f"{place['line'] + 1}:{place['character'] + 1}"


def name(uri):
    return uri.removeprefix(f"file://{shop}/")


def say(line=""):
    print(line)


def show(findings):
    if not findings:
        say("  no findings in any file")
    for uri, found in findings.items():
        for finding in found:
            say(f"  {name(uri)}:{shown(finding['range']['start'])}  {finding['code']}  {finding['message'].splitlines()[0]}")


editor = Editor()
say("open app.json and environments/prod.json")
editor.open("app.json")
editor.open("environments/prod.json")
start = editor.settle()
show(start)
assert not start, start

say("\nin environments/prod.json, \"logger.audit\" is misspelt while typing")
assert '"logger.audit"' in editor.texts["environments/prod.json"]
editor.type("environments/prod.json", '"logger.audit"', '"logger.audt"')
broken = editor.settle()
show(broken)
layer = editor.uri("environments/prod.json")
finding = broken[layer][0]
assert finding["code"] == "CDI0305", broken

say("\nrepairs that are offered there")
actions = editor.request("textDocument/codeAction", {
    "textDocument": {"uri": layer}, "range": finding["range"], "context": {"diagnostics": [finding], "only": ["quickfix"]}})
for action in actions:
    say(f"  {action['title']}")
changes = actions[0]["edit"]["changes"]
for uri, edits in changes.items():
    editor.edit(name(uri), edits)
say("the first is taken")
fixed = editor.settle()
show(fixed)
assert not fixed, fixed

say("\nhover over \"logger.audit\" in environments/prod.json")
hover = editor.request("textDocument/hover", {
    "textDocument": {"uri": layer}, "position": editor.find("environments/prod.json", "logger.audit")})
for line in hover["contents"]["value"].splitlines():
    say(f"  {line}".rstrip())
assert "logger.audit" in hover["contents"]["value"]

say("\nrename logger.audit to logger.trail")
changes = editor.request("textDocument/rename", {
    "textDocument": {"uri": layer}, "position": editor.find("environments/prod.json", "logger.audit"),
    "newName": "logger.trail"})["changes"]
for uri, edits in sorted(changes.items()):
    places = ", ".join(shown(edit["range"]["start"]) for edit in edits)
    say(f"  {name(uri)}: {places}")
    if name(uri) not in editor.texts:
        editor.open(name(uri))
    editor.edit(name(uri), edits)
renamed = editor.settle()
show(renamed)
assert not renamed, renamed
assert len(changes) > 1 and not any('"logger.audit"' in text for text in editor.texts.values())

editor.request("shutdown", None)
editor.notify("exit", None)
assert editor.server.wait() == 0
say("\nthe server's log (--log)")
for line in open(editor.log):
    say(f"  {line.rstrip()}")
PYTHON
