#!/usr/bin/env python3
"""A second, independent reading of the replay rules of MODEL, written for clarity and not for speed.

One device is simulated at a time. The simulation goes from instant to instant; inside one, the events of ranks 0 to 7 come in order and then the reloads of
rank 8: free ones, policies falling due, gates opening, dispatches (T3). Responses that such a reload brings at the same instant begin a further round.

usage: reference.py CASE.json
"""

import heapq
import json
import math
import sys
from datetime import timedelta
from fractions import Fraction

from budget import Account, HourlyBucket, WakingWindows
from civil import DAY, MINUTE, SECOND, Zone, clock, duration, instant, iso

PARAMETERS = {
    "min_gap": "5m", "idle_after": "2h", "stale_grace": "30m", "rarely_viewed": 4, "coalesce_within": "60s", "dispatch_delay": "0s",
    "widget_location_grace": "15m", "a_min": 6, "a_max": 75, "v_half": 24, "window_days": 7, "learning_days": 3, "learning_allowance": None,
    "burst_share": 0.25, "accrual": "even", "reset_at": "00:00", "push_budget": "shared", "push_allowance": None, "watch_allowance": None, "dst_events": True,
    "free_delay": "0s", "interaction_delay": "0s", "environment_spread": "0s", "midnight": "none", "foreground_gap": "0s",
    # Which entry a dimmed display shows (R4); no state of a view depends on it.
    "dimmed_cadence": "0s",
    # A share of views is drawn; here it is all of them or none (F5).
    "session_reloads": "free", "workout_reloads": "charged", "rare_reload_share": 1, "rare_needs_stale": "yes", "app_use_weight": 0, "gates": "all",
    "silent_push_limit": 3, "silent_push_burst": 3, "silent_push_excess": "late", "suggestions": 3,
    "control_reloads": "free",
}
SERVICE = {
    "latency_out": "0s", "latency_back": "0s", "failing": [], "failure": "error", "timeout": "30s", "retries": 0, "retry_delays": [], "failure_after": "15m",
}
# What a client does after a failure, in the words of keys (S3). An origin without limits refuses nothing.
FAILURES = {"error": "failed", "timeout": "timed_out", "offline": "offline"}
GATES = ("G1", "G2", "G3", "G4", "G5")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
TAKEN = "taken"
# The delay between a free cause and its reload (F1, F2, F4, F6); the other causes' run at once (F3, F5, F7).
DELAYS = {
    "app_open": ("free_delay",), "app_call": ("free_delay",), "user_session": ("free_delay",), "interaction": ("interaction_delay",),
    "environment": ("environment_spread", "free_delay"),
}


def number(value):
    """An exact number of a decimal as it is written: 0.1 is a tenth."""
    return Fraction(str(value))


def weekdays(days):
    """The names of the days that `all`, `weekdays`, `weekends` or a list of days means."""
    if isinstance(days, str):
        return {"all": DAYS, "weekdays": DAYS[:5], "weekends": DAYS[5:]}[days]
    return [day for day in DAYS if any(day.startswith(name.lower()) for name in days)]


def clock_times(aligned):
    """The clock times of an aligned date: those that are listed, or those at which `every` comes round (P5)."""
    if "at" in aligned:
        return [clock(at) for at in aligned["at"]]
    first, last = (clock(at) for at in aligned.get("between", ["00:00", "23:59:59.999999"]))
    return list(range(first + duration(aligned.get("offset", "0s")), last + 1, duration(aligned["every"])))


class Timeline:
    """What stands on a widget: entries, validity and the policy's date (P1–P6). Instants are Unix microseconds."""

    def __init__(self, dates, valid_until, date, cause, preferred, aligned=False):
        self.dates, self.valid_until, self.date, self.cause = dates, valid_until, date, cause
        self.preferred, self.aligned = preferred, aligned

    def is_used_up(self, unix):
        return self.valid_until is not None and unix > self.valid_until


class Content:
    """What a timeline shows: made at the origin at an instant (C2), for a place, or one of two states that have no content."""

    def __init__(self, made=None, place=None, state=None):
        self.made, self.place, self.state = made, place, state
        # Whether the origin had no list yet for the date of the device when it made this (C1).
        self.is_empty = False

    def is_regular(self):
        return self.made is not None and self.state is None


class Flight:
    def __init__(self, cause, charged, unix):
        self.cause, self.charged, self.run_at = cause, charged, unix
        self.first_request = None
        # The end of a fix that is awaited.
        self.fix_at = None
        self.place = ""
        self.is_alternate = False
        self.tries = 0


class Pending:
    """A background reload that waits, or is granted and waits for its dispatch (G1–G6)."""

    def __init__(self, cause, unix, account):
        self.cause, self.due, self.dispatch_at, self.charged = cause, unix, None, True
        self.account = account
        self.waits = {}


class FreeReload:
    """A free reload from the instant at which its cause arises: it runs when its delay is over, and then waits for the lock alone (F1, G4, G8)."""

    def __init__(self, cause, runs_at):
        self.cause, self.runs_at = cause, runs_at
        self.waited = 0


class Relevance:
    """How relevant a kind says that its entries are: the highest score of what holds, and the base if nothing does (V3)."""

    def __init__(self, spec):
        self.base = number(spec.get("base", 0))
        new = spec.get("new_version")
        self.new_score, self.new_for = (number(new["score"]), duration(new["for"])) if new else (None, None)
        self.hours = spec.get("hours", [])
        self.clues = {name: number(spec[name]) for name in ("home", "work", "elsewhere", "workout") if name in spec}
        self.bedtime = spec.get("bedtime")

    def score_in(self, unix, zone, new_since, holding_clues, usual):
        """The score in a Smart Stack, where clues count too (V7)."""
        holding = [self.clues[name] for name in holding_clues if name in self.clues]
        if self.bedtime is not None and self.is_bedtime(zone.local(unix)[1], usual):
            holding.append(number(self.bedtime["score"]))
        return self.score(unix, zone, new_since, holding)

    def is_bedtime(self, now, usual):
        """From so long before the usual onset of sleep to so long after the usual wake-up: minute by minute of the clock round."""
        begin, end = usual[1] - duration(self.bedtime.get("before", "1h")), usual[0] + duration(self.bedtime.get("after", "0s"))
        sleep = (usual[0] - usual[1]) % DAY
        span = sleep + (usual[1] - begin) + (end - usual[0])
        return span >= DAY or (now - begin) % DAY < span

    def score(self, unix, zone, new_since, clues=()):
        holding = list(clues)
        if self.new_for is not None and new_since is not None and unix - new_since <= self.new_for:
            holding.append(self.new_score)
        day, now = zone.local(unix)
        for span in self.hours:
            begin, end, days = clock(span["from"]), clock(span["to"]), weekdays(span.get("days", "all"))
            is_today, was_yesterday = DAYS[day.weekday()] in days, DAYS[(day.weekday() - 1) % 7] in days
            # Hours that end no later than they begin continue over midnight and belong to the weekday on which they
            # begin.
            if begin < end:
                holds = begin <= now < end and is_today
            else:
                holds = (now >= begin and is_today) or (now < end and was_yesterday)
            if holds:
                holding.append(number(span["score"]))
        return max(holding, default=self.base)


class Stack:
    """Instances of one place on a surface, of which the top one is seen (V3)."""

    def __init__(self, spec, members, default_surface):
        self.id, self.surface, self.members = spec["id"], spec.get("surface", default_surface), members
        self.limit = spec.get("rotations_per_day", 4)
        self.top = members[0]
        self.rotations = 0

    def show(self, score):
        """What the system does before the surface of the stack is shown; the instance that is then seen."""
        if len(self.members) < 2:
            return
        if not self.top.is_there:
            order = self.members[self.members.index(self.top):] + self.members
            self.top = next((instance for instance in order if instance.is_there), self.top)
        top_score, best = score(self.top), None
        for instance in self.members:
            if instance.is_there and score(instance) > max(0, top_score if best is None else score(best)):
                best = instance
        if best is not None and self.rotations < self.limit:
            self.top = best
            self.rotations += 1


