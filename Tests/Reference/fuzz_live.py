#!/usr/bin/env python3
"""Runs random schedules of Live Activities through the engine and the reference, row by row and count by count, and shrinks the first that differ.

usage: fuzz_live.py --cases N --seed S --reloadsim PATH [--keep FOLDER] [--most N]

As with fuzz.py a case is drawn from its own number alone, and most times lie on a coarse grid.
"""

import csv
import io
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from civil import DAY, HOUR, MINUTE, SECOND
from fuzz import arguments_of_a_fuzz, text
from live import phones

WORDS = {
    "activity_begins": "begins", "push_over_budget": "drops", "push_expired": "drops", "push_refused": "drops", "activity_ends": "ends", "activity_goes": "goes",
}
# Columns of live_activities.csv whose names are not those of the counts in small letters.
COLUMNS = {
    "sent": "pushes_sent", "refused": "pushes_refused", "givenUp": "pushes_given_up", "unregistered": "pushes_unregistered", "accepted": "pushes_accepted",
    "pushesCarriedOut": "pushes_carried_out", "shown": "pushes_shown", "collapsed": "pushes_superseded_offline", "superseded": "pushes_superseded",
    "expired": "pushes_expired", "dropped": "pushes_over_budget_dropped", "tooLate": "pushes_too_late", "startRefused": "starts_refused", "throttled": "pushes_over_budget",
    "shownLate": "pushes_shown_late",
}
COUNTS = [
    "begunByPush", "begunByApp", "carriedOut", "endedByEvent", "endedByTime", "dismissedActive", "dismissedEnded", "removed", "wakeUps", *COLUMNS,
]
TIMES = ["waits_for_budget", "present", "behind"]
SURFACES = ["lock_screen", "dynamic_island"]
MEASURES = [*COUNTS, *TIMES, "shown_after", *((surface, state) for surface in SURFACES for state in ("current", "behind", "marked_stale"))]


def column(count):
    return COLUMNS.get(count, re.sub("([A-Z])", lambda capital: "_" + capital[0].lower(), count))


class Refused(Exception):
    """The scenario reader refuses the case."""


