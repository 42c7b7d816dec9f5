#!/usr/bin/env python3
"""Runs random small replays of one device with Android through the engine and the reference (section 13 of MODEL), and shrinks those on which they differ.

usage: android_fuzz.py --cases N --seed S --reloadsim PATH [--keep FOLDER] [--most N]

A case depends on its number alone. Times lie on a coarse grid, so that events tie with windows of Doze, alarms and each other.
"""

import copy
import csv
import io
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import fuzz
from reference import device

STATES = {"placeholder", "redacted", "alternate", "empty", "wrong_place", "stale", "fresh"}


def parameters(r):
    """The parameters of Android, each far from its default now and then."""
    android = {
        "job_time": r.choice(["0s", "10s", "3s", "40s", "3m", "5m", "10m"]),
        "widget_bucket": r.choice(["active", "active", "working_set", "frequent", "rare", "by_use", "by_use"])}
    for share, key, values in (
            (0.1, "killers", [1]), (0.12, "restricted", [1]), (0.3, "idle_alarms", [1, 3, 7]), (0.5, "exact_alarms", [0, 0, 1]),
            (0.3, "messages_burst", [1, 2]), (0.3, "alarm_delay", ["1m", "4m"]), (0.3, "job_delay", ["1m", "4m"]),
            (0.3, "demotion", [dict(working_set="1h", frequent="2h", rare="4h", restricted="8h"), dict(working_set="5m", frequent="10m", rare="15m", restricted="7h")]),
            (0.3, "job_quota", [{"rare": "3m"}, {"rare": "20s", "active": "1m"}, {"working_set": "2m", "frequent": "1m"}]),
            (0.4, "job_counts", [{"active": 2, "minute": 1}, {"minute": 1}, {"minute": 2}, {"active": 2}, {"active": 4, "minute": 2}]),
            (0.2, "expedited_quota", [{"active": "3m", "restricted": "1s"}, {"rare": "20s", "frequent": "20s", "restricted": "4m"}]),
            (0.4, "alarm_quota", [{"working_set": 2}, {"frequent": 1, "rare": 2}, {"working_set": 1, "rare": 3}])):
        if r.random() < share:
            android[key] = r.choice(values)
    if r.random() < 0.4:
        android["job_sessions"] = r.choice([{"rare": 1}, {"active": 2, "working_set": 1}, {"frequent": 2, "rare": 2}, {"active": 1, "working_set": 3}])
    if r.random() < 0.3:
        android["idle_alarms_exempt"] = r.choice([True, True, False])
    for key, values in (("device_messages_per_minute", [1, 2, 4]), ("device_messages_per_hour", [2, 5, 150])):
        if r.random() < 0.12:
            android[key] = r.choice(values)
    doze = {}
    for share, choices in (
            (0.3, [{"light_after": "1m"}]),
            (0.3, [{"deep_after": "10m", "still": "5m", "deep_after_motion": "8m"}, {"deep_after": "30m", "still": "20m"}, {"deep_after_motion": "30m"}]),
            (0.3, [{"light_window_least": "20s"}, {"light_window_least": "1m"}, {"light_window": "5m"}, {"light_window": "2m", "light_window_least": "30s"}]),
            (0.3, [{"deep_window_least": "1m"}, {"deep_window_least": "5m"}, {"deep_idle": "10m", "deep_window": "2m"}]),
            (0.5, [{"wait_for_unlock": True}, {"wait_for_unlock": False}])):
        if r.random() < share:
            doze.update(r.choice(choices))
    if doze:
        android["doze"] = doze
    if r.random() < 0.1:
        # Limits of a bucket that the next lower one has not, so that a demotion opens a gate.
        android.update(
            widget_bucket="by_use", demotion={"working_set": "25m", "frequent": "50m", "rare": "3h", "restricted": "8h"},
            job_counts={"active": r.choice([1, 2])}, alarm_quota={"working_set": 1, "frequent": 2})
    if "demotion" in android and r.random() < 0.8:
        android["demotion"]["screen"] = r.choice([
            {"frequent": "0s", "rare": "0s", "restricted": "0s"}, {"frequent": "1m", "rare": "10m", "restricted": "1h"}, {"frequent": "20m", "rare": "20m", "restricted": "20m"},
            {"frequent": "5s", "rare": "25m"}, {"frequent": "0s"}])
    return android


