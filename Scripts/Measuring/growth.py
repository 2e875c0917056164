# SPDX-License-Identifier: Apache-2.0
"""Writes modules in which one or two parts of the format are long, deep or numerous, and compares what the tool spends on
a module and on one of four times the size. Run by Scripts/check-growth.sh."""

import argparse, itertools, json, os, random, resource, shutil, subprocess, sys, tempfile, time


class Module:
    """A small module in which each part of the format occurs, and which an axis enlarges in one respect."""

    def __init__(self):
        self.main = "main"
        self.suffix = ""
        self.settings, self.variables, self.files = [], {}, {}
        self.parameters = {"host": "example.net", "size": 1}
        self.templates = {"base": {"type": "Part", "values": {"size": 1}}}
        self.services = {"log": {"type": "Log"}, "scoped": {"type": "Log", "scope": "request"}}
        self.mainService = {"type": "Part", "inject": {}, "values": {"label": "${host}"}, "tags": {}, "decorate": []}
        self.aliases, self.bindings = {"main.alias": "log"}, {}
        self.scopes, self.environments, self.imports = ["request"], {"dev": ["layer.json"], "prod": []}, []
        self.override, self.replace, self.remove = {}, {}, {}
        self.top = {}
        part = {"provides": ["Part"], "kind": "class", "sendable": True}
        self.arguments = [
            {"key": "label", "kind": "value", "type": "String", "default": ""},
            {"key": "size", "kind": "value", "type": "Int", "default": 0},
            {"key": "all", "kind": "service", "type": "Part", "wrapper": "list", "optional": True},
        ]
        self.part = {"name": "Part", **part, "arguments": self.arguments}
        self.types = [self.part, {"name": "Log", **part, "provides": ["Logger"], "arguments": []}]
        wrapped = [{"key": "inner", "kind": "decorated", "type": "Part"}]
        self.types.append({"name": "Wrap", **part, "arguments": wrapped})
        self.catalog = False
        self.raw = None

    def name(self, place, stem="s"):
        return f"{stem}{place}{self.suffix}"

    def write(self, folder):
        services = {self.main: self.mainService, **self.services}
        app = {"configdi": 1, "module": "app", "imports": self.imports, "environments": self.environments}
        app.update({"scopes": self.scopes, "parameters": self.parameters, "templates": self.templates})
        app.update({"services": services, "aliases": self.aliases, "bindings": self.bindings})
        app.update(self.top)
        layer = {"configdi": 1, "module": "layer"}
        for verb in ("override", "replace", "remove"):
            if getattr(self, verb):
                layer[verb] = getattr(self, verb)
        texts = {"app.json": app, "layer.json": layer, **self.files}
        if self.catalog:
            texts["catalog.json"] = {"configdi-catalog": 1, "types": self.types}
        size = 0
        if any(path.startswith("layers/") for path in texts):
            os.mkdir(os.path.join(folder, "layers"))
        for path, value in texts.items():
            text = value if isinstance(value, str) else json.dumps(value)
            if path == "app.json" and self.raw:
                text = self.raw(text)
            size += len(text)
            with open(os.path.join(folder, path), "w") as file:
                file.write(text)
        return size


axes = {}


def axis(function):
    axes[function.__name__.replace("_", "-")] = function
    return function


def long(n):
    return "x" * (n * 10)


# Names and texts that are long.


@axis
def long_service_id(m, n):
    m.main = "main." + long(n)


@axis
def long_ids(m, n):
    # All ids that other axes number; the input grows by a constant factor.
    m.suffix = "." + "long-" * 40


@axis
def long_middling_ids(m, n):
    m.suffix = "." + "y" * 60


@axis
def long_parameter(m, n):
    m.parameters["p" + long(n)] = {"value": 1, "oneOf": [2]}


@axis
def long_template(m, n):
    m.templates["t" + long(n)] = {"type": "Part"}
    m.mainService["extends"] = "t" + long(n)


@axis
def long_alias(m, n):
    m.aliases["a" + long(n)] = "main.alias"


@axis
def long_tag(m, n):
    m.mainService["tags"]["t" + long(n)] = {}


@axis
def long_scope(m, n):
    m.scopes.append("s" + long(n))
    m.mainService["scope"] = "s" + long(n)