class Draw:
    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.length = r.choice([20 * MINUTE, HOUR, 6 * HOUR, 3 * DAY])
        self.grid = {20 * MINUTE: r.choice([SECOND, 5 * SECOND, 10 * SECOND]), HOUR: r.choice([5 * SECOND, MINUTE])}.get(self.length, 5 * MINUTE)

    def instant(self, first=0, last=None):
        """Mostly on the grid, sometimes a microsecond beside it."""
        last = self.length - self.grid if last is None else last
        at = self.r.randrange(first // self.grid, max(first // self.grid, last // self.grid) + 1) * self.grid
        return max(first, at + self.r.choice([0] * 8 + [-1, 1]))

    def time(self, *choices):
        return text(self.r.choice(choices) * self.grid)

    def case(self):
        r = self.r
        limits = {"low_priority_delay": self.time(0, 1, 2, 5, 12), "frequent_off": r.choice([0, 0, 1]), "dynamic_island": r.choice([0, 1])}
        if r.random() < 0.6:
            limits["display_gap"] = r.choice(["0s", "10s", "15s", "1m", "5m"])
        if r.random() < 0.7:
            limits["budget"] = r.choice([1, 2, 7, 13, 60, 360])
        if r.random() < 0.7:
            limits["budget_burst"] = r.choice([1, 1, 2, 3])
        if r.random() < 0.5:
            limits["excess"] = r.choice(["late", "drop", "drop"])
        if r.random() < 0.5:
            limits["frequent_factor"] = r.choice([1, 1.5, 3])
        if r.random() < 0.5:
            limits["starts_per_day"] = r.choice([1, 2, 3])
        if r.random() < 0.5:
            limits["at_once"] = r.choice([1, 1, 2, 3])
        if r.random() < 0.5:
            limits["longest"] = text(max(MINUTE, r.choice([5, 20, 40]) * self.grid))
        if r.random() < 0.5:
            limits["linger"] = self.time(0, 3, 20)
        scenario = {
            "start": "2026-03-02T00:00:00+00:00", "end": text(self.length), "kinds": [{"id": "w", "app": "one", "policy": "never"}, {"id": "v", "app": "two", "policy": "never"}],
            "devices": [{"id": "d", "zone": "UTC", "instances": [{"id": "a", "kind": "w", "initial": {"fetched": "0s"}}]}],
            "live_activities": {"kinds": [self.kind(index) for index in range(r.choice([1, 1, 2, 3]))], "limits": limits},
        }
        if r.random() < 0.15:
            scenario["push_sender"] = {"refused": r.choice([0, 1]), "retries": r.choice([0, 2]), "retry_delay": self.time(1, 3)}
        replay = self.replay()
        if r.random() < 0.2:
            # Events of several kinds of one app that can begin at one opening (O1).
            for kind in scenario["live_activities"]["kinds"]:
                kind |= {"app": "one", "start": "app", "lead": self.time(0, 10, 40, 90)}
            limits["at_once"] = r.choice([1, 2])
            limits.setdefault("budget", 1)
            at = self.instant(0, self.length // 4)
            before = [line.split(",")[2] for line in replay if float(line.split(",")[1]) * SECOND <= at]
            uses = [event for event in before if event in ("pickup", "lock")]
            events = ["app_open,one"] if uses[-1:] == ["pickup"] else ["pickup,", "app_open,one", "lock,"]
            replay += [f"d,{at // SECOND}.{at % SECOND:06},{event}" for event in events]
            replay.sort(key=lambda line: float(line.split(",")[1]))
        return {"scenario": scenario, "replay": replay}

    def kind(self, index):
        r = self.r
        kind = {"id": f"k{index}", "app": r.choice(["one", "one", "two"]), "important": r.choice([0, 0, 1, 1]), "delay": self.time(0, 0, 1, 2, 4)}
        kind |= {"dismissed_active": r.choice([0] * 5 + [1]), "dismissed_ended": r.choice([0, 0, 1])}
        kind["events"] = [self.event() for _ in range(r.choice([1, 1, 2, 3, 6]))]
        if r.random() < 0.4:
            kind |= {"start": "app", "lead": self.time(0, 3, 10, 40)}
        if r.random() < 0.5:
            kind["stale_after"] = text(r.choice([1, 3, 8]) * self.grid)
        if r.random() < 0.5:
            kind["stays"] = self.time(0, 2, 10, 50)
        if r.random() < 0.5:
            kind["expiry"] = self.time(0, 1, 3, 10)
        if r.random() < 0.3:
            kind["frequent"] = True
        if r.random() < 0.25:
            kind["channel"] = True
            if r.random() < 0.6:
                kind["channel_storage"] = r.choice(["none", "none", "last"])
        return kind

    def event(self):
        start = self.instant(0, self.length // self.r.choice([1, 2, 4]))
        end = start + self.r.choice([2, 6, 20, 60, 200]) * self.grid + self.r.choice([0, 0, 0, 1])
        updates = {self.instant(start, end) for _ in range(self.r.choice([0, 1, 3, 6, 12, 30]))}
        if self.r.random() < 0.3:
            updates |= {start + step * self.grid for step in range(1, 20)}
        return {"start": text(start), "end": text(end), "updates": [text(at) for at in sorted(updates) if start < at < end]}

    def replay(self):
        """Sessions, glances between them, and spans without a connection."""
        lines, at = [], 0
        use = sorted({self.instant() for _ in range(self.r.choice([2, 8, 30, 60]))})
        in_session = False
        for at in use:
            if in_session and self.r.random() < 0.5:
                event, in_session = "lock,", False
            elif in_session:
                event = f"app_{self.r.choice(['open', 'open', 'close'])},{self.r.choice(['one', 'two'])}"
            elif self.r.random() < 0.7:
                event, in_session = "pickup,", True
            else:
                event = "glance,"
            lines.append((at, event))
        for index, at in enumerate(sorted({self.instant() for _ in range(self.r.choice([0, 2, 4, 8]))})):
            lines.append((at, "online," if index % 2 else "offline,"))
        self.r.shuffle(lines)
        lines.sort(key=lambda line: line[0])
        return [f"d,{at // SECOND}.{at % SECOND:06},{event}" for at, event in lines]


def engine(case, binary, folder):
    """The rows of the program in their order, and the measures of each kind."""
    scenario = {**case["scenario"], "replay": "replay.csv"}
    path = folder / "scenario.yaml"
    path.write_text(json.dumps(scenario), encoding="utf-8")
    (folder / "replay.csv").write_text("device,time,event,detail\n" + "\n".join(case["replay"]) + "\n", encoding="utf-8")

    def output(*words):
        run = subprocess.run([binary, words[0], str(path), *words[1:]], capture_output=True, text=True, timeout=60)
        if run.returncode in (64, 65):
            raise Refused(run.stderr)
        if run.returncode:
            raise RuntimeError(f"status {run.returncode}: {run.stderr[-600:]}")
        return run.stdout

    rows = []
    for row in csv.DictReader(io.StringIO(output("trace", "--person", "0", "--format", "csv"))):
        kind, *words = row["detail"].split(": ")
        what = WORDS.get(row["event"])
        if row["event"] == "activity_shown":
            what = words[0].replace("version", "shows")
        elif row["event"] == "activity_view" and words[0] == "lock_screen":
            what = words[1]
        if what:
            rows.append((kind, int(row["time_us"]), what))
    output("run", "--force", "--out", str(folder / "run"))
    with open(folder / "run" / "live_activities.csv", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    counts = {row["kind"]: {name: int(row[column(name)]) for name in COUNTS} for row in table}
    for row in table:
        times = {time: round(float(row[time + "_s"]) * SECOND) for time in TIMES}
        mean = row["shown_after_mean_s"]
        times["shown_after"] = round(float(mean) * int(row["pushes_shown"]) * SECOND) if mean else 0
        counts[row["kind"]] |= times
    with open(folder / "run" / "live_views.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["surface"] in SURFACES:
                counts[row["kind"]][row["surface"], row["state"]] = int(row["views"])
    return rows, counts


def reference(case):
    phone, = phones(case["scenario"], case["replay"])
    counts = {kind: {name: counts[name] for name in MEASURES} for kind, counts in phone.counts.items()}
    return [(kind, at - phone.start, what) for kind, at, what in phone.rows], counts


def differences(case, binary, folder):
    """A sentence about the first row, or else the first count, on which the two differ."""
    try:
        rows, counts = engine(case, binary, folder)
    except RuntimeError as crash:
        return f"crash: {crash}"
    want_rows, want_counts = reference(case)
    for number, (want, have) in enumerate(zip(want_rows + [None], rows + [None])):
        if want != have:
            return f"row {number}: reference {want}, engine {have}"
    for kind in want_counts:
        for name in MEASURES:
            want, have = want_counts[kind][name], counts[kind][name]
            # A mean is rounded as it is printed.
            if abs(want - have) > (want_counts[kind]["shown"] if name == "shown_after" else 0):
                return f"count {name} of {kind}: reference {want}, engine {have}"
    return None


def smaller(case):
    """Cases with a part less."""
    for index in range(len(case["replay"])):
        yield {**case, "replay": case["replay"][:index] + case["replay"][index + 1:]}
    live = case["scenario"]["live_activities"]

    def with_live(**parts):
        return {**case, "scenario": {**case["scenario"], "live_activities": {**live, **parts}}}

    kinds = live["kinds"]
    for place, kind in enumerate(kinds):
        def with_kind(*new):
            return with_live(kinds=[*kinds[:place], *new, *kinds[place + 1:]])

        if len(kinds) > 1:
            yield with_kind()
        for key in set(kind) - {"id", "events", "delay", "dismissed_active", "dismissed_ended"}:
            yield with_kind({name: value for name, value in kind.items() if name != key})
        for index, event in enumerate(kind["events"]):
            rest = [kind["events"][:index], kind["events"][index + 1:]]
            if len(kind["events"]) > 1:
                yield with_kind({**kind, "events": rest[0] + rest[1]})
            for update in event["updates"]:
                fewer = {**event, "updates": [at for at in event["updates"] if at != update]}
                yield with_kind({**kind, "events": [*rest[0], fewer, *rest[1]]})
    for key in set(live["limits"]) - {"low_priority_delay", "frequent_off"}:
        yield with_live(limits={name: value for name, value in live["limits"].items() if name != key})
    if "push_sender" in case["scenario"]:
        yield {**case, "scenario": {key: value for key, value in case["scenario"].items() if key != "push_sender"}}


def shrunken(case, binary, folder, limit=80):
    tries, goes_on = 0, True
    while goes_on:
        goes_on = False
        for part in smaller(case):
            tries += 1
            if tries > limit:
                return case
            try:
                if differences(part, binary, folder):
                    case, goes_on = part, True
                    break
            except Refused:
                pass
    return case


def main():
    arguments = arguments_of_a_fuzz()
    compared = refused = different = 0
    seen = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed in range(arguments.seed, arguments.seed + arguments.cases):
            case = Draw(seed).case()
            try:
                found = differences(case, arguments.reloadsim, folder)
            except Refused as refusal:
                refused += 1
                print(f"seed {seed}: refused: {str(refusal)[:300]}")
                continue
            compared += 1
            if not found:
                for counts in reference(case)[1].values():
                    seen.update(name for name, count in counts.items() if count)
                continue
            different += 1
            small = shrunken(case, arguments.reloadsim, folder)
            print(f"\nseed {seed}: {differences(small, arguments.reloadsim, folder)}\n  {json.dumps(small['scenario']['live_activities'])}")
            print("  " + "\n  ".join(small["replay"]), flush=True)
            if arguments.keep:
                Path(arguments.keep).mkdir(parents=True, exist_ok=True)
                Path(arguments.keep, f"seed-{seed}.json").write_text(json.dumps(small, indent=1), encoding="utf-8")
            if different >= arguments.most:
                break
    print(f"{compared} cases compared, {different} different, {refused} refused by the scenario reader")
    print("kinds by measures above 0 on which both agree: " + ", ".join(f"{name} {seen[name]}" for name in MEASURES))
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
