#!/usr/bin/env python3
"""The subset of reloadsim's rules that README.md states, as a SimPy model.

Two processes for each phone: its person, who sleeps, wakes up and picks it up, and its widget, which reloads under the budget and its gates. All phones
share one environment. The rules in brackets are those of MODEL.md. Time is in seconds from the start of the run, a midnight; random numbers are this
model's own. Prints the counts of the reported span as CSV: a metric and its value a row.
"""

import argparse
import csv
import math
import random
import sys
import time
from collections import deque

import simpy

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0

# The numbers of subset.yaml.
WAKE_UP, BEDTIME = 7 * HOUR, 23 * HOUR
UNLOCKS_PER_DAY = 80
SESSION = 60.0
SHOWN = 0.6                      # the probability that a session shows the widget
ASKED = 15 * MINUTE              # the policy: `after`
MIN_GAP = 5 * MINUTE
IDLE_AFTER = 2 * HOUR
DISPATCH_MEDIAN, DISPATCH_P95 = 10.0, 60.0
LATENCY = 0.1                    # each way
VERSIONS_EVERY = 1 * HOUR
A_MIN, A_MAX, V_HALF, WINDOW_DAYS = 6, 75, 24, 7
BURST_SHARE, LEAST_CAP = 0.1, 3

WAKING = BEDTIME - WAKE_UP
MEAN_GAP = WAKING / UNLOCKS_PER_DAY - SESSION
# The spread of the logarithm of gaps, about what reloadsim solves for a burstiness of 0.2; compare measures it and says so.
GAP_SIGMA = 1.146
DISPATCH_SIGMA = math.log(DISPATCH_P95 / DISPATCH_MEDIAN) / 1.6448536269514722
# A balance is a sum of floating-point numbers: at the instant at which it is to hold a token it can fall short by its rounding.
ROUNDING = 1e-9


class Counts:
    """What the report counts, over all phones."""

    def __init__(self):
        self.sessions = 0
        self.views_fresh = 0
        self.views_stale = 0
        self.missed_versions = 0
        self.age = 0.0
        self.reloads_granted = 0
        self.requests = 0
        self.waits = 0
        self.waits_budget = 0
        self.waits_idle = 0
        self.waits_gap = 0
        self.wait = 0.0
        self.tokens_accrued = 0.0
        self.tokens_expired = 0.0


def waking_time(t):
    """The usual waking time from the start of the run to `t`."""
    days, clock = divmod(t, DAY)
    return days * WAKING + min(max(clock - WAKE_UP, 0.0), WAKING)