@axis
def long_environment(m, n):
    m.environments["e" + long(n)] = []


@axis
def long_type(m, n):
    m.mainService["type"] = "T" + long(n)


@axis
def long_known_type(m, n):
    m.catalog = True
    m.part["name"] = m.mainService["type"] = "T" + long(n)


@axis
def long_argument(m, n):
    m.mainService["values"]["a" + long(n)] = 1
    m.catalog = True


@axis
def long_value(m, n):
    m.mainService["values"]["size"] = long(n)
    m.catalog = True


@axis
def long_path(m, n):
    m.imports.append("./" * n + "none.json")


@axis
def long_doc(m, n):
    m.mainService["doc"] = m.mainService["deprecated"] = long(n)


@axis
def long_unknown_reference(m, n):
    m.mainService["inject"]["ghost"] = "g" + long(n)


@axis
def long_unset(m, n):
    m.override.setdefault("services", {})[m.main] = {"unset": ["values." + long(n), "values" + ".x" * n]}


@axis
def long_setting(m, n):
    m.settings.append("services.main.values." + "x" * min(n, 60_000) + "=1")


@axis
def long_placeholder(m, n):
    m.mainService["values"]["text"] = "${" + long(n) + "} ${"


@axis
def long_line(m, n):
    m.top["x-long"] = long(n) * 5


# Lists and maps that are numerous.


@axis
def services(m, n):
    for place in range(n):
        m.services[m.name(place)] = {"type": "Part", "inject": {"all": [m.main]}}


@axis
def parameters(m, n):
    for place in range(n):
        m.parameters[m.name(place, "p")] = {"value": place, "min": 0}


@axis
def suppressions(m, n):
    # Each suppresses one of its findings, and one that does not exist.
    for place in range(n):
        m.parameters[m.name(place, "unused")] = {
            "value": 1, "suppress": {"CDI0701": "kept for later", "CDI0706": "not found"}}


@axis
def long_suppression(m, n):
    m.parameters["unused"] = {"value": 1, "suppress": {"CDI0701": long(n)}}


@axis
def unknown_codes(m, n):
    m.top["diagnostics"] = {m.name(place, "CDI"): {"severity": "ignore", "reason": "r"} for place in range(n)}


@axis
def parameter_sources(m, n):
    m.parameters["sourced"] = {"sources": [{"env": m.name(place, "NONE")} for place in range(n)], "default": "x"}


@axis
def parameter_chain(m, n):
    for place in range(n):
        m.parameters[m.name(place, "c")] = "${" + m.name(place - 1, "c") + "}" if place else "1"


@axis
def environment_parameters(m, n):
    for place in range(n):
        m.parameters[m.name(place, "v")] = {"env": f"NONE{place}", "type": "int", "default": 1}


@axis
def file_parameters(m, n):
    for place in range(n):
        m.parameters[m.name(place, "f")] = {"file": "layer.json", "default": ""}


@axis
def placeholders(m, n):
    m.mainService["values"]["text"] = "${host} $${ " * n


@axis
def templates(m, n):
    for place in range(n):
        m.templates[m.name(place, "t")] = {"type": "Part", "extends": "base"}


@axis
def template_chain(m, n):
    for place in range(n):
        m.templates[m.name(place, "c")] = {"extends": m.name(place - 1, "c") if place else "base"}
    m.mainService["extends"] = m.name(n - 1, "c")


@axis
def template_users(m, n):
    for place in range(n):
        m.services[m.name(place, "u")] = {"extends": "base", "values": {"label": "x"}}


@axis
def template_values(m, n):
    m.templates["base"]["values"].update({m.name(place, "k"): place for place in range(n)})


@axis
def aliases(m, n):
    for place in range(n):
        m.aliases[m.name(place, "a")] = "log"


@axis
def alias_chain(m, n):
    for place in range(n):
        m.aliases[m.name(place, "c")] = m.name(place - 1, "c") if place else m.main


@axis
def bindings(m, n):
    for place in range(n):
        m.bindings[m.name(place, "B")] = m.main


@axis
def tags(m, n):
    for place in range(n):
        m.mainService["tags"][m.name(place, "t")] = {"order": place, "key": "k"}