def clock_alarm(r):
    """An alarm at clock times: some often, so that they meet Doze, windows and quotas."""
    alarm = {"exact": r.choice([True, True, False])}
    if r.random() < 0.5:
        alarm["at"] = sorted(r.sample(["00:30", "08:00", "08:20", "09:00", "09:04", "10:15", "12:00", "13:30", "17:00", "21:45", "23:59"], r.choice([1, 2, 4])))
    else:
        alarm["every"] = r.choice(["10m", "15m", "30m", "1h"])
        if r.random() < 0.3:
            alarm["offset"] = "7m"
        if r.random() < 0.3:
            alarm["between"] = ["06:00", "20:00"]
    if not alarm["exact"]:
        alarm["window"] = "0s"
    if r.random() < 0.3:
        alarm["zone"] = r.choice(["local", "America/New_York", "Asia/Kolkata"])
    if r.random() < 0.3:
        alarm["days"] = r.choice(["all", "weekdays", "weekends"])
    return alarm


def provider(r, push):
    own = {}
    period = r.choice(["alarm", "alarm", "clock", "clock", "idle_alarm", "work", "work", "work", None])
    if period == "clock":
        own["alarm"] = clock_alarm(r)
    elif period:
        own[period] = r.choice({"alarm": ["30m", "45m"], "idle_alarm": ["5m", "20m"], "work": ["15m", "20m", "1h"]}[period])
    if period == "work" and r.random() < 0.5:
        own["flex"] = r.choice(["5m", "10m", "15m"])
    if period == "alarm" and r.random() < 0.6:
        own["alarm_does"] = r.choice(["job", "fetch", "fetch"])
    if push and r.random() < 0.7:
        own["message"] = r.choice(["high", "high", "normal"])
    if push and r.random() < 0.5:
        own["handler"] = r.choice(["work", "expedited", "expedited"]) if own.get("message") == "high" else "work"
    if period == "work" and r.random() < 0.3:
        # A try that waits for long beside other jobs and updates.
        own["back_off"] = {"first": "1800s"}
        if push:
            own["handler"] = "work"
    if push and r.random() < 0.2:
        own["collapsible"] = r.choice([False, False, True])
    if push and r.random() < 0.15:
        own["stored"] = r.choice([False, False, True])
    if "back_off" not in own and r.random() < 0.5:
        own["back_off"] = r.choice([{}, {"form": "linear"}, {"first": "10s"}, {"form": "linear", "first": "300s"}, {"first": "1800s"}])
    return own


