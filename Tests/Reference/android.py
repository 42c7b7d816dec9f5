"""The rules of Android (section 13 of MODEL), for devices with `platform: android`: a second reading, as `reference.py` is of the others.

A refresh is a provider's, of all instances of a kind. It waits at its gates as one; then every instance is asked for, as by any cause.
"""

from fractions import Fraction

from civil import DAY, HOUR, MINUTE, duration
from reference import Device

PARAMETERS = {
    "widget_bucket": "active", "restricted": 0, "killers": 0, "lowered": 0, "alarm_delay": "0s", "job_delay": "0s", "job_time": "10s", "idle_alarms": 7,
    "messages_per_hour": 20, "messages_burst": 20, "device_messages_per_minute": 240, "device_messages_per_hour": 5000,
}
DEMOTION = {"working_set": "12h", "frequent": "24h", "rare": "48h", "restricted": "8d"}
JOB_QUOTA = {"active": "20m", "working_set": "10m", "frequent": "10m"}
JOB_WINDOW = {"active": HOUR, "working_set": 4 * HOUR, "frequent": 12 * HOUR}
EXPEDITED_QUOTA = {"active": "30m", "working_set": "15m", "frequent": "10m", "rare": "10m", "restricted": "5m"}
DOZE = {
    "light_after": "4m", "light_idle": "5m", "light_idle_most": "15m", "light_window": "1m", "deep_after": "60m", "deep_idle": "60m", "deep_idle_most": "6h",
    "deep_window": "5m", "deep_window_most": "10m",
}
STRENGTH = {"alarm": 0, "work": 0, "message": 0, "idle_alarm": 1, "expedited": 2, "urgent_message": 3, "update": 4}
LONGEST_BACK_OFF = 5 * HOUR


def durations(defaults, given):
    return {key: duration(value) for key, value in {**defaults, **given}.items()}


class Doze:
    """The schedule of idleness from when the screen turns off (N7, N8): told from the beginning each time, not advanced step by step."""

    def __init__(self, lengths):
        self.lengths = lengths
        # When the screen turned off, or a motion ended deep Doze, and the last motion since.
        self.since = self.moved_at = None

    def spans(self, until):
        """The spans of idleness [from, to), in order, up to one that ends after an instant."""
        length = self.lengths
        deep_at = max(self.since, self.moved_at) + length["deep_after"]
        at, idle = self.since + length["light_after"], length["light_idle"]
        while at < deep_at:
            yield at, min(at + idle, deep_at)
            if at > until:
                return
            at += idle + length["light_window"]
            idle = min(2 * idle, length["light_idle_most"])
        at, idle, window = deep_at, length["deep_idle"], length["deep_window"]
        while True:
            yield at, at + idle
            if at > until:
                return
            at += idle + window
            idle, window = min(2 * idle, length["deep_idle_most"]), min(2 * window, length["deep_window_most"])

    def is_idle(self, unix):
        return self.since is not None and any(begin <= unix < end for begin, end in self.spans(unix))

    def next_change(self, unix):
        """The next instant at which an idleness begins or ends."""
        if self.since is None:
            return None
        return min(at for span in self.spans(unix + 30 * DAY) for at in span if at > unix)

    def is_deep(self, unix):
        """Whether deep Doze has begun before an instant: the events of that instant come first (T3)."""
        return self.since is not None and unix > max(self.since, self.moved_at) + self.lengths["deep_after"]


class Runs:
    """The runs of an app's jobs, each [from, to): how much of them lies in a window (N4, N5)."""

    def __init__(self):
        self.runs = []

    def used(self, unix, window):
        return sum(max(0, min(end, unix) - max(begin, unix - window)) for begin, end in self.runs)

    def opening(self, unix, limit, window):
        """The first instant from `unix` on at which less than the limit is used: by halving, between instants at which the use bends."""
        if self.used(unix, window) < limit:
            return unix
        bends = sorted({at + shift for run in self.runs for at in run for shift in (0, window)})
        low = unix
        for bend in [at for at in bends if at > unix]:
            if self.used(bend, window) < limit:
                high = bend
                while high - low > 1:
                    middle = (low + high) // 2
                    low, high = (low, middle) if self.used(middle, window) < limit else (middle, high)
                return high
            low = bend
        raise AssertionError("a quota that never opens")


class App:
    def __init__(self, start, burst):
        self.jobs, self.expedited = Runs(), Runs()
        self.idle_alarms = []
        self.last_run = None
        self.used_at = start
        self.tokens, self.tokens_at = Fraction(burst), start
        self.has_waiting_message = False