class Versions:
    """When an origin publishes: at listed instants, or daily at the clock times of a zone, where a date may have no content before its first one (C1)."""

    def __init__(self, spec, instant_of, begin, end):
        self.empty_before = False
        # Events that are known ahead: content holds those up to so long after it was made, and misses none (C1).
        self.window = None
        if isinstance(spec, dict) and spec["source"] == "calendar":
            self.window = duration(spec.get("window", "24h"))
            spec = spec["events"]
        if isinstance(spec, list):
            self.instants = [instant_of(at) for at in spec]
            return
        self.zone, self.days = Zone(spec["zone"]), weekdays(spec.get("days", "all"))
        self.clocks = [clock(at) for at in spec["at"]]
        self.empty_before = spec.get("empty_before", False)
        day, last = self.zone.local(begin - 31 * DAY)[0], self.zone.local(end + (self.window or 0) + 2 * DAY)[0]
        self.instants = []
        while day <= last:
            self.instants += self.on(day)
            day += timedelta(days=1)

    def on(self, day):
        return [self.zone.instant(day, at) for at in self.clocks] if DAYS[day.weekday()] in self.days else []

    def published(self, unix):
        return sum(at <= unix for at in self.instants)

    def held(self, made):
        """How many versions content of an instant holds: a calendar's events up to the end of its window too."""
        return self.published(made + (self.window or 0))

    def missed(self, made, unix):
        """Versions that came about and that content does not hold."""
        return max(0, self.published(unix) - self.held(made))

    def is_empty(self, made, day):
        """Whether an answer of an instant has nothing for a date, because the list of that date appears later."""
        return self.empty_before and made < min(self.on(day), default=made)


class Kind:
    def __init__(self, spec, instant_of, begin, end):
        self.id, self.app = spec["id"], spec.get("app", "app")
        self.timeline = spec.get("timeline", {"shape": "single"})
        self.policy = spec.get("policy", "never")
        self.reload_on_open = spec.get("reload_on_open", "never")
        self.reload_on_close = spec.get("reload_on_close", False)
        self.rhythm = duration(spec["session_rhythm"]) if "session_rhythm" in spec else None
        self.push = spec.get("push", False)
        # Where it stands if it is a control: what no surface shows, the person comes to (V10).
        self.control = None if spec.get("control", "none") == "none" else spec["control"]
        self.calls_all = spec.get("reload_call", "of_kind") == "all_timelines"
        self.relevance = Relevance(spec.get("relevance", {}))
        # With `fetch: background` the system sends the requests later, and a second reload brings the answer (S8).
        self.is_transferred = spec.get("fetch", "inline") == "background"
        transfer = spec.get("transfer", {})
        self.deferral, self.second_reload = duration(transfer.get("deferral", "0s")), transfer.get("second_reload", "charged")
        self.needs_sign_in = spec.get("needs_sign_in", False)
        self.is_protected = spec.get("data_protection", "none") == "complete"
        self.without_fix = spec.get("without_fix", "prior")
        self.without_place = spec.get("without_place", "none")
        self.requests = spec.get("requests_per_reload", 1)
        self.action_time = duration(spec.get("action_time", "0s"))
        self.fix_time = duration(spec.get("fix_time", "0s"))
        self.versions = Versions(spec.get("versions", []), instant_of, begin, end)
        # In place of the service's, by failure or for all (S3).
        self.retries, self.failure_after = spec.get("retries"), spec.get("failure_after")
        self.endpoint = spec.get("endpoint", self.id)
        # Content that the app leaves for its provider (C6): when it publishes after an opening, and whether it calls for a reload then.
        self.reads_app = spec.get("content", "origin") == "app"
        opening = spec.get("publish_on_open", {})
        self.publishes_on_open, self.publication_delay = opening.get("share", 1) > 0, duration(opening.get("delay", "0s"))
        self.reload_on_publish = spec.get("reload_on_publish", "if_changed")
        # When the origin made what the app published last, and when it publishes next.
        self.published, self.publishes_at = None, None


class Instance:
    def __init__(self, spec, kind, index, installed_at, default_surface):
        self.id, self.kind, self.index, self.installed_at = spec["id"], kind, index, installed_at
        self.spec = spec
        self.surface = spec.get("surface", default_surface)
        location = spec.get("location", "none")
        self.chosen = location["chosen"] if isinstance(location, dict) else None
        self.uses_location = location == "current"
        self.mode = spec.get("location_mode", "always")
        self.is_there = False
        self.content, self.timeline = Content(state="placeholder"), None
        self.account = self.push_account = None
        self.new_since = None
        self.stack = None
        self.day_views = list(spec.get("history", []))
        self.views_today = None
        # The views that openings of the app count as, beyond whole ones of past days (B2).
        self.app_use = Fraction(0)
        self.flight = None
        self.pending = None
        self.free = None
        self.after_flight = None
        # The last call from the foreground that went through, and the cause of the one that its gap holds (F1).
        self.called_at = self.held_call = None
        self.last_background_run = None
        self.changes_unserved = []
        self.last_known_place = None
        # When the changes came that it is owed a reload for (F4, D9).
        self.environment_owed = []
        self.reboots_owed = []
        self.seen_in_pickup = None
        self.open_views = []
        # The content that was transferred and not shown, and the flight whose transfer waits for a connection (S8).
        self.loaded = self.held_transfer = None

    def has_account(self):
        return self.account is not None

    def balance(self):
        """A control without an account has none (F9)."""
        return self.account.balance if self.has_account() else None

    def accounts(self):
        return [account for account in (self.account, self.push_account) if account]


class SilentPushes(HourlyBucket):
    """The bucket of one app's silent pushes, and the kind whose push waits (B7)."""

    def __init__(self, parameters, start):
        limit = parameters["silent_push_limit"]
        super().__init__(None if limit == "unlimited" else limit, parameters["silent_push_burst"], start)
        self.waiting = None
        # Whether that waits for a connection, and not for a token.
        self.is_stored = False


def recorded(lines, device, start, zone):
    """A device's recorded events: instant, name and detail, in the order of the lines (D10)."""
    for line in lines:
        name, time, event, detail = (line.split(",", 3) + [""])[:4]
        if name == device:
            yield iso(time, zone) if "T" in time else start + int(number(time) * SECOND), event, detail