def case(seed):
    r = random.Random(seed)
    hours = r.choice([3, 8, 30, 60])
    android = parameters(r)
    kinds, instances = [], []
    for number in range(r.choice([1, 2, 3])):
        push = r.random() < 0.6
        kinds.append({
            "id": f"k{number}", "app": r.choice(["one", "two"]), "policy": "never", "push": push, "android": provider(r, push),
            "reload_on_open": r.choice(["never", "always", "if_changed"]), "versions": [f"{r.randrange(1, hours * 60)}m" for _ in range(3)]})
        if r.random() < 0.15:
            kinds[-1]["reload_call"] = "all_timelines"
        fetched = r.choice(["0s", "0s", "2026-04-14T07:56:00+00:00", "2026-04-14T07:50:00+00:00"])
        for number_of_kind in range(r.choice([1, 1, 2, 3])):
            instance = {"id": f"w{number}-{number_of_kind}", "kind": f"k{number}", "installed_at": r.choice(["0s", "0s", "7m", "50m"])}
            # Content that is older than its instance is that of the first one.
            is_first = number_of_kind == 0 or fetched == "0s"
            if instance["installed_at"] == "0s" and is_first and r.random() < 0.5:
                instance["initial"] = {"fetched": fetched}
            if r.random() < 0.3:
                instance["location"], instance["location_mode"] = "current", r.choice(["denied", "while_using", "while_using_or_widgets", "always"])
            instances.append(instance)
    spec = {"id": "d", "zone": "UTC", "platform": "android", "surface_shown": {"home_first": r.choice([0, 1])}, "instances": instances}
    apps = sorted({kind["app"] for kind in kinds})
    takers = sorted({kind["app"] for kind in kinds if kind["push"]}) or apps
    service = {"latency_out": r.choice(["0s", "2s"]), "latency_back": r.choice(["0s", "3s"])}
    if r.random() < 0.5:
        service["failing"] = r.choice([[["40m", "70m"]], [["1m", "2h"]], [["20m", "21m"], ["35m", "36m"], ["90m", "100m"]], [["15m", "7h"]]])
    scenario = {
        "start": "2026-04-14T08:00:00+00:00", "end": f"{hours}h", "parameters": {"android": android}, "service": service, "kinds": kinds, "devices": [spec]}
    if r.random() < 0.15:
        spec["background_refresh_off"] = [["30m", "100m"]]
    lines, ends = [], [0]

    def add(seconds, event, detail=""):
        if 0 <= seconds < hours * 3600:
            lines.append((seconds, f"d,{seconds},{event},{detail}"))

    def instant():
        return r.choice([60, 60, 300, 900]) * r.randrange(1, hours * 4)

    def off_or_on():
        """An instant from which Doze is counted, or so long after it that something of it changes there."""
        return r.choice(ends) + r.choice([240, 540, 600, 1140, 1800, 3600, 5400, 7200, 7500])
    begin = 0
    while begin < hours * 3600:
        begin += r.choice([60, 240, 300, 540, 900, 3600, 7200, 14400])
        length = r.choice([5, 60, 300, 1200, 1200, 5400])
        if r.random() < 0.2:
            add(begin, "glance")
            if r.random() < 0.7:
                ends.append(begin)
                continue
            begin += 60
        add(begin, "pickup")
        if r.random() < 0.3:
            app = r.choice(apps)
            add(begin + 1, "app_open", app)
            add(begin + min(length, 4), "app_close", app)
        add(begin + length, "lock")
        ends.append(begin + length)
        begin += length + 60
    for _ in range(r.randrange(20)):
        add(instant() + r.choice([0, 30]), "push", r.choice(takers))
    if r.random() < 0.3:
        # Several within minutes, for what an app may begin in a minute and for the bucket of messages.
        at = instant()
        for _ in range(5):
            add(at + r.choice([0, 10, 20, 30, 60]), "push", r.choice(takers))
    for _ in range(r.randrange(4)):
        # At whole periods of alarms and jobs, and in Doze.
        add(r.randrange(1, hours * 12) * 300 + r.choice([0, 0, 0, 10, 60]), "push", r.choice(takers))
    if r.random() < 0.35:
        # Messages that the push service stores, now and then more than it stores for an app.
        at = instant()
        add(at, "offline")
        for _ in range(r.choice([1, 2, 3, 5, 30, 99, 100, 101, 102])):
            add(at + r.choice([0, 1, 10, 60]), "silent_push", r.choice(kinds)["id"])
        at += r.choice([60, 300, 600, 3600])
        add(at, "online")
        for _ in range(r.randrange(4)):
            add(at + r.choice([-1, 0, 0, 1, 60, 180]), r.choice(["push", "silent_push", "app_trigger"]), "")
    for _ in range(r.choice([0, 0, 2, 6])):
        add(instant() + r.choice([0, 30]), "silent_push", r.choice(kinds)["id"])
    for _ in range(r.randrange(4)):
        add(off_or_on() + r.choice([-1, 0, 0, 5]), "push", r.choice(takers))
    for _ in range(r.randrange(6)):
        add(instant() + 30, "motion")
    for _ in range(r.randrange(5)):
        # About the beginning and the end of what is watched before deep Doze.
        add(r.choice(ends) + r.choice([300, 600, 1800, 1800, 3600, 4200, 5400]) + r.choice([-30, -1, 0, 1, 30, 600]), "motion")
    for _ in range(r.choice([0, 0, 1, 3])):
        add(instant() + r.choice([0, 30]), "app_update", r.choice(apps))
    for _ in range(r.randrange(6)):
        add(instant() + r.choice([0, 30]), "app_trigger", r.choice(kinds)["id"])
    for begin_event, end_event, share in (("charging_on", "charging_off", 0.9 if "restricted" in android else 0.6), ("low_power_on", "low_power_off", 0.3)):
        if r.random() < share:
            at = instant()
            add(at, begin_event)
            add(at + r.choice([300, 3600, 10 * 3600]), end_event)
    if r.random() < 0.5:
        at = 0
        for _ in range(r.choice([1, 2, 4])):
            at += instant() + r.choice([0, 10])
            add(at, "offline")
            for _ in range(r.randrange(3)):
                add(at + r.choice([0, 60, 300, 600]), r.choice(["push", "app_trigger", "app_update"]), "")
            at += r.choice([60, 600, 3600, 5400])
            add(at, "online")
    for _ in range(r.choice([0, 0, 1, 2])):
        # Where one of them lies in a night without a session, much waits for the unlock.
        at = r.choice([instant() + 15, r.choice(ends), r.choice(ends) + 60])
        add(at, "environment", r.choice(["reboot", "reboot", "system_update", "language"]))
    if r.random() < 0.4:
        add(instant() + 15, "move", "work 9000 0")
    if r.random() < 0.4:
        # In the microsecond of an alarm or of a first job (T3).
        for kind in kinds:
            period = next((kind["android"][key] for key in ("alarm", "idle_alarm", "work") if isinstance(kind["android"].get(key), str)), None)
            if kind["push"] and period:
                first = next(instance for instance in instances if instance["kind"] == kind["id"])
                begin = {"0s": 0, "7m": 420, "50m": 3000}[first["installed_at"]] if "initial" not in first else 0
                for _ in range(r.choice([1, 3, 6])):
                    times = 1 if "work" in kind["android"] else r.randrange(1, 9)
                    add(begin + times * int(period[:-1]) * (3600 if period.endswith("h") else 60), "push", kind["app"])
    if r.random() < 0.25:
        # Jobs of one app that wait for one place (T3, N4).
        android["job_counts"] = {"minute": r.choice([1, 1, 2])}
        for _ in range(r.choice([1, 3])):
            at = instant()
            for _ in range(r.choice([3, 5])):
                add(at, "app_trigger", r.choice(kinds)["id"])
                at += r.choice([0, 5, 10, 60])
    if r.random() < 0.12:
        # So many that the limit of the device shows how many came as the connection returned (D8, N10).
        many = r.choice([1, 3, 99, 100, 101])
        android["device_messages_per_minute"] = r.choice([2, many, many + 1])
        for kind in kinds:
            if kind["push"]:
                kind["android"]["collapsible"] = r.random() < 0.3
        at = 60 * r.randrange(1, hours * 50)
        add(at, "offline")
        taker = r.choice([kind["id"] for kind in kinds if kind["push"]] or [kinds[0]["id"]])
        for _ in range(many):
            add(at + 1, "silent_push", taker)
        add(at + 60, "online")
        for _ in range(r.choice([1, 2, 3])):
            add(at + r.choice([65, 75, 90, 130]), "push", r.choice(takers))
    if r.random() < 0.3:
        # Jobs that meet a job's reloads on their way, some of which fail (N2).
        service.update(latency_out="10s", latency_back=r.choice(["10s", "30s", "2m"]))
        jobs = [kind for kind in kinds if "back_off" in kind["android"]]
        add(0, "charging_on")
        for kind in jobs:
            for _ in range(r.choice([2, 5])):
                at = r.choice([instant(), 900 * r.randrange(1, hours * 4)])
                begun = at - r.choice([0, 5, 10, 60])
                add(begun, "app_trigger", kind["id"])
                add(at + r.choice([0, 10, 30, 60, 130]), "app_trigger", kind["id"])
                if kind["push"]:
                    add(at + r.choice([0, 10, 20, 60]), "push", kind["app"])
                if r.random() < 0.2:
                    add(at + 5, "app_update", kind["app"])
        if jobs and r.random() < 0.6:
            service["failing"] = [["16m", "70m"], ["2h", r.choice(["150m", "170m"])]]
            service["timeout"] = "5m"
    named = {"push": lambda: r.choice(takers), "silent_push": lambda: r.choice(kinds)["id"], "app_update": lambda: r.choice(apps), "app_trigger": lambda: r.choice(kinds)["id"]}
    lines = [(at, text + named[event]() if text.endswith(",") and event in named else text) for at, text in lines for event in [text.split(",")[2]]]
    return {"scenario": scenario, "replay": [line for _, line in sorted(lines, key=lambda line: line[0])]}


