#!/usr/bin/env python3
"""Runs random small replays of one device with Android through the engine and the reference (section 13 of MODEL).

usage: android_fuzz.py --cases N --seed S --reloadsim PATH

A case depends on its number alone. Times lie on a coarse grid, so that events tie with windows of Doze, alarms and each other.
"""

import argparse
import csv
import io
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from reference import device

STATES = {"placeholder", "redacted", "alternate", "empty", "wrong_place", "stale", "fresh"}


def case(seed):
    r = random.Random(seed)
    hours = r.choice([3, 8, 30, 60])
    android = {"job_time": r.choice(["0s", "10s", "3m", "5m", "10m"]), "widget_bucket": r.choice(["active", "active", "working_set", "frequent", "rare", "by_use"])}
    if r.random() < 0.2:
        android["killers"] = 1
    if r.random() < 0.2:
        android["restricted"] = 1
    if r.random() < 0.3:
        android["idle_alarms"] = r.choice([1, 3, 72])
    if r.random() < 0.3:
        android["messages_burst"] = r.choice([1, 2])
    if r.random() < 0.3:
        android["doze"] = {"light_after": "1m", "deep_after": r.choice(["10m", "30m"])}
    if r.random() < 0.3:
        android["alarm_delay"] = android["job_delay"] = r.choice(["1m", "4m"])
    if r.random() < 0.3:
        android["demotion"] = {"working_set": "1h", "frequent": "2h", "rare": "4h", "restricted": "8h"}
    kinds, instances = [], []
    for number in range(r.choice([1, 2, 3])):
        own = {}
        period = r.choice(["alarm", "idle_alarm", "work", "work", None])
        if period:
            own[period] = r.choice({"alarm": ["30m", "45m"], "idle_alarm": ["5m", "20m"], "work": ["15m", "20m", "1h"]}[period])
            if period == "work" and r.random() < 0.5:
                own["flex"] = r.choice(["1m", "5m", "15m"])
        push = r.random() < 0.6
        if push and r.random() < 0.5:
            own["message"] = r.choice(["high", "normal"])
        if push and r.random() < 0.4:
            own["handler"] = r.choice(["work", "expedited"]) if own.get("message") == "high" else "work"
        if r.random() < 0.5:
            own["back_off"] = r.choice([{}, {"form": "linear"}, {"first": "10s"}, {"form": "linear", "first": "300s"}])
        kinds.append({
            "id": f"k{number}", "app": r.choice(["one", "two"]), "policy": "never", "push": push, "android": own,
            "reload_on_open": r.choice(["never", "always", "if_changed"]), "versions": [f"{r.randrange(1, hours * 60)}m" for _ in range(3)]})
        for copy in range(r.choice([1, 1, 2])):
            instance = {"id": f"w{number}-{copy}", "kind": f"k{number}", "installed_at": r.choice(["0s", "0s", "7m", "50m"])}
            if r.random() < 0.5 and instance["installed_at"] == "0s":
                instance["initial"] = {"fetched": "0s"}
            if r.random() < 0.3:
                instance["location"], instance["location_mode"] = "current", r.choice(["denied", "while_using", "while_using_or_widgets", "always"])
            instances.append(instance)
    spec = {"id": "d", "zone": "UTC", "platform": "android", "surface_shown": {"home_first": r.choice([0, 1])}, "instances": instances}
    apps = sorted({kind["app"] for kind in kinds})
    service = {"latency_out": r.choice(["0s", "2s"]), "latency_back": r.choice(["0s", "3s"])}
    if r.random() < 0.5:
        service["failing"] = r.choice([[["40m", "70m"]], [["1m", "2h"]], [["20m", "21m"], ["35m", "36m"], ["90m", "100m"]]])
    scenario = {
        "start": "2026-04-14T08:00:00+00:00", "end": f"{hours}h", "parameters": {"android": android}, "service": service, "kinds": kinds, "devices": [spec]}
    lines, ends = [], 0

    def add(seconds, event, detail=""):
        if seconds < hours * 3600:
            lines.append((seconds, f"d,{seconds},{event},{detail}"))

    def instant():
        return r.choice([60, 60, 300, 900]) * r.randrange(1, hours * 4)
    begin = 0
    while begin < hours * 3600:
        begin += r.choice([60, 240, 300, 540, 900, 3600, 7200, 14400])
        length = r.choice([5, 60, 300, 1200])
        add(begin, "pickup")
        if r.random() < 0.3:
            app = r.choice(apps)
            add(begin + 1, "app_open", app)
            add(begin + min(length, 4), "app_close", app)
        add(begin + length, "lock")
        begin += length + 60
    for _ in range(r.randrange(12)):
        add(instant() + r.choice([0, 30]), r.choice(["push", "push", "push"]), r.choice(apps))
    for _ in range(r.randrange(6)):
        add(instant() + 30, "motion")
    for _ in range(r.choice([0, 0, 1, 3])):
        add(instant() + r.choice([0, 30]), "app_update", r.choice(apps))
    for _ in range(r.randrange(4)):
        add(instant() + 30, "app_trigger", r.choice(kinds)["id"])
    for begin_event, end_event, share in (("charging_on", "charging_off", 0.6), ("low_power_on", "low_power_off", 0.3)):
        if r.random() < share:
            at = instant()
            add(at, begin_event)
            add(at + r.choice([300, 3600, 10 * 3600]), end_event)
    if r.random() < 0.4:
        add(instant() + 15, "environment", r.choice(["reboot", "language"]))
    if r.random() < 0.4:
        add(instant() + 15, "move", "work 9000 0")
    return {"scenario": scenario, "replay": [line for _, line in sorted(lines, key=lambda line: line[0])]}


