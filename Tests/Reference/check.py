#!/usr/bin/env python3
"""Runs the reference over folders of worked cases, JSON or (with PyYAML) YAML, and says where it departs from what they expect.
"""

import argparse
import json
import re
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

from budget import microtokens
from civil import Zone, duration, iso
from live import phones
from reference import device

try:
    import yaml
except ImportError:  # The standard library reads JSON only.
    yaml = None


def differences(case):
    scenario, expected = case["scenario"], case["expected"]
    zone = Zone(scenario["devices"][0].get("zone", "UTC"))
    devices = [device(scenario, spec, case["replay"]) for spec in scenario["devices"]]
    found = [device.run() for device in devices]
    live = phones(scenario, case["replay"])

    def rows(sort):
        return [row for rows in found for row in rows[sort]]

    def compare(what, want, have):
        if want != have:
            lost, extra = Counter(map(str, want)) - Counter(map(str, have)), Counter(map(str, have)) - Counter(map(str, want))
            yield f"{what}: missing {list(lost)}, unexpected {list(extra)}"

    want = []
    for row in expected.get("reloads", []):
        if isinstance(row, dict):
            first, last = iso(row["from"], zone), iso(row["to"], zone)
            want += [(row["instance"], at, row["cause"], row["charged"]) for at in range(first, last + 1, duration(row.get("every", "1s")))]
        else:
            want.append((row[0], iso(row[1], zone), row[2], row[3]))
    if "reloads" in expected:
        have = [row[:4] for row in rows("granted")]
        yield from compare("reloads", sorted(want, key=lambda row: (row[1], row[0])), sorted(have, key=lambda row: (row[1], row[0])))
    if "views" in expected:
        views = sorted(rows("views"), key=lambda view: view["time"])
        yield from compare(
            "views", [(row[0], iso(row[1], zone), row[2]) for row in expected["views"]], [(view["instance"], view["time"], view["state"]) for view in views])
        for row, view in zip(expected["views"], views):
            for key, value in (row[3] if len(row) > 3 else {}).items():
                value = duration(value) if key == "age" else bool(value) if key == "healed" else value
                if view[key] != value:
                    yield f"{key} of the view {row[:2]}: expected {value}, found {view[key]}"
    if "requests" in expected:
        yield from compare("requests", [(row[0], iso(row[1], zone), row[2]) for row in expected["requests"]], sorted(rows("requests"), key=lambda row: row[1]))
    if "merged" in expected:
        yield from compare("merged", sorted(expected["merged"].items()), sorted(Counter(row[2] for row in rows("merged")).items()))
    if "activities" in expected:
        rows_of_all = sorted((row for phone in live for row in phone.rows), key=lambda row: row[1])
        yield from compare("activities", [(row[0], iso(row[1], zone), row[2]) for row in expected["activities"]], rows_of_all)
    summary = expected.get("summary", {})
    for key, value in summary.items():
        if key == "views_total":
            yield from compare(key, [value], [len(rows("views"))])
        elif key == "taps":
            yield from compare(key, [value], [sum(device.taps for device in devices)])
        elif key == "silent_pushes":
            have = {name: sum(device.silent_counts[name] for device in devices) for name in devices[0].silent_counts}
            have["waiting"] = sum(silent.waiting is not None for device in devices for silent in device.silent.values())
            yield from compare(key, sorted(value.items()), sorted((name, have[name]) for name in value))
        elif key == "pushes":
            have = sum((counts for phone in live for counts in phone.counts.values()), Counter())
            yield from compare(key, sorted(value.items()), sorted((name, have[name]) for name in value))
        elif key == "late_entries":
            yield from compare(key, [value], [sum(view["late"] for view in rows("views"))])
        elif key == "views_repeated":
            yield from compare(key, [value], [sum(device.repeated_views for device in devices)])
        elif key == "views":
            states = Counter(view["state"] for view in rows("views"))
            yield from compare(key, sorted(value.items()), sorted((state, states[state]) for state in value))
        elif key == "ledgers":
            for instance, amounts in value.items():
                account = next(rows["ledgers"][instance] for rows in found if instance in rows["ledgers"])
                have = {name: getattr(account, name) for name in ("opening", "accrued", "spent", "expired", "balance", "allowance", "cap")}
                have["granted"] = account.opening + account.accrued
                for name, amount in amounts.items():
                    if microtokens(have[name]) != str(amount) and have[name] != Fraction(str(amount)):
                        yield f"ledger of {instance}, {name}: expected {amount}, found {microtokens(have[name])}"
        elif key == "waits":
            for end, gates in value.items():
                for gate, wait in gates.items():
                    have = [device.waits[end].get(gate, (0, 0)) for device in devices]
                    yield from compare(f"waits {end} {gate}", [wait["count"], wait["us"]], [sum(count for count, _ in have), sum(total for _, total in have)])
        elif key == "requests":
            ended = Counter(row[4] for row in rows("ended"))
            sent = len(rows("requests"))
            have = {"sent": sent, "ok": ended["ok"], "error": sent - ended["ok"], "timeout": sent - ended["ok"]}
            yield from compare(key, sorted(value.items()), sorted((name, have[name]) for name in value))
        elif key == "reloads":
            ended = Counter(f"{row[2]}|{'charged' if row[3] else 'free'}|{row[4]}" for row in rows("ended"))
            yield from compare("ends of reloads", sorted(value.items()), sorted((name, ended[name]) for name in value))
        else:
            yield f"nobody checks {key}"


def read(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(text) if path.suffix == ".json" else yaml.load(text, Loader=CaseLoader)


if yaml:
    class CaseLoader(yaml.SafeLoader):
        """YAML without guesses: `07:30` and `2026-03-02T07:00` are texts."""

    CaseLoader.yaml_implicit_resolvers = {}
    CaseLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), "tf")
    CaseLoader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^-?[0-9]+$"), "-0123456789")
    CaseLoader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^-?[0-9]+\.[0-9]+$"), "-0123456789")


def main():
    count = wrong = 0
    skipped = []
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    for folder in parser.parse_args().folders:
        for path in sorted(path for path in folder.iterdir() if path.suffix in (".json", ".yaml")):
            if path.suffix == ".yaml" and yaml is None:
                sys.exit(f"{path}: needs PyYAML (pip install pyyaml); JSON cases do not")
            case = read(path)
            # Devices that wait for one another at a service with queues are nothing that this implementation knows.
            if "pools" in case["scenario"].get("service", {}):
                skipped.append(path.name)
                continue
            count += 1
            problems = list(differences(case))
            wrong += bool(problems)
            for problem in problems:
                print(f"{path.name}: {problem}")
    print(f"{count} cases, {wrong} with differences" + (f"; not played, for their service: {', '.join(skipped)}" if skipped else ""))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
