"""The budget of one instance, exact: its accrual in closed form over the usual waking windows (B1–B6)."""

import math
from datetime import timedelta
from fractions import Fraction

from civil import DAY, HOUR, MINUTE

MICRO = 1_000_000


def rounded_down(tokens):
    """Whole microtokens, as B2 wants of an allowance and a cap."""
    return Fraction(math.floor(tokens * MICRO), MICRO)


def microtokens(amount):
    """The amount as text, rounded down to whole microtokens, without trailing zeros."""
    whole = amount.numerator * MICRO // amount.denominator
    return f"{whole // MICRO}.{whole % MICRO:06}".rstrip("0").rstrip(".")


class WakingWindows:
    """The usual waking windows, and which share of a day's allowance accrues a microsecond at an instant (B4, B6)."""

    def __init__(self, start, end, weights=None):
        self.start, self.end, self.weights = start, end, weights
        self.windows = {}

    def window(self, zone, day):
        """The window that starts on a local date, in Unix microseconds."""
        if (zone.name, day) not in self.windows:
            last_day = day if self.end > self.start else day + timedelta(days=1)
            self.windows[zone.name, day] = zone.instant(day, self.start), zone.instant(last_day, self.end)
        return self.windows[zone.name, day]

    def weight(self, zone, unix):
        return Fraction(self.weights[zone.local(unix)[1] // (60 * MINUTE)])

    def weighted_length(self, zone, begin, end):
        total, at = Fraction(0), begin
        while at < end:
            upto = min(end, (at // (15 * MINUTE) + 1) * 15 * MINUTE)
            total += self.weight(zone, at) * (upto - at)
            at = upto
        return total

    def piece(self, zone, unix):
        """The share of the allowance that accrues a microsecond from an instant on, and the instant up to which that holds."""
        today, _ = zone.local(unix)
        following = []
        for days in (-2, -1, 0, 1, 2):
            begin, end = self.window(zone, today + timedelta(days=days))
            if begin <= unix < end:
                if self.weights is None:
                    return Fraction(1, end - begin), end
                total = self.weighted_length(zone, begin, end)
                upto = min(end, (unix // (15 * MINUTE) + 1) * 15 * MINUTE)
                return (self.weight(zone, unix) / total if total else Fraction(0)), upto
            if begin > unix:
                following.append(begin)
        return Fraction(0), min(following)

    def when_accrued(self, zone, begin, allowance, tokens, horizon):
        """The first whole microsecond at which `tokens` have accrued from `begin` on; None up to the horizon."""
        if tokens <= 0:
            return begin
        if allowance <= 0:
            return None
        at, missing = begin, Fraction(tokens)
        while at < horizon:
            share, upto = self.piece(zone, at)
            rate = share * allowance
            if rate * (upto - at) >= missing:
                return at + math.ceil(missing / rate)
            missing -= rate * (upto - at)
            at = upto
        return None


class Account:
    """Invariant: opening + accrued = spent + expired + balance, and 0 ≤ balance ≤ cap (B5, B6)."""

    def __init__(self, windows, zone, unix, allowance, burst_share, opening=None):
        self.windows, self.zone, self.last, self.burst_share = windows, zone, unix, burst_share
        self.set_allowance_only(allowance)
        self.opening = self.cap / 2 if opening is None else Fraction(opening)
        self.balance = self.opening
        self.accrued = self.spent = self.expired = Fraction(0)
        self.clamp()

    def set_allowance_only(self, allowance):
        self.allowance = rounded_down(allowance)
        # With a reset a balance holds the allowance of a day and no more.
        self.cap = self.allowance if self.burst_share is None else rounded_down(max(Fraction(3), self.burst_share * self.allowance))

    def clamp(self):
        if self.balance > self.cap:
            self.expired += self.balance - self.cap
            self.balance = self.cap
        assert self.opening + self.accrued == self.spent + self.expired + self.balance

    def advance(self, unix):
        while self.last < unix:
            share, upto = self.windows.piece(self.zone, self.last)
            upto = min(upto, unix)
            gain = share * self.allowance * (upto - self.last)
            self.accrued += gain
            self.balance += gain
            self.last = upto
            self.clamp()

    def change_allowance(self, unix, allowance):
        self.advance(unix)
        self.set_allowance_only(allowance)
        self.clamp()

    def change_zone(self, unix, zone):
        self.advance(unix)
        self.zone = zone

    def token_at(self, horizon):
        """The first whole microsecond at which the balance is at least 1."""
        return self.windows.when_accrued(self.zone, self.last, self.allowance, 1 - self.balance, horizon)

    def charge(self, unix):
        self.advance(unix)
        assert self.balance >= 1
        self.balance -= 1
        self.spent += 1

    def text(self):
        """The ledger as the engine's trace prints it."""
        names = ("opening", "accrued", "spent", "expired", "balance", "allowance", "cap")
        return ", ".join(f"{name} {microtokens(getattr(self, name))}" for name in names)


class HourlyBucket:
    """A bucket of tokens, full at first, that so many an hour fill; without a rate there is always a token (B7, O5)."""

    def __init__(self, per_hour, burst, start):
        self.burst = Fraction(burst)
        self.rate = None if per_hour is None else Fraction(per_hour, HOUR)
        self.tokens, self.as_of = self.burst, start

    def there(self, unix):
        return min(self.burst, self.tokens + (unix - self.as_of) * self.rate)

    def token_at(self, unix):
        if self.rate is None or self.there(unix) >= 1:
            return unix
        return unix + math.ceil((1 - self.there(unix)) / self.rate)

    def take(self, unix):
        if self.rate is not None:
            self.tokens, self.as_of = self.there(unix) - 1, unix