def engine(found, binary, folder):
    (folder / "scenario.yaml").write_text(json.dumps({**found["scenario"], "replay": "replay.csv"}), encoding="utf-8")
    (folder / "replay.csv").write_text("device,time,event,detail\n" + "\n".join(found["replay"]) + "\n", encoding="utf-8")
    run = subprocess.run([binary, "trace", str(folder / "scenario.yaml"), "--person", "0", "--format", "csv"], capture_output=True, text=True, timeout=60)
    if run.returncode:
        raise fuzz.Refused(f"status {run.returncode}: {run.stderr[-2000:]}")
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


def difference(found, binary, folder):
    """The sort of rows with the earliest difference, and the first rows that only the engine and only the reference have."""
    different = []
    for sort, have, want in zip(("reloads", "requests", "views"), map(Counter, engine(found, binary, folder)), map(Counter, reference(found))):
        ours, theirs = sorted((have - want).elements()), sorted((want - have).elements())
        if ours or theirs:
            different.append((min(ours + theirs)[0], sort, ours[:3], theirs[:3]))
    return min(different, default=None, key=lambda row: row[0])


def smaller(found):
    """Cases with one part less."""
    yield from fuzz.smaller(found)
    owners = [("scenario", "parameters", "android"), ("scenario", "parameters", "android", "doze")]
    for number in range(len(found["scenario"]["kinds"])):
        owners += [("scenario", "kinds", number, "android"), ("scenario", "kinds", number, "android", "alarm")]
    for path in owners:
        part = found
        for key in path:
            part = part.get(key, {}) if isinstance(part, dict) else part[key]
        for key in list(part) if isinstance(part, dict) else []:
            copied = copy.deepcopy(found)
            target = copied
            for step in path:
                target = target[step]
            del target[key]
            yield copied