@axis
def tag_declarations(m, n):
    m.top["tags"] = {m.name(place, "t"): {"doc": "text"} for place in range(n)}


@axis
def tag_lists(m, n):
    m.mainService["inject"].update({m.name(place, "l"): {"tagged": f"tag{place}"} for place in range(n)})


@axis
def tag_bearers(m, n):
    for place in range(n):
        m.services[m.name(place, "b")] = {"type": "Part", "tags": ["group"]}
    m.mainService["inject"]["group"] = {"tagged": "group", "as": "map"}


@axis
def scopes(m, n):
    m.scopes += [m.name(place, "scope") for place in range(n)]


@axis
def scoped_services(m, n):
    m.scopes += [m.name(place, "scoped") for place in range(n)]
    m.services.update({m.name(place, "in"): {"type": "Log", "scope": m.scopes[-1]} for place in range(n)})


@axis
def environments(m, n):
    for place in range(n):
        m.environments[m.name(place, "e")] = ["layer.json"]


@axis
def environments_of_layers(m, n):
    # Each environment has its own layer.
    for place in range(min(n, 4000)):
        path = f"layers/{place}.json"
        m.files[path] = {"configdi": 1, "module": "layer", "override": {"parameters": {"size": {"value": place}}}}
        m.environments[m.name(place, "l")] = [path]


@axis
def layers(m, n):
    m.environments["dev"] = ["layer.json"] * n


@axis
def imports(m, n):
    for place in range(min(n, 4000)):
        m.files[f"part{place}.json"] = {"configdi": 1, "module": "part"}
    m.imports += [f"part{place}.json" for place in range(min(n, 4000))]


@axis
def import_chain(m, n):
    count = min(n, 4000)
    for place in range(count):
        next = [f"chain{place + 1}.json"] if place + 1 < count else []
        m.files[f"chain{place}.json"] = {"configdi": 1, "module": "part", "imports": next}
    m.imports.append("chain0.json")


@axis
def values(m, n):
    m.mainService["values"].update({m.name(place, "k"): place for place in range(n)})


@axis
def value_list(m, n):
    m.mainService["values"]["list"] = ["${host}"] * n


@axis
def value_map(m, n):
    m.mainService["values"]["map"] = {f"key {place}": {"v": place} for place in range(n)}


