#!/usr/bin/env python3
"""A second, independent reading of the rules of Live Activities (O1–O6) for a recorded phone.

They change nothing of the widgets, so a phone's activities are simulated alone. At one instant the recorded events come first, in the order of the lines, then
what the pushes and the system have planned for it, in the order in which it was planned. Everything is constant: shares are 0 or 1.

usage: live.py CASE.json
"""

import heapq
import itertools
import json
import math
import sys
from collections import Counter

from budget import HourlyBucket
from civil import DAY, Zone, duration, instant
from reference import number, recorded

KIND = {
    "app": "app", "followers": 1, "attendance": 1, "start": "push", "lead": "1h", "important": 1, "stale_after": None, "stays": "4h", "dismissed_active": 0,
    "dismissed_ended": 0.3, "frequent": False, "channel": False, "channel_storage": "last", "expiry": "1h", "delay": {"median": "1s", "p95": "5s"},
}
LIMITS = {
    "longest": "8h", "linger": "4h", "starts_per_day": 10, "at_once": 5, "budget": 30, "budget_burst": None, "excess": "late", "frequent_factor": 3, "frequent_off": 0.1,
    "display_gap": "10s", "dynamic_island": 0.7, "low_priority_delay": {"median": "1m", "p95": "15m"},
}
SENDER = {"rate": None, "waves": 1, "refused": 0, "retries": 3, "retry_delay": "10s"}

# The order of one instant: what is recorded, with the views that it brings, then what the push service has kept, then what was planned (T3).
RECORDED, KEPT, PLANNED = range(3)


def constant(value):
    """The microseconds of a duration that is not drawn."""
    if not isinstance(value, str):
        raise ValueError(f"not a constant duration: {value!r}")
    return duration(value)


def holds(share):
    """Whether a share that is all or nothing holds."""
    if share not in (0, 1):
        raise ValueError(f"neither 0 nor 1: {share!r}")
    return share == 1


class LiveKind:
    def __init__(self, spec):
        spec = {**KIND, **spec}
        self.id, self.app, self.is_frequent, self.has_channel = spec["id"], spec["app"], spec["frequent"], spec["channel"]
        self.is_followed = holds(spec["followers"]) and holds(spec["attendance"])
        self.is_begun_by_app = spec["start"] == "app"
        self.lead, self.stays, self.expiry = duration(spec["lead"]), duration(spec["stays"]), duration(spec["expiry"])
        self.stale_after = duration(spec["stale_after"]) if spec["stale_after"] else None
        self.is_important = holds(spec["important"])
        self.is_stored = spec["channel_storage"] == "last"
        self.spec = spec


class Event:
    """A shared event. Its version is 0 at its start and rises with each update and with its end."""

    def __init__(self, kind, spec, start, place):
        self.kind, self.place = kind, place
        updates = sorted({instant(at, start) for at in spec.get("updates", [])})
        self.instants = [instant(spec["start"], start), *updates, instant(spec["end"], start)]
        self.last = len(self.instants) - 1
        self.start, self.end = self.instants[0], self.instants[-1]
        self.activity = None

    def order(self):
        """Of several that can begin at one opening the one that could begin earliest goes first (O1)."""
        return self.start - self.kind.lead * self.kind.is_begun_by_app, self.place

    def push(self, version):
        return Push(self, version, self.kind.is_important or version in (0, self.last))

    def version(self, unix):
        return sum(at <= unix for at in self.instants[1:])


class Push:
    """A push to the phone about a version of an event: 0 begins the activity, the last one ends it."""

    def __init__(self, event, version, is_high=True):
        self.event, self.version, self.is_high = event, version, is_high
        self.begins, self.ends = version == 0, version == event.last
        self.accepted_at = self.throttled_at = None


class Activity:
    def __init__(self, event, version, unix):
        self.event, self.shown, self.newest, self.shown_at = event, version, version, unix
        self.is_active = self.is_there = True
        self.begun_at = self.counted_to = unix
        # Whether its server knows that it is active no longer.
        self.is_refused = False
        # The pushes that wait on the phone for a token or for a session, and for the next change of the display.
        self.held = self.pending = None

    def waiting(self):
        return [push for push in (self.held, self.pending) if push]