def shrunken(found, binary, folder, limit=600):
    tried, again = 0, True
    while again and tried < limit:
        again = False
        for candidate in smaller(found):
            if not fuzz.is_possible(candidate):
                continue
            tried += 1
            try:
                differs = difference(candidate, binary, folder)
            except Exception:  # A candidate that either side cannot take is no smaller case.
                differs = None
            if differs:
                found, again = candidate, True
                break
            if tried >= limit:
                break
    return found


def main():
    options = fuzz.arguments_of_a_fuzz()
    compared = refused = different = reloads = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed in range(options.seed, options.seed + options.cases):
            found = case(seed)
            try:
                differs = difference(found, options.reloadsim, folder)
            except fuzz.Refused as refusal:
                refused += 1
                print(f"case {seed}: refused: {str(refusal)[:600]}")
                continue
            compared += 1
            reloads += len(reference(found)[0])
            if not differs:
                continue
            different += 1
            small = shrunken(found, options.reloadsim, folder)
            _, sort, ours, theirs = difference(small, options.reloadsim, folder)
            print(f"\ncase {seed}: {sort}: only the engine has {ours}, only the reference {theirs}\n  {json.dumps(small['scenario'])}")
            print("  " + "\n  ".join(small["replay"]), flush=True)
            if options.keep:
                Path(options.keep).mkdir(parents=True, exist_ok=True)
                Path(options.keep, f"case-{seed}.json").write_text(json.dumps(small, indent=1), encoding="utf-8")
            if different >= options.most:
                break
    print(f"{compared} cases with {reloads} reloads, {different} with differences, {refused} refused by the scenario reader")
    sys.exit(different > 0 or refused > 0)


if __name__ == "__main__":
    main()
