#!/usr/bin/env python3
"""Runs random small replays through the engine and the reference, and shrinks the first case of every sort on which they differ.

usage: fuzz.py --cases N --seed S --reloadsim PATH [--keep FOLDER] [--most N]

A case is drawn from its own number alone, so `--seed S --cases 1` repeats it. Many times lie on a coarse grid on purpose: events that tie are where
two readings of the rules part (T3).
"""

import argparse
import copy
import csv
import io
import json
import random
import re
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from budget import microtokens
from civil import DAY, HOUR, MINUTE, SECOND, Zone, duration
from reference import Device

STATES = {"placeholder", "redacted", "alternate", "empty", "wrong_place", "stale", "fresh"}
GATE_RULES = {"budget": "G1", "gap": "G2", "idle": "G3", "protection": "G4", "power": "G5"}
STARTS = {
    "UTC": ["2026-03-02", "2026-03-06"],
    "America/New_York": ["2026-03-07", "2026-10-31", "2026-06-01"],
    "Europe/London": ["2026-03-28", "2026-10-24", "2026-06-01"],
    "Australia/Lord_Howe": ["2026-04-04", "2026-10-03", "2026-06-01"],
    "Asia/Kolkata": ["2026-03-02"],
    "Pacific/Chatham": ["2026-04-04"],
    "America/Havana": ["2026-03-07", "2026-10-31"],  # The clocks change at midnight.
    "Asia/Beirut": ["2026-03-28", "2026-10-24"],
}


def text(microseconds):
    """A duration as the scenario reader takes it."""
    for unit, size in (("h", HOUR), ("m", MINUTE), ("s", SECOND)):
        if microseconds % size == 0:
            return f"{microseconds // size}{unit}"
    return f"{microseconds}us"


