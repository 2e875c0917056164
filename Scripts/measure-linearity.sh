#!/bin/bash
# Measures how the processor time of a check grows with the number of services: Scripts/measure-linearity.sh [RUNS]
#
# Writes modules of 2,500, 10,000 and 40,000 services into a temporary folder and times `configdi validate` of a release
# build, the best of RUNS (default 3) runs each. A service has a type, two references, two data and a placeholder; the
# shapes are those of real modules, and of the worst cases of a file. The last column is the time for one service
# relative to that of the smallest module: 1.0 is linear.
#
#   layers     a few levels, every service depends on two of the level below; one file, a catalog
#   files      the same in one file for each hundred services
#   override   the same, and a layer that overrides every service
#   chain      every service depends on the one before it, and on an early one
#   one-line   the layers on one line, half of them with warnings
#   faults     the layers, half of the references unknown, half of the types wrong
#   cycle      all services in one cycle
#   one-map    one service with a map of as many entries, overridden entry by entry
#   templates  every service extends one of 50 templates, which extend another; half of them replace an argument
#   heirs      a chain of as many templates, and as many services that extend the last
#   tags       every service has two tags, and every hundredth has a list and a map of the tagged services
#   when       every service has a condition and a decorator
#   unset      one service with as many values, tags and decorators, which an override unsets one by one
#   everything templates, tags, decorators, conditions, scopes, lists, maps and binding by type, with a catalog and a layer
#   captives   all services hold one scoped service, through each other
#   large-type one type of as many arguments, all given by one service and none by another
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-3}
swift build -c release --product configdi >/dev/null
tool=$(swift build -c release --show-bin-path)/configdi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 - "$folder" "$tool" "$runs" <<'PYTHON'
import json, os, subprocess, sys

folder, tool, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
sizes = [2_500, 10_000, 40_000]
levels = 8


def name(place):
    return f"area{place % 17}.service{place}"


def service(place, needs, secure="${host}:8080"):
    inject = {f"need{key}": name(need) for key, need in enumerate(needs)}
    return {"type": f"Type{place % 50}", "inject": inject, "values": {"size": place, "address": secure}}


