# SPDX-License-Identifier: Apache-2.0
"""Writes a module like that of a larger server: parts by domain, shared infrastructure, layers for three environments."""

import json, os, random

domains = ["orders", "catalog", "mail", "payment", "search", "users", "stock", "shipping", "billing", "reports", "audit", "offers"]
roles = [("repository", "Repository"), ("client", "Client"), ("service", "Service"), ("handler", "Handler"), ("job", "Job"),
    ("cache", "Cache"), ("mapper", "Mapper"), ("policy", "Policy")]
infrastructure = {
    "infra.clock": {"type": "SystemClock"},
    "infra.log": {"type": "ConsoleLogger", "values": {"level": "${log.level}"}, "inject": {"clock": "infra.clock"}},
    "infra.metrics": {"type": "StatsD", "values": {"host": "${metrics.host}"}, "inject": {"log": "infra.log"}},
    "infra.database": {"type": "PostgresPool", "values": {"url": "postgres://app:${db.password}@${db.host}/app"},
        "inject": {"log": "infra.log", "metrics": "infra.metrics"}},
    "infra.http": {"type": "HTTPClient", "inject": {"log": "infra.log"},
        "decorate": [{"type": "RetryingClient", "values": {"times": 3}, "inject": {"clock": "infra.clock"}}]},
    "infra.router": {"type": "Router", "scope": "request", "inject": {"handlers": {"tagged": "handler"}, "log": "infra.log"}},
}
parameters = {
    "log.level": "info", "metrics.host": "localhost",
    "db.host": {"env": "DB_HOST", "default": "localhost"},
    "db.password": {"env": "DB_PASSWORD", "default": "planted-secret-of-the-page", "secret": True},
}


def services(count, seed=7):
    """A number of services, the same for the same seed."""
    choice = random.Random(seed)
    found = dict(infrastructure)
    number = 0
    while len(found) < count:
        batch, place = divmod(number, len(domains) * len(roles))
        domain = domains[place // len(roles)] + (str(batch + 1) if batch else "")
        role, kind = roles[place % len(roles)]
        number += 1
        found[f"{domain}.{role}"] = service(choice, found, domain, role, kind)
    return found


def service(choice, found, domain, role, kind):
    """One service, which uses some earlier ones."""
    name = domain.capitalize() + kind
    inject = {"log": "infra.log"} if role in ("service", "job", "handler") else {}
    if role in ("repository", "cache"):
        inject["database"] = "infra.database"
    if role == "client":
        inject["http"] = "infra.http"
    own = [id for id in found if id.startswith(domain + ".")]
    wanted = {"handler": ["service", "mapper"], "service": ["repository", "client"], "job": ["service"], "policy": ["repository"]}
    for other in wanted.get(role, []):
        if f"{domain}.{other}" in own:
            inject[other] = f"{domain}.{other}"
    foreign = [id for id in found if id.endswith(".service") and not id.startswith(domain + ".")]
    if role in ("service", "job") and foreign and choice.random() < 0.5:
        inject["other"] = {"service": choice.choice(foreign[-12:]), "optional": choice.random() < 0.3}
    value = {"type": name, "inject": inject, "values": {"timeout": f"{choice.randint(1, 30)}s"}}
    if role == "handler":
        value["tags"] = ["handler"]
        value["scope"] = "request"
    if role in ("mapper", "policy"):
        value["scope"] = "transient"
    if role == "cache" and choice.random() < 0.5:
        value["scope"] = "weak"
    return value


def write(folder, count):
    """Writes the module into a folder and returns the path of its entry."""
    found = services(count)
    own = [id for id in found if not id.startswith("infra.")]
    changed = own[:: max(1, len(own) // 8)]
    dev = {"configdi": 1, "module": "dev", "override": {"parameters": {"log.level": "debug"}},
        "services": {"dev.console": {"type": "DevConsole", "inject": {"log": "infra.log"}}}}
    prod = {"configdi": 1, "module": "prod", "override": {
        "parameters": {"metrics.host": "metrics.internal"},
        "services": {id: {"values": {"timeout": "60s"}} for id in changed}}}
    prod["override"]["services"]["infra.log"] = {"type": "JSONLogger"}
    staging = {"configdi": 1, "module": "staging", "override": {"parameters": {"metrics.host": "metrics.staging"}}}
    app = {"configdi": 1, "module": f"fleet {count}", "environments": {
        "dev": ["dev.json"], "staging": ["prod.json", "staging.json"], "prod": ["prod.json"]},
        "scopes": ["request"], "parameters": parameters, "services": found}
    for name, value in {"app": app, "dev": dev, "prod": prod, "staging": staging}.items():
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump(value, file, indent=1)
    return os.path.join(folder, "app.json")


def write_facts(folder):
    """Writes a module with an environment for each kind of fact that a layer can change in a service."""
    service = {"type": "T", "inject": {"x": "x"}, "values": {"v": "${p}", "m": {"a": 1, "b": [1, 2]}, "s": "${secret}"},
        "tags": {"t": {"order": 1}}, "decorate": [{"type": "D", "values": {"d": 1}}]}
    layers = {
        "same": {}, "type": {"type": "Other"}, "scope": {"scope": "transient"}, "shared": {"scope": "shared"}, "eager": {"eager": True},
        "lazy": {"eager": False}, "private": {"private": True}, "inject": {"inject": {"x": "y"}}, "more": {"inject": {"z": "y"}},
        "value": {"values": {"v": "other"}}, "deep": {"values": {"m": {"b": [1, 3]}}}, "tag": {"tags": {"t": {"order": 2}}},
        "otherTag": {"tags": {"u": {}}}, "decorators": {"decorate": {"append": [{"type": "E"}]}}, "none": {"decorate": []},
        "optional": {"inject": {"x": {"service": "x", "optional": True}}}, "deprecated": {"deprecated": "old"},
        "when": {"when": {"parameter": "p", "equals": "p"}}, "provides": {"provides": ["P"]},
    }
    parameters = {"parameter": {"p": "q"}, "secret": {"secret": {"value": "two"}}, "off": {"flag": True}}
    layers = {name: {"override": {"services": {"s": body}}} if body else {} for name, body in layers.items()}
    layers.update({name: {"override": {"parameters": body}} for name, body in parameters.items()})
    layers["gone"] = {"remove": {"services": ["s"]}}
    layers["added"] = {"services": {"new": {"type": "N", "inject": {"x": "x"}}}}
    layers["replaced"] = {"replace": {"services": {"s": {"type": "T"}}}}
    off = {"type": "T", "when": {"parameter": "flag", "equals": True}}
    app = {"configdi": 1, "module": "facts", "environments": {name: [name + ".json"] for name in layers},
        "parameters": {"p": "p", "flag": False, "secret": {"value": "one", "secret": True}},
        "services": {"s": service, "x": {"type": "X"}, "y": {"type": "X"}, "off": off}}
    for name, value in {"app": app, **{name: {"configdi": 1, "module": "l", **body} for name, body in layers.items()}}.items():
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump(value, file, indent=1)