def engine(found, binary, folder):
    (folder / "scenario.yaml").write_text(json.dumps({**found["scenario"], "replay": "replay.csv"}), encoding="utf-8")
    (folder / "replay.csv").write_text("device,time,event,detail\n" + "\n".join(found["replay"]) + "\n", encoding="utf-8")
    run = subprocess.run([binary, "trace", str(folder / "scenario.yaml"), "--person", "0", "--format", "csv"], capture_output=True, text=True, timeout=60)
    if run.returncode:
        sys.exit(f"status {run.returncode}: {run.stderr[-2000:]}\n{json.dumps(found)}")
    granted, requests, views = [], [], []
    for row in csv.DictReader(io.StringIO(run.stdout)):
        at, words = int(row["time_us"]), [word.strip() for word in row["detail"].split(",")]
        if row["event"] == "granted":
            granted.append((at, row["instance"], row["cause"]))
        elif row["event"] == "request":
            requests.append((at, row["instance"], next((word[4:] for word in words if word.startswith("for ")), "")))
        elif row["event"] == "view":
            views.append((at, row["instance"], next(word for word in words if word in STATES)))
    return sorted(granted), sorted(requests), sorted(views)


def reference(found):
    one = device(found["scenario"], found["scenario"]["devices"][0], found["replay"])
    rows, start = one.run(), one.start
    return (
        sorted((row[1] - start, row[0], row[2]) for row in rows["granted"]), sorted((row[1] - start, row[0], row[2]) for row in rows["requests"]),
        sorted((view["time"] - start, view["instance"], view["state"]) for view in rows["views"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--reloadsim", required=True)
    options = parser.parse_args()
    differing = reloads = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.cases):
            found = case(seed)
            ours, theirs = engine(found, options.reloadsim, Path(folder)), reference(found)
            reloads += len(theirs[0])
            for sort, have, want in zip(("reloads", "requests", "views"), ours, theirs):
                if have != want:
                    differing += 1
                    first = [row for row in have if row not in want][:3], [row for row in want if row not in have][:3]
                    print(f"case {seed}: {sort}: only the engine has {first[0]}, only the reference {first[1]}")
                    break
            if differing >= 5:
                break
    print(f"{options.cases} cases with {reloads} reloads, {differing} with differences")
    sys.exit(differing > 0)


if __name__ == "__main__":
    main()
