"""Durations, instants and local times, read and computed with the standard library only.

An instant is an integer count of microseconds since the scenario's start (T1). A zone gives the offset in force at an instant; the other way round, a clock
time that a DST gap skips is read with the offset before the gap, and one that comes twice counts the first time (P5).
"""

import re
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction
from zoneinfo import ZoneInfo

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
UNITS = {"us": 1, "ms": 1000, "s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY}


def duration(text):
    """The microseconds of a text such as `1h30m` or `1860000001us`."""
    sign = -1 if text.startswith("-") else 1
    parts = re.findall(r"(\d+(?:\.\d+)?)(us|ms|s|m|h|d)", text)
    if "".join(number + unit for number, unit in parts) != text.lstrip("-"):
        raise ValueError(f"not a duration: {text!r}")
    return sign * int(sum(Fraction(number) * UNITS[unit] for number, unit in parts))


def clock(text):
    """The microseconds after midnight of a clock time such as `07:30` or `07:30:15`; `24:00` ends a day."""
    hours, minutes, seconds = (text.split(":") + ["0"])[:3]
    return int(hours) * HOUR + int(minutes) * MINUTE + int(Fraction(seconds) * SECOND)


def unix_microseconds(moment):
    return (moment - EPOCH) // timedelta(microseconds=1)


def iso(text, zone):
    """The Unix microseconds of an ISO-8601 date-time, local to `zone` without an offset of its own."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        midnight = datetime(moment.year, moment.month, moment.day)
        return zone.instant(moment.date(), (moment - midnight) // timedelta(microseconds=1))
    return unix_microseconds(moment)


def instant(text, start=None):
    """The Unix microseconds of an instant of a scenario: ISO-8601, or a duration after its start."""
    return iso(text, Zone("UTC")) if "T" in text else start + duration(text)


class Zone:
    """The rules of one IANA zone, asked in Unix microseconds."""

    def __init__(self, name):
        self.name = name
        self.rules = ZoneInfo(name)
        self.known = {}

    def offset(self, unix):
        """The offset of local time from UTC at an instant, in microseconds."""
        quarter = unix // (15 * MINUTE)
        if quarter not in self.known:
            moment = EPOCH + timedelta(microseconds=quarter * 15 * MINUTE)
            self.known[quarter] = moment.astimezone(self.rules).utcoffset() // timedelta(microseconds=1)
        return self.known[quarter]

    def local(self, unix):
        """The local date and the microseconds since its midnight that clocks show."""
        days, clock_time = divmod(unix + self.offset(unix), DAY)
        return date(1970, 1, 1) + timedelta(days=days), clock_time

    def instant(self, day, clock_time):
        """The instant at which clocks show a local time (P5: gap with the offset before it, the first of two)."""
        wall = (day - date(1970, 1, 1)).days * DAY + clock_time
        offsets = sorted({self.offset(wall - DAY), self.offset(wall + DAY)}, reverse=True)
        for offset in offsets:
            if self.offset(wall - offset) == offset:
                return wall - offset
        return wall - self.offset(wall - DAY)

    def end_of_day(self, unix):
        day, _ = self.local(unix)
        return self.instant(day + timedelta(days=1), 0)

    def start_of(self, day):
        """The first instant of a local date: its midnight, the first of two, or where the clocks skip that, the instant at which they do."""
        at = self.instant(day, 0)
        if self.local(at) != (day, 0):
            while self.offset(at) == self.offset(at - 1):
                at = (at - 1) // (15 * MINUTE) * (15 * MINUTE)
        return at

    def midnights(self, begin, end):
        """The instants in (begin, end] at which a local date starts."""
        day, last = self.local(begin)[0], self.local(end)[0]
        starts = []
        while day <= last:
            starts.append(self.start_of(day))
            day += timedelta(days=1)
        return [at for at in starts if begin < at <= end]

    def changes(self, begin, end):
        """The instants in (begin, end] at which the offset changes; all zones used change on a quarter of an hour."""
        grid = range((begin // (15 * MINUTE) + 1) * 15 * MINUTE, end + 1, 15 * MINUTE)
        return [at for at in grid if self.offset(at) != self.offset(at - 1)]
