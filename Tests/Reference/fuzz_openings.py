#!/usr/bin/env python3
"""The random replays of `fuzz.py`, with widgets on surfaces that are opened: Smart Stack and car against the reference, and tiles of watches with Android.

usage: fuzz_openings.py --cases N --seed S --reloadsim PATH

A case depends on its number alone; every third one has tiles.
"""

import json
import random
import sys
import tempfile
from pathlib import Path

import android_fuzz
import fuzz
from civil import MINUTE, SECOND

CLUES = {"home": [1, 2, -1], "work": [2, 3], "elsewhere": [1, 4], "workout": [5, 2]}


def opened(seed):
    """A case of `fuzz.py` in which some instances stand on a surface that is opened."""
    draw, r = fuzz.Draw(seed), random.Random(seed * 7919 + 1)
    draw.can_be_mac = False
    found = draw.case()
    scenario = found["scenario"]
    device = scenario["devices"][0]
    surface = "smart_stack" if draw.is_watch else "car"
    controls = {kind["id"] for kind in scenario["kinds"] if "control" in kind}
    for instance in device["instances"]:
        if "stack" not in instance and r.random() < 0.7 and instance["kind"] not in controls:
            instance["surface"] = surface
            instance.pop("family", None)
    if r.random() < 0.6:
        scenario["parameters"]["suggestions"] = r.choice([1, 1, 2, 4])
    if draw.is_watch:
        for kind in scenario["kinds"]:
            relevance = kind.setdefault("relevance", {"base": r.choice([0, 1, 2])})
            for clue, scores in CLUES.items():
                if r.random() < 0.4:
                    relevance[clue] = r.choice(scores)
            if r.random() < 0.4:
                relevance["bedtime"] = {"score": r.choice([3, -2]), "before": r.choice(["1h", "0s", "90m"]), "after": r.choice(["0s", "30m", "2h"])}
    there = [instance["id"] for instance in device["instances"] if instance["surface"] == surface]
    lines = [line for line in found["replay"] if line.split(",")[2] != "view" or line.split(",")[3] not in there]
    if there:
        lines = with_openings(lines, draw, r, lambda: surface, draw.is_watch)
    return {**found, "replay": lines}


def with_openings(lines, draw, r, detail, has_workouts):
    for at in sorted({draw.instant() for _ in range(r.choice([2, 6, 15, 40]))}):
        lines.append(line(at, "open", detail()))
        if r.random() < 0.8:
            lines.append(line(at + r.choice([0, SECOND, draw.grid, draw.grid, 7 * MINUTE, 60 * MINUTE]), "leave"))
    if has_workouts:
        for _ in range(r.choice([0, 1, 3])):
            at = draw.instant()
            lines += [line(at, "workout_start"), line(at + r.choice([draw.grid, 40 * MINUTE]), "workout_end")]
    return lines


def line(microseconds, event, detail=""):
    return f"d,{microseconds / SECOND:.6f},{event},{detail}"


def tiles(seed):
    """The same as tiles of a watch with Android."""
    draw, r = fuzz.Draw(seed), random.Random(seed * 104729 + 3)
    draw.is_watch, draw.has_stacks, draw.surfaces = True, False, ["tile"]
    draw.has_silent = draw.has_pool = draw.has_dimming = False
    found = draw.case()
    scenario = found["scenario"]
    device = scenario["devices"][0]
    device.update(kind="watch", platform="android")
    for instance in device["instances"]:
        instance["surface"] = "tile"
        instance.pop("family", None)
    for kind in scenario["kinds"]:
        # Android has no transfers in the background (S8), and its providers are their app (C6).
        for key in ("fetch", "transfer", "content", "publish_on_open", "reload_on_publish"):
            kind.pop(key, None)
        kind["android"] = {"freshness": r.choice(["1m", "5m", "10m", "15m", "1h", "3h"])} if r.random() < 0.85 else {}
        if r.random() < 0.4:
            kind["push"] = True
        if kind.get("push") and r.random() < 0.2:
            kind["android"][r.choice(["collapsible", "stored"])] = False
    if r.random() < 0.5:
        scenario["parameters"]["android"] = {"tile_request_gap": r.choice(["0s", "20s", "1m", "5m", "10m"])}
    for key, values in (
            ("messages_burst", [1, 2]), ("messages_per_hour", [1, 12]), ("device_messages_per_minute", [1, 2]), ("device_messages_per_hour", [2, 5])):
        if r.random() < 0.25:
            scenario["parameters"].setdefault("android", {})[key] = r.choice(values)
    lines = [text for text in found["replay"] if text.split(",")[2] not in ("view", "workout_start", "workout_end")]
    lines += messages(draw, r, scenario["kinds"])
    names = [instance["id"] for instance in device["instances"]] + ["tile"]
    return {**found, "replay": with_openings(lines, draw, r, lambda: r.choice(names), False)}


def messages(draw, r, kinds):
    """Pushes and silent pushes in runs, some of them without a connection (N10, D8)."""
    lines = []
    for _ in range(r.choice([0, 1, 3, 6])):
        at = draw.instant()
        is_offline = r.random() < 0.4
        if is_offline:
            lines.append(line(at, "offline"))
        for _ in range(r.choice([1, 2, 4])):
            kind = r.choice(kinds)
            lines.append(line(at, *r.choice([("push", kind["app"]), ("silent_push", kind["id"])])))
            at += r.choice([0, 10 * SECOND, MINUTE, 3 * MINUTE, draw.grid])
        if is_offline:
            lines.append(line(at, "online"))
    return lines


def of_tiles(case, binary, folder):
    ours, theirs = android_fuzz.engine(case, binary, folder), android_fuzz.reference(case)
    for sort, have, want in zip(("reloads", "requests", "views"), ours, theirs):
        if have != want:
            return sort, [row for row in want if row not in have][:3], [row for row in have if row not in want][:3]
    return None


def main():
    arguments = fuzz.arguments_of_a_fuzz()
    compared = refused = different = views = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed in range(arguments.seed, arguments.seed + arguments.cases):
            is_tile = seed % 3 == 0
            case = tiles(seed) if is_tile else opened(seed)
            try:
                found = (of_tiles if is_tile else fuzz.differences)(case, arguments.reloadsim, folder)
            except fuzz.Refused as refusal:
                refused += 1
                print(f"case {seed}: refused: {str(refusal)[:300]}")
                continue
            compared += 1
            views += sum(text.split(",")[2] == "open" for text in case["replay"])
            if not found:
                continue
            different += 1
            sort, want, have = found
            print(f"\ncase {seed}: {sort}\n  reference {want}\n  engine    {have}\n  {json.dumps(case['scenario'])}")
            print("  " + "\n  ".join(case["replay"]), flush=True)
            if different >= arguments.most:
                break
    print(f"{compared} cases with {views} openings compared, {different} different, {refused} refused by the scenario reader")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
