"""The rules of Android (section 13 of MODEL), for devices with `platform: android`: a second reading, as `reference.py` is of the others.

A refresh is a provider's, of all instances of a kind. It waits at its gates as one; then every instance is asked for, as by any cause.
"""

from fractions import Fraction

from civil import DAY, HOUR, MINUTE, SECOND, duration
from reference import Device

PARAMETERS = {
    "widget_bucket": "active", "restricted": 0, "killers": 0, "lowered": 0, "alarm_delay": "0s", "job_delay": "0s", "job_time": "10s", "idle_alarms": 72,
    # A share of apps has the permission; here it is all of them or none (N6).
    "exact_alarms": 1, "idle_alarms_exempt": False,
    "messages_per_hour": 20, "messages_burst": 20, "device_messages_per_minute": 240, "device_messages_per_hour": 5000,
}
DEMOTION = {"working_set": "12h", "frequent": "24h", "rare": "48h", "restricted": "8d"}
SCREEN = {"frequent": "1h", "rare": "2h", "restricted": "6h"}
JOB_QUOTA = {"active": "20m", "working_set": "10m", "frequent": "10m", "rare": "10m"}
JOB_WINDOW = {"active": HOUR, "working_set": 4 * HOUR, "frequent": 12 * HOUR, "rare": DAY}
JOB_COUNTS = {"active": 75, "minute": 20}
JOB_SESSIONS = {"active": 75, "working_set": 10, "frequent": 8, "rare": 3}
# A job that begins so long after the end of a session, at the latest, belongs to it (N4).
SESSION_GAP = 5 * SECOND
# How many messages that none replaces the push service stores for an app (D8).
STORED_MESSAGES = 100
EXPEDITED_QUOTA = {"active": "30m", "working_set": "15m", "frequent": "10m", "rare": "10m", "restricted": "5m"}
ALARM_QUOTA = {"working_set": 10, "frequent": 2, "rare": 1}
DOZE = {
    "light_after": "4m", "light_idle": "5m", "light_idle_most": "15m", "light_window": "1m", "light_window_least": "5s", "deep_after": "60m",
    "deep_after_motion": "40m", "still": "30m", "deep_idle": "60m", "deep_idle_most": "6h", "deep_window": "5m", "deep_window_most": "10m",
    "deep_window_least": "30s",
}
# A refresh that passes more gates takes the place of one that waits (N2).
STRENGTH = {"work": 0, "alarm": 1, "message": 1, "idle_alarm": 2, "expedited": 3, "urgent_message": 4, "update": 5}
JOBS, ALARMS = ("work", "expedited"), ("alarm", "idle_alarm")
LONGEST_BACK_OFF = 5 * HOUR


def durations(defaults, given):
    return {key: duration(value) for key, value in {**defaults, **given}.items()}


class Doze:
    """Idleness of a device with its screen off that does not charge (N7, N8): a state that goes from change to change."""

    def __init__(self, lengths):
        self.lengths = lengths
        self.stop()

    def stop(self):
        """The screen is on, or the device charges."""
        self.phase, self.is_deep = "none", False

    def start(self, unix):
        self.deep_at = unix + self.lengths["deep_after"]
        self.begin_way(unix)

    def begin_way(self, unix):
        """The way to light Doze."""
        self.phase, self.is_deep = "way", False
        self.change_at, self.next_idle = unix + self.lengths["light_after"], self.lengths["light_idle"]

    def is_counting(self):
        return self.phase != "none"

    def is_idle(self):
        return self.phase == "idle"

    def move(self, unix):
        """Motion counts in the watched part of the way to deep Doze, and in deep Doze."""
        if not self.is_counting() or not (self.is_deep or unix >= self.deep_at - self.lengths["still"]):
            return
        self.deep_at = unix + self.lengths["deep_after_motion"]
        if self.is_deep:
            self.begin_way(unix)

    def next_change(self):
        if not self.is_counting():
            return None
        return self.change_at if self.is_deep else min(self.change_at, self.deep_at)

    def advance(self, unix):
        """The changes up to an instant."""
        while self.is_counting() and self.next_change() <= unix:
            at = self.next_change()
            if not self.is_deep and at == self.deep_at:
                self.is_deep = True
                self.next_idle, self.next_window = self.lengths["deep_idle"], self.lengths["deep_window"]
                self.begin_idleness(at)
            elif self.is_idle():
                self.begin_window(at)
            else:
                self.begin_idleness(at)

    def begin_idleness(self, at):
        self.phase, self.change_at = "idle", at + self.next_idle
        self.next_idle = min(2 * self.next_idle, self.lengths["deep_idle_most" if self.is_deep else "light_idle_most"])

    def begin_window(self, at):
        self.phase = "window"
        if self.is_deep:
            least, most = self.lengths["deep_window_least"], self.next_window
            self.next_window = min(2 * self.next_window, self.lengths["deep_window_most"])
        else:
            least, most = self.lengths["light_window_least"], self.lengths["light_window"]
        self.change_at, self.window_ends_by = at + least, at + most

    def run_job(self, until):
        """A window lasts to the end of the last job that begins in it, if it may be so long."""
        if self.phase == "window":
            self.change_at = max(self.change_at, min(until, self.window_ends_by))


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


    def sessions(self, unix):
        """When the sessions ended that have (N4)."""
        ends = []
        for begin, end in sorted(self.runs):
            if ends and begin <= ends[-1] + SESSION_GAP:
                ends[-1] = max(ends[-1], end)
            else:
                ends.append(end)
        return [end for end in ends if end <= unix]