@axis
def deep_values(m, n):
    value = 1
    for _ in range(100):
        value = {"key": value, "list": [value] if value == 1 else []}
    m.mainService["values"]["deep"] = [value] * max(n // 100, 1)


@axis
def references(m, n):
    m.mainService["inject"].update({m.name(place, "r"): "log" for place in range(n)})


@axis
def reference_list(m, n):
    m.mainService["inject"]["many"] = ["log", {"service": "none", "optional": True}] * n


@axis
def reference_map(m, n):
    m.mainService["inject"]["map"] = {"map": {f"k{place}": "log" for place in range(n)}}


@axis
def decorators(m, n):
    m.mainService["decorate"] += [{"type": "Wrap", "values": {"n": place}} for place in range(n)]


@axis
def provides(m, n):
    m.mainService["provides"] = [m.name(place, "P") for place in range(n)]


@axis
def provided_twice(m, n):
    m.services["twin"] = {"type": "Log", "provides": [m.name(place, "P") for place in range(n)]}


@axis
def conditions(m, n):
    m.mainService["when"] = {"any": [{"parameter": "size", "equals": place} for place in range(n)] + [{"all": []}]}


@axis
def environment_list(m, n):
    m.mainService["when"] = {"any": [{"environment": ["dev"] * n}, {"all": []}]}


@axis
def one_of(m, n):
    m.parameters["choice"] = {"value": "no", "oneOf": [m.name(place, "o") for place in range(n)]}


@axis
def extensions(m, n):
    m.mainService.update({f"x-{place}": place for place in range(n)})


@axis
def overrides(m, n):
    services(m, n)
    m.override.setdefault("services", {}).update({m.name(place): {"values": {"size": 3}} for place in range(n)})


@axis
def override_values(m, n):
    values(m, n)
    entry = m.override.setdefault("services", {}).setdefault(m.main, {})
    entry["values"] = {m.name(place, "k"): -1 for place in range(n)}


@axis
def history(m, n):
    # The same entry, changed by many layers.
    for place in range(min(n, 4000)):
        change = {"services": {"log": {"values": {"size": place}}}}
        m.files[f"change{place}.json"] = {"configdi": 1, "module": "change", "override": change}
    m.environments["dev"] = m.environments["dev"] + [f"change{place}.json" for place in range(min(n, 4000))]


@axis
def replaced(m, n):
    services(m, n)
    m.replace.setdefault("services", {}).update({m.name(place): {"type": "Log"} for place in range(n)})


@axis
def removed(m, n):
    for place in range(n):
        m.services[m.name(place, "gone")] = {"type": "Log"}
    m.remove.setdefault("services", []).extend(m.name(place, "gone") for place in range(n))


@axis
def unset(m, n):
    values(m, n)
    paths = [f'values["{m.name(place, "k")}"]' for place in range(n)]
    m.override.setdefault("services", {}).setdefault(m.main, {})["unset"] = paths


@axis
def appended(m, n):
    entry = m.override.setdefault("services", {}).setdefault(m.main, {})
    entry["decorate"] = {"append": [{"type": "Wrap"}] * n, "prepend": [{"type": "Wrap"}] * n}


@axis
def settings(m, n):
    # A command line is short; each setting looks at all arguments of its service.
    count = min(n, 200)
    values(m, count)
    m.settings += [f'services.main.values.{m.name(place, "k")}=7' for place in range(count)]


@axis
def catalog_types(m, n):
    m.catalog = True
    kind = {"provides": ["Part"], "kind": "class", "sendable": True, "arguments": []}
    m.types += [{"name": m.name(place, "T"), **kind} for place in range(n)]


@axis
def catalog_arguments(m, n):
    m.catalog = True
    more = {"kind": "value", "type": "Int", "default": 1}
    m.arguments += [{"key": m.name(place, "k"), **more} for place in range(n)]


@axis
def catalog_provides(m, n):
    m.catalog = True
    m.part["provides"] += [m.name(place, "P") for place in range(n)]


@axis
def catalog_enumeration(m, n):
    m.catalog = True
    words = [m.name(place, "w") for place in range(n)]
    m.arguments.append({"key": "word", "kind": "value", "type": {"oneOf": words}, "default": words[0]})
    m.mainService["values"]["word"] = words[-1] + "x"


@axis
def chain(m, n):
    for place in range(n):
        m.services[m.name(place, "c")] = {"type": "Part", "inject": {"all": [m.name(place - 1, "c")] if place else []}}


@axis
def autowired(m, n):
    m.catalog = True
    m.top["autowire"] = True
    m.types.append({"name": "Auto", "provides": ["Auto"], "kind": "class", "sendable": True, "arguments": [
        {"key": "one", "kind": "service", "type": "Logger"}, {"key": "list", "kind": "service", "type": "None", "wrapper": "list"}]})
    for place in range(n):
        m.services[m.name(place, "auto")] = {"type": "Auto"}


# Findings, each many times.


def faulty(name, entry, catalog=False, more=None):
    """An axis of services with one error each."""

    def enlarge(m, n):
        m.catalog = m.catalog or catalog
        if more:
            more(m, n)
        for place in range(n):
            m.services[m.name(place, name)] = entry(m, place)

    axes["faults-" + name.replace("_", "-")] = enlarge


faulty("unknown_reference", lambda m, place: {"type": "Part", "inject": {"all": [m.name(place, "gh0st")]}})
faulty("near_reference", lambda m, place: {"type": "Part", "inject": {"all": [m.name(place, "near_referense")]}})
faulty("unknown_type", lambda m, place: {"type": m.name(place, "Tipe")}, True)
faulty("unknown_template", lambda m, place: {"extends": m.name(place, "tmplate")})
faulty("unknown_scope", lambda m, place: {"type": "Log", "scope": m.name(place, "skope")})
faulty("unknown_key", lambda m, place: {"type": "Log", m.name(place, "Key"): 1})
faulty("unknown_argument", lambda m, place: {"type": "Part", "values": {m.name(place, "arg"): 1}}, True)
faulty("wrong_kind", lambda m, place: {"type": place})
faulty("malformed", lambda m, place: {"type": "Log", "eager": 1, "when": {"environment": "d" + str(place)}})
faulty("missing_type", lambda m, place: {"scope": "shared"})
faulty("bad_tag", lambda m, place: {"type": "Log", "tags": ["no name " + str(place)]})
faulty("lone_tag", lambda m, place: {"type": "Part", "tags": [m.name(place, "given")],
                                     "inject": {"all": {"tagged": m.name(place, "gives")}}})
faulty("unknown_parameter", lambda m, place: {"type": "Log", "values": {"x": "${" + m.name(place, "q") + "}"}})
faulty("malformed_placeholder", lambda m, place: {"type": "Log", "values": {"x": "${" + m.name(place, "!")}})
faulty("unknown_environment", lambda m, place: {"type": "Log", "when": {"environment": m.name(place, "env")}})
faulty("unknown_condition", lambda m, place: {"type": "Log", "when": {"parameter": m.name(place, "q"), "equals": 1}})
faulty("never_equal", lambda m, place: {"type": "Log", "when": {"parameter": "size", "equals": "x"}})
faulty("disabled", lambda m, place: {"type": "Log", "inject": {"x": "off"}},
    more=lambda m, n: m.services.update({"off": {"type": "Log", "when": {"environment": []}}}))
faulty("captive", lambda m, place: {"type": "Part", "inject": {"all": ["scoped"]}})
faulty("eager", lambda m, place: {"type": "Part", "scope": "transient", "eager": True})
faulty("same_tag_key", lambda m, place: {"type": "Part", "tags": {"same": {"key": "k"}}},
    more=lambda m, n: m.mainService["inject"].update({"same": {"tagged": "same", "as": "map"}}))
faulty("ambiguous", lambda m, place: {"type": "Log", "provides": [f"Any{place // 2}"]})
faulty("claims", lambda m, place: {"type": "Log", "provides": [m.name(place, "Claim")]}, True)
faulty("misfit", lambda m, place: {"type": "Part", "values": {"size": "no"}}, True)
faulty("wrong_service", lambda m, place: {"type": "Part", "inject": {"all": ["log"]}}, True)
faulty("unused", lambda m, place: {"type": "Log", "private": True})
faulty("deprecated", lambda m, place: {"type": "Log", "inject": {"x": "old"}},
    more=lambda m, n: m.services.update({"old": {"type": "Log", "deprecated": "use log"}}))
faulty("id_as_text", lambda m, place: {"type": "Log", "values": {"x": "log"}})
faulty("both", lambda m, place: {"type": "Log", "values": {"x": 1}, "inject": {"x": "log"}})
faulty("decorator", lambda m, place: {"type": "Part", "decorate": [{"type": "Part"}]}, True)
faulty("tag", lambda m, place: {"type": "Log", "inject": {"x": {"tagged": m.name(place, "tagg")}}})
faulty("null", lambda m, place: {"type": "Log", "values": {"x": None}})
faulty("secret", lambda m, place: {"type": "Part", "values": {"label": "${key}"}}, True,
    more=lambda m, n: m.parameters.update({"key": {"value": "k", "secret": True}}))


@axis
def faults_missing_argument(m, n):
    m.catalog = True
    m.arguments += [{"key": m.name(place, "need"), "kind": "value", "type": "Int"} for place in range(n)]


@axis
def faults_in_main(m, n):
    m.catalog = True
    m.mainService["values"].update({m.name(place, "unknown"): place for place in range(n)})


@axis
def faults_references_in_main(m, n):
    m.mainService["inject"].update({m.name(place, "ref"): m.name(place, "ghost") for place in range(n)})


@axis
def faults_parameters(m, n):
    for place in range(n):
        m.parameters[m.name(place, "w")] = {"value": place, "max": -1}


@axis
def faults_types_of_parameters(m, n):
    for place in range(n):
        m.parameters[m.name(place, "y")] = {"value": place, "type": m.name(place, "strnig")}


@axis
def faults_one_of(m, n):
    values = [m.name(place, "o") for place in range(n)]
    for place in range(20):
        m.parameters[m.name(place, "one")] = {"value": "no", "oneOf": values}


@axis
def faults_parameter_cycle(m, n):
    for place in range(n):
        m.parameters[m.name(place, "z")] = "${" + m.name((place + 1) % n, "z") + "}"


@axis
def faults_parameter_cycles(m, n):
    for place in range(n):
        m.parameters[m.name(place, "zz")] = "${" + m.name(place ^ 1, "zz") + "}"


@axis
def faults_template_cycle(m, n):
    for place in range(n):
        m.templates[m.name(place, "z")] = {"extends": m.name((place + 1) % n, "z")}


@axis
def faults_alias_cycle(m, n):
    for place in range(n):
        m.aliases[m.name(place, "z")] = m.name((place + 1) % n, "z")


@axis
def faults_alias_targets(m, n):
    for place in range(n):
        m.aliases[m.name(place, "dead")] = m.name(place, "ghost")


@axis
def faults_dependency_cycle(m, n):
    m.catalog = True
    for place in range(n):
        m.services[m.name(place, "z")] = {"type": "Part", "inject": {"all": [m.name((place + 1) % n, "z")]}}


@axis
def faults_dependency_clique(m, n):
    m.catalog = True
    ids = [m.name(place, "q") for place in range(n)]
    for place in range(n):
        back = [ids[place - 1]] if place else []
        m.services[ids[place]] = {"type": "Part", "inject": {"all": back + [ids[min(place + 1, n - 1)]]}}


@axis
def faults_dependency_cycles(m, n):
    m.catalog = True
    for place in range(n):
        m.services[m.name(place, "zz")] = {"type": "Part", "inject": {"all": [m.name(place ^ 1, "zz")]}}


@axis
def faults_defined_twice(m, n):
    services(m, n)
    m.files["twice.json"] = {"configdi": 1, "module": "t", "services": {m.name(p): {"type": "Log"} for p in range(n)}}
    m.imports.append("twice.json")


@axis
def faults_missing_override(m, n):
    m.override.setdefault("services", {}).update({m.name(place, "miss"): {"type": "Log"} for place in range(n)})


@axis
def faults_missing_remove(m, n):
    m.remove.setdefault("services", []).extend(m.name(place, "miss") for place in range(n))


@axis
def faults_missing_unset(m, n):
    entry = m.override.setdefault("services", {}).setdefault(m.main, {})
    entry["unset"] = [f"values.{m.name(place, 'none')}" for place in range(n)]


@axis
def faults_unchanged(m, n):
    services(m, n)
    m.override.setdefault("services", {}).update({m.name(place): {"type": "Part"} for place in range(n)})


@axis
def faults_missing_import(m, n):
    m.imports += [f"missing{place}.json" for place in range(n)]


@axis
def faults_settings(m, n):
    m.settings += [f"services.{m.name(place, 'miss')}.values.x=1" for place in range(min(n, 200))]


@axis
def faults_repeated_keys(m, n):
    m.raw = lambda text: text[:-1] + "".join(f', "x-{place // 2}": 1' for place in range(n)) + "}"


@axis
def faults_repeated_condition(m, n):
    m.parameters["key"] = {"value": "k", "secret": True}
    condition = ",".join('"parameter":"size","equals":1' for _ in range(n))
    m.raw = lambda text: text[:-1] + ', "services":{"x":{"type":"Log","when":{' + condition + "}}}}"


@axis
def faults_numbers(m, n):
    m.mainService["values"]["numbers"] = [10**30] * n


@axis
def faults_unclosed(m, n):
    m.raw = lambda text: text[:-1] + ', "x-bad": ' + "[" * 90 + '"a\n' * n


def broken(file, start, mistake, end=""):
    """An axis of an imported file in which a mistake is repeated. Reading takes little time, so it is a large file."""

    def enlarge(m, n):
        m.imports.append(file)
        m.files[file] = start + mistake * (20 * n) + end

    return enlarge


mistakes = ['"x ', '"\\x"', "x y\n", '{"a" "b" ', "'", "1 2\n", '"a\n', "[@\n", "[@]\n", "tru", ": \n"]
for mistake in mistakes:
    axes["faults-json-" + ascii(mistake)] = broken("broken.json", '{"a": [\n', mistake, "\n]}")
mistakes = ["<integer>x</integer>", "<set>", "<string>a", "& ", "<null/>", "<string>&nbsp;</string>", "</set>"]
for mistake in mistakes:
    axes["faults-xml-" + mistake] = broken("broken.plist", "<plist><array>", mistake)


@axis
def faults_sections(m, n):
    m.top.update({m.name(place, "servces"): {} for place in range(n)})


@axis
def faults_bindings(m, n):
    m.catalog = True
    m.bindings.update({m.name(place, "Bound"): m.name(place, "ghost") for place in range(n)})


@axis
def faults_environments(m, n):
    m.environments.update({m.name(place, "bad"): ["none.json"] for place in range(n)})


@axis
def faults_environments_of_layers(m, n):
    # Half of the layers have an error, and declare a secret before and after it.
    for place in range(min(n, 4000)):
        path = f"layers/bad{place}.json"
        secret = {"configdi": 1, "module": "layer", "parameters": {f"key{place}": {"value": f"k{place}", "secret": True}}}
        m.files[path] = json.dumps(secret)[:-1] + (', "services": 1 2, "override": {}}' if place % 2 else "}")
        m.environments[m.name(place, "l")] = [path]


@axis
def unused_parameters(m, n):
    m.parameters.update({m.name(place, "unused"): 1 for place in range(n)})


@axis
def unused_templates(m, n):
    m.templates.update({m.name(place, "unused"): {"type": "Log"} for place in range(n)})


@axis
def unused_tags(m, n):
    m.services["tagged"] = {"type": "Log", "tags": [m.name(place, "tg") for place in range(n)]}


# What two environments have differently.


def per_environment(m, declarations):
    m.environments = {name: [name + ".json"] for name in ("dev", "prod")}
    for name in m.environments:
        m.files[name + ".json"] = {"configdi": 1, "module": name, **declarations(name)}


@axis
def renamed_chain(m, n):
    def services(environment):
        ids = [m.name(place, environment) for place in range(n)]
        return {id: {"type": "Log", "inject": {"a": before}} for before, id in zip(["log", *ids], ids)}

    per_environment(m, lambda environment: {"services": services(environment)})


@axis
def changed_elements(m, n):
    elements = lambda environment: [{"k": place, "e": environment} for place in range(n)]
    per_environment(
        m, lambda environment: {"override": {"services": {"log": {"values": {"l": elements(environment)}}}}})


commands = {
    "validate": ["validate", "app.json"],
    "json": ["validate", "app.json", "--format", "json"],
    "sarif": ["validate", "app.json", "--format", "sarif"],
    "github": ["validate", "app.json", "--format", "github"],
    "xcode": ["validate", "app.json", "--format", "xcode"],
    "resolve": ["resolve", "app.json", "-e", "dev"],
    "resolve-json": ["resolve", "app.json", "-e", "dev", "--format", "json"],
    "explain": ["explain", "app.json", "main", "-e", "dev"],
    "explain-log": ["explain", "app.json", "log", "-e", "dev", "--format", "json"],
    "list": ["list", "app.json", "-e", "dev"],
    "dot": ["graph", "app.json", "-e", "dev"],
    "mermaid": ["graph", "app.json", "-e", "dev", "--format", "mermaid"],
    "html": ["graph", "app.json", "-e", "dev", "--format", "html"],
    "diff": ["diff", "app.json", "--from", "dev", "--to", "prod"],
    "schema": ["schema", "app.json"],
    "convert-plist": ["convert", "app.json", "out.plist"],
}


def run(tool, names, command, size, limit):
    """Runs a command over a module; gives processor seconds, peak memory, output and input in bytes, and the status."""
    folder = tempfile.mkdtemp(prefix="growth")
    try:
        module = Module()
        for name in names:
            axes[name](module, size)
        read = module.write(folder)
        words = [tool, *commands[command]]
        if module.catalog and command != "convert-plist":
            words += ["--catalog", "catalog.json"]
        if command != "convert-plist":
            for setting in module.settings:
                words += ["--set", setting]
        with open(os.path.join(folder, "output"), "wb") as output:
            # Processor time: others may use the machine as well.
            bound = lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            process = subprocess.Popen(words, cwd=folder, stdout=output, stderr=output, preexec_fn=bound)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wrote = os.path.getsize(os.path.join(folder, "output"))
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, wrote / 1e6, read / 1e6, process.returncode
    finally:
        shutil.rmtree(folder)


# Below these, growth is not looked at: seconds, MB of memory, MB of output.
floors = (0.5, 150, 2.0)
greatestGrowth = 8
# Each environment composes all files, so that these and another axis multiply. The library bounds their product.
multiplying = {"environments", "faults-environments", "environments-of-layers", "faults-environments-of-layers"}


def grown(small, large, names):
    """What grew too fast from one run to the one of four times the size, in words, and the largest growth."""
    faults, worst = [], 0
    for value, less, floor, unit in zip(large, small, floors, ("s", "MB of memory", "MB of output")):
        if value > floor and not (unit == "s" and len(names) > 1 and multiplying.intersection(names)):
            growth = value / max(less, 1e-6)
            worst = max(worst, growth)
            if growth > greatestGrowth:
                faults.append(f"{less:.2f} to {value:.2f} {unit}, {growth:.1f} times")
    return faults, worst


def check(tool, names, command, size, limit, verbose):
    """Compares two sizes; gives the faults found, and the largest growth above the floors."""
    title = f"{'+'.join(names)} {command} {size}..{4 * size}"
    large = run(tool, names, command, 4 * size, limit)
    faults, worst = [], 0
    if large[4] not in (0, 1, 64):
        faults.append(f"ended with status {large[4]}")
    elif any(value > floor for value, floor in zip(large, floors)) or verbose:
        small = run(tool, names, command, size, limit)
        faults, worst = grown(small, large, names)
        if faults:
            # A budget of the library ends the growth; what has none grows as fast once more.
            larger = run(tool, names, command, 16 * size, 4 * limit)
            again, worst = grown(large, larger, names)
            faults = again if larger[4] in (0, 1, 64) else faults + [f"ended with status {larger[4]}"]
        # Linear, and too much all the same.
        if large[2] > 40 and large[2] > 100 * large[3]:
            faults.append(f"{large[2]:.0f} MB of output from {large[3]:.2f} MB")
        if verbose:
            print(f"{title}: {small[0]:.2f} -> {large[0]:.2f} s, {small[1]:.0f} -> {large[1]:.0f} MB, "
                f"output {small[2]:.2f} -> {large[2]:.2f} MB, input {large[3]:.2f} MB, status {large[4]}", flush=True)
    for fault in faults:
        print(f"{title}: {fault}", flush=True)
    return faults, worst, large


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--size", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=0, help="how many pairs, chosen at random; -1 for all")
    parser.add_argument("--pair-size", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=30)
    parser.add_argument("--commands", default="validate")
    parser.add_argument("--only", default="")
    parser.add_argument("--no-singles", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    chosen = options.only.split(",") if options.only else None
    failed, count, worst, slowest = 0, 0, 0, (0, "")
    started = time.time()
    jobs = []
    for command in options.commands.split(","):
        # Wrong usage is allowed below, where a setting may be one; a command that is none would measure nothing.
        status = run(options.tool, (), command, 1, options.limit)[4]
        if status not in (0, 1):
            sys.exit(f"{command} ended with status {status}")
        if not options.no_singles:
            jobs += [((name,), command, options.size) for name in axes if not chosen or name in chosen]
        pairs = list(itertools.combinations(axes, 2))
        if chosen:
            pairs = [pair for pair in pairs if all(name in chosen for name in pair)]
        if options.pairs >= 0:
            random.Random(options.seed).shuffle(pairs)
            pairs = pairs[: options.pairs]
        jobs += [(pair, command, options.pair_size) for pair in pairs]
    for names, command, size in jobs:
        faults, growth, large = check(options.tool, names, command, size, options.limit, options.verbose)
        failed += bool(faults)
        count += 1
        worst = max(worst, growth)
        slowest = max(slowest, (large[0], "+".join(names)))
    print(f"{count} modules in {time.time() - started:.0f} s, {failed} that grow too fast, worst growth {worst:.1f}, "
        f"slowest {slowest[0]:.2f} s ({slowest[1]})")
    sys.exit(1 if failed else 0)


main()