class Device:
    def __init__(self, scenario, spec, lines):
        zone = Zone(spec.get("zone", "UTC"))
        self.start = iso(scenario["start"], Zone("UTC"))
        self.end = self.instant_of(scenario["end"])
        self.zone = zone
        self.spec = spec
        raw = {**PARAMETERS, **scenario.get("parameters", {})}
        reset = clock(raw.pop("reset_at"))
        self.p = {key: duration(value) if isinstance(value, str) and value[:1].isdigit() else value for key, value in raw.items()}
        if self.p["learning_allowance"] is None:
            self.p["learning_allowance"] = self.p["a_max"]
        if self.p["watch_allowance"] is None:
            self.p["watch_allowance"] = self.p["a_max"]
        raw = {**SERVICE, **scenario.get("service", {})}
        self.s = {key: duration(value) if isinstance(value, str) and value[:1].isdigit() else value for key, value in raw.items()}
        self.s["retry_delays"] = [duration(delay) for delay in raw["retry_delays"]]
        self.s["failing"] = [tuple(map(self.instant_of, span)) for span in raw["failing"]]
        # The time to the next reload that answers state, by the instant at which they are made (S11); and who is told that nothing has changed (S10).
        self.paces, self.conditional = {}, set()
        for endpoint in raw.get("endpoints", []):
            if "next_after" in endpoint:
                steps = [(None, duration(endpoint["next_after"]))]
                for event in raw.get("events", []):
                    if event.get("pace", {}).get("endpoint") == endpoint["id"]:
                        steps.append((self.instant_of(event["pace"]["at"]), duration(event["pace"]["next_after"])))
                self.paces[endpoint["id"]] = steps, endpoint.get("next_from", "answer") == "content"
            if "not_modified" in endpoint:
                self.conditional.add(endpoint["id"])
        usual = spec.get("usual_waking", {"from": "07:00", "to": "23:00"})
        weights = None
        if self.p["accrual"] == "by_views":
            weights = [number(weight) for weight in spec.get("usual_views_by_hour", [1] * 24)]
        self.usual = clock(usual["from"]), clock(usual["to"])
        self.is_reset = self.p["accrual"] == "reset"
        self.windows = WakingWindows(*((reset, reset + 1) if self.is_reset else self.usual), weights)
        self.burst_share = None if self.is_reset else number(self.p["burst_share"])
        self.kinds = {kind["id"]: Kind(kind, self.instant_of, self.start, self.end) for kind in scenario["kinds"]}
        self.has_passcode = spec.get("passcode", True)
        self.refresh_on = spec.get("background_refresh", True)
        self.refresh_off = [tuple(map(self.instant_of, span)) for span in spec.get("background_refresh_off", [])]
        self.fix_failing = [tuple(map(self.instant_of, span)) for span in spec.get("fix_failing", [])]
        self.low_power = False
        self.offline = False
        self.in_session = False
        self.pickups = 0
        self.last_use = None
        self.last_glance = None
        self.last_unlock = None
        self.foreground = set()
        # Which of navigation and audio runs, by app, and what tells the rhythm that is under way from an earlier one.
        self.user_sessions = {}
        self.rhythms = {}
        self.signed_in = set(spec.get("signed_in", []))
        self.hides = spec.get("hide_lock_screen", False)
        self.hides_dimmed = spec.get("hide_always_on", False)
        self.is_watch = spec.get("kind", "phone") == "watch"
        self.is_dimmed = self.is_covered = False
        # The instances on the screen of a surface that is open, and whether a workout is under way (V7 to V9).
        self.shown, self.is_workout = [], False
        # The latest instant at which apps called by their rhythms, and for whom.
        self.rung = None, []
        self.place = self.place_of(spec.get("place", "home 0 0"))
        self.reported = self.place
        self.reported_at = self.start
        self.report_gap = 5 * MINUTE if spec.get("precise_location", True) else 15 * MINUTE
        self.last_widget_view = {}
        self.silent = {}
        self.silent_counts = {"came": 0, "delivered": 0, "merged": 0, "dropped": 0}
        self.instances = []
        for index, instance in enumerate(spec["instances"]):
            installed_at = self.instant_of(instance.get("installed_at", "0s"))
            self.instances.append(Instance(instance, self.kinds[instance["kind"]], index, installed_at, self.default_surface()))
        self.stacks = []
        for stack in spec.get("stacks", []):
            members = [instance for instance in self.instances if instance.spec.get("stack") == stack["id"]]
            if members:
                self.stacks.append(Stack(stack, members, self.default_surface()))
            for instance in members:
                instance.stack, instance.surface = self.stacks[-1], self.stacks[-1].surface
        # A watch is worn at the start, unless the first thing that happens to it is that it is put on; off the wrist it shows nothing (V4).
        self.is_off = False
        self.heap, self.sequence = [], 0
        self.rows = {"not_modified": 0, "granted": [], "run": [], "views": [], "requests": [], "merged": [], "ended": [], "reported": [], "ledgers": {}, "push_ledgers": {}}
        self.waits = {"granted": {}, TAKEN: {}}
        self.rows["waits"] = []
        self.repeated_views = self.taps = 0
        self.now = self.start
        self.read(lines)

    # Reading

    def instant_of(self, text):
        """An instant of the scenario: a duration after `start`, or ISO-8601."""
        return instant(text, self.start)

    @staticmethod
    def place_of(text):
        name, x, y = text.split()
        return name, number(x), number(y)

    def read(self, lines):
        zone, worn = self.zone, []
        for at, event, detail in recorded(lines, self.spec["id"], self.start, zone):
            if at < self.end:
                self.at(at, RANKS[event], lambda event=event, detail=detail: self.happen(event, detail))
            if event in ("watch_off", "watch_on"):
                worn.append((at, len(worn), event))
        self.is_off = bool(worn) and min(worn)[2] == "watch_on"
        for instance in self.instances:
            if "initial" in instance.spec:
                place = instance.spec["initial"].get("place", self.place[0])
                instance.initial_place = place
        # Instances that are there at the start are there before its first event, and the reload of F7 is the first cause of
        # its instant.
        self.at(self.start, 0, lambda: [self.install(instance) for instance in self.instances if instance.installed_at <= self.start])
        for instance in self.instances:
            if instance.installed_at > self.start:
                self.at(instance.installed_at, 8, lambda instance=instance: self.install(instance))
        self.watch_zone()

    def watch_zone(self):
        """The clocks' own changes, later than now: those of the zone's rules, and its midnights where they count (F4)."""
        changes = self.zone.changes(self.now, self.end) if self.p["dst_events"] else []
        if self.p["midnight"] == "reload":
            changes = changes + self.zone.midnights(self.now, self.end)
        for change in changes:
            self.at(change, 4, lambda zone=self.zone: zone is self.zone and self.environment())

    def at(self, unix, rank, action, before=0):
        """`before` is 1 for what comes before the other events of its rank."""
        self.sequence += 1
        heapq.heappush(self.heap, (unix, rank, -before, self.sequence, action))

    # The loop over instants (T3)

    def run(self):
        while True:
            at = self.next_instant()
            if at is None or at >= self.end:
                break
            self.pass_time(at)
            while True:
                reached, later = -1, []
                while self.heap and self.heap[0][0] <= at:
                    event = heapq.heappop(self.heap)
                    # An event of the same instant and of a lower rank, brought by another one, begins a further round.
                    if event[1] < reached:
                        later.append(event)
                    else:
                        reached = event[1]
                        event[4]()
                for event in later:
                    heapq.heappush(self.heap, event)
                self.reloads()
                if not (self.heap and self.heap[0][0] <= at):
                    break
        self.pass_time(self.end)
        for instance in self.instances:
            if instance.is_there:
                for account in instance.accounts():
                    account.advance(self.end)
                if instance.has_account():
                    self.rows["ledgers"][instance.id] = instance.account
                if instance.push_account:
                    self.rows["push_ledgers"][instance.id] = instance.push_account
        return self.rows

    def next_instant(self):
        candidates = [self.heap[0][0]] if self.heap else []
        for instance in self.instances:
            timeline = instance.timeline
            if timeline is not None and timeline.date is not None:
                candidates.append(max(timeline.date, self.now))
            if instance.free and instance.free.runs_at > self.now:
                candidates.append(instance.free.runs_at)
            if instance.pending:
                if instance.pending.dispatch_at is not None:
                    candidates.append(instance.pending.dispatch_at)
                else:
                    candidates += [at for at in self.openings(instance) if at is not None and at > self.now]
        return min(candidates, default=None)

    def openings(self, instance):
        """Instants at which a gate may open or close by the mere passing of time."""
        account = instance.pending.account
        if account and account.balance < 1:
            yield account.token_at(self.end)
        if instance.last_background_run is not None:
            yield instance.last_background_run + self.p["min_gap"]
        if self.last_use is not None:
            yield self.last_use + self.p["idle_after"] + 1
        for span in self.refresh_off:
            yield from span

    def pass_time(self, at):
        for instance in self.instances:
            if instance.pending and instance.pending.dispatch_at is None:
                for gate in self.closed(instance, instance.pending.account):
                    instance.pending.waits[gate] = instance.pending.waits.get(gate, 0) + at - self.now
            if instance.free and self.is_held_by_lock(instance):
                instance.free.waited += max(0, at - max(self.now, instance.free.runs_at))
        self.now = at
        for instance in self.there():
            for account in instance.accounts():
                account.advance(at)

    # Events

    def happen(self, event, detail):
        if self.is_off and event in IGNORED_OFF_THE_WRIST:
            return
        getattr(self, "on_" + event)(*([detail] if event in WITH_DETAIL else []))

    def there(self):
        return [instance for instance in self.instances if instance.is_there]

    def on_wake(self):
        """A wake-up ends a device-day for the instances that have been there since the last one, and begins another (T5, B2, B3)."""
        for instance in self.there():
            counted = int(instance.app_use)
            if instance.views_today is not None:
                instance.day_views.append(instance.views_today + counted)
                instance.app_use -= counted
            else:
                instance.app_use = Fraction(0)
            instance.views_today = 0
            if instance.has_account():
                instance.account.change_allowance(self.now, self.allowance(instance))
            if instance.push_account:
                instance.push_account.change_allowance(self.now, self.push_allowance(instance))
        for stack in self.stacks:
            stack.rotations = 0

    def on_sleep(self):
        pass

    def on_pickup(self):
        self.in_session = True
        self.last_unlock = self.now
        self.raised()
        shown = self.spec.get("surface_shown", {})
        for surface in [self.first_surface()] + [surface for surface, share in shown.items() if share]:
            self.at(self.now, 5, lambda surface=surface: self.show_surface(surface, by_itself=True), before=1)

    def on_glance(self):
        self.last_glance = self.now
        self.raised()
        self.at(self.now, 5, lambda: self.show_surface(self.first_surface(), by_itself=True), before=1)

    def default_surface(self):
        return "watch_face" if self.is_watch else "home_first"

    def first_surface(self):
        """What every pickup shows: the lock screen, and on a watch the face (V2, V4)."""
        return "watch_face" if self.is_watch else "lock_screen"

    def raised(self):
        self.last_use = self.now
        self.pickups += 1
        self.is_dimmed = False
        self.picked_up()

    def on_low_luminance(self):
        """The first after a use dims the display, until the next use (R4)."""
        if not self.in_session:
            if not self.is_dimmed:
                self.dimmed_since = self.now
            self.is_dimmed = True
            # Anything seen from here on is seen again as a view of its own.
            self.pickups += 1

    def on_desktop_covered(self):
        self.cover(True)

    def on_desktop_free(self):
        self.cover(False)

    def cover(self, is_covered):
        """Windows cover a Mac's desktop, or free it: nothing reloads, and what is seen from here on is a view of its own (R4)."""
        if is_covered != self.is_covered:
            self.is_covered = is_covered
            self.pickups += 1

    def on_watch_off(self):
        if not self.is_off:
            if self.in_session:
                self.on_lock()
            self.on_leave()
            self.is_off = True

    def on_watch_on(self):
        self.is_off = False

    def picked_up(self):
        is_unlock = self.in_session or self.is_watch  # A watch that is worn is unlocked (D6, D9).
        for instance in self.there():
            paid, instance.environment_owed = instance.environment_owed, []
            if is_unlock:
                paid, instance.reboots_owed = paid + instance.reboots_owed, []
            for changed in paid:
                self.free_cause(instance, "environment", changed)

    def on_lock(self):
        if not self.in_session:
            return  # Off the wrist its pickup was nothing, or taking it off has ended the session.
        self.in_session = False
        self.last_use = self.now
        for app in list(self.foreground):
            self.leave_foreground(app)
        for instance in self.instances:
            if instance not in self.shown:
                self.end_views(instance)

    def end_views(self, instance):
        """What was seen of an instance cannot be healed any more (V6)."""
        for open_view in instance.open_views:
            if open_view[1] is None:
                open_view[1] = self.now

    # Surfaces that are opened (V7 to V9)

    def on_open(self, detail):
        """An opening is use of a watch for its instant; a car's display is none of the phone's own."""
        self.on_leave()
        if self.is_watch:
            self.is_dimmed = False
            self.last_glance = self.now
            if not self.in_session:
                self.last_use = self.now
            self.picked_up()
        for instance in self.opened(detail):
            self.shown.append(instance)
            instance.seen_in_pickup = None
            # A further opening that shows it ends what was to be healed before (V7).
            for open_view in instance.open_views:
                if open_view[1] is None or open_view[1] == self.now:
                    open_view[1] = self.now - 1
            self.show([instance])

    def on_leave(self):
        for instance in self.shown:
            self.end_views(instance)
        self.shown = []

    def opened(self, detail):
        """What an opening shows: all of a car's page, the first of the Smart Stack by relevance."""
        there = [instance for instance in self.there() if instance.surface == detail]
        if detail != "smart_stack":
            return there
        place = self.place[0] if self.place[0] in ("home", "work") else "elsewhere"
        clues = [place] + ["workout"] * self.is_workout

        def score(instance):
            relevance = instance.kind.relevance
            if instance.content.state == "placeholder":
                return relevance.base
            return relevance.score_in(self.now, self.zone, instance.new_since, clues, self.usual)
        return sorted(there, key=lambda instance: -score(instance))[:self.p["suggestions"]]

    def on_workout_start(self):
        self.is_workout = True

    def on_workout_end(self):
        self.is_workout = False

    def on_app_open(self, app):
        for other in self.foreground - {app}:
            self.leave_foreground(other)
        self.foreground = {app}
        for instance in self.there():
            if instance.kind.app == app:
                instance.app_use += number(self.p["app_use_weight"])
        meets = app not in self.signed_in
        self.signed_in.add(app)
        meant = []
        for kind in self.kinds.values():
            mine = [instance for instance in self.there() if instance.kind is kind]
            if kind.app != app:
                continue
            if kind.reload_on_open == "always" or (kind.needs_sign_in and meets):
                pass
            elif kind.reload_on_open == "if_changed" and any(self.missed(instance) or instance.content.state == "placeholder" for instance in mine):
                pass
            else:
                continue
            meant += self.called(kind)
        for kind in self.kinds.values():
            if kind.reads_app and kind.app == app and kind.publishes_on_open:
                self.plan_publication(kind, self.now + kind.publication_delay)
        # The app's own call is of rank 7 (T3).
        self.at(self.now, 7, lambda: self.call_on_opening(meant))

    def plan_publication(self, kind, at):
        """Of two openings the earlier publication comes, and stands for both (C6)."""
        if kind.publishes_at is None or at < kind.publishes_at:
            kind.publishes_at = at
            self.at(at, 7, lambda: self.publish_after_opening(kind, at), before=1)

    def publish_after_opening(self, kind, at):
        if kind.publishes_at != at:
            return
        kind.publishes_at = None
        if not self.offline:
            self.publish(kind)

    def publish(self, kind):
        """The app leaves what it has for its widgets, and calls for their reload (C6)."""
        before, kind.published = kind.published, self.now
        is_newer = before is None or kind.versions.held(self.now) > kind.versions.held(before)
        if kind.reload_on_publish == "always" or (kind.reload_on_publish == "if_changed" and is_newer):
            self.call_for(kind)

    def call_on_opening(self, meant):
        """Several kinds' calls of one opening mean an instance once."""
        for instance in self.there():
            if instance in meant:
                self.foreground_call(instance, "app_open")

    def foreground_call(self, instance, cause):
        """A call from the foreground goes through, or is held to the end of the gap after the last one that did (F1)."""
        gap_ends = None if instance.called_at is None else instance.called_at + self.call_gap()
        if gap_ends is None or self.now >= gap_ends:
            instance.called_at = self.now
            self.take_call(instance, cause)
        elif instance.held_call:
            self.merged(instance, instance.held_call)
            instance.held_call = cause
        else:
            instance.held_call = cause
            self.at(gap_ends, 7, lambda: self.release_call(instance), before=1)

    def call_gap(self):
        return self.p["foreground_gap"]

    def take_call(self, instance, cause):
        self.free_cause(instance, cause)

    def release_call(self, instance):
        """The last call of a gap comes at its end, before the other calls of that instant, and begins a gap of its own."""
        cause, instance.held_call = instance.held_call, None
        self.foreground_call(instance, cause)

    def called(self, kind):
        """The instances that the app reloads when it wants a kind reloaded (F1)."""
        return [instance for instance in self.there() if instance.kind is kind or (kind.calls_all and instance.kind.app == kind.app)]

    def on_app_close(self, app):
        if app in self.foreground:
            self.leave_foreground(app)

    def leave_foreground(self, app):
        """The app's last call is of rank 7 too, and still one from the foreground (F1)."""
        self.foreground.discard(app)
        closing = [kind for kind in self.kinds.values() if kind.app == app and kind.reload_on_close]
        meant = [instance for kind in closing for instance in self.called(kind)]
        self.at(self.now, 7, lambda: self.call_on_closing(meant))

    def call_on_closing(self, meant):
        for instance in self.there():
            if instance in meant:
                self.foreground_call(instance, "app_call")

    def begin_user_session(self, app, sort):
        """Navigation and audio of one app share its rhythm, which continues until neither is left (F2)."""
        sorts = self.user_sessions.setdefault(app, set())
        sorts.add(sort)
        if app in self.rhythms:
            return
        token = self.rhythms[app] = object()
        begun = self.now

        def ring(kind, ordinal):
            if self.rhythms.get(app) is not token:
                return
            if ordinal:
                if self.rung[0] != self.now:
                    self.rung = self.now, []
                for instance in self.called(kind):
                    if instance not in self.rung[1]:
                        self.rung[1].append(instance)
                        self.free_cause(instance, "user_session")
            self.at(begun + (ordinal + 1) * kind.rhythm, 7, lambda: ring(kind, ordinal + 1))

        for kind in self.kinds.values():
            if kind.app == app and kind.rhythm:
                ring(kind, 0)

    def on_navigation_start(self, app):
        self.begin_user_session(app, "navigation")

    def on_audio_start(self, app):
        self.begin_user_session(app, "audio")

    def end_user_session(self, app, sort):
        sorts = self.user_sessions.get(app, set())
        sorts.discard(sort)
        if not sorts:
            self.rhythms.pop(app, None)

    def on_navigation_end(self, app):
        self.end_user_session(app, "navigation")

    def on_audio_end(self, app):
        self.end_user_session(app, "audio")

    def on_offline(self):
        self.offline = True

    def on_online(self):
        self.offline = False
        for instance in self.there():
            if instance.held_transfer:
                self.at(self.now, 8, lambda instance=instance, flight=instance.held_transfer: self.send_transfer(instance, flight))
                instance.held_transfer = None
        for app in self.silent:
            self.at(self.now, 7, lambda app=app: self.release_silent_push(app), before=1)

    def on_low_power_on(self):
        self.low_power = True

    def on_low_power_off(self):
        self.low_power = False

    def on_move(self, detail):
        self.place = self.place_of(detail)
        self.look_for_report()

    def look_for_report(self):
        """A significant change is reported once the device is 500 m away and the last report long enough ago (L2)."""
        distance_squared = (self.place[1] - self.reported[1]) ** 2 + (self.place[2] - self.reported[2]) ** 2
        if distance_squared < 500**2:
            return
        if self.now < self.reported_at + self.report_gap:
            self.at(self.reported_at + self.report_gap, 3, self.look_for_report)
            return
        self.reported, self.reported_at = self.place, self.now
        self.rows["reported"].append(self.now)
        for instance in self.there():
            if instance.uses_location and instance.mode != "denied":
                self.take_report(instance)

    def take_report(self, instance):
        """A report is owed to the next view, unless a flight that has asked for nothing yet takes it in: by its fix (F3), or without one (G8)."""
        if self.serves_change(instance):
            if instance.flight.fix_at is None or self.fix_fails(instance.flight):
                self.free_cause(instance, "location")
        else:
            instance.changes_unserved.append(self.now)

    @staticmethod
    def serves_change(instance):
        return instance.flight is not None and instance.flight.first_request is None

    def on_environment(self, detail):
        if detail.startswith("time_zone="):
            self.zone = Zone(detail.removeprefix("time_zone="))
            for instance in self.there():
                for account in instance.accounts():
                    account.change_zone(self.now, self.zone)
            self.watch_zone()
        self.environment(is_reboot=detail in ("reboot", "system_update"))

    def on_app_update(self, app):
        for instance in self.there():
            if instance.kind.app == app:
                self.free_cause(instance, "environment")

    def environment(self, is_reboot=False):
        """At once if the device is in use, a glance's instant included; else at the next pickup, or, a restart, at the next unlock (F4, D9)."""
        for instance in self.there():
            if self.serves_change(instance) or (self.is_in_use() and not is_reboot):
                self.free_cause(instance, "environment")
            elif is_reboot:
                instance.reboots_owed.append(self.now)
            else:
                instance.environment_owed.append(self.now)

    def on_view(self, detail):
        self.show_surface(detail)
        for instance in self.there():
            if instance.id == detail:
                if instance.stack:
                    instance.stack.top = instance
                self.show([instance])

    def on_interact(self, detail):
        for instance in self.there():
            if instance.id == detail:
                if instance.kind.action_time == 0:
                    self.free_cause(instance, "interaction")
                else:
                    self.at(self.now + instance.kind.action_time, 6, lambda instance=instance: self.free_cause(instance, "interaction"))

    def on_tap(self, detail):
        """In a session a tap opens the instance's app (V5)."""
        for instance in self.there():
            if instance.id == detail and self.in_session:
                self.taps += 1
                self.on_app_open(instance.kind.app)

    def on_app_trigger(self, detail):
        kind = self.kinds[detail]
        if not kind.reads_app:
            self.call_for(kind)
        elif not self.offline:
            self.publish(kind)

    def call_for(self, kind):
        for instance in self.called(kind):
            if kind.app in self.foreground:
                self.foreground_call(instance, "app_call")
            elif self.user_sessions.get(kind.app):
                self.free_cause(instance, "user_session")
            else:
                self.call_in_background(instance, "app_trigger")

    def on_silent_push(self, detail):
        """A silent push to the app of a kind: the connection and the app's bucket let it through (B7)."""
        silent = self.silent.setdefault(self.kinds[detail].app, SilentPushes(self.p, self.start))
        self.silent_counts["came"] += 1
        if self.offline:
            self.hold_silent_push(silent, detail, is_stored=True)
        else:
            self.receive_silent_push(silent, detail)

    def runs(self, app):
        """In the foreground, or with a navigation or audio session."""
        return app in self.foreground or bool(self.user_sessions.get(app))

    def receive_silent_push(self, silent, kind):
        """As it arrives, or as the connection returns: an app that runs gets it without a token (B7)."""
        if self.runs(self.kinds[kind].app):
            self.silent_counts["delivered"] += 1
            self.on_app_trigger(kind)
        else:
            self.take_silent_push(silent, kind)

    def take_silent_push(self, silent, kind):
        token_at = silent.token_at(self.now)
        if token_at == self.now:
            silent.take(self.now)
            self.silent_counts["delivered"] += 1
            off = any(begin <= self.now < end for begin, end in self.refresh_off)
            # Low power and background refresh that is off refuse to wake up an app, but not to tell one that runs (D7).
            if self.runs(self.kinds[kind].app) or (self.refresh_on and not self.low_power and not off):
                self.on_app_trigger(kind)
        elif self.p["silent_push_excess"] == "drop":
            self.silent_counts["dropped"] += 1
        else:
            self.hold_silent_push(silent, kind, is_stored=False)
            self.at(token_at, 7, lambda: self.release_silent_push(self.kinds[kind].app), before=1)

    def hold_silent_push(self, silent, kind, is_stored):
        """Of several that wait for their app the newest is kept."""
        self.silent_counts["merged"] += silent.waiting is not None
        silent.waiting, silent.is_stored = kind, is_stored

    def release_silent_push(self, app):
        silent = self.silent[app]
        if silent.waiting is None or self.offline:
            return
        kind, silent.waiting = silent.waiting, None
        if silent.is_stored:
            self.receive_silent_push(silent, kind)
        else:
            self.take_silent_push(silent, kind)

    def on_push(self, app):
        for instance in self.there():
            if instance.kind.push and instance.kind.app == app:
                self.call_in_background(instance, "push")

    def is_free_control(self, instance):
        return instance.kind.control is not None and self.p["control_reloads"] == "free"

    def call_in_background(self, instance, cause):
        """A push or a call of the app in the background: a control that does not pay reloads at once, whatever its gates (F9)."""
        if not self.is_free_control(instance):
            self.background_cause(instance, cause)
        elif instance.flight or instance.free:
            self.merged(instance, cause)
        else:
            self.rows["granted"].append((instance.id, self.now, cause, 0, None))
            self.start_flight(instance, cause, False)

    # Views

    def show_surface(self, surface, by_itself=False):
        """A surface shows what is on it, and of a stack only the top (V2, V3)."""
        if self.is_off:
            return  # Taken off at the instant of its raise.
        for stack in self.stacks:
            if stack.surface == surface:
                stack.show(self.score)
        self.show(
            [
                instance for instance in self.there()
                if instance.surface == surface and instance.stack in (None, self.topped(instance)) and instance.kind.control in (None, "lock_screen")
            ], by_itself)

    @staticmethod
    def topped(instance):
        """The stack of which an instance is the top."""
        return instance.stack if instance.stack and instance.stack.top is instance else None

    def score(self, instance):
        """A placeholder says nothing of its entries, so it has the kind's base."""
        relevance = instance.kind.relevance
        if instance.content.state == "placeholder":
            return relevance.base
        return relevance.score(self.now, self.zone, instance.new_since)

    def show(self, instances, by_itself=False):
        for instance in instances:
            if instance.seen_in_pickup == self.pickups:
                self.repeated_views += not by_itself
            else:
                instance.seen_in_pickup = self.pickups
                self.view(instance)

    def view(self, instance):
        if instance.views_today is not None:
            instance.views_today += 1
        self.last_widget_view[instance.kind.app] = self.now
        state = self.state(instance)
        has_content = instance.content.state is None
        view = {
            "instance": instance.id, "time": self.now, "state": state,
            "dimmed": (self.is_dimmed and instance.surface != "car") or (self.is_covered and instance.surface == "desktop"),
            "age": self.now - instance.content.made if has_content else None,
            "missed": self.missed(instance) if has_content else None,
            "healed": False, "late": int(self.is_late(instance, state)),
        }
        self.rows["views"].append(view)
        if state != "fresh":
            # A glance ends at its own instant; a session at its lock (V6).
            instance.open_views.append([view, None if self.in_session or instance in self.shown else self.now])
        # Without access to a location the change stays owed (F3).
        if self.may_locate(instance):
            changes, instance.changes_unserved = instance.changes_unserved, []
            for changed in changes:
                self.free_cause(instance, "location", changed)
        if self.is_stale_on_view(instance):
            self.free_cause(instance, "stale_on_view")

    def state(self, instance):
        """The first that holds of C5. Only glances are locked views, and only a passcode locks; a watch that shows anything is worn (R3, R4, D6)."""
        content = instance.content
        # A session that is locked at the instant of its pickup was unlocked for its views.
        is_locked_view = self.is_locked() and self.last_unlock != self.now
        is_hidden = ((is_locked_view and self.hides) or (self.is_dimmed and self.hides_dimmed)) and instance.surface != "car"
        if content.state == "placeholder" or (is_locked_view and instance.kind.is_protected):
            return "placeholder"
        if is_hidden:
            return "redacted"
        if content.state == "alternate":
            return "alternate"
        if content.is_empty:
            return "empty"
        if instance.uses_location and content.place is not None and content.place != self.place[0]:
            return "wrong_place"
        if self.missed(instance) or instance.timeline.is_used_up(self.now):
            return "stale"
        return "fresh"

    def is_late(self, instance, state):
        """Whether a dimmed display shows an entry before the one whose date has come: it draws at whole multiples of the cadence (R4)."""
        cadence = self.p["dimmed_cadence"]
        if not self.is_dimmed or instance.surface == "car" or not cadence or state in ("placeholder", "redacted"):
            return False
        minute = self.start // MINUTE * MINUTE
        dates = instance.timeline.dates
        drawn = max(minute + (self.now - minute) // cadence * cadence, self.dimmed_since, dates[0])
        return any(drawn < date <= self.now for date in dates)

    def missed(self, instance):
        """Versions published since the one shown (C3)."""
        if not instance.content.is_regular():
            return 0
        return instance.kind.versions.missed(instance.content.made, self.now)

    def mean_views(self, instance):
        days = instance.day_views[-self.p["window_days"]:]
        return Fraction(sum(map(number, days))) / len(days) if days else None

    def allowance(self, instance):
        """Fixed on a watch face (V4), else B2 and B3. Before the first complete device-day there is no v: the system learns even where `learning_days` is 0."""
        if instance.surface == "watch_face":
            return number(self.p["watch_allowance"])
        if len(instance.day_views) < max(1, self.p["learning_days"]):
            return number(self.p["learning_allowance"])
        views = self.mean_views(instance)
        a_min, a_max, v_half = (number(self.p[key]) for key in ("a_min", "a_max", "v_half"))
        return a_min + (a_max - a_min) * views / (views + v_half) if views else a_min

    def push_allowance(self, instance):
        """Of the pool that only pushes pay from (B7)."""
        stated = self.p["push_allowance"]
        return self.allowance(instance) if stated is None else number(stated)

    def payer(self, instance, cause):
        return instance.push_account if cause == "push" and instance.push_account else instance.account

    def is_stale_on_view(self, instance):
        views, timeline = self.mean_views(instance), instance.timeline
        if instance.surface == "watch_face":
            return False
        if views is None or views >= number(self.p["rarely_viewed"]) or self.p["rare_reload_share"] == 0:
            return False
        if self.p["rare_needs_stale"] in ("no", False):
            return True
        if timeline is None:
            return False
        is_past = timeline.preferred is not None and self.now > timeline.preferred + self.p["stale_grace"]
        return is_past or timeline.is_used_up(self.now)

    # Gates

    def is_in_use(self):
        """From a session's pickup to its lock, exclusive, and at the instant of a glance (D3)."""
        return self.in_session or self.last_glance == self.now

    def is_locked(self):
        return self.has_passcode and (self.is_off if self.is_watch else not self.in_session)

    def closed(self, instance, account):
        """The closed gates at this instant, for a background reload that an account pays."""
        gates = []
        if self.p["gates"] == "none":
            return gates
        if account.balance < 1 and not self.is_exempt(instance):
            gates.append("G1")
        if instance.last_background_run is not None and self.now < instance.last_background_run + self.p["min_gap"]:
            gates.append("G2")
        if not self.in_session and (self.last_use is None or self.now > self.last_use + self.p["idle_after"]):
            gates.append("G3")
        if instance.kind.is_protected and self.is_locked():
            gates.append("G4")
        if not self.refresh_on or self.low_power or any(begin <= self.now < end for begin, end in self.refresh_off):
            gates.append("G5")
        return gates

    # Causes (G8)

    def merged(self, instance, cause):
        self.rows["merged"].append((instance.id, self.now, cause))

    def free_cause(self, instance, cause, changed=None):
        """A free cause takes the waiting or granted reload with it as it arises, and is then the one that is pending, through its delay and the lock (G4, G8).

        A further one merges into it, and the reload, still of the first one's name, runs at the earlier of the two times.
        """
        runs_at = self.now + sum(self.p[key] for key in DELAYS.get(cause, ()))
        if instance.flight:
            # A change that a pickup or a view pays for has an instant of its own, and that counts (G8).
            first, at = instance.flight.first_request, self.now if changed is None else changed
            if cause in ("interaction", "location", "environment") and first is not None and at > first:
                instance.after_flight = self.with_cause(instance, instance.after_flight, cause, runs_at)
            else:
                self.merged(instance, cause)
        else:
            self.take_pending(instance)
            instance.free = self.with_cause(instance, instance.free, cause, runs_at)

    def with_cause(self, instance, reload, cause, runs_at):
        """The free reload that a further cause makes of the one that is pending, if any."""
        if reload is None:
            return FreeReload(cause, runs_at)
        self.merged(instance, cause)
        reload.runs_at = min(reload.runs_at, runs_at)
        return reload

    def background_cause(self, instance, cause):
        if instance.flight or instance.free or instance.pending:
            self.merged(instance, cause)
        else:
            instance.pending = Pending(cause, self.now, self.payer(instance, cause))

    # Rank 8

    def reloads(self):
        for instance in self.there():
            free = instance.free
            if free and free.runs_at <= self.now and not instance.flight and not self.is_held_by_lock(instance):
                instance.free = None
                self.add_waits("granted", instance, {"G4": free.waited})
                self.rows["granted"].append((instance.id, self.now, free.cause, 0, instance.balance()))
                self.start_flight(instance, free.cause, False)
        for instance in self.there():
            timeline = instance.timeline
            if timeline is not None and timeline.date is not None and timeline.date <= self.now:
                timeline.date = None
                self.background_cause(instance, timeline.cause)
        for instance in self.there():
            if instance.pending and instance.pending.dispatch_at is None and not self.closed(instance, instance.pending.account):
                self.grant(instance)
        for instance in self.there():
            if instance.pending and instance.pending.dispatch_at is not None and instance.pending.dispatch_at <= self.now:
                self.dispatch(instance)
                self.coalesce(instance)

    def take_pending(self, instance):
        """A free reload takes the waiting or granted one with it; a token already charged stays spent (G8)."""
        pending, instance.pending = instance.pending, None
        if pending is None:
            return
        if pending.dispatch_at is None:
            self.merged(instance, pending.cause)
            self.add_waits(TAKEN, instance, pending.waits)
        else:
            self.rows["ended"].append((instance.id, self.now, pending.cause, int(pending.charged), TAKEN))

    def is_held_by_lock(self, instance):
        return self.p["gates"] != "none" and instance.kind.is_protected and self.is_locked()

    def add_waits(self, end, instance, waits):
        for gate, waited in waits.items():
            if waited:
                count, total = self.waits[end].get(gate, (0, 0))
                self.waits[end][gate] = count + 1, total + waited
                self.rows["waits"].append((instance.id, self.now, gate, waited))

    def grant(self, instance):
        pending = instance.pending
        pending.charged = not self.is_exempt(instance)
        if pending.charged:
            pending.account.charge(self.now)
        pending.dispatch_at = self.now + self.p["dispatch_delay"]
        # The balance that a push leaves in the pool of pushes is told by that pool's ledger alone.
        balance = instance.account.balance if pending.account is instance.account else None
        self.rows["granted"].append((instance.id, self.now, pending.cause, int(pending.charged), balance))
        self.add_waits("granted", instance, pending.waits)

    def is_exempt(self, instance):
        """Any reload that is granted while its app is in the foreground, navigates or plays, or in a workout, costs and needs no token (F1, F2)."""
        if self.p["gates"] == "none" or (self.p["workout_reloads"] == "free" and self.is_watch and self.is_workout):
            return True
        return self.p["session_reloads"] == "free" and self.runs(instance.kind.app)

    def dispatch(self, instance):
        pending, instance.pending = instance.pending, None
        instance.last_background_run = self.now
        self.start_flight(instance, pending.cause, pending.charged)

    def coalesce(self, ran):
        """Granted, and soon due reloads whose gates are all open, run with a charged one (G7)."""
        for instance in self.there():
            if instance is ran or instance.flight:
                continue
            timeline = instance.timeline
            if instance.pending:
                if instance.pending.dispatch_at is not None and not [gate for gate in self.closed(instance, instance.account) if gate != "G1"]:
                    self.dispatch(instance)
            elif not instance.free and timeline is not None and timeline.cause != "backoff" and timeline.date is not None and timeline.date <= self.now + self.p["coalesce_within"]:
                if not timeline.aligned and not self.closed(instance, instance.account):
                    instance.pending = Pending(timeline.cause, self.now, instance.account)
                    timeline.date = None
                    self.grant(instance)
                    self.dispatch(instance)

    # Flights

    def start_flight(self, instance, cause, charged):
        flight = instance.flight = Flight(cause, charged, self.now)
        self.rows["run"].append((instance.id, self.now, cause))
        kind = instance.kind
        if kind.is_transferred and instance.loaded is not None:
            # The content that has come is shown; a cause that wants newer content asks for that, too (S8).
            loaded, instance.loaded = instance.loaded, None
            if cause not in ("interaction", "location", "environment"):
                self.land(instance, flight, loaded)
                return
            old = instance.timeline
            self.present(instance, loaded)
            new = self.timeline(instance, self.now)
            instance.timeline = Timeline(new.dates, new.valid_until, old.date, old.cause, old.preferred, old.aligned) if old else Timeline(
                new.dates, new.valid_until, None, None, None)
        if kind.reads_app:
            self.read_app(instance, flight)
        elif self.offline and not kind.is_transferred:
            # D8 is read to the letter: also a provider that would ask nothing of the network fails (P8 could be read otherwise).
            self.fail(instance, flight, "offline")
        elif kind.needs_sign_in and kind.app not in self.signed_in:
            self.land(instance, flight, Content(state="placeholder"))  # Nobody is asked, so nothing is waited for.
        elif instance.uses_location and self.may_locate(instance):
            if kind.fix_time:
                flight.fix_at = self.now + kind.fix_time
                self.at(flight.fix_at, 8, lambda: self.locate(instance, flight))
            else:
                self.locate(instance, flight)
        else:
            if instance.uses_location:
                self.do_without_fix(instance, flight)
            elif instance.chosen is not None:
                flight.place = instance.chosen
            self.ask(instance, flight)

    def read_app(self, instance, flight):
        """A provider that asks nobody shows what its app published last, or a placeholder of one entry (C6)."""
        kind = instance.kind
        if kind.needs_sign_in and kind.app not in self.signed_in:
            self.land(instance, flight, Content(state="placeholder"))
        elif kind.published is None:
            self.rows["ended"].append((instance.id, self.now, flight.cause, int(flight.charged), "ok"))
            date, cause, aligned = self.policy_date(instance, self.now, [self.now])
            instance.timeline = Timeline([self.now], None, date, cause, date, aligned)
            self.end_flight(instance)
        else:
            self.land(instance, flight, Content(kind.published, instance.chosen))

    def may_locate(self, instance):
        """L4, judged when the reload starts."""
        app = instance.kind.app
        in_use = app in self.foreground or "navigation" in self.user_sessions.get(app, ())
        viewed_at = self.last_widget_view.get(app)
        recently = viewed_at is not None and self.now <= viewed_at + self.p["widget_location_grace"]
        return {"denied": False, "while_using": in_use, "while_using_or_widgets": in_use or recently, "always": True}[instance.mode]

    def locate(self, instance, flight):
        """The fix is had at its end, and fails if it began in a span in which fixes fail (L5)."""
        flight.fix_at = None
        if self.fix_fails(flight):
            self.do_without_fix(instance, flight)
        else:
            flight.place = self.place[0]
            instance.last_known_place = self.place[0]
            instance.changes_unserved = []
        self.ask(instance, flight)

    def fix_fails(self, flight):
        return any(begin <= flight.run_at < end for begin, end in self.fix_failing)

    def do_without_fix(self, instance, flight):
        """L6: the last known place, or content that belongs to none."""
        if instance.kind.without_fix == "prior" and instance.last_known_place is not None:
            flight.place = instance.last_known_place
        else:
            flight.is_alternate = True

    def ask(self, instance, flight):
        """Content of no place is made without a request, unless the kind asks for its app's default place (L6, S1)."""
        if flight.is_alternate and instance.kind.without_place == "none":
            self.land(instance, flight, Content(self.now, None, "alternate"))
        elif instance.kind.is_transferred:
            flight.first_request = self.now
            if instance.kind.deferral:
                self.at(self.now + instance.kind.deferral, 8, lambda: self.send_transfer(instance, flight))
            else:
                self.send_transfer(instance, flight)
        else:
            self.request(instance, flight)

    def send_transfer(self, instance, flight):
        """The system sends what was handed over to it, or waits for a connection (S8)."""
        if self.offline:
            instance.held_transfer = flight
        else:
            self.request(instance, flight)

    def end_transfer(self, instance, flight, content):
        """The reload ends with what it showed; a second one brings what has come (S8)."""
        self.rows["ended"].append((instance.id, self.now, flight.cause, int(flight.charged), "ok"))
        self.end_flight(instance)
        instance.loaded = content
        if instance.kind.second_reload == "charged":
            self.background_cause(instance, "app_trigger")
        else:
            # It reaches the widget at once, and brings a change that waits forward.
            instance.free = self.with_cause(instance, instance.free, "app_trigger", self.now)

    def request(self, instance, flight):
        """Every request of a try leaves at once; with constant latencies they share a fate (S1, S3). Offline a try fails at once and asks nothing (D8)."""
        if flight.first_request is None:
            flight.first_request = self.now
        if self.offline:
            self.retry(instance, flight, "offline")
            return
        for _ in range(instance.kind.requests):
            self.rows["requests"].append((instance.id, self.now, flight.place))
        arrival = self.now + self.s["latency_out"]
        back = arrival + self.s["latency_back"]
        gives_up = self.now + self.s["timeout"]
        fails = any(begin <= arrival < end for begin, end in self.s["failing"])
        if back > gives_up or (fails and self.s["failure"] == "timeout"):
            self.at(gives_up, 0, lambda: self.retry(instance, flight, "timeout"))
        elif fails:
            self.at(back, 0, lambda: self.retry(instance, flight, "error"))
        else:
            place = flight.place if flight.place else None
            content = Content(arrival, place, "alternate" if flight.is_alternate else None)
            if arrival < self.end:
                self.ask_by_version(instance, flight, arrival)
            end = self.end_transfer if instance.kind.is_transferred else self.land
            self.at(back, 0, lambda: end(instance, flight, content))

    def ask_by_version(self, instance, flight, made):
        """Each request says what is shown, if that is of the same key; it is not modified if that has the version in force as the answer is made (S10)."""
        shown = instance.content
        if instance.kind.endpoint not in self.conditional or not shown.is_regular() or (shown.place or "") != flight.place:
            return
        if instance.kind.versions.held(made) == instance.kind.versions.held(shown.made):
            self.rows["not_modified"] += instance.kind.requests

    def after_failure(self, own, key, failure):
        """What a kind or else the service states for a failure (S3)."""
        for stated in (own, self.s[key]):
            if not isinstance(stated, dict):
                if stated is not None:
                    return stated
            elif FAILURES[failure] in stated:
                return stated[FAILURES[failure]]
        return SERVICE[key]

    def retry(self, instance, flight, failure):
        if flight.tries < self.after_failure(instance.kind.retries, "retries", failure):
            delay = self.s["retry_delays"][flight.tries]
            flight.tries += 1
            self.at(self.now + delay, 8, lambda: self.request(instance, flight))
        else:
            self.fail(instance, flight, failure)

    def fail(self, instance, flight, failure):
        """The content stays; an `after` of the failure replaces the policy, counted from the final failure (S3, G9)."""
        self.rows["ended"].append((instance.id, self.now, flight.cause, int(flight.charged), failure))
        after = self.after_failure(instance.kind.failure_after, "failure_after", failure)
        date = self.now + (duration(after) if isinstance(after, str) else after)
        old = instance.timeline
        # A control asks for nothing by itself (F9).
        if instance.kind.control is None:
            instance.timeline = Timeline(old.dates if old else [], old.valid_until if old else None, date, "backoff", date)
        self.end_flight(instance)

    def land(self, instance, flight, content):
        self.rows["ended"].append((instance.id, self.now, flight.cause, int(flight.charged), "ok"))
        self.present(instance, content)
        if content.state == "placeholder":
            instance.timeline = Timeline([self.now], None, None, None, None)
        else:
            instance.timeline = self.timeline(instance, self.now)
        self.end_flight(instance)

    def present(self, instance, content):
        """Content comes on the screen."""
        self.look_for_list(instance, content)
        old, instance.content = instance.content, content
        if old.is_regular() and content.is_regular() and old.place == content.place:
            if instance.kind.versions.held(content.made) > instance.kind.versions.held(old.made):
                instance.new_since = self.now
        if content.state != "placeholder":
            self.heal(instance)

    def look_for_list(self, instance, content):
        """Content is empty if the list of the date at which the origin made it, in the device's present zone, had not appeared by then (C1)."""
        if content.made is not None:
            content.is_empty = instance.kind.versions.is_empty(content.made, self.zone.local(content.made)[0])

    def heal(self, instance):
        """A view that was not fresh is healed by a reload answered at or before the lock (V6)."""
        for view, until in instance.open_views:
            if until is None or self.now <= until:
                view["healed"] = True
        instance.open_views = []

    def end_flight(self, instance):
        instance.flight = None
        instance.free, instance.after_flight = instance.after_flight, None

    # Timelines

    def timeline(self, instance, fetched):
        shape = instance.kind.timeline
        name = shape.get("shape", "single")
        dates, good = [fetched], None
        if name == "series":
            spacing = duration(shape["spacing"])
            dates = [fetched + spacing * ordinal for ordinal in range(shape["count"])]
            good = dates[-1] + spacing
        elif name == "until_midnight":
            good = self.zone.end_of_day(fetched)
            dates = list(range(fetched, good, duration(shape["spacing"])))
        elif name == "self_updating":
            good = fetched + duration(shape["good_for"])
        if "valid_for" in shape:
            good = dates[-1] + duration(shape["valid_for"])
        date, cause, aligned = self.policy_date(instance, fetched, dates)
        return Timeline(dates, good, date, cause, date, aligned)

    def policy_date(self, instance, fetched, dates):
        policy = instance.kind.policy
        if policy == "never":
            return None, None, False
        if policy == "at_end":
            if len(dates) > 1:
                return dates[-1], "at_end", False
            account = instance.account
            if self.is_reset:
                # Evenly over a day: the allowance itself is there at once.
                return (None if not account.allowance else max(fetched + min(math.floor(DAY / account.allowance), 40 * DAY), fetched + self.p["min_gap"])), "at_end", False
            token = account.windows.when_accrued(self.zone, fetched, account.allowance, 1, self.end + 3 * DAY)
            return (None if token is None else max(token, fetched + self.p["min_gap"])), "at_end", False
        if policy["after"] == "served":
            steps, from_content = self.paces[instance.kind.endpoint]
            made = instance.content.made if instance.content.made is not None else fetched
            time = [time for begin, time in steps if begin is None or begin <= made][-1]
            return max(fetched + SECOND, (made if from_content else fetched) + time), "after", False
        if isinstance(policy["after"], str):
            return fetched + duration(policy["after"]), "after", False
        return self.aligned_date(policy["after"], fetched), "after", True

    def aligned_date(self, aligned, fetched):
        """The first listed time after the fetch (P5)."""
        zone = self.zone if aligned.get("zone", "local") == "local" else Zone(aligned["zone"])
        days = aligned.get("days", "all")
        wanted = weekdays(days)
        today, _ = zone.local(fetched)
        found = []
        for ahead in range(-1, 9):
            day = today + timedelta(days=ahead)
            if DAYS[day.weekday()] in wanted:
                found += [zone.instant(day, at) for at in clock_times(aligned)]
        return min(at for at in found if at > fetched)

    # Installation

    def install(self, instance):
        instance.is_there = True
        spec = instance.spec
        opening = number(spec["opening_balance"]) if "opening_balance" in spec else None
        if not self.is_free_control(instance):
            instance.account = Account(self.windows, self.zone, self.now, self.allowance(instance), self.burst_share, opening)
        if instance.has_account() and instance.kind.push and self.p["push_budget"] == "separate":
            instance.push_account = Account(self.windows, self.zone, self.now, self.push_allowance(instance), self.burst_share)
        if "initial" in spec:
            fetched = self.instant_of(spec["initial"].get("fetched", "0s"))
            place = instance.chosen if instance.chosen is not None else instance.initial_place if instance.uses_location else None
            instance.content = Content(fetched, place)
            if instance.kind.reads_app:
                instance.kind.published = max(instance.kind.published or fetched, fetched)
            self.look_for_list(instance, instance.content)
            if instance.uses_location:
                instance.last_known_place = place
            instance.timeline = self.timeline(instance, fetched)
        else:
            # Its person sees it as they add it (F7, L4).
            self.last_widget_view[instance.kind.app] = self.now
            self.free_cause(instance, "first")


RANKS = {
    "wake": 1, "sleep": 1, "pickup": 2, "glance": 2, "lock": 2, "app_open": 2, "app_close": 2, "navigation_start": 2, "navigation_end": 2,
    "audio_start": 2, "audio_end": 2, "offline": 2, "online": 2, "low_power_on": 2, "low_power_off": 2, "move": 3, "environment": 4, "view": 5,
    "interact": 6, "tap": 6, "app_trigger": 7, "push": 7, "silent_push": 7, "watch_off": 2, "watch_on": 2, "low_luminance": 2, "desktop_covered": 2, "desktop_free": 2,
    "open": 5, "leave": 2, "workout_start": 2, "workout_end": 2, "charging_on": 2, "charging_off": 2, "motion": 2, "app_update": 7,
}
IGNORED_OFF_THE_WRIST = {"pickup", "glance", "lock", "app_open", "view", "open", "low_luminance", "interact", "tap"}
WITH_DETAIL = {
    "app_open", "app_close", "navigation_start", "navigation_end", "audio_start", "audio_end", "move", "environment", "view", "open", "interact", "tap", "app_trigger",
    "push", "silent_push", "app_update",
}


def device(scenario, spec, replay):
    """A device by its platform's rules."""
    if spec.get("platform", "ios") == "android":
        if spec.get("kind") == "watch":
            from tiles import TileDevice
            return TileDevice(scenario, spec, replay)
        from android import AndroidDevice
        return AndroidDevice(scenario, spec, replay)
    return Device(scenario, spec, replay)


def simulate(scenario, replay):
    """The rows of every device of a scenario, by the device's id."""
    return {spec["id"]: device(scenario, spec, replay).run() for spec in scenario["devices"]}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        case = json.load(file)
    for device, rows in simulate(case["scenario"], case["replay"]).items():
        for sort, found in rows.items():
            for row in found.items() if isinstance(found, dict) else found:
                print(device, sort, row)