class LivePhone:
    def __init__(self, scenario, spec, lines, is_first=True):
        self.start = instant(scenario["start"])
        self.now, self.end = self.start, instant(scenario["end"], self.start)
        live = scenario["live_activities"]
        self.limits = {**LIMITS, **live.get("limits", {})}
        self.sender = {**SENDER, **scenario.get("push_sender", {})}
        if self.sender["rate"] is not None or self.sender["waves"] != 1:
            raise ValueError("the place of a device among all is drawn: neither rate nor waves")
        self.gap, self.linger = duration(self.limits["display_gap"]), duration(self.limits["linger"])
        self.has_island = self.limits["dynamic_island"] == 1
        self.rows = []
        self.in_session, self.is_online, self.glanced_at, self.foreground = False, True, None, None
        self.activities, self.startable = [], []
        # By app: what the push service keeps for the phone.
        self.on_the_way, self.kept = [], {}
        self.heap, self.order = [], itertools.count()
        for at, event, detail in recorded(lines, spec["id"], self.start, Zone(spec.get("zone", "UTC"))):
            if hasattr(self, "on_" + event):
                self.at(at, getattr(self, "on_" + event), *([detail] if event.startswith("app_") else []), rank=RECORDED)
        kinds = [LiveKind(kind) for kind in live["kinds"]]
        # By kind: counts, times in microseconds, and views by surface and state.
        self.counts = {kind.id: Counter() for kind in kinds}
        self.buckets = {kind.app: self.bucket(any(other.is_frequent for other in kinds if other.app == kind.app)) for kind in kinds}
        self.begun_by_push = {kind.app: [] for kind in kinds}
        for place, (kind, kind_spec) in enumerate(zip(kinds, live["kinds"])):
            events = [Event(kind, one, self.start, (place, index)) for index, one in enumerate(kind_spec["events"])]
            for event in sorted(events, key=lambda event: event.start):
                if kind.has_channel and is_first:
                    self.counts[kind.id]["sent"] += sum(at < self.end for at in event.instants[1:])
                if kind.is_followed:
                    self.at(max(self.start, event.start - kind.lead) if kind.is_begun_by_app else event.start, self.begin_event, event)

    def bucket(self, asks):
        """The budget of an app that asks for frequent updates or not (O5)."""
        burst = self.limits["budget"] if self.limits["budget_burst"] is None else self.limits["budget_burst"]
        factor = number(self.limits["frequent_factor"]) if asks and not holds(self.limits["frequent_off"]) else 1
        per_hour, burst = (math.floor(tokens * factor + number("0.5")) for tokens in (self.limits["budget"], burst))
        return HourlyBucket(min(per_hour, 3_600), min(burst, 3_600), self.start)

    def run(self):
        while self.heap and self.heap[0][0] < self.end:
            self.now, _, _, action = heapq.heappop(self.heap)
            action()
        self.now = self.end
        for activity in self.activities:
            if activity.is_there:
                self.count("carriedOut", activity)
                self.count_presence(activity)
        waiting = [push for activity in self.activities for push in activity.waiting()]
        for push in self.on_the_way + list(self.kept.values()) + waiting:
            self.count("pushesCarriedOut", push)
        return self

    def at(self, unix, action, *parts, rank=PLANNED):
        heapq.heappush(self.heap, (unix, rank, next(self.order), lambda: action(*parts)))

    def note(self, what, about):
        """`about` is a push or an activity."""
        self.rows.append((about.event.kind.id, self.now, what))

    def count(self, name, about, amount=1):
        self.counts[about.event.kind.id][name] += amount

    def count_shown(self, push):
        self.count("shown", push)
        self.count("shown_after", push, self.now - push.event.instants[push.version])

    def count_behind(self, activity):
        """The time in which it has lacked an update, since the last count."""
        if activity.shown < activity.event.last:
            lacking_from = max(activity.counted_to, activity.event.instants[activity.shown + 1])
            self.count("behind", activity, max(0, self.now - lacking_from))
        activity.counted_to = self.now

    def count_presence(self, activity):
        self.count_behind(activity)
        self.count("present", activity, self.now - activity.begun_at)

    # The world

    def on_pickup(self):
        """The lock screen is seen first, and then pushes of priority 5 come."""
        self.in_session = True
        self.see()
        for activity in self.activities:
            if activity.is_active and self.has_island:
                self.count(("dynamic_island", self.state(activity)), activity)
        for activity in self.activities:
            if activity.held and not activity.held.is_high:
                self.release(activity)

    def on_app_open(self, app):
        self.foreground = app
        self.begin_by_app()

    def on_app_close(self, app):
        if self.foreground == app:
            self.foreground = None

    def on_glance(self):
        # The device is in use at a glance's instant (D3).
        self.glanced_at = self.now
        self.see()

    def on_lock(self):
        self.in_session, self.foreground = False, None

    def on_offline(self):
        self.is_online = False

    def on_online(self):
        self.is_online = True
        self.at(self.now, self.release_kept, rank=KEPT)

    def release_kept(self):
        """The push service hands out what it has kept, unless that was accepted too long ago (O4)."""
        pushes, self.kept = self.kept, {}
        for app in self.buckets:
            push = pushes.get(app)
            if not push:
                continue
            if self.now > push.accepted_at + push.event.kind.expiry:
                self.drop("expired", push)
            else:
                self.deliver(push)

    # Beginnings (O1)

    def begin_event(self, event):
        if not event.kind.is_begun_by_app:
            self.at(self.now, self.send, Push(event, 0))
            return
        self.startable.append(event)
        self.begin_by_app()

    def begin_by_app(self):
        """An app in the foreground begins activities with the present state, as long as it may have more."""
        events, self.startable = sorted(self.startable, key=Event.order), []
        for event in events:
            if self.now < event.end and event.kind.app == self.foreground and self.has_room(event.kind.app):
                self.begin(event, event.version(self.now), "begunByApp")
            elif self.now < event.end:
                self.startable.append(event)

    def has_room(self, app):
        return sum(activity.is_active and activity.event.kind.app == app for activity in self.activities) < self.limits["at_once"]

    def begin_by_push(self, push):
        app = push.event.kind.app
        self.begun_by_push[app] = [at for at in self.begun_by_push[app] if self.now < at + DAY]
        if len(self.begun_by_push[app]) >= self.limits["starts_per_day"] or not self.has_room(app):
            self.drop("startRefused", push)
        else:
            self.begun_by_push[app].append(self.now)
            self.count_shown(push)
            self.begin(push.event, 0, "begunByPush")

    def begin(self, event, version, how):
        """From its beginning on the server has a token: it sends what the activity lacks already, and later versions as they come about (O3)."""
        activity = event.activity = Activity(event, version, self.now)
        self.activities.append(activity)
        self.count(how, activity)
        self.note("begins", activity)
        self.at(self.now + duration(self.limits["longest"]), self.end_by_time, activity)
        present = event.version(self.now)
        if present > version:
            if event.kind.has_channel and event.kind.is_stored:
                # The channel's last push, as it was sent.
                self.accept(event.push(present))
            elif not event.kind.has_channel:
                self.at(self.now, self.send, Push(event, present))
        for later in range(present + 1, event.last + 1):
            self.at(event.instants[later], self.send, event.push(later))

    # The server (O3)

    def send(self, push, tries=1):
        activity = push.event.activity
        if activity and activity.is_refused:
            return
        if push.event.kind.has_channel and activity:
            # It has been sent for all devices.
            if activity.is_active:
                self.accept(push)
            return
        self.count("sent", push)
        if holds(self.sender["refused"]):
            self.count("refused", push)
            if tries > self.sender["retries"]:
                self.count("givenUp", push)
            else:
                self.at(self.now + constant(self.sender["retry_delay"]), self.send, push, tries + 1)
        elif activity and not activity.is_active:
            self.count("unregistered", push)
            activity.is_refused = True
        else:
            self.accept(push)

    def accept(self, push):
        self.count("accepted", push)
        push.accepted_at = self.now
        self.on_the_way.append(push)
        self.at(self.now + constant(push.event.kind.spec["delay"]), self.arrive, push)

    # On the way (O4)

    def arrive(self, push):
        self.on_the_way.remove(push)
        activity = push.event.activity
        if activity and not activity.is_active:
            self.count("tooLate", push)
        elif self.is_online:
            self.deliver(push)
        else:
            # One notification is stored for an app, the last that was accepted.
            kept = self.kept.get(push.event.kind.app)
            if kept and kept.accepted_at > push.accepted_at:
                kept, push = push, kept
            if kept:
                self.count("collapsed", kept)
            self.kept[push.event.kind.app] = push

    # On the device (O4, O5)

    def deliver(self, push):
        if not self.in_session and self.glanced_at != self.now:
            self.count("wakeUps", push)
        if push.begins:
            self.begin_by_push(push)
            return
        activity, app = push.event.activity, push.event.kind.app
        if push.version <= activity.newest:
            self.count("superseded", push)
            return
        activity.newest = push.version
        if not push.is_high:
            if self.in_session:
                self.come(push)
            else:
                self.hold(push)
                self.at(self.now + constant(self.limits["low_priority_delay"]), self.release, activity, push)
        elif self.buckets[app].token_at(self.now) == self.now:
            self.buckets[app].take(self.now)
            self.come(push)
        else:
            self.count("throttled", push)
            if self.limits["excess"] == "drop":
                self.drop("dropped", push)
                self.drop_waiting(activity)
            else:
                push.throttled_at = self.now
                self.hold(push)
                self.at(self.buckets[app].token_at(self.now), self.give_tokens, app)

    def drop_waiting(self, activity):
        """What waits on the phone is older than what has come."""
        for push in activity.waiting():
            self.count("superseded", push)
        activity.held = activity.pending = None

    def hold(self, push):
        """The newest push of an activity waits alone."""
        activity = push.event.activity
        if activity.held:
            self.count("superseded", activity.held)
        activity.held = push

    def give_tokens(self, app):
        """Tokens go to the activities with a push that waits for one, the first begun first."""
        bucket = self.buckets[app]
        for activity in self.activities:
            if activity.event.kind.app == app and activity.held and activity.held.is_high:
                if bucket.token_at(self.now) > self.now:
                    self.at(bucket.token_at(self.now), self.give_tokens, app)
                    return
                bucket.take(self.now)
                self.release(activity)

    def release(self, activity, push=None):
        """The push that waits comes; where one is named, if it still is that one."""
        if activity.held and push in (None, activity.held):
            push, activity.held = activity.held, None
            self.come(push)

    # The display (O6)

    def come(self, push):
        """A push may be shown, now or when the display may change again. Older ones that wait are of no use any more."""
        activity = push.event.activity
        if activity.held and activity.held.version < push.version:
            self.count("superseded", activity.held)
            activity.held = None
        if activity.pending:
            self.count("superseded", activity.pending)
            activity.pending = None
        if self.now >= activity.shown_at + self.gap:
            self.show(push)
        else:
            activity.pending = push
            self.at(activity.shown_at + self.gap, self.change_display, activity)

    def change_display(self, activity):
        if activity.pending and self.now >= activity.shown_at + self.gap:
            push, activity.pending = activity.pending, None
            self.show(push)

    def show(self, push):
        activity = push.event.activity
        self.count_behind(activity)
        activity.shown, activity.shown_at = push.version, self.now
        self.count_shown(push)
        if push.throttled_at is not None:
            self.count("shownLate", push)
            self.count("waits_for_budget", push, self.now - push.throttled_at)
        self.note(f"shows {push.version}", activity)
        if push.ends:
            self.count("endedByEvent", activity)
            self.finish(activity, min(push.event.kind.stays, self.linger))

    def drop(self, why, push):
        self.count(why, push)
        self.note("drops", push)

    # Ends (O2)

    def end_by_time(self, activity):
        if activity.is_active:
            self.count("endedByTime", activity)
            self.finish(activity, self.linger)

    def finish(self, activity, stays):
        self.note("ends", activity)
        self.leave(activity)
        self.at(self.now + stays, self.remove, activity)

    def remove(self, activity):
        if activity.is_there:
            self.count("removed", activity)
            self.go(activity)

    def go(self, activity):
        self.note("goes", activity)
        self.count_presence(activity)
        activity.is_there = False
        self.leave(activity)

    def leave(self, activity):
        """It is active no longer: what waits for it comes too late."""
        activity.is_active = False
        for push in activity.waiting():
            self.count("tooLate", push)
        kept = self.kept.get(activity.event.kind.app)
        if kept and kept.event is activity.event:
            self.count("tooLate", self.kept.pop(activity.event.kind.app))
        activity.held = activity.pending = None

    # Views on the lock screen (O6)

    def see(self):
        for activity in self.activities:
            if not activity.is_there:
                continue
            self.note(self.state(activity), activity)
            self.count(("lock_screen", self.state(activity)), activity)
            when = "dismissed_active" if activity.is_active else "dismissed_ended"
            if holds(activity.event.kind.spec[when]):
                self.count("dismissedActive" if activity.is_active else "dismissedEnded", activity)
                self.go(activity)

    def state(self, activity):
        event = activity.event
        is_final = activity.shown == event.last
        if event.kind.stale_after is not None and not is_final and self.now >= event.instants[activity.shown] + event.kind.stale_after:
            return "marked_stale"
        return "behind" if event.version(self.now) > activity.shown else "current"


def phones(scenario, replay):
    """The phones of a scenario at its end, in order; none without Live Activities."""
    if "live_activities" not in scenario:
        return []
    specs = [spec for spec in scenario["devices"] if spec.get("kind", "phone") == "phone"]
    return [LivePhone(scenario, spec, replay, is_first=spec is specs[0]).run() for spec in specs]


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        case = json.load(file)
    for phone in phones(case["scenario"], case["replay"]):
        for row in phone.rows:
            print(*row)
        for kind, counts in phone.counts.items():
            print(kind, dict(counts))