class Job:
    """A run of a provider's job: its reloads know it, and the first of them that fails lets it be tried again (N2)."""

    def __init__(self, provider):
        self.is_periodic, self.cause = provider.is_periodic, provider.cause


class Provider:
    """What refreshes the instances of one kind."""

    def __init__(self, kind, spec):
        self.kind = kind
        self.alarm, self.idle_alarm, self.work = (duration(spec[key]) if key in spec else None for key in ("alarm", "idle_alarm", "work"))
        self.flex = duration(spec["flex"]) if "flex" in spec else self.work
        self.message, self.handler = spec.get("message", "normal"), spec.get("handler", "direct")
        self.anchor = self.means = self.cause = None
        self.is_periodic = False
        # A token that tells a schedule from one that a boot has ended.
        self.schedule = 0
        self.back_off = spec.get("back_off")
        # The job that ran last, unless it has failed; failures in a row; the job that waits for its further try; whether what waits to be run is one.
        self.job = self.waiting_job = None
        self.failures = 0
        self.is_retry = False

    def delay(self):
        """After so many failures: 30 s, 60 s, 120 s and so on, or 30 s, 60 s, 90 s (N2)."""
        first = duration(self.back_off.get("first", "30s"))
        factor = self.failures if self.back_off.get("form", "exponential") == "linear" else 2 ** (self.failures - 1)
        return min(first * factor, LONGEST_BACK_OFF)