def layered(count):
    width = max(count // levels, 1)
    for place in range(count):
        below = place - width
        yield place, service(place, [below, max(below - 1, 0)] if below >= 0 else [])


def module(services, **more):
    parameters = {"host": "example.net"}
    return {"configdi": 1, "module": "app", **more, "parameters": parameters, "services": services}


def catalog():
    arguments = [{"key": key, "kind": "service", "type": "Part", "optional": True} for key in ("need0", "need1")]
    arguments += [{"key": "size", "kind": "value", "type": "Int"}, {"key": "address", "kind": "value", "type": "String"}]
    common = {"provides": ["Part"], "kind": "class", "sendable": True, "arguments": arguments}
    return {"configdi-catalog": 1, "types": [{"name": f"Type{place}", **common} for place in range(50)]}


def everything(count):
    def always(place):
        """A service that no condition disables."""
        return name(place - 1 if place % 10 == 7 else place)

    services, changes, width = {}, {}, count // levels
    for place in range(count):
        below = [always(need) for need in (place - width, place - width - 1) if need >= 0]
        service = services[name(place)] = {"extends": f"base{place % 5}", "values": {"size": place}}
        if place % 100 == 99:
            tag = f"tag{place // 32}"
            service["inject"] = {"list": {"tagged": tag}, "map": {"tagged": tag, "as": "map"}}
        elif below:
            maybe = {"service": name(place // 20 * 10 + 7), "optional": True}
            service["inject"] = {"need0": below[0], "list": [*below, maybe] if place > 40 else below, "later": always(place // 2)}
            service["inject"]["map"] = {"map": {"k": below[-1]}}
        if place % 3 == 0:
            service["decorate"] = [{"type": "Wrap"}, {"type": "Wrap", "inject": {"need0": below[0]} if below else {}}]
        if place % 4 == 0:
            service["tags"] = {f"tag{place // 16}": {"order": place % 7}}
        if place % 10 == 7:
            service["when"] = {"environment": "dev" if place % 20 == 7 else "prod"}
        if place >= count - width:
            service["scope"] = "request"
        if place % 5 == 0:
            changes[name(place)] = {"values": {"size": -1}, "decorate": {"append": [{"type": "Wrap"}]}}
    maybe = {"kind": "service", "type": "Part", "optional": True}
    arguments = [{"key": "need0", **maybe}, {"key": "log", "kind": "service", "type": "Logger"}]
    arguments += [{"key": key, **maybe, "wrapper": wrapper} for key, wrapper in (("list", "list"), ("map", "map"), ("later", "lazy"))]
    arguments += [{"key": "size", "kind": "value", "type": "Int", "default": 1}]
    arguments += [{"key": "address", "kind": "value", "type": "String", "default": ""}]
    part = {"provides": ["Part"], "kind": "class", "sendable": True}
    types = [{"name": f"Type{place}", **part, "arguments": arguments} for place in range(5)]
    types.append({"name": "Wrap", **part, "arguments": [{"key": "inner", "kind": "decorated", "type": "Part"}, *arguments]})
    types.append({"name": "Log", "provides": ["Logger"], "kind": "class", "sendable": True, "arguments": []})
    services["log"] = {"type": "Log"}
    templates = {"root": {"values": {"address": "${host}:8080"}}}
    templates.update({f"base{place}": {"extends": "root", "type": f"Type{place}"} for place in range(5)})
    extra = {"autowire": True, "environments": {"dev": ["layer.json"], "prod": []}, "scopes": ["session", "request"]}
    app = module(services, templates=templates, bindings={"Part": name(0)}, **extra)
    layer = {"configdi": 1, "module": "layer", "override": {"services": changes}}
    return {"app.json": app, "layer.json": layer, "catalog.json": {"configdi-catalog": 1, "types": types}}


def files(shape, count):
    bound = {"bindings": {"Part": name(0)}}
    services = {name(place): entry for place, entry in layered(count)}
    if shape == "layers":
        return {"app.json": module(services, **bound), "catalog.json": catalog()}
    if shape == "one-line":
        for place in range(0, count, 2):
            services[name(place)]["private"] = True
            services[name(place)]["values"]["address"] = name(0)
        return {"app.json": module(services)}
    if shape == "files":
        parts = {}
        for place, (key, entry) in enumerate(services.items()):
            parts.setdefault(f"part{place // 100}.json", {})[key] = entry
        texts = {path: {"configdi": 1, "module": "part", "services": part} for path, part in parts.items()}
        return {"app.json": module({}, imports=list(parts), **bound), "catalog.json": catalog(), **texts}
    if shape == "override":
        changes = {key: {"values": {"size": -1}, "inject": {"need2": name(0)}} for key in list(services)[1:]}
        layer = {"configdi": 1, "module": "layer", "override": {"services": changes}}
        return {"app.json": module(services, environments={"dev": ["layer.json"]}), "layer.json": layer}
    if shape == "chain":
        chain = {name(place): service(place, [place - 1, place // 2] if place else []) for place in range(count)}
        return {"app.json": module(chain)}
    if shape == "faults":
        for place in range(0, count, 2):
            services[name(place)]["inject"]["need1"] = name(place) + "x"
            services[name(place)]["type"] = f"Tipe{place}"
        return {"app.json": module(services), "catalog.json": catalog()}
    if shape == "templates":
        base = {"base": {"scope": "shared", "values": {"size": 1, "address": "${host}"}}}
        kinds = {f"kind{kind}": {"extends": "base", "type": f"Type{kind}"} for kind in range(50)}
        for place, entry in enumerate(services.values()):
            entry["extends"] = f"kind{place % 50}"
            del entry["type"], entry["values"]["address" if place % 2 else "size"]
        return {"app.json": module(services, templates={**base, **kinds}), "catalog.json": catalog()}
    if shape == "heirs":
        chain = {f"t{place}": {"extends": f"t{place - 1}"} for place in range(1, count)}
        chain["t0"] = {"type": "Type0", "values": {"size": 1}}
        heirs = {name(place): {"extends": f"t{count - 1}"} for place in range(count)}
        return {"app.json": module(heirs, templates=chain)}
    if shape == "tags":
        for place, entry in enumerate(services.values()):
            entry["tags"] = {f"group{place // 100}": {"order": place % 7, "key": f"key{place}"}, "odd": {}}
            if place % 100 == 0:
                tagged = {"tagged": f"group{max(place // 100 - 1, 0)}"}
                entry["inject"] = {"list": tagged, "map": {**tagged, "as": "map"}}
        return {"app.json": module(services)}
    if shape == "when":
        for place, entry in enumerate(services.values()):
            entry["when"] = {"any": [{"not": {"parameter": "host", "equals": f"{place}.net"}}, {"all": []}]}
            entry["decorate"] = [{"type": "Wrap", "inject": {"other": name(0)}, "values": {"label": "${host}"}}]
        services[name(0)]["decorate"] = []
        return {"app.json": module(services)}
    if shape == "unset":
        one = {"type": "One", "values": {"all": {f"key {place}": {"value": place} for place in range(count)}}}
        one["tags"] = {f"tag{place}": {"order": place} for place in range(count)}
        one["decorate"] = [{"type": "Wrap", "values": {"n": place}} for place in range(count)]
        paths = [f"values.all[\"key {place}\"].value" for place in range(count)]
        paths += [f"tags.tag{place}.order" for place in range(count)]
        paths += [f"decorate[{place}].values.n" for place in range(count)]
        layer = {"configdi": 1, "module": "layer", "override": {"services": {"one": {"unset": paths}}}}
        return {"app.json": module({"one": one}, environments={"dev": ["layer.json"]}), "layer.json": layer}
    if shape == "cycle":
        circle = {name(place): service(place, [(place + 1) % count]) for place in range(count)}
        return {"app.json": module(circle)}
    if shape == "everything":
        return everything(count)
    if shape == "captives":
        chain = {name(place): {"type": "T", "scope": "transient", "inject": {"next": name(place + 1)}} for place in range(count // 2)}
        chain[name(count // 2)] = {"type": "T", "scope": "request"}
        for place in range(count // 2 + 1, count):
            chain[name(place)] = {"type": "T", "inject": {"next": name(place - count // 2 - 1)}}
        return {"app.json": module(chain, scopes=["request"])}
    if shape == "large-type":
        keys = [f"key{place}" for place in range(count)]
        services = {"all": {"type": "Large", "values": {key: 1 for key in keys}}, "none": {"type": "Large"}}
        arguments = [{"key": key, "kind": "value", "type": "Int"} for key in keys]
        large = {"name": "Large", "provides": keys, "kind": "class", "sendable": True, "arguments": arguments}
        return {"app.json": module(services), "catalog.json": {"configdi-catalog": 1, "types": [large]}}
    entries = {f"key {place}": {"value": place, "text": "${host}"} for place in range(count)}
    changes = {key: {"value": -1} for key in entries}
    layer = {"configdi": 1, "module": "layer", "override": {"services": {"one": {"values": {"all": changes}}}}}
    one = {"one": {"type": "One", "values": {"all": entries}}}
    return {"app.json": module(one, environments={"dev": ["layer.json"]}), "layer.json": layer}


print(f"{'shape':10} {'services':>8} {'ms':>8} {'per service':>12}")
shapes = ["layers", "files", "override", "chain", "one-line", "faults", "cycle", "one-map"]
shapes += ["templates", "heirs", "tags", "when", "unset", "everything", "captives", "large-type"]
for shape in shapes:
    first = None
    for count in sizes:
        texts = files(shape, count)
        place = os.path.join(folder, f"{shape}-{count}")
        os.mkdir(place)
        for path, text in texts.items():
            with open(os.path.join(place, path), "w") as file:
                json.dump(text, file, indent=None if shape in ("one-line", "when", "everything") else 2)
        command = [tool, "validate", "app.json", "--format", "json"]
        if "catalog.json" in texts:
            command += ["--catalog", "catalog.json"]
        best = None
        for _ in range(runs):
            process = subprocess.Popen(command, cwd=place, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode not in (0, 1):
                sys.exit(f"{shape} of {count}: the tool ended with {process.returncode}")
            took = (usage.ru_utime + usage.ru_stime) * 1000
            best = took if best is None else min(best, took)
        first = first or best / count
        print(f"{shape:10} {count:8} {best:8.0f} {best / count / first:12.2f}", flush=True)
PYTHON