class Draw:
    """One random case. Features that a case leaves out keep it small and its differences readable."""

    def __init__(self, seed):
        self.r, self.late, self.last, self.app, self.rules, self.clock = (
            random.Random(f"{seed}{word}" if word else seed) for word in ("", " late", " last", " app", " rules", " clock"))
        r = self.r
        self.zone = r.choice(list(STARTS))
        self.days = r.choice([1, 1, 2, 3])
        self.length = self.days * DAY - r.choice([0, 0, 3 * HOUR + 20 * MINUTE])
        self.places = [("home", 0, 0), ("near", 499, 0), ("work", 500, 0), ("town", 3000, 4000), ("far", 90000, 0)]
        self.grid = r.choice([MINUTE, 5 * MINUTE, 5 * MINUTE, 15 * MINUTE])
        self.has_location = r.random() < 0.4
        self.has_latency = r.random() < 0.4
        self.busy = r.random() < 0.3
        self.is_watch = r.random() < 0.25
        self.has_stacks = r.random() < 0.35
        self.has_pool = r.random() < 0.35
        self.has_dimming = r.random() < (0.4 if self.is_watch else 0.15)
        self.has_delays = r.random() < 0.6
        self.has_throttle = r.random() < 0.3
        self.has_taps = r.random() < 0.3
        self.has_silent = r.random() < 0.25
        self.can_be_mac = True
        self.surfaces = ["watch_face"] if self.is_watch else ["home_first", "home_other", "today_view"]

    def maybe(self, share, value):
        return value() if self.r.random() < share else None

    def case(self):
        kinds = [self.kind(index) for index in range(self.r.choice([2, 3, 4] if self.has_stacks else [1, 1, 2, 3]))]
        instances = [self.instance(index, kinds) for index in range(self.r.choice([3, 4, 5] if self.has_stacks else [1, 2, 2, 3, 4]))]
        r = self.r
        start = datetime.fromisoformat(r.choice(STARTS[self.zone]))
        hour = r.choice([0, 0, 0, 6, 20])
        zone = Zone(self.zone)
        unix = zone.instant(start.date(), hour * HOUR)
        moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=unix)
        device = {"id": "d", "zone": self.zone, "instances": instances}
        if self.is_watch:
            device["kind"] = "watch"
        if self.has_dimming and r.random() < 0.7:
            device["hide_always_on"] = True
        if self.has_stacks:
            self.stack(device, instances)
        if r.random() < 0.2:
            device["passcode"] = False
        if r.random() < 0.06:
            device["background_refresh"] = False
        if r.random() < (0.6 if "background_refresh" in device else 0.15):
            device["background_refresh_off"] = [self.span() for _ in range(r.choice([1, 1, 2, 3]))]
        if self.has_location and r.random() < 0.2:
            device["fix_failing"] = [self.span()]
        if r.random() < 0.5:
            device["usual_waking"] = r.choice([
                {"from": "07:00", "to": "23:00"}, {"from": "22:00", "to": "06:00"}, {"from": "06:30", "to": "00:30"}, {"from": "08:00", "to": "02:00"},
                {"from": "02:00", "to": "21:00"}, {"from": "05:45", "to": "22:10"}, {"from": "12:00", "to": "11:30"}, {"from": "21:00", "to": "03:00"}])
        if not self.is_watch and r.random() < (0.8 if self.has_stacks else 0.4):
            device["surface_shown"] = {surface: r.choice([0, 1]) for surface in ("home_first", "home_other", "today_view") if r.random() < 0.7}
        if r.random() < 0.2:
            device["hide_lock_screen"] = True
        if r.random() < 0.3:
            device["signed_in"] = [r.choice(kinds)["app"]]
        if self.has_location and r.random() < 0.25:
            device["precise_location"] = False
        parameters = self.parameters()
        if parameters.get("accrual") == "by_views":
            device["usual_views_by_hour"] = [r.choice([0, 1, 1, 2, 3, 7]) for _ in range(24)]
            device["usual_views_by_hour"][r.randrange(24)] = 5
            for hour in (7, 12, 22, 23, 0, 5):
                device["usual_views_by_hour"][hour] = max(1, device["usual_views_by_hour"][hour])
        scenario = {"start": moment.isoformat(), "end": text(self.length), "parameters": parameters, "kinds": kinds, "devices": [device]}
        service = self.service()
        if service:
            scenario["service"] = service
        replay = self.replay(kinds, instances)
        self.add_controls(scenario)
        self.add_transfers(scenario)
        self.add_rules(scenario, replay)
        self.add_app_content(scenario, replay)
        self.add_failures(scenario)
        self.add_answers(scenario)
        if self.can_be_mac and not self.is_watch and self.last.random() < 0.12:
            replay = self.as_mac(scenario, replay)
        return {"scenario": scenario, "replay": replay}

    def add_failures(self, scenario):
        """Kinds with tries and delays of their own, and values that differ by how a try failed (S3)."""
        r = self.rules
        if r.random() > (0.7 if "failing" in scenario.get("service", {}) else 0.15):
            return

        def by_failure(values):
            if r.random() < 0.4:
                return r.choice(values)
            return {name: r.choice(values) for name in ("refused", "failed", "timed_out", "offline") if r.random() < 0.6} or r.choice(values)

        service = scenario.setdefault("service", {})
        owners = [service] + [kind for kind in scenario["kinds"] if "control" not in kind and r.random() < 0.6]
        for owner in owners:
            if r.random() < 0.7:
                owner["retries"] = by_failure([0, 1, 2, 3])
            if r.random() < 0.7:
                owner["failure_after"] = by_failure(["15m", "5m", "1h", "90s"])
        tries = [owner.get("retries", 0) for owner in owners]
        most = max(max(stated.values()) if isinstance(stated, dict) else stated for stated in tries)
        delays = service.get("retry_delays", [])[:most]
        service["retry_delays"] = delays + [r.choice(["10s", "1m", "5m"]) for _ in range(most - len(delays))]
        service.setdefault("retries", 0)

    def add_answers(self, scenario):
        """The time to the next reload that answers state (S11), and answers that tell that nothing has changed (S10): of a service that serves all at once, whose tables are those of none (S6)."""
        r = self.rules
        if r.random() > 0.2:
            return
        service, endpoints, events = scenario.setdefault("service", {}), [], []
        for way in ("latency_out", "latency_back"):
            if duration(service.get(way, "0s")) == 0:
                service[way] = r.choice(["1ms", "1s"])
        service.setdefault("timeout", "5m")
        for kind in scenario["kinds"]:
            endpoint = {"id": kind["id"]}
            if kind.get("content") != "app" and "control" not in kind and r.random() < 0.6:
                kind["policy"] = {"after": "served"}
                endpoint["next_after"] = r.choice(["20m", "1h", "3h", "90s"])
                if r.random() < 0.4:
                    endpoint["next_from"] = "content"
                for number in range(r.choice([0, 0, 1, 2])):
                    at = r.randrange(1, self.length // self.grid) * self.grid
                    events.append({"pace": {"name": f"{kind['id']}-{number}", "at": text(at), "endpoint": kind["id"], "next_after": r.choice(["10m", "2h", "5h"])}})
            if kind.get("content") != "app" and r.random() < 0.7:
                endpoint["not_modified"] = {"by_version": True, "size": "250B"}
            if len(endpoint) > 1:
                endpoints.append(endpoint)
        if not endpoints:
            return
        service |= {"pools": [{"id": "all", "servers": "unlimited", "service_time": "0s"}], "endpoints": endpoints}
        # Two of one instant for one endpoint would have no order.
        taken = set()
        service["events"] = [event for event in events if (key := (event["pace"]["endpoint"], event["pace"]["at"])) not in taken and not taken.add(key)]

    def add_app_content(self, scenario, replay):
        """Providers that read what their app has left (C6), and openings, wake-ups and losses of the connection beside its publications."""
        r = self.app
        if r.random() > 0.25:
            return
        followers = {instance["kind"] for instance in scenario["devices"][0]["instances"] if instance.get("location") == "current"}
        for kind in scenario["kinds"]:
            if kind["id"] in followers or "control" in kind or "fetch" in kind or "requests_per_reload" in kind or r.random() < 0.3:
                continue
            kind["content"] = "app"
            kind.pop("without_place", None)
            if r.random() < 0.8:
                kind["publish_on_open"] = {"share": r.choice([1, 1, 1, 0]), "delay": r.choice(["0s", "2s", "10s", "5m", "1h"])}
            if r.random() < 0.6:
                kind["reload_on_publish"] = r.choice(["always", "if_changed", "never"])
            for _ in range(r.choice([0, 2, 5])):
                at = r.randrange(0, self.length // self.grid) * self.grid
                delay = duration(kind.get("publish_on_open", {}).get("delay", "0s"))
                replay.append(self.line(at, "app_open", kind["app"]))
                sort = r.choice(["close", "offline", "trigger", "again"])
                if sort == "close":
                    replay.append(self.line(at + r.choice([SECOND, delay, 2 * delay]), "app_close", kind["app"]))
                elif sort == "offline":
                    replay += [self.line(at + delay, "offline"), self.line(at + delay + r.choice([0, SECOND, self.grid]), "online")]
                elif sort == "trigger":
                    replay.append(self.line(at + delay, "app_trigger", kind["id"]))
                else:
                    replay.append(self.line(at + delay // 2, "app_open", kind["app"]))

    def moment(self):
        """As `instant`, drawn apart from the rest of a case."""
        return self.last.randrange(0, self.length // self.grid) * self.grid

    @staticmethod
    def line(at, event, detail=""):
        return f"d,{at // SECOND}.{at % SECOND:06},{event},{detail}"

    def add_rules(self, scenario, replay):
        """Workouts, widgets that need not be stale, open gates, calendars and silent pushes to apps that run (F1, F5, G4, C1, B7)."""
        r, p = self.last, scenario["parameters"]
        if self.is_watch and r.random() < 0.6:
            p["workout_reloads"] = r.choice(["free", "free", "charged"])
            for _ in range(r.choice([1, 2, 4])):
                at = self.moment()
                replay += [self.line(at, "workout_start"), self.line(at + r.choice([self.grid, 40 * MINUTE, 3 * HOUR]), "workout_end")]
        if r.random() < 0.2:
            p["rare_needs_stale"] = r.choice(["no", "no", "yes"])
        if r.random() < 0.08:
            p["gates"] = r.choice(["none", "none", "none", "all"])
        for kind in scenario["kinds"]:
            if r.random() < 0.12:
                kind["versions"] = self.calendar()
        if r.random() < 0.25:
            self.add_ties(scenario, replay)
        if self.has_silent:
            opened = [line.split(",") for line in replay if line.split(",")[2] in ("app_open", "navigation_start", "audio_start", "online")]
            for _, at, _, app in r.sample(opened, min(len(opened), 5)):
                mine = [kind["id"] for kind in scenario["kinds"] if kind["app"] == app] or [scenario["kinds"][0]["id"]]
                at = round(float(at) * SECOND)
                for _ in range(r.choice([1, 2, 3])):
                    at += r.choice([0, 10 * SECOND, MINUTE, 20 * MINUTE])
                    replay.append(self.line(at, "silent_push", r.choice(mine)))
            for _ in range(r.choice([0, 1])):
                at = self.moment()
                replay += [self.line(at, "low_power_on"), self.line(at + 5 * HOUR, "low_power_off")]

    def add_ties(self, scenario, replay):
        """Calls whose transfers and tries end beside locks, changes, calls and losses of the connection (S8, G8, C1, D8)."""
        r = self.last
        kinds = [kind for kind in scenario["kinds"] if kind.get("fetch") == "background"] or scenario["kinds"]
        for _ in range(r.choice([2, 4, 8])):
            kind, at = r.choice(kinds), self.moment()
            length = duration(kind.get("transfer", {}).get("deferral", "0s"))
            length += duration(kind.get("fix_time", "0s")) + sum(duration(scenario.get("service", {}).get(key, "0s")) for key in ("latency_out", "latency_back"))
            replay.append(self.line(at, "app_trigger", kind["id"]))
            ends = at + length
            sort = r.choice(["call", "change", "zone", "push", "offline"])
            if sort == "call":
                replay.append(self.line(ends, "app_trigger", kind["id"]))
            elif sort == "push":
                replay.append(self.line(ends, "push", kind["app"]))
            elif sort == "change":
                replay.append(self.line(at + length // 2, "environment", "language"))
            elif sort == "zone":
                replay.append(self.line(max(at, ends - r.choice([SECOND, 3 * SECOND])), "environment", f"time_zone={r.choice(list(STARTS))}"))
            else:
                replay.append(self.line(at + r.choice([0, SECOND, length // 2]), "offline"))
                if self.has_location and length >= 4 * SECOND:
                    moved = at + length * 2 // 3 + 1
                    replay += [self.line(moved, "move", "town 3000 4000")] if not any(",move," in line for line in replay) else []
                replay.append(self.line(at + length + r.choice([0, SECOND, 30 * SECOND]), "online"))

    def calendar(self):
        """Events that are known ahead, some of them after the run."""
        r = self.last
        calendar = {"source": "calendar", "window": r.choice(["6h", "24h", "1h", "3d"])}
        if r.random() < 0.5:
            calendar["events"] = [text(at) for at in sorted({self.moment() + r.choice([0, 0, 8 * HOUR, 2 * DAY]) for _ in range(r.choice([1, 4, 9]))})]
        else:
            calendar["events"] = {
                "at": r.choice([["09:00"], ["00:00"], ["08:00", "12:15", "17:30"]]), "zone": r.choice([self.zone, "UTC", "America/New_York"]), "days": r.choice(["all", "weekdays", "weekends"])}
        return calendar

    def as_mac(self, scenario, replay):
        """The same on a Mac, whose desktop is covered and freed (R4, V6)."""
        r, device = self.last, scenario["devices"][0]
        for kind in scenario["kinds"]:
            if kind.pop("control", None):
                kind["policy"] = "never"
        scenario["parameters"].pop("control_reloads", None)
        device["kind"] = "mac"
        for key in ("surface_shown", "hide_always_on", "stacks", "hide_lock_screen"):
            device.pop(key, None)
        device["surface_shown"] = {"notification_center": r.choice([0, 1, 1])}
        for instance in device["instances"]:
            instance.pop("stack", None)
            instance["surface"] = r.choice(["desktop", "desktop", "notification_center"])
        scenario["parameters"].pop("dimmed_cadence", None)
        surfaces = [*self.surfaces, "lock_screen"]
        lines = [line for line in replay if line.split(",")[2] != "low_luminance" and not (line.split(",")[2] == "view" and line.split(",")[3] in surfaces)]
        for line in list(lines):
            if line.split(",")[2] == "pickup" and r.random() < 0.6:
                at = round(float(line.split(",")[1]) * SECOND)
                for _ in range(r.choice([1, 2, 3])):
                    at += r.choice([0, 10 * SECOND, MINUTE])
                    lines.append(self.line(at, r.choice(["desktop_covered", "desktop_free"])))
                    lines.append(self.line(at + r.choice([0, SECOND, MINUTE]), "view", r.choice(["desktop", "notification_center", device["instances"][0]["id"]])))
        return lines

    def add_controls(self, scenario):
        """Makes some kinds controls: drawn last and apart, so that the rest of a case is what it would be without (V10, F9)."""
        device = scenario["devices"][0]
        if self.is_watch or self.late.random() < 0.75:
            return
        for kind in scenario["kinds"]:
            if self.late.random() < 0.5:
                for key in ("timeline", "data_protection"):
                    kind.pop(key, None)
                kind.update(policy="never", control=self.late.choice(["lock_screen", "control_center", "action_button"]))
                for instance in device["instances"]:
                    if instance["kind"] == kind["id"]:
                        instance["surface"] = "lock_screen"
                        instance.pop("stack", None)
                        if instance.get("location") == "current":
                            del instance["location"]
                            instance.get("initial", {}).pop("place", None)
                if self.late.random() < 0.6:
                    kind["push"] = True
        used = {instance.get("stack") for instance in device["instances"]}
        device["stacks"] = [stack for stack in device.get("stacks", []) if stack["id"] in used]
        if not device["stacks"]:
            del device["stacks"]
        if self.late.random() < 0.3:
            scenario["parameters"]["control_reloads"] = "charged"

    def add_transfers(self, scenario):
        """Makes some kinds fetch in the background (S8), as late as that."""
        if self.late.random() < 0.7:
            return
        for kind in scenario["kinds"]:
            if "control" not in kind and self.late.random() < 0.6:
                kind["fetch"] = "background"
                kind["transfer"] = {"deferral": self.late.choice(["0s", "30s", "5m", "10m", "15m", "1h", "300000001us"])}
                if self.late.random() < 0.5:
                    kind["transfer"]["second_reload"] = self.late.choice(["free", "free", "charged"])

    def stack(self, device, instances):
        """One or two stacks, of instances that then lie on the stack's surface."""
        r = self.r
        stacks = [{"id": f"s{index}", "surface": r.choice(self.surfaces + ([] if self.is_watch else ["lock_screen"]))} for index in range(r.choice([1, 1, 2]))]
        for stack in stacks:
            if r.random() < 0.6:
                stack["rotations_per_day"] = r.choice([0, 1, 2, 100])
        for instance in instances:
            if r.random() < 0.85:
                stack = r.choice(stacks)
                instance["stack"], instance["surface"] = stack["id"], stack["surface"]
        stacks = [stack for stack in stacks if any(instance.get("stack") == stack["id"] for instance in instances)]
        if stacks:
            device["stacks"] = stacks

    def relevance(self):
        r, relevance = self.r, {}
        if r.random() < 0.5:
            relevance["base"] = r.choice([-1, 0, 1, 1, 2.5])
        if r.random() < 0.5:
            relevance["new_version"] = {"score": r.choice([-2, 1, 3, 10]), "for": r.choice(["5m", "1h", "6h", "30m"])}
        if r.random() < 0.6 or not relevance:
            relevance["hours"] = []
            for _ in range(r.choice([1, 1, 2])):
                begin, end = r.sample(["00:00", "02:00", "02:30", "07:00", "09:00", "12:00", "16:15", "20:00", "23:00"], 2)
                span = {"from": begin, "to": end, "score": r.choice([-1, 1, 2, 5])}
                if r.random() < 0.3:
                    span["days"] = r.choice(["weekdays", "weekends", "all", ["monday", "saturday", "sunday"]])
                relevance["hours"].append(span)
        return relevance

    def span(self):
        begin = self.instant()
        return [text(begin), text(begin + self.r.choice([MINUTE, 10 * MINUTE, HOUR, 5 * HOUR]))]

    def instant(self):
        r = self.r
        at = r.randrange(0, self.length // self.grid) * self.grid
        if r.random() < 0.15:
            at += r.choice([1, -1, SECOND, 30 * SECOND, 10 * SECOND, -SECOND])
        return max(0, at)

    def parameters(self):
        r, p = self.r, {}
        p["a_min"], p["a_max"] = r.choice([(48, 48), (6, 75), (0, 96), (480, 480), (6, 6), (24, 24), (0, 0), (2.5, 40.25)])
        options = {
            "min_gap": ["0s", "1m", "5m", "15m"], "idle_after": ["24h", "24h", "10m", "1h", "2h", "0s"], "stale_grace": ["0s", "30m", "10m"],
            "rarely_viewed": [0, 1, 4, 2.5, 100], "coalesce_within": ["0s", "60s", "5m", "15m"], "dispatch_delay": ["0s", "10s", "1m", "20m", "5m"],
            "widget_location_grace": ["15m", "5m", "0s"], "v_half": [24, 1, 0.5], "window_days": [1, 2, 7], "learning_days": [0, 1, 2, 3],
            "session_reloads": ["calls_only", "free"], "rare_reload_share": [0, 1], "app_use_weight": [0.5, 1, 2.25],
            "learning_allowance": [96, 10, 0, 48], "burst_share": [0.25, 0.1, 1, 0.333], "accrual": ["even", "by_views", "reset"], "reset_at": ["00:00", "07:00", "12:30"], "dst_events": [True, False],
        }
        for key, values in options.items():
            if r.random() < 0.4:
                p[key] = r.choice(values)
        if p.get("accrual") != "reset":
            p.pop("reset_at", None)
        # On the grid of events, where instants coincide, and off it.
        if self.has_delays:
            for key, share, values in (
                ("free_delay", 0.7, ["5s", "30s", "1m", "5m", "15m", "7s", "300000001us", "2h"]),
                ("interaction_delay", 0.5, ["300ms", "1s", "1m", "5m", "10m"]),
                ("environment_spread", 0.4, ["10s", "1m", "5m", "47s", "1h"]),
            ):
                if r.random() < share:
                    p[key] = r.choice(values)
        if r.random() < 0.25:
            p["midnight"] = r.choice(["reload", "reload", "reload", "none"])
        if self.has_silent:
            p["silent_push_limit"] = r.choice([3, 2, 60, 7, 12, "unlimited"])
            p["silent_push_burst"] = r.choice([1, 1, 2, 3])
            p["silent_push_excess"] = r.choice(["late", "late", "drop"])
        if self.has_throttle:
            p["foreground_gap"] = r.choice(["10s", "30s", "1m", "5m", "10m", "60000001us"])
        if self.has_dimming and r.random() < 0.4:
            p["dimmed_cadence"] = r.choice(["1m", "10m"])
        if self.has_pool:
            p["push_budget"] = "separate"
            if r.random() < 0.5:
                p["push_allowance"] = r.choice([0, 4, 24, 96, 3.25])
        if self.is_watch and r.random() < 0.5:
            p["watch_allowance"] = r.choice([0, 20, 75, 12.5])
        return p

    def service(self):
        r, s = self.r, {}
        if self.has_latency:
            s["latency_out"] = r.choice(["0s", "5s", "1s", "1m"])
            s["latency_back"] = r.choice(["0s", "5s", "1s", "30s"])
        if r.random() < 0.35:
            s["failing"] = [self.span() for _ in range(r.choice([1, 2]))]
            if r.random() < 0.4:
                s["failing"][0] = ["0s", r.choice(["1m", "20m", "3h"])]  # First timelines fail.
            if len(s["failing"]) > 1 and duration(s["failing"][1][0]) <= duration(s["failing"][0][1]):
                s["failing"].pop()
            s["failing"].sort(key=lambda span: duration(span[0]))
            s["failure"] = r.choice(["error", "timeout"])
            retries = r.choice([0, 0, 1, 2])
            if retries:
                s["retries"] = retries
                s["retry_delays"] = [r.choice(["10s", "1m", "5m"]) for _ in range(retries)]
            s["failure_after"] = r.choice(["15m", "5m", "1h"])
        if s:
            s["timeout"] = r.choice(["30s", "5m", "2m"])
            if duration(s.get("latency_out", "0s")) + duration(s.get("latency_back", "0s")) > duration(s["timeout"]):
                s["timeout"] = "5m"
        return s

    def kind(self, index):
        r = self.r
        kind = {"id": f"k{index}", "app": r.choice(["app", "app", "other"])}
        shape = r.choice(["single", "single", "series", "until_midnight", "self_updating"])
        timeline = {"shape": shape}
        if shape == "series":
            timeline.update(count=r.choice([1, 2, 4, 6]), spacing=r.choice(["5m", "15m", "1h", "7m"]))
        elif shape == "until_midnight":
            timeline.update(spacing=r.choice(["1h", "30m", "4h"]))
        elif shape == "self_updating":
            timeline.update(good_for=r.choice(["30m", "2h", "5h"]))
        if r.random() < 0.2:
            timeline["valid_for"] = r.choice(["10m", "1h", "6h"])
        if shape != "single" or "valid_for" in timeline:
            kind["timeline"] = timeline
        sort = r.random()
        if sort < 0.25:
            kind["policy"] = "at_end"
        elif sort < 0.45:
            kind["policy"] = "never"
        elif sort < 0.75:
            kind["policy"] = {"after": r.choice(["5m", "10m", "15m", "30m", "1h", "3h", "1830s", "3600000001us"])}
        else:
            times = sorted(r.sample(["00:00", "01:30", "02:00", "02:30", "07:00", "08:00", "09:30", "12:00", "15:45", "20:00", "23:59"], r.choice([1, 2, 3])))
            times = [time + (self.clock.choice([":00", ":30", ":59"]) if self.clock.random() < 0.2 else "") for time in times]
            kind["policy"] = {"after": {"at": times, "zone": r.choice(["local", "local", "America/New_York", "Europe/London", "UTC"])}}
            if r.random() < 0.4:
                del kind["policy"]["after"]["at"]
                kind["policy"]["after"].update(self.every())
            if r.random() < 0.3:
                kind["policy"]["after"]["days"] = r.choice(["weekdays", "weekends", "all"])
        options = [
            (0.4, "reload_on_open", ["always", "if_changed"]), (0.3, "session_rhythm", ["5m", "10m", "7m"]), (0.8 if self.has_pool else 0.3, "push", [True]),
            (0.2, "sensitive", [True]), (0.1, "needs_sign_in", [True]), (0.3, "data_protection", ["complete"]), (0.3, "without_fix", ["alternate", "prior"]),
            (0.1, "requests_per_reload", [2, 3]), (0.2, "action_time", ["2s", "5m", "10s"]), (0.25, "reload_on_close", [True, True, False]),
        ]
        options.append((0.2, "reload_call", ["all_timelines"]))
        if self.has_location:
            options.append((0.4, "without_place", ["request", "request", "none"]))
        if self.has_stacks and r.random() < 0.8:
            kind["relevance"] = self.relevance()
        if self.has_location and r.random() < 0.3:
            options.append((1, "fix_time", ["3s", "5m", "1m"]))
        for share, key, values in options:
            if r.random() < share:
                kind[key] = r.choice(values)
        if r.random() < 0.2:
            kind["versions"] = self.daily()
        elif r.random() < (0.8 if "new_version" in kind.get("relevance", {}) else 0.5):
            kind["versions"] = [text(at) for at in sorted({self.instant() for _ in range(r.choice([1, 3, 6]))})]
        return kind

    def every(self):
        """Clock times at equal distances, which divide a day unless they lie between two times."""
        r = self.r
        if r.random() < 0.5:
            every = {"every": r.choice(["15m", "30m", "1h", "6h", "1d", "90s"]), "offset": r.choice(["0s", "20s", "1m1us"])}
        else:
            begin, end = sorted(r.sample(["00:00", "01:30", "02:15", "07:00", "09:30", "16:00", "23:59"], 2))
            every = {"every": r.choice(["7m", "15m", "25m", "29m"]), "between": [begin, end]}
            if r.random() < 0.3:
                every["offset"] = "6m30s"
        return every

    def daily(self):
        """Versions at clock times of a zone. No two times lie so close that the clocks' going forward makes one instant of them."""
        r = self.r
        daily = {"source": "daily", "at": r.choice([["02:15"], ["00:00"], ["12:00"], ["05:00", "17:30"], ["23:45"], ["15:00", "08:20"], ["02:30", "20:00"]])}
        daily["zone"] = r.choice([self.zone, "UTC", "UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])
        if r.random() < 0.3:
            daily["days"] = r.choice(["all", "weekdays", "weekends", ["saturday", "monday"]])
        if r.random() < 0.75:
            daily["empty_before"] = r.random() < 0.9
        return daily

    def instance(self, index, kinds):
        r = self.r
        surfaces = ["home_first", "home_first", "home_other", "today_view", "lock_screen", "lock_screen"]
        if self.is_watch:
            surfaces = ["watch_face"]
        instance = {"id": f"w{index}", "kind": r.choice(kinds)["id"], "surface": r.choice(surfaces)}
        if self.has_location and r.random() < 0.7:
            instance["location"] = r.choice(["current", "current", "current", {"chosen": "Oslo"}])
            instance["location_mode"] = r.choice(["denied", "while_using", "while_using_or_widgets", "always"])
        if r.random() < 0.2:
            instance["installed_at"] = text(self.instant())
        elif r.random() < 0.6:
            instance["initial"] = {"fetched": "0s"}
            if instance.get("location") == "current" and r.random() < 0.3:
                instance["initial"]["place"] = "home"
        if r.random() < 0.4:
            instance["history"] = [r.choice([0, 1, 3, 4, 8, 24, 70]) for _ in range(r.choice([1, 2, 3, 7, 8]))]
        if r.random() < 0.4:
            instance["opening_balance"] = r.choice([0, 0, 1, 2, 0.5, 3, 5, 40])
        return instance

    def replay(self, kinds, instances):
        r, lines = self.r, []
        apps = sorted({kind["app"] for kind in kinds})
        changes = ["language", "text_size", "account", "reboot", "system_update", "region", f"time_zone={r.choice(list(STARTS))}"]

        def add(at, event, detail=""):
            if at < self.length:
                seconds, micro = divmod(at, SECOND)
                lines.append(f"d,{seconds}.{micro:06},{event},{detail}" if micro else f"d,{seconds},{event},{detail}")

        for day in range(self.days):
            if r.random() < 0.85:
                wake = day * DAY + r.choice([6, 7, 7, 8]) * HOUR + r.choice([0, 0, 5 * MINUTE, 1])
                add(wake, "wake")
                if r.random() < 0.8:
                    add(day * DAY + 23 * HOUR + r.choice([0, 30]) * MINUTE, "sleep")
        at = self.instant() // 8
        sessions = []
        for _ in range(r.choice([2, 4, 8, 16])):
            length = r.choice([30 * SECOND, MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE]) if r.random() < 0.85 else 0
            if at >= self.length:
                break
            add(at, "pickup")
            sessions.append((at, at + length))
            for _ in range(r.choice([0, 1, 2, 3])):
                inside = at + r.choice([0, 0, length // 2, length // 3, length, 5 * MINUTE])
                if inside <= at + length:
                    add(inside, "view", r.choice([instance["id"] for instance in instances] + self.surfaces))
            if r.random() < 0.4:
                app = r.choice(apps)
                opened = at + r.choice([0, 0, length // 2, length // 3])
                add(opened, "app_open", app)
                if r.random() < 0.3:
                    add(opened, r.choice(["interact", "view"]), r.choice(instances)["id"])
                if r.random() < 0.4:
                    add(r.choice([opened + length // 10, at + length]), "app_close", app)
                elif r.random() < 0.3:
                    closed = opened + (at + length - opened) // 2
                    add(closed, "app_close", app)
                    add(closed, "app_open", r.choice(apps))
            if r.random() < 0.3:
                add(at + r.choice([0, length // 2, length]), "interact", r.choice(instances)["id"])
            if self.has_delays and r.random() < 0.1:
                add(at + r.choice([0, length // 2, length]), "environment", r.choice(changes))
            if self.has_taps and r.random() < 0.6:
                tapped = at + r.choice([0, length // 2, length // 3, length])
                add(tapped, "tap", r.choice(instances)["id"])
                if r.random() < 0.4:
                    add(tapped + r.choice([0, 0, 10 * SECOND]), r.choice(["app_trigger", "interact"]), "")
                    if lines and lines[-1].endswith(","):
                        lines[-1] += r.choice(kinds)["id"] if lines[-1].endswith("app_trigger,") else r.choice(instances)["id"]
            # Calls of the app while it may be in the foreground, some of them at the end of a gap (F1).
            if self.has_throttle and r.random() < 0.7:
                called = at + r.choice([0, length // 3, length // 2])
                for _ in range(r.choice([1, 2, 4])):
                    add(called, "app_trigger", r.choice(kinds)["id"])
                    called += r.choice([0, 10 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE])
            if at + length < self.length:
                add(at + length, "lock")
            at += length + max(self.grid, r.choice([5 * MINUTE, 5 * MINUTE, HOUR, 2 * HOUR, 7 * HOUR]) // self.grid * self.grid)
            at += r.choice([0, 0, 0, 1]) + (self.grid if r.random() < 0.5 else 0)
        for _ in range(r.choice([0, 1, 4, 8])):
            glance = self.instant()
            if not any(begin <= glance <= end for begin, end in sessions):
                add(glance, "glance")
        if self.has_dimming:
            for _ in range(r.choice([1, 3, 6])):
                at = self.instant()
                add(at, "low_luminance")
                for _ in range(r.choice([0, 1, 2])):
                    add(at + r.choice([0, MINUTE, 10 * MINUTE, HOUR]), "view", r.choice([instance["id"] for instance in instances] + self.surfaces))
        if self.is_watch and r.random() < 0.6:
            for _ in range(r.choice([1, 1, 2, 4])):
                off = r.choice(sessions)[0] + r.choice([0, 10 * SECOND, MINUTE]) if sessions and r.random() < 0.3 else self.instant()
                add(off, "watch_off")
                add(off + r.choice([1, MINUTE, 45 * MINUTE, 5 * HOUR]), "watch_on")
            if r.random() < 0.3:
                add(self.instant(), r.choice(["watch_on", "watch_off"]))
        calls = ["app_trigger", "push", "push", "push"] if self.has_pool else ["app_trigger", "app_trigger", "push"]
        for _ in range(r.choice([4, 10, 20] if self.has_pool else [0, 1, 4, 10])):
            add(self.instant(), r.choice(calls), "")
            event = lines[-1] if lines else ""
            if event.endswith("app_trigger,"):
                lines[-1] += r.choice(kinds)["id"]
            elif event.endswith("push,"):
                lines[-1] += r.choice(apps)
        for _ in range(r.choice([2, 4, 8]) if self.has_silent else 0):
            at = self.instant()
            for _ in range(r.choice([1, 2, 4])):
                add(at, "silent_push", r.choice(kinds)["id"])
                at += r.choice([0, 10 * SECOND, 5 * MINUTE, 5 * MINUTE, 20 * MINUTE])
        for _ in range(r.choice([0, 0, 1, 3])):
            add(self.instant(), "interact", r.choice(instances)["id"])
        if self.has_taps:
            for _ in range(r.choice([0, 1, 3])):
                add(self.instant(), "tap", r.choice(instances)["id"])
        if self.has_location:
            for at in sorted({self.instant() // r.choice([1, 1, 1, 60]) for _ in range(r.choice([1, 3, 6, 10]))}):
                name, x, y = r.choice(self.places)
                add(at, "move", f"{name} {x} {y}")
        for _ in range(r.choice([0, 0, 1, 2])):
            add(self.instant(), "environment", r.choice(changes))
        for _ in range(r.choice([0, 0, 1, 2])):
            add(self.instant(), "app_update", r.choice(apps))
        moved = {line.split(",")[1] for line in lines if ",move," in line}

        def is_outside(at):
            return not any(begin <= at <= end for begin, end in sessions)

        # Changes, losses of the connection and pickups while a reload is on its way, before its first request and after it (G8, S3).
        for _ in range(r.choice([0, 1, 2, 4] if self.has_latency or self.has_location else [0, 0, 0, 1])):
            at = self.instant()
            delays = [0, SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND, 20 * SECOND, 70 * SECOND, 3 * MINUTE]
            add(at, "app_trigger", r.choice(kinds)["id"])
            for _ in range(r.choice([1, 1, 2])):
                changed = max(0, at + r.choice(delays + [-SECOND, -MINUTE]))
                if self.has_location and r.random() < 0.5 and changed < self.length:
                    name, x, y = r.choice(self.places)
                    add(changed, "move", f"{name} {x} {y}")
                    if lines[-1].split(",")[1] in moved:
                        lines.pop()
                    else:
                        moved.add(lines[-1].split(",")[1])
                elif r.random() < 0.3:
                    add(changed, "interact", r.choice(instances)["id"])
                else:
                    add(changed, "environment", r.choice(changes))
            if r.random() < 0.3:
                lost = at + r.choice(delays)
                add(lost, "offline")
                add(lost + r.choice([SECOND, 15 * SECOND, 2 * MINUTE]), "online")
            glance = at + r.choice(delays)
            if is_outside(glance):
                add(glance, "glance")
        for begin, end, share in (("offline", "online", 0.25), ("low_power_on", "low_power_off", 0.2)):
            if r.random() < share:
                at = self.instant()
                add(at, begin)
                add(at + r.choice([MINUTE, HOUR, 5 * HOUR]), end)
        # Navigation and audio, also of one app at once, and now and then begun again while they last.
        at = self.instant()
        for _ in range(r.choice([0, 0, 0, 1, 2, 3])):
            sort, app = r.choice(["navigation", "audio"]), r.choice(apps)
            add(at, sort + "_start", app)
            add(at + r.choice([5, 15, 35]) * MINUTE, sort + "_end", app)
            at = at + r.choice([0, 3, 5, 10]) * MINUTE if r.random() < 0.7 else self.instant()
        return lines


# The engine

class Refused(Exception):
    """The scenario reader does not take the case."""


def engine_rows(case, binary, folder):
    scenario = {**case["scenario"], "replay": "replay.csv"}
    (folder / "scenario.yaml").write_text(json.dumps(scenario), encoding="utf-8")
    (folder / "replay.csv").write_text("device,time,event,detail\n" + "\n".join(case["replay"]) + "\n", encoding="utf-8")
    run = subprocess.run(
        [binary, "trace", str(folder / "scenario.yaml"), "--person", "0", "--format", "csv"], capture_output=True, text=True, timeout=60)
    if run.returncode in (64, 65):
        raise Refused(run.stderr)
    if run.returncode:
        return {"crash": [f"status {run.returncode}: {run.stderr[-600:]}"]}
    told = 0
    if any("not_modified" in endpoint for endpoint in case["scenario"].get("service", {}).get("endpoints", [])):
        # Its service alone counts them.
        whole = subprocess.run(
            [binary, "run", str(folder / "scenario.yaml"), "--out", str(folder / "out"), "--force", "--quiet"], capture_output=True, text=True, timeout=60)
        if whole.returncode:
            return {"crash": [f"status {whole.returncode}: {whole.stderr[-600:]}"]}
        with open(folder / "out" / "summary.csv", encoding="utf-8") as lines:
            told = next(int(float(row["value"])) for row in csv.DictReader(lines) if row["metric"] == "not_modified")
    is_precise = case["scenario"]["devices"][0].get("precise_location", True)
    rows = {"granted": [], "run": [], "views": [], "requests": [], "merged": [], "ended": [], "reported": [], "waits": [], "ledgers": [], "not_modified": [told]}
    for row in csv.DictReader(io.StringIO(run.stdout)):
        at, instance, cause = int(row["time_us"]), row["instance"], row["cause"]
        words = [word.strip() for word in row["detail"].split(",")]
        event = row["event"]
        if event == "granted":
            balance = "" if "paid from the pool for pushes" in words else row["balance"]
            rows["granted"].append((at, instance, cause, int(row["charged"] == "true"), balance))
        elif event == "run":
            rows["run"].append((at, instance, cause))
        elif event == "request":
            place = next((word[4:] for word in words if word.startswith("for ")), "")
            rows["requests"].append((at, instance, place))
        elif event == "view":
            state = next(word for word in words if word in STATES)
            facts = {
                "state": state, "dimmed": "low luminance" in words, "age": None, "missed": None, "healed": "healed" in words,
                "late": int("the entry before" in words),
            }
            for word in words:
                if word.startswith("age "):
                    facts["age"] = duration(word[4:])
                elif word.startswith("missed "):
                    facts["missed"] = int(word[7:])
            rows["views"].append((at, instance, facts["state"], facts["dimmed"], facts["age"], facts["missed"], facts["healed"], facts["late"]))
        elif event == "merged":
            rows["merged"].append((at, instance, cause))
        elif event in ("response", "placeholder", "failed", "taken", "transferred"):
            outcome = {"response": "ok", "transferred": "ok", "placeholder": "ok", "taken": "taken"}.get(event, row["detail"])
            rows["ended"].append((at, instance, cause, outcome))
        elif event == "significant_change" and (is_precise or row["detail"]):
            rows["reported"].append(at)
        elif event == "ledger":
            rows["ledgers"].append((instance, row["detail"]))
        elif event == "push_ledger":
            rows["ledgers"].append((instance + " pushes", row["detail"]))
        # A withheld row tells the same wait as the row that ends it.
        waited = re.search(r"waited under (.*)", row["detail"])
        if waited and event != "withheld":
            for part in waited.group(1).split(","):
                gate, length = part.split()
                if duration(length):
                    rows["waits"].append((at, instance, GATE_RULES[gate], duration(length)))
    return {sort: sorted(found) if sort != "views" else sorted(found, key=str) for sort, found in rows.items()}


# The reference

def reference_rows(case):
    device = Device(case["scenario"], case["scenario"]["devices"][0], case["replay"])
    found, start = device.run(), device.start
    rows = {
        "granted": [
            (at - start, instance, cause, charged, "" if balance is None else microtokens(balance))
            for instance, at, cause, charged, balance in found["granted"]],
        "run": [(at - start, instance, cause) for instance, at, cause in found["run"]],
        "requests": [(at - start, instance, place) for instance, at, place in found["requests"]],
        "views": [
            (view["time"] - start, view["instance"], view["state"], view["dimmed"], view["age"], view["missed"], view["healed"], view["late"]) for view in found["views"]],
        "merged": [(at - start, instance, cause) for instance, at, cause in found["merged"]],
        "ended": [(at - start, instance, cause, outcome) for instance, at, cause, charged, outcome in found["ended"]],
        "not_modified": [found["not_modified"]],
        "reported": [at - start for at in found["reported"]] if any(instance.uses_location for instance in device.instances) else [],
        "waits": [(at - start, instance, gate, length) for instance, at, gate, length in found["waits"]],
        "ledgers": [(instance, account.text()) for instance, account in found["ledgers"].items()]
        + [(instance + " pushes", account.text()) for instance, account in found["push_ledgers"].items()],
    }
    return {sort: sorted(part) if sort != "views" else sorted(part, key=str) for sort, part in rows.items()}


def is_close(one, other):
    """Amounts that both sides round down may differ in the last microtoken."""
    numbers = [re.findall(r"-?\d+(?:\.\d+)?", line) for line in (one, other)]
    return len(numbers[0]) == len(numbers[1]) and all(abs(float(a) - float(b)) < 1.5e-6 for a, b in zip(*numbers))


def differences(case, binary, folder):
    """The first sort of rows that differs, in the order in which a difference shows its cause best, and the first row of each side that the other lacks."""
    engine, reference = engine_rows(case, binary, folder), reference_rows(case)
    if "crash" in engine:
        return "crash", [], engine["crash"]
    found = []
    for sort in ("granted", "run", "requests", "views", "merged", "ended", "waits", "reported", "ledgers", "not_modified"):
        want, have = list(reference[sort]), list(engine[sort])
        for row in list(want):
            match = next((other for other in have if other == row), None)
            if match is None and sort == "granted":
                match = next((other for other in have if other[:4] == row[:4] and is_close(other[4], row[4])), None)
            if match is None and sort == "ledgers":
                match = next((other for other in have if other[0] == row[0] and is_close(other[1], row[1])), None)
            if match is not None:
                want.remove(row)
                have.remove(match)
        if want or have:
            first = min([row[0] for row in want + have if not isinstance(row, int)], default=0) if sort != "ledgers" else 0
            found.append((first if isinstance(first, int) else 0, sort, want[:4], have[:4]))
    if not found:
        return None
    if all(sort == "ledgers" for _, sort, _, _ in found):
        return found[0][1:]
    return min((row for row in found if row[1] != "ledgers"), key=lambda row: row[0])[1:]


# Shrinking

def smaller(case):
    """Cases with one part less."""
    lines = case["replay"]
    size = len(lines)
    while size >= 1:
        for begin in range(0, len(lines), size):
            yield {**case, "replay": lines[:begin] + lines[begin + size:]}
        size //= 2
    for begin in range(len(lines)):
        for end in range(begin + 1, len(lines)):
            if ",pickup," in lines[begin] and ",lock," in lines[end]:
                yield {**case, "replay": lines[:begin] + lines[begin + 1:end] + lines[end + 1:]}
    instances = case["scenario"]["devices"][0]["instances"]
    for index in range(len(instances)):
        if len(instances) > 1:
            copied = copy.deepcopy(case)
            device = copied["scenario"]["devices"][0]
            del device["instances"][index]
            device["stacks"] = [stack for stack in device.get("stacks", []) if any(other.get("stack") == stack["id"] for other in device["instances"])]
            if not device["stacks"]:
                del device["stacks"]
            yield copied
    if case["scenario"]["devices"][0].get("stacks"):
        copied = copy.deepcopy(case)
        del copied["scenario"]["devices"][0]["stacks"]
        for instance in copied["scenario"]["devices"][0]["instances"]:
            instance.pop("stack", None)
        yield copied
    kinds = case["scenario"]["kinds"]
    for index, kind in enumerate(kinds):
        if len(kinds) > 1 and all(instance["kind"] != kind["id"] for instance in instances):
            copied = copy.deepcopy(case)
            del copied["scenario"]["kinds"][index]
            yield copied
    parts = [("scenario",), ("scenario", "parameters"), ("scenario", "service"), ("scenario", "devices", 0)]
    parts += [("scenario", "kinds", index) for index in range(len(kinds))]
    parts += [("scenario", "devices", 0, "instances", index) for index in range(len(instances))]
    for path in parts:
        part = case
        for key in path:
            part = part.get(key) if isinstance(part, dict) else part[key]
            if part is None:
                break
        for key in list(part or ()):
            if key in ("id", "start", "end", "kinds", "devices", "instances", "kind"):
                continue
            copied = copy.deepcopy(case)
            target = copied
            for step in path:
                target = target[step]
            if isinstance(target[key], list) and len(target[key]) > 1:
                for index in range(len(target[key])):
                    fewer = copy.deepcopy(case)
                    inner = fewer
                    for step in path:
                        inner = inner[step]
                    del inner[key][index]
                    yield fewer
            del target[key]
            yield copied


def is_possible(case):
    """Whether sessions begin and end in turn, no glance falls into one, no two moves share an instant, and every stack has its instances."""
    device = case["scenario"]["devices"][0]
    used = [instance.get("stack") for instance in device["instances"]]
    if {stack["id"] for stack in device.get("stacks", [])} != set(used) - {None}:
        return False

    def at(line):
        return float(line.split(",")[1])

    events = sorted((at(line), ordinal, line.split(",")[2]) for ordinal, line in enumerate(case["replay"]))
    in_session, moves = False, []
    for time, _, event in events:
        if event in ("pickup", "glance") and in_session or event == "lock" and not in_session:
            return False
        in_session = event == "pickup" or in_session and event != "lock"
        if event == "move":
            moves.append(time)
    return len(set(moves)) == len(moves)


def shrunken(case, sort, binary, folder, limit=400):
    tried = 0
    again = True
    while again and tried < limit:
        again = False
        for candidate in smaller(case):
            if not is_possible(candidate):
                continue
            tried += 1
            try:
                found = differences(candidate, binary, folder)
            except Exception:  # A candidate that either side cannot take is no smaller case.
                found = None
            if found and found[0] == sort:
                case, again = candidate, True
                break
            if tried >= limit:
                break
    return case


def arguments_of_a_fuzz():
    """The arguments that every random comparison takes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reloadsim", required=True)
    parser.add_argument("--keep", help="a folder for the shrunken cases")
    parser.add_argument("--most", type=int, default=5, help="how many differences to shrink before the run ends")
    return parser.parse_args()


def main():
    arguments = arguments_of_a_fuzz()
    compared = refused = different = 0
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
                continue
            different += 1
            sort, want, have = found
            small = shrunken(case, sort, arguments.reloadsim, folder)
            sort, want, have = differences(small, arguments.reloadsim, folder) or found
            print(f"\nseed {seed}: {sort}\n  reference {want}\n  engine    {have}\n  {json.dumps(small['scenario'])}")
            print("  " + "\n  ".join(small["replay"]), flush=True)
            if arguments.keep:
                Path(arguments.keep).mkdir(parents=True, exist_ok=True)
                Path(arguments.keep, f"seed-{seed}.json").write_text(json.dumps(small, indent=1), encoding="utf-8")
            if different >= arguments.most:
                break
    print(f"{compared} cases compared, {different} different, {refused} refused by the scenario reader")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