class Inbox:
    """The messages of one app: what the push service stores, and the app's bucket (N10, D8)."""

    def __init__(self, start, burst, is_collapsible, is_stored):
        self.tokens, self.tokens_at = Fraction(burst), start
        self.is_collapsible, self.is_stored = is_collapsible, is_stored
        self.passes_bucket = is_collapsible and is_stored
        self.has_waiting = False
        # How many the service stores.
        self.stored = 0

    def store(self):
        if not self.is_stored:
            return
        # One more than are stored makes one notice of them all.
        self.stored = 1 if self.is_collapsible else min(self.stored + 1, STORED_MESSAGES + 1)

    def stored_messages(self):
        come, self.stored = 1 if self.stored > STORED_MESSAGES else self.stored, 0
        return come


class Messages:
    """How messages come to a phone or a watch with Android (N10, N13)."""

    def prepare_messages(self, scenario):
        given = {**PARAMETERS, **scenario.get("parameters", {}).get("android", {})}
        self.m = {key: given[key] for key in ("messages_per_hour", "messages_burst", "device_messages_per_minute", "device_messages_per_hour")}
        self.minutes, self.hours = {}, {}
        self.inboxes = {}
        specs = {spec["id"]: spec for spec in scenario["kinds"]}
        for app in {kind.app: None for kind in self.kinds.values()}:
            takers = [specs[id].get("android", {}) for id, kind in self.kinds.items() if kind.app == app and kind.push]
            self.inboxes[app] = Inbox(
                self.start, self.m["messages_burst"], all(taker.get("collapsible", True) for taker in takers), all(taker.get("stored", True) for taker in takers))

    def on_silent_push(self, detail):
        app = self.kinds[detail].app
        if self.offline:
            self.inboxes[app].store()
        else:
            self.on_push(app)

    def on_online(self):
        super().on_online()
        self.at(self.now, 7, self.release_stored, before=-1)

    def release_stored(self):
        if not self.offline:
            for app, inbox in self.inboxes.items():
                for _ in range(inbox.stored_messages()):
                    self.on_push(app)

    def on_push(self, app):
        """A message that arrives."""
        if not self.takes_messages(app):
            return
        minute, hour = (self.now - self.start) // MINUTE, (self.now - self.start) // HOUR
        if self.minutes.get(minute, 0) >= self.m["device_messages_per_minute"] or self.hours.get(hour, 0) >= self.m["device_messages_per_hour"]:
            return
        self.minutes[minute], self.hours[hour] = self.minutes.get(minute, 0) + 1, self.hours.get(hour, 0) + 1
        inbox = self.inboxes[app]
        if not inbox.passes_bucket:
            self.deliver(app)
            return
        if inbox.has_waiting:
            return
        there = self.tokens(inbox)
        if there >= 1:
            self.leave_bucket(app)
            return
        inbox.has_waiting = True
        wait = (1 - there) * HOUR / self.m["messages_per_hour"]
        self.at(self.now + -(-wait.numerator // wait.denominator), self.BUCKET_RANK, lambda: self.leave_bucket(app), before=1)

    def tokens(self, inbox):
        return min(Fraction(self.m["messages_burst"]), inbox.tokens + Fraction((self.now - inbox.tokens_at) * self.m["messages_per_hour"], HOUR))

    def leave_bucket(self, app):
        inbox = self.inboxes[app]
        inbox.tokens, inbox.tokens_at, inbox.has_waiting = self.tokens(inbox) - 1, self.now, False
        self.deliver(app)


class App:
    def __init__(self, start):
        self.jobs, self.expedited = Runs(), Runs()
        # When jobs and alarms of its own began that count, and exact alarms in Doze.
        self.own_alarms, self.idle_alarms = [], []
        self.last_job = self.last_alarm = None
        # Its last opening, and how long the screen had been on by then.
        self.used_at, self.screen_at_use = start, 0


class Refresh:
    """A refresh that is asked for. `failures` are those in a row before it if it is a further try, and `None` if it is none."""

    def __init__(self, means, cause, is_periodic=False, failures=None):
        self.means, self.cause, self.is_periodic, self.failures = means, cause, is_periodic, failures
        # Since when it waits, and the bucket in which quota was looked for (N5).
        self.since = self.bucket = None

    def stand_for(self, other):
        """It runs in the place of another one, and the period counts from it then."""
        self.is_periodic = self.is_periodic or other.is_periodic
        self.since = min(self.since, other.since)


class Job:
    """A run of a provider's job: its reloads know it, and the first of them that fails lets it be tried again (N2)."""

    def __init__(self, refresh, era):
        self.is_periodic, self.cause, self.failures, self.era = refresh.is_periodic, refresh.cause, refresh.failures or 0, era
        self.has_failed = False


class Provider:
    """What refreshes the instances of one kind."""

    def __init__(self, kind, spec, has_permission):
        self.kind = kind
        self.alarm = spec.get("alarm")
        self.idle_alarm, self.work = (duration(spec[key]) if key in spec else None for key in ("idle_alarm", "work"))
        self.has_clock = isinstance(self.alarm, dict)
        if self.alarm and not self.has_clock:
            self.alarm = duration(self.alarm)
        self.sets_own_alarm = self.has_clock or self.idle_alarm is not None
        is_exact = self.idle_alarm is not None or (self.has_clock and self.alarm.get("exact", False))
        self.alarm_means = "idle_alarm" if is_exact and has_permission else "alarm"
        # An alarm that is not exact goes off within its window, of no length here; one that lacks the permission, later by `alarm_delay` (N6).
        self.is_delayed = self.alarm_means == "alarm" and not (self.has_clock and not is_exact)
        if self.has_clock and not is_exact and duration(self.alarm.get("window", "0s")):
            raise ValueError("a window is drawn in")
        # The provider's alarm fetches in Doze too, without a network there (N1).
        self.fetches_in_doze = spec.get("alarm_does", "job") == "fetch" and not self.sets_own_alarm
        flex = duration(spec["flex"]) if "flex" in spec else self.work
        self.first_after = self.work - flex if self.work and flex < self.work else self.work
        self.message, self.handler = spec.get("message", "normal"), spec.get("handler", "direct")
        self.anchor = None
        # The refresh that waits, and the job or message that waits on if the alarm in `waiting` runs without a connection.
        self.waiting = self.beside = None
        # A token that tells a schedule from one that has ended, and when and how that falls due.
        self.schedule, self.due = 0, None
        self.back_off = spec.get("back_off")
        # The job that has failed and waits for its further try; what tells jobs from those before an update.
        self.failed_job, self.era = None, 0
        # The latest job that had reloads of its own (N2).
        self.latest_job = None

    def delay(self, failures):
        """After so many failures: 30 s, 60 s, 120 s and so on, or 30 s, 60 s, 90 s (N2)."""
        first = duration(self.back_off.get("first", "30s"))
        factor = failures if self.back_off.get("form", "exponential") == "linear" else 2 ** (failures - 1)
        return min(first * factor, LONGEST_BACK_OFF)

    def waits_since(self):
        return min(refresh.since for refresh in (self.waiting, self.beside) if refresh)

    def ask(self, refresh):
        """One refresh of a provider waits at a time; one that passes more gates takes its place (N2)."""
        waiting = self.waiting
        if waiting is None:
            self.waiting = refresh
        elif STRENGTH[refresh.means] > STRENGTH[waiting.means]:
            self.waiting = refresh
            if refresh.means not in ALARMS:
                refresh.stand_for(waiting)
                if self.beside:
                    refresh.stand_for(self.beside)
                self.beside = None
            elif waiting.means not in ALARMS:
                self.beside = waiting
        elif waiting.means not in ALARMS or refresh.means in ALARMS:
            waiting.stand_for(refresh)
        elif self.beside is None:
            self.beside = refresh
        elif STRENGTH[refresh.means] > STRENGTH[self.beside.means]:
            refresh.stand_for(self.beside)
            self.beside = refresh
        else:
            self.beside.stand_for(refresh)


class AndroidDevice(Messages, Device):
    BUCKET_RANK = 8

    def __init__(self, scenario, spec, lines):
        given = scenario.get("parameters", {}).get("android", {})
        self.a = {key: duration(value) if isinstance(value, str) and value[:1].isdigit() else value for key, value in {**PARAMETERS, **given}.items()}
        demotion = dict(given.get("demotion", {}))
        self.screen_needed = durations(SCREEN, demotion.pop("screen", {}))
        self.demotion = durations(DEMOTION, demotion)
        # How long the screen was on in the sessions that are over, and the beginning of the one that is not.
        self.screen_before, self.screen_since = 0, None
        self.job_quota = durations(JOB_QUOTA, given.get("job_quota", {}))
        self.job_counts = {**JOB_COUNTS, **given.get("job_counts", {})}
        self.job_sessions = {**JOB_SESSIONS, **given.get("job_sessions", {})}
        self.expedited_quota = durations(EXPEDITED_QUOTA, given.get("expedited_quota", {}))
        self.alarm_quota = {**ALARM_QUOTA, **given.get("alarm_quota", {})}
        doze = dict(given.get("doze", {}))
        self.waits_for_unlock = doze.pop("wait_for_unlock", True)
        self.doze = Doze(durations(DOZE, doze))
        self.is_charging = False
        # From a boot to the first unlock after it (N1).
        self.is_booting = False
        # The providers whose job an app's call has asked for already.
        self.asked = []
        super().__init__(scenario, spec, lines)
        specs = {spec["id"]: spec for spec in scenario["kinds"]}
        self.providers = {
            id: Provider(kind, specs[id].get("android", self.derived(kind)), bool(self.a["exact_alarms"])) for id, kind in self.kinds.items()}
        self.apps = {kind.app: App(self.start) for kind in self.kinds.values()}
        self.prepare_messages(scenario)
        self.doze.start(self.start)

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
            self.doze.stop()
        elif not self.doze.is_counting():
            self.doze.start(self.now)

    def on_pickup(self):
        if not self.in_session:
            self.screen_since = self.now
        super().on_pickup()
        self.screen_or_charger()

    def on_lock(self):
        if self.in_session:
            self.screen_before, self.screen_since = self.screen_on(), None
        super().on_lock()
        self.screen_or_charger()

    def screen_on(self):
        """How long the screen has been on: the time of sessions (N3)."""
        return self.screen_before + (0 if self.screen_since is None else self.now - self.screen_since)

    def on_glance(self):
        if not self.in_session and not self.waits_for_unlock:
            self.doze.stop()
            self.screen_or_charger()
        super().on_glance()

    def on_charging_on(self):
        self.is_charging = True
        self.screen_or_charger()

    def on_charging_off(self):
        self.is_charging = False
        self.screen_or_charger()

    def on_motion(self):
        self.doze.move(self.now)

    def on_move(self, detail):
        self.place = self.place_of(detail)
        self.on_motion()

    # Differences from iOS

    def environment(self, is_reboot=False):
        if is_reboot:
            self.is_booting = True
            super().environment(is_reboot=True)

    def picked_up(self):
        """After a boot all alarms count from the unlock (N1)."""
        if self.in_session:
            for provider in self.providers.values():
                # A provider that came after the boot has no such refresh.
                is_owed = any(instance.reboots_owed for instance in self.there() if instance.kind is provider.kind)
                if is_owed and not provider.work:
                    provider.anchor = self.now
                    self.plan_alarm(provider)
            self.is_booting = False
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
        if job is None or job.has_failed or job.era != provider.era:
            return
        job.has_failed = True
        job.failures += 1
        provider.failed_job = job
        if job.is_periodic:
            provider.schedule += 1
        self.at(self.now + provider.delay(job.failures), 8, lambda: self.try_again(provider, job), before=-1)

    def try_again(self, provider, job):
        if provider.failed_job is job:
            provider.failed_job = None
            self.ask_of(provider, Refresh("work", job.cause, job.is_periodic, job.failures))

    def ask_of(self, provider, refresh):
        """An expedited job without quota is an ordinary one before it is compared with what waits (N2, N5)."""
        refresh.since = self.now
        if refresh.means == "expedited":
            self.look_for_quota(provider, refresh)
        provider.ask(refresh)

    def look_for_quota(self, provider, refresh):
        refresh.bucket = self.bucket(provider.kind.app)
        if not self.has_expedited_quota(provider.kind.app):
            refresh.means = "work"

    def openings(self, instance):
        return []

    def install(self, instance):
        super().install(instance)
        provider = self.providers[instance.kind.id]
        if provider.anchor is None:
            initial = instance.spec.get("initial")
            provider.anchor = self.instant_of(initial.get("fetched", "0s")) if initial else self.now
            if provider.work:
                self.plan_job(provider, provider.anchor, provider.work if initial else provider.first_after)
            else:
                self.plan_alarm(provider)

    # Updates of apps (N1)

    def on_app_update(self, app):
        for provider in self.providers.values():
            if provider.kind.app == app and provider.anchor is not None:
                provider.anchor = self.now
                provider.failed_job, provider.latest_job, provider.era = None, None, provider.era + 1
                self.ask_of(provider, Refresh("update", "app_trigger"))
                provider.waiting.is_periodic = False
                if provider.work:
                    self.plan_job(provider, self.now, provider.work)
                else:
                    self.plan_alarm(provider)

    # Periods (N1, N2, N6)

    def plan_alarm(self, provider):
        """The next alarm: at a whole period from the anchor, or at a clock time."""
        provider.schedule, provider.due = provider.schedule + 1, None
        if provider.has_clock:
            at = self.aligned_date(provider.alarm, self.now)
        elif provider.alarm or provider.idle_alarm:
            period = provider.alarm or provider.idle_alarm
            at = provider.anchor + max(1, (self.now - provider.anchor) // period + 1) * period
        else:
            return
        # Delays are drawn elsewhere; here they are constant.
        at += self.a["alarm_delay"] if provider.is_delayed else 0
        self.plan(provider, at, self.alarm_goes_off)

    def plan(self, provider, at, falls_due):
        action = provider.due = at, lambda schedule=provider.schedule: falls_due(provider, schedule)
        self.at(at, 8, action[1])

    def ask_what_is_due(self):
        """What falls due in the microsecond of a push is asked for before it (T3)."""
        for provider in self.providers.values():
            if provider.due and provider.due[0] <= self.now:
                provider.due[1]()

    def alarm_goes_off(self, provider, schedule):
        if schedule == provider.schedule:
            self.ask_of(provider, Refresh(provider.alarm_means, "after"))
            self.plan_alarm(provider)

    def plan_job(self, provider, ended, later):
        """The next periodic job, so long after the end of the last run."""
        provider.schedule += 1
        self.plan(provider, max(self.now, ended + later + self.a["job_delay"]), self.job_falls_due)

    def job_falls_due(self, provider, schedule):
        if schedule == provider.schedule:
            provider.schedule, provider.due = provider.schedule + 1, None
            self.ask_of(provider, Refresh("work", "after", is_periodic=True))

    def on_app_open(self, app):
        super().on_app_open(app)
        if app in self.apps:
            self.apps[app].used_at, self.apps[app].screen_at_use = self.now, self.screen_on()

    def on_app_trigger(self, detail):
        self.asked = []
        super().on_app_trigger(detail)

    def background_cause(self, instance, cause):
        """A call from the background is a job that is asked for once, whatever the instances (N2)."""
        provider = self.providers[instance.kind.id]
        if provider not in self.asked:
            self.asked.append(provider)
            self.ask_of(provider, Refresh("work", cause))

    # Messages (N10)

    def meant(self, app):
        """The providers that a message of an app refreshes: those that are there as it is delivered."""
        return [provider for provider in self.providers.values() if provider.kind.app == app and provider.kind.push and provider.anchor is not None]

    def takes_messages(self, app):
        return bool(self.meant(app))

    def deliver(self, app):
        self.ask_what_is_due()
        for provider in self.meant(app):
            if provider.handler == "direct":
                means = "urgent_message" if provider.message == "high" else "message"
            else:
                means = "expedited" if provider.handler == "expedited" and provider.message == "high" else "work"
            self.ask_of(provider, Refresh(means, "push"))

    # Gates (N1, N3 to N9, N11)

    def bucket(self, app):
        if self.a["restricted"]:
            return "restricted"
        if app in self.foreground:
            return "active"
        if self.a["widget_bucket"] != "by_use":
            return self.a["widget_bucket"]
        unused, screen = self.now - self.apps[app].used_at, self.screen_on() - self.apps[app].screen_at_use
        return next((
            name for name in ("restricted", "rare", "frequent", "working_set")
            if unused >= self.demotion[name] and screen >= self.screen_needed.get(name, 0)), "active")

    def is_own_alarm(self, provider, means):
        """Whether a bucket holds and counts an alarm: one that its app sets, and that is not exempt (N6)."""
        return means in ALARMS and provider.sets_own_alarm and not (means == "idle_alarm" and self.a["idle_alarms_exempt"])

    def is_counted(self, app):
        """Whether limits hold for what an app begins now (N9)."""
        return not self.is_charging or self.bucket(app) == "restricted"

    def holds(self, provider):
        """What holds a refresh now: instants at which a gate opens by itself, `None` for one that only an event opens."""
        means, app = provider.waiting.means, provider.kind.app
        state, bucket = self.apps[app], self.bucket(app)
        found = []
        if self.is_booting or (self.a["killers"] and not self.in_session):
            found.append(None)
        if self.offline and means not in ALARMS:
            found.append(None)
        if means in ("urgent_message", "expedited", "update"):
            return found
        if self.doze.is_idle():
            if means == "idle_alarm":
                found += self.nth_last(state.idle_alarms, self.a["idle_alarms"], HOUR)
            elif not (means == "alarm" and provider.fetches_in_doze):
                found.append(None)
        off = any(begin <= self.now < end for begin, end in self.refresh_off)
        if not self.refresh_on or self.low_power or off:
            found.append(None)
        if bucket == "restricted":
            last = state.last_alarm if self.is_own_alarm(provider, means) else state.last_job if means == "work" else None
            if last is not None:
                found.append(last + DAY)
        elif not self.is_charging:
            if self.is_own_alarm(provider, means) and bucket in self.alarm_quota:
                found += self.nth_last(state.own_alarms, self.alarm_quota[bucket], HOUR)
            if means == "work":
                found.append(state.jobs.opening(self.now, self.job_quota[bucket], JOB_WINDOW[bucket]))
                begun = [begin for begin, _ in state.jobs.runs]
                found += self.nth_last(begun, self.job_counts["minute"], MINUTE)
                if bucket == "active":
                    found += self.nth_last(begun, self.job_counts["active"], HOUR)
                found += self.nth_last(state.jobs.sessions(self.now), self.job_sessions[bucket], JOB_WINDOW[bucket])
        return [at for at in found if at is None or at > self.now]

    @staticmethod
    def nth_last(begun, count, window):
        """When fewer than so many lie in the window again, if so many have begun."""
        return [begun[-count] + window] if len(begun) >= count else []

    def next_instant(self):
        candidates = [at for at in (super().next_instant(), self.doze.next_change()) if at is not None]
        for provider in self.providers.values():
            if provider.waiting:
                candidates += [at for at in self.holds(provider) if at is not None]
        candidates += [at for span in self.refresh_off for at in span if at > self.now]
        candidates += [at for state in self.apps.values() for at in (state.used_at + unused for unused in self.demotion.values()) if at > self.now]
        if self.screen_since is not None:
            for state in self.apps.values():
                so_far = self.screen_on() - state.screen_at_use
                candidates += [self.now + needed - so_far for needed in self.screen_needed.values() if needed > so_far]
        return min(candidates, default=None)

    def reloads(self):
        self.doze.advance(self.now)
        waiting = [provider for provider in self.providers.values() if provider.waiting]
        # The one that has waited longer goes first where one place of a quota lets only one run (T3).
        for provider in sorted(waiting, key=Provider.waits_since):
            refresh = provider.waiting
            if refresh.means == "expedited" and (refresh.bucket != self.bucket(provider.kind.app) or not self.holds(provider)):
                self.look_for_quota(provider, refresh)
            if not self.holds(provider):
                self.refresh(provider)
        super().reloads()

    def has_expedited_quota(self, app):
        return not self.is_counted(app) or self.apps[app].expedited.used(self.now, DAY) < self.expedited_quota[self.bucket(app)]

    def refresh(self, provider):
        refresh, beside, state = provider.waiting, provider.beside, self.apps[provider.kind.app]
        provider.waiting = provider.beside = None
        means, is_job = refresh.means, refresh.means in JOBS
        has_network = not self.offline and not (means == "alarm" and self.doze.is_idle())
        if beside and has_network:
            refresh.stand_for(beside)
        else:
            provider.waiting = beside
        self.count(refresh, provider, state)
        own = [instance for instance in self.there() if instance.kind is provider.kind and not (instance.flight or instance.free)]
        job, is_planned = None, refresh.is_periodic
        if is_job and provider.back_off is not None and own:
            # A job takes the place of a try, and of the period that this stands for.
            if provider.failed_job is not None:
                refresh.is_periodic = is_planned = refresh.is_periodic or provider.failed_job.is_periodic
                provider.failed_job = None
            job = provider.latest_job = Job(refresh, provider.era)
            # Reloads of the job before that are under way are from now on this one's.
            for instance in self.there():
                before = getattr(instance.flight, "job", None) if instance.kind is provider.kind else None
                if before is not None and before.era == provider.era:
                    job.is_periodic = job.is_periodic or (before.is_periodic and not before.has_failed)
                    instance.flight.job = job
        elif is_job and provider.back_off is not None and refresh.failures is None and provider.latest_job:
            # All of its reloads merge: it fails or not with the job that it joins.
            joined = provider.latest_job
            joined.is_periodic = joined.is_periodic or refresh.is_periodic
            is_planned = is_planned and provider.failed_job is not joined
        if is_planned:
            # A refresh that is no job, and runs in the place of one, is over at once.
            self.plan_job(provider, self.now + (self.a["job_time"] if is_job else 0), provider.work)
        for instance in self.there():
            if instance.kind is provider.kind:
                if instance.flight or instance.free:
                    self.merged(instance, refresh.cause)
                else:
                    self.rows["granted"].append((instance.id, self.now, refresh.cause, 0, None))
                    self.start_refresh(instance, refresh.cause, job, has_network)

    def count(self, refresh, provider, state):
        """What the run leaves for the limits of later ones, and for a window of Doze."""
        is_counted = self.is_counted(provider.kind.app)
        if refresh.means in JOBS:
            until = self.now + self.a["job_time"]
            self.doze.run_job(until)
            if is_counted:
                (state.jobs if refresh.means == "work" else state.expedited).runs.append((self.now, until))
            state.last_job = self.now
        if refresh.means in ALARMS:
            if self.is_own_alarm(provider, refresh.means):
                state.last_alarm = self.now
                if is_counted:
                    state.own_alarms.append(self.now)
            if refresh.means == "idle_alarm" and self.doze.is_idle():
                state.idle_alarms.append(self.now)

    def start_refresh(self, instance, cause, job, has_network):
        """Without a network it ends as it does without a connection (N1)."""
        offline, self.offline = self.offline, not has_network
        self.start_flight(instance, cause, False)
        self.offline = offline
        if instance.flight:
            instance.flight.job = job