class AndroidDevice(Device):
    def __init__(self, scenario, spec, lines):
        given = scenario.get("parameters", {}).get("android", {})
        self.a = {key: duration(value) if isinstance(value, str) and value[:1].isdigit() else value for key, value in {**PARAMETERS, **given}.items()}
        self.demotion = durations(DEMOTION, given.get("demotion", {}))
        self.job_quota = durations(JOB_QUOTA, given.get("job_quota", {}))
        self.expedited_quota = durations(EXPEDITED_QUOTA, given.get("expedited_quota", {}))
        self.doze = Doze(durations(DOZE, given.get("doze", {})))
        self.is_charging = False
        self.minutes, self.hours = {}, {}
        super().__init__(scenario, spec, lines)
        self.providers = {
            id: Provider(kind, next(spec for spec in scenario["kinds"] if spec["id"] == id).get("android", self.derived(kind)))
            for id, kind in self.kinds.items()}
        self.apps = {kind.app: App(self.start, self.a["messages_burst"]) for kind in self.kinds.values()}
        self.doze.since = self.doze.moved_at = self.start

    @staticmethod
    def derived(kind):
        """A periodic job in place of a policy with one length (N2)."""
        policy = kind.policy
        if policy == "never":
            return {}
        length = duration(policy["after"]) if isinstance(policy, dict) else duration(kind.timeline["spacing"]) * (kind.timeline["count"] - 1)
        return {"work": f"{max(length, 15 * MINUTE) // 1_000_000}s"}

    # Doze

    def screen_or_charger(self):
        """Doze begins to be counted when the screen is off and the device does not charge."""
        if self.in_session or self.is_charging:
            self.doze.since = None
        elif self.doze.since is None:
            self.doze.since = self.doze.moved_at = self.now

    def on_pickup(self):
        super().on_pickup()
        self.screen_or_charger()

    def on_lock(self):
        super().on_lock()
        self.screen_or_charger()

    def on_glance(self):
        if not self.in_session:
            self.doze.since = None
            self.screen_or_charger()
        super().on_glance()

    def on_charging_on(self):
        self.is_charging = True
        self.screen_or_charger()

    def on_charging_off(self):
        self.is_charging = False
        self.screen_or_charger()

    def on_motion(self):
        if self.doze.since is None:
            return
        if self.doze.is_deep(self.now):
            self.doze.since = self.now
        self.doze.moved_at = self.now

    def on_move(self, detail):
        self.place = self.place_of(detail)
        self.on_motion()

    # Differences from iOS

    def environment(self, is_reboot=False):
        if is_reboot:
            super().environment(is_reboot=True)

    def picked_up(self):
        """After a boot alarms count from the unlock (N1)."""
        if self.in_session:
            for provider in self.providers.values():
                if provider.alarm and any(instance.reboots_owed for instance in self.there() if instance.kind is provider.kind):
                    provider.anchor = self.now
                    self.plan(provider)
        super().picked_up()

    def is_stale_on_view(self, instance):
        return False

    def may_locate(self, instance):
        if instance.mode == "while_using_or_widgets":
            app = instance.kind.app
            return app in self.foreground or "navigation" in self.user_sessions.get(app, ())
        return super().may_locate(instance)

    def policy_date(self, instance, fetched, dates):
        return None, None, False

    def fail(self, instance, flight, failure):
        super().fail(instance, flight, failure)
        instance.timeline.date = None
        provider, job = self.providers[instance.kind.id], getattr(flight, "job", None)
        if job is None or job is not provider.job:
            return
        provider.job, provider.waiting_job = None, job
        provider.failures += 1
        if job.is_periodic:
            provider.schedule += 1
        self.at(self.now + provider.delay(), 8, lambda: self.try_again(provider, job), before=-1)

    def try_again(self, provider, job):
        if provider.waiting_job is not job:
            return
        provider.waiting_job = None
        self.ask_refresh(provider, "work", job.cause, is_periodic=job.is_periodic)
        provider.is_retry = True

    # Updates of apps (N1)

    def on_app_update(self, app):
        for provider in self.providers.values():
            if provider.kind.app == app and provider.anchor is not None:
                provider.anchor = self.now
                provider.job = provider.waiting_job = None
                self.plan(provider)
                self.ask_refresh(provider, "update", "app_trigger")

    def openings(self, instance):
        return []

    def install(self, instance):
        super().install(instance)
        provider = self.providers[instance.kind.id]
        if provider.anchor is None:
            initial = instance.spec.get("initial")
            provider.anchor = self.instant_of(initial.get("fetched", "0s")) if initial else self.now
            self.plan(provider)

    # Periods (N1, N2, N6)

    def plan(self, provider):
        provider.schedule += 1
        period = provider.alarm or provider.idle_alarm or provider.work
        if not period:
            return
        anchor = provider.anchor + (period - provider.flex if provider.work and not provider.alarm and not provider.idle_alarm else 0)
        at = anchor if self.now < anchor else anchor + ((self.now - anchor) // period + 1) * period
        # Delays are drawn elsewhere; here they are constant.
        at += self.a["alarm_delay"] if provider.alarm else 0 if provider.idle_alarm else min(provider.flex, self.a["job_delay"])
        self.at(at, 8, lambda schedule=provider.schedule: self.fall_due(provider, schedule))

    def fall_due(self, provider, schedule):
        if schedule != provider.schedule:
            return
        if provider.alarm or provider.idle_alarm:
            self.ask_refresh(provider, "alarm" if provider.alarm else "idle_alarm", "after")
            self.plan(provider)
        else:
            self.ask_refresh(provider, "work", "after", is_periodic=True)

    def ask_refresh(self, provider, means, cause, is_periodic=False):
        """One refresh of a provider waits at a time; one that passes more gates takes its place."""
        if provider.means is None:
            provider.means, provider.cause, provider.is_periodic, provider.is_retry = means, cause, is_periodic, False
            return
        provider.is_periodic = provider.is_periodic or is_periodic
        if STRENGTH[means] > STRENGTH[provider.means]:
            provider.means, provider.cause = means, cause

    def on_app_open(self, app):
        super().on_app_open(app)
        if app in self.apps:
            self.apps[app].used_at = self.now

    def background_cause(self, instance, cause):
        """A call from the background is a job that is asked for once."""
        provider = self.providers[instance.kind.id]
        if provider.means is None or provider.cause != cause:
            self.ask_refresh(provider, "work", cause)

    # Messages (N10)

    def on_silent_push(self, detail):
        self.on_push(self.kinds[detail].app)

    def on_push(self, app):
        if not self.meant(app):
            return
        minute, hour = (self.now - self.start) // MINUTE, (self.now - self.start) // HOUR
        if self.minutes.get(minute, 0) >= self.a["device_messages_per_minute"] or self.hours.get(hour, 0) >= self.a["device_messages_per_hour"]:
            return
        self.minutes[minute], self.hours[hour] = self.minutes.get(minute, 0) + 1, self.hours.get(hour, 0) + 1
        state = self.apps[app]
        if state.has_waiting_message:
            return
        there = self.tokens(state)
        if there >= 1:
            self.deliver(app)
            return
        state.has_waiting_message = True
        wait = (1 - there) * HOUR / self.a["messages_per_hour"]
        self.at(self.now + -(-wait.numerator // wait.denominator), 8, lambda: self.deliver(app), before=1)

    def meant(self, app):
        """The providers that a message of an app refreshes: those that are there as it is delivered."""
        return [provider for provider in self.providers.values() if provider.kind.app == app and provider.kind.push and provider.anchor is not None]

    def tokens(self, state):
        return min(Fraction(self.a["messages_burst"]), state.tokens + Fraction((self.now - state.tokens_at) * self.a["messages_per_hour"], HOUR))

    def deliver(self, app):
        state = self.apps[app]
        state.tokens, state.tokens_at, state.has_waiting_message = self.tokens(state) - 1, self.now, False
        for provider in self.meant(app):
            if provider.handler == "direct":
                means = "urgent_message" if provider.message == "high" else "message"
            else:
                means = "expedited" if provider.handler == "expedited" and provider.message == "high" else "work"
            self.ask_refresh(provider, means, "push")

    # Gates (N3 to N9, N11)

    def bucket(self, app):
        if self.a["restricted"]:
            return "restricted"
        if app in self.foreground:
            return "active"
        if self.a["widget_bucket"] != "by_use":
            return self.a["widget_bucket"]
        unused = self.now - self.apps[app].used_at
        return next((name for name in ("restricted", "rare", "frequent", "working_set") if unused >= self.demotion[name]), "active")

    def holds(self, provider):
        """What holds a refresh now: instants at which a gate opens by itself, `None` for one that only an event opens."""
        means, app = provider.means, provider.kind.app
        state, bucket = self.apps[app], self.bucket(app)
        is_idle = self.doze.is_idle(self.now)
        off = any(begin <= self.now < end for begin, end in self.refresh_off)
        found = []
        if self.a["killers"] and not self.in_session:
            found.append(None)
        if self.offline and means not in ("alarm", "idle_alarm"):
            found.append(None)
        if means in ("urgent_message", "expedited", "update"):
            return found
        if means == "idle_alarm":
            if is_idle and len(state.idle_alarms) >= self.a["idle_alarms"]:
                found.append(state.idle_alarms[-self.a["idle_alarms"]] + HOUR)
        elif is_idle:
            found.append(None)
        if not self.refresh_on or self.low_power or off:
            found.append(None)
        if bucket == "restricted":
            if means != "message" and state.last_run is not None:
                found.append(state.last_run + DAY)
        elif means == "work" and not self.is_charging:
            if bucket == "rare":
                found.append(None)
            else:
                found.append(state.jobs.opening(self.now, self.job_quota[bucket], JOB_WINDOW[bucket]))
        return [at for at in found if at is None or at > self.now]

    def next_instant(self):
        candidates = [at for at in (super().next_instant(), self.doze.next_change(self.now)) if at is not None]
        for provider in self.providers.values():
            if provider.means is not None:
                candidates += [at for at in self.holds(provider) if at is not None]
        candidates += [at for span in self.refresh_off for at in span if at > self.now]
        return min(candidates, default=None)

    def reloads(self):
        for provider in self.providers.values():
            if provider.means is None:
                continue
            state = self.apps[provider.kind.app]
            if provider.means == "expedited" and not self.is_charging:
                limit = self.expedited_quota[self.bucket(provider.kind.app)]
                if state.expedited.used(self.now, DAY) >= limit:
                    provider.means = "work"
            if not self.holds(provider):
                self.refresh(provider, state)
        super().reloads()

    def refresh(self, provider, state):
        means, provider.means = provider.means, None
        if means in ("work", "expedited") and not self.is_charging:
            (state.jobs if means == "work" else state.expedited).runs.append((self.now, self.now + self.a["job_time"]))
        if means == "idle_alarm" and self.doze.is_idle(self.now):
            state.idle_alarms.append(self.now)
        if means in ("work", "expedited", "alarm", "idle_alarm"):
            state.last_run = self.now
        if means in ("work", "expedited") and provider.back_off is not None:
            if not provider.is_retry:
                provider.failures = 0
            if provider.waiting_job is not None and provider.waiting_job.is_periodic:
                provider.is_periodic = True
            provider.job, provider.waiting_job = Job(provider), None
        for instance in self.there():
            if instance.kind is provider.kind:
                if instance.flight or instance.free:
                    self.merged(instance, provider.cause)
                else:
                    self.rows["granted"].append((instance.id, self.now, provider.cause, 0, None))
                    self.start_flight(instance, provider.cause, False)
                    if instance.flight and means in ("work", "expedited"):
                        instance.flight.job = provider.job
        if provider.is_periodic:
            self.plan(provider)