class Budget:
    """A bucket of tokens that fills over the waking day (B1, B4, B5); it is brought up to date when somebody looks at it."""

    def __init__(self, phone, allowance):
        self.phone = phone
        self.settled_at = 0.0
        self.set_allowance(allowance)
        self.balance = self.cap / 2

    def set_allowance(self, allowance):
        self.rate = allowance / WAKING
        self.cap = max(LEAST_CAP, BURST_SHARE * allowance)

    def settle(self):
        counts, now = self.phone.fleet.counts, self.phone.env.now
        accrued = self.rate * (waking_time(now) - waking_time(self.settled_at))
        self.settled_at = now
        self.balance += accrued
        counts.tokens_accrued += accrued
        if self.balance > self.cap:
            counts.tokens_expired += self.balance - self.cap
            self.balance = self.cap

    def change(self, allowance):
        """A new allowance at a wake-up; what lies above the new cap is lost (B2, B5)."""
        self.settle()
        self.set_allowance(allowance)
        if self.balance > self.cap:
            self.phone.fleet.counts.tokens_expired += self.balance - self.cap
            self.balance = self.cap

    def has_token(self):
        """Whether a token is there (G1); of a settled budget."""
        return self.balance >= 1 - ROUNDING

    def token_at(self):
        """When a token will be there (B6); never, if not on this waking day."""
        now = self.phone.env.now
        at = max(now, now // DAY * DAY + WAKE_UP) + (1 - self.balance) / self.rate
        return at if at < now // DAY * DAY + BEDTIME else math.inf


class Phone:
    """A phone with one widget on its first home page."""

    def __init__(self, fleet):
        self.fleet = fleet
        self.env = fleet.env
        self.rng = fleet.rng
        self.in_session = False
        self.last_use = -math.inf
        # An event for a widget that waits for the next pickup.
        self.next_pickup = None
        # The phone starts with the views that are expected of it, and with content of a drawn age (T4).
        self.views_today = None
        self.history = deque([math.floor(SHOWN * UNLOCKS_PER_DAY + self.rng.random()) for _ in range(WINDOW_DAYS)], WINDOW_DAYS)
        self.budget = Budget(self, self.allowance())
        self.made_at = -self.rng.random() * max(ASKED, WAKING / self.allowance())
        self.last_run = -math.inf
        self.env.process(self.person())
        self.env.process(self.widget())

    def allowance(self):
        """The daily allowance by the mean views of the last device-days (B2)."""
        views = sum(self.history) / len(self.history)
        return A_MIN + (A_MAX - A_MIN) * views / (views + V_HALF)

    # The person (D2, D3, V2).

    def person(self):
        env, rng = self.env, self.rng
        yield env.timeout(WAKE_UP)
        while True:
            self.wake_up()
            bedtime = env.now + WAKING
            # The wake-up falls into a gap, and into a long one more likely than into a short one; what is left of it comes first.
            gap = MEAN_GAP * rng.lognormvariate(GAP_SIGMA**2 / 2, GAP_SIGMA) * rng.random()
            while env.now + gap < bedtime:
                yield env.timeout(gap)
                self.pick_up()
                yield env.timeout(min(SESSION, bedtime - env.now))
                self.lock()
                gap = MEAN_GAP * rng.lognormvariate(-(GAP_SIGMA**2) / 2, GAP_SIGMA)
            yield env.timeout(bedtime - env.now)
            yield env.timeout(DAY - WAKING)

    def wake_up(self):
        """A device-day is complete, and the allowance follows its views (T5, B2)."""
        if self.views_today is not None:
            self.history.append(self.views_today)
        self.views_today = 0
        self.budget.change(self.allowance())

    def pick_up(self):
        self.in_session = True
        self.fleet.counts.sessions += 1
        if self.rng.random() < SHOWN:
            self.view()
        if self.next_pickup is not None:
            self.next_pickup.succeed()
            self.next_pickup = None

    def lock(self):
        self.in_session = False
        self.last_use = self.env.now

    def view(self):
        """What is on the screen, by the versions published since (C1, C2, C3, C5)."""
        counts, now = self.fleet.counts, self.env.now
        missed = now // VERSIONS_EVERY - self.made_at // VERSIONS_EVERY
        if missed > 0:
            counts.views_stale += 1
        else:
            counts.views_fresh += 1
        counts.missed_versions += missed
        counts.age += now - self.made_at
        self.views_today += 1

    # The widget (P5, sections 5 and 6).

    def widget(self):
        env, rng = self.env, self.rng
        yield env.timeout(max(0.0, self.made_at + ASKED))
        while True:
            yield from self.pass_gates()
            self.budget.balance -= 1
            self.fleet.counts.reloads_granted += 1
            yield env.timeout(rng.lognormvariate(math.log(DISPATCH_MEDIAN), DISPATCH_SIGMA))
            self.last_run = env.now
            self.fleet.counts.requests += 1
            yield env.timeout(LATENCY)
            made_at = env.now
            yield env.timeout(LATENCY)
            self.made_at = made_at
            yield env.timeout(ASKED)

    def pass_gates(self):
        """Waits until the budget, the gap and the idle gate are open (G1, G2, G3), and counts the wait under each of them that was closed."""
        env = self.env
        due = env.now
        held_by_budget = held_by_gap = held_by_idle = False
        while True:
            self.budget.settle()
            short = not self.budget.has_token()
            early = env.now < self.last_run + MIN_GAP
            idle_at = (env.now if self.in_session else self.last_use) + IDLE_AFTER
            idle = env.now >= idle_at
            if not (short or early or idle):
                break
            held_by_budget |= short
            held_by_gap |= early
            held_by_idle |= idle
            if idle:
                self.next_pickup = env.event()
                yield self.next_pickup
            else:
                # A gate that is open now can close meanwhile, so it is time to look again at the latest when the phone can become idle.
                opens_at = max(self.budget.token_at() if short else 0.0, self.last_run + MIN_GAP)
                yield env.timeout(min(opens_at, idle_at) - env.now)
        counts = self.fleet.counts
        counts.waits_budget += held_by_budget
        counts.waits_gap += held_by_gap
        counts.waits_idle += held_by_idle
        if env.now > due:
            counts.waits += 1
            counts.wait += env.now - due


class Fleet:
    """Phones in one environment."""

    def __init__(self, devices, seed):
        self.env = simpy.Environment()
        self.rng = random.Random(seed)
        self.counts = Counts()
        self.phones = [Phone(self) for _ in range(devices)]

    def run(self, until):
        """Runs up to an instant, which is not included, and settles what is counted as it accrues."""
        if until > self.env.now:
            self.env.run(until=until)
        for phone in self.phones:
            phone.budget.settle()

    def events(self):
        """The events that SimPy has processed; to be asked once, at the end.

        SimPy numbers the events that are scheduled, and its queue has those that are still to come. To read both, though they are internal, slows a
        run less than to count in its loop.
        """
        return next(self.env._eid) - len(self.env._queue)


def main():
    global GAP_SIGMA
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--devices", type=int, default=200, help="phones (200)")
    parser.add_argument("--days", type=int, default=7, help="days that are reported (7)")
    parser.add_argument("--warmup", type=int, default=2, help="days before them (2)")
    parser.add_argument("--gap-sigma", type=float, default=GAP_SIGMA, help=f"the spread of the logarithm of gaps ({GAP_SIGMA})")
    parser.add_argument("--seed", type=int, default=1, help="of all random numbers (1)")
    arguments = parser.parse_args()
    GAP_SIGMA = arguments.gap_sigma

    began = time.process_time()
    fleet = Fleet(arguments.devices, arguments.seed)
    fleet.run(until=arguments.warmup * DAY)
    fleet.counts = counts = Counts()
    fleet.run(until=(arguments.warmup + arguments.days) * DAY)

    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["metric", "value"])
    for name, value in vars(counts).items():
        rows.writerow([name, value])
    rows.writerow(["tokens_closing", sum(phone.budget.balance for phone in fleet.phones)])
    rows.writerow(["gap_sigma", GAP_SIGMA])
    # These two are of the whole run, its warm-up included.
    rows.writerow(["events", fleet.events()])
    rows.writerow(["cpu_s", round(time.process_time() - began, 3)])


if __name__ == "__main__":
    main()
