"""The rules of tiles on watches with Android (N13 of MODEL): a second reading, as `android.py` is of phones and tablets.

A tile is asked for as the person comes to it and while it stays, once its interval of freshness is over; its app's requests keep their distance.
"""

from android import Messages
from civil import MINUTE, duration
from reference import Device


class TileDevice(Messages, Device):
    BUCKET_RANK = 8

    def __init__(self, scenario, spec, lines):
        given = scenario.get("parameters", {}).get("android", {})
        self.request_gap = duration(given.get("tile_request_gap", "20s"))
        self.freshness = {}
        for kind in scenario["kinds"]:
            if "android" in kind:
                fresh = kind["android"].get("freshness")
            elif isinstance(kind["policy"], dict):
                fresh = kind["policy"]["after"]
            else:
                fresh = None
            self.freshness[kind["id"]] = None if fresh is None else max(duration(fresh), MINUTE)
        # A token that tells the tile that stays on the screen from one that was left.
        self.staying = None
        # Tiles whose reload begins in this instant.
        self.beginning = []
        super().__init__(scenario, spec, lines)
        self.prepare_messages(scenario)

    def default_surface(self):
        return "tile"

    # Asks of the system

    def opened(self, detail):
        tiles = self.there()
        return tiles[:1] if detail == "tile" else [tile for tile in tiles if tile.id == detail]

    def on_open(self, detail):
        super().on_open(detail)
        for tile in self.shown:
            if self.interval(tile) is None:
                continue
            until = self.fresh_until(tile)
            if until is None or until <= self.now:
                self.run_at_once(tile, "after")
                until = self.now + self.interval(tile)
            self.stay(tile, until, object())

    def on_leave(self):
        super().on_leave()
        self.staying = None

    def interval(self, tile):
        kind = tile.kind
        return None if kind.needs_sign_in and kind.app not in self.signed_in else self.freshness[kind.id]

    def fresh_until(self, tile):
        return tile.timeline.dates[0] + self.interval(tile) if tile.timeline and tile.timeline.dates else None

    def stay(self, tile, until, token):
        self.staying = token
        self.at(until, 8, lambda: self.staying is token and self.look(tile, token), before=1)

    def look(self, tile, token):
        """The tile that stays is asked for when its last timeline is as old as its interval; one that failed an interval after it was asked for."""
        if self.interval(tile) is None:
            return
        until = self.fresh_until(tile)
        if until is not None and until > self.now:
            self.stay(tile, until, token)
        else:
            self.run_at_once(tile, "after")
            self.stay(tile, self.now + self.interval(tile), token)

    def run_at_once(self, tile, cause):
        """It is under way from its cause on, whatever the rank of that: later causes of the instant merge."""
        if tile.flight or tile.free or tile in self.beginning:
            self.merged(tile, cause)
            return
        self.rows["granted"].append((tile.id, self.now, cause, 0, None))
        if self.ends_at_once(tile):
            self.start_flight(tile, cause, False)
        else:
            self.beginning.append(tile)
            self.at(self.now, 8, lambda: self.begin(tile, cause), before=1)

    def ends_at_once(self, tile):
        """Whether its reload asks nobody, so that it is over before a later cause of the instant (D8, P8, L6)."""
        kind = tile.kind
        if self.offline or (kind.needs_sign_in and kind.app not in self.signed_in):
            return True
        fails = any(begin <= self.now < end for begin, end in self.fix_failing)
        is_lost = tile.uses_location and (not self.may_locate(tile) or (fails and not kind.fix_time))
        return is_lost and kind.without_place == "none" and (kind.without_fix != "prior" or tile.last_known_place is None)

    def begin(self, tile, cause):
        self.beginning.remove(tile)
        self.start_flight(tile, cause, False)

    def free_cause(self, instance, cause, changed=None):
        if instance in self.beginning:
            self.merged(instance, cause)
        else:
            super().free_cause(instance, cause, changed)

    # Requests of its app

    def call_gap(self):
        return self.request_gap

    def background_cause(self, tile, cause):
        self.foreground_call(tile, cause)

    def take_call(self, tile, cause):
        if cause in ("app_trigger", "push"):
            self.run_at_once(tile, cause)
        else:
            self.free_cause(tile, cause)

    def takes_messages(self, app):
        return any(tile.kind.push and tile.kind.app == app for tile in self.there())

    def deliver(self, app):
        for tile in self.there():
            if tile.kind.push and tile.kind.app == app:
                self.call_in_background(tile, "push")

    # Differences from WidgetKit

    def on_move(self, detail):
        self.place = self.place_of(detail)

    def environment(self, is_reboot=False):
        if is_reboot:
            super().environment(is_reboot=True)

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

    def openings(self, instance):
        return []
