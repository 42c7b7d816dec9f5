"""Recomputes from a run's tables what can be recomputed from them, with DuckDB, which shares no code with reloadsim: totals, peaks, shares and ledgers.

tables.py FOLDER…: prints each difference, and ends with 1 if there is any.
"""

import csv
import hashlib
import json
import math
import pathlib
import sys

import duckdb

# A value that a table rounds has at least so many digits.
DIGITS = 3
VIEW_STATES = ["placeholder", "redacted", "alternate", "empty", "wrong_place", "stale", "fresh"]
LINE = "segment, kind, device"


class Tables:
    """The tables of one folder, and what was found wrong with them."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.problems = []
        self.checks = 0
        self.db = duckdb.connect()
        for path in sorted(self.folder.glob("*.csv")):
            # Names of kinds and endpoints can look like numbers, so the schema says what is text.
            types = self.types(path.name)
            self.db.execute(
                f"create table {path.stem} as select * from read_csv(?, header=true, delim=',', quote='\"', columns=?)", [str(path), types])
        self.summary = self.read_summary()

    def types(self, name):
        package = json.loads((self.folder / "datapackage.json").read_text())
        resource = next(r for r in package["resources"] if r["path"] == name)
        kinds = {"integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN"}
        return {f["name"]: kinds.get(f["type"], "VARCHAR") for f in resource["schema"]["fields"]}

    def has(self, table):
        return bool(self.db.execute("select count(*) from duckdb_tables() where table_name = ?", [table]).fetchone()[0])

    def rows(self, sql):
        return self.db.execute(sql).fetchall()

    def one(self, sql):
        return self.db.execute(sql).fetchone()[0]

    def read_summary(self):
        """(scope, name, metric) to value, from the long form and from names that are glued together."""
        with open(self.folder / "summary.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        found = {}
        for row in rows:
            value = float(row["value"]) if row["value"] else None
            if "scope" in row:
                found[row["scope"], row["name"], row["metric"]] = value
                continue
            head, _, metric = row["metric"].rpartition(".")
            scope, _, name = head.partition(".")
            if scope not in ("endpoint", "segment", "device"):
                scope, name = ("kind", head) if head else ("run", "")
            found[scope, name, metric] = value
        return found

    def metric(self, name, scope="run", of=None):
        """A metric of the summary; of the whole run whatever the run's own name is."""
        for (found, part, metric), value in self.summary.items():
            if found == scope and metric == name and (of is None or part == of):
                return value
        # The only one of its sort has no rows of its own beside the run's.
        if scope != "run" and not any(found == scope for found, _, _ in self.summary):
            return self.metric(name)
        return None

    def same(self, what, stated, computed):
        """Whole numbers are equal; others agree to the digits that a table keeps."""
        self.checks += 1
        if stated is None and (computed is None or isinstance(computed, float) and math.isnan(computed)):
            return
        if stated is None or computed is None:
            self.problems.append(f"{what}: {stated} is stated, {computed} computed")
            return
        if float(stated).is_integer() and float(computed).is_integer():
            right = stated == computed
        else:
            right = math.isclose(stated, computed, rel_tol=0.5 * 10 ** (1 - DIGITS), abs_tol=1e-9)
        if not right:
            self.problems.append(f"{what}: {stated} is stated, {computed} computed")

    def none(self, what, sql):
        """A query that finds rows only where something is wrong."""
        self.checks += 1
        found = self.rows(sql + " limit 3")
        for row in found:
            self.problems.append(f"{what}: {row}")


def check_files(t):
    manifest = json.loads((t.folder / "manifest.json").read_text())
    for file in manifest["files"]:
        data = (t.folder / file["name"]).read_bytes()
        t.same(f"bytes of {file['name']}", file["bytes"], len(data))
        t.same(f"SHA-256 of {file['name']}", 0, 0 if hashlib.sha256(data).hexdigest() == file["sha256"] else 1)
    return manifest


def check_load(t, seconds):
    total = t.one("select coalesce(sum(requests), 0)::bigint from load")
    t.same("requests_total of the load", t.metric("requests_total"), float(total))
    t.same("load_mean_per_s", t.metric("load_mean_per_s"), total / seconds)
    for endpoint, requests in t.rows("select endpoint, sum(requests)::bigint from load group by all order by all"):
        t.same(f"requests_total at {endpoint}", t.metric("requests_total", "endpoint", endpoint), float(requests))
    # Requests of the devices' own counts arrive at the edge, but for those on their way at the borders.
    sent, into, out = t.rows("select sum(requests_sent), sum(requests_carried_in), sum(requests_carried_out) from reload_totals")[0]
    fetched, fetched_in, fetched_out = t.rows(
        "select sum(fetch_requests), sum(fetch_requests_carried_in), sum(fetch_requests_carried_out) from fleet")[0]
    t.same("requests of the ledger and of the load", int(sent + into - out + fetched + fetched_in - fetched_out), total)
    # Aligned windows that are whole bins: the bins of a minute, and hours of them.
    bins = sorted({b - a for a, b in zip(*[iter_starts(t, shift) for shift in (0, 1)])})
    width = bins[0] if bins else 60
    for window in (60, 300, 3_600):
        if window % width or seconds < window:
            continue
        peak = t.one(
            f"select coalesce(max(n), 0)::bigint from (select sum(requests) n from load where (bin_start_s // {window} + 1) * {window} <= {seconds}"
            f" group by bin_start_s // {window})")
        t.same(
            f"aligned peak of {window} s",
            t.one(f"select aligned_peak_requests from load_peaks where stage = 'edge' and endpoint = '*' and window_s = {window}") or 0, peak)
    t.none("aligned above sliding", "select * from load_peaks where aligned_peak_requests > sliding_peak_requests")
    t.none(
        "a peak over its seconds", "select * from load_peaks where abs(sliding_peak_per_s * window_s - sliding_peak_requests) > 0.006 * sliding_peak_requests")
    t.none(
        "peak to mean",
        "select * from load_peaks where mean_requests > 0 and abs(peak_to_mean * mean_requests / aligned_peak_requests - 1) > 0.006")
    t.none("windows", f"select * from load_peaks where windows <> {int(seconds)} // window_s")
    t.none(
        "shares of a peak",
        "select stage, endpoint, window_s, sum(minute_share) from load_peak_causes group by all having abs(sum(minute_share) - 1) > 0.005 * count(*)")
    t.none(
        "a share of a peak",
        "select * from (select *, minute_requests / sum(minute_requests) over (partition by stage, endpoint, window_s) computed from load_peak_causes)"
        " where abs(minute_share - computed) > 0.006 * computed + 1e-9")
    t.none(
        "less in a peak's minutes than in the peak",
        "select p.endpoint, p.window_s from load_peaks p join load_peak_causes c using (stage, endpoint, window_s) group by all"
        " having sum(c.minute_requests) < max(p.sliding_peak_requests)")


def iter_starts(t, shift):
    starts = [row[0] for row in t.rows("select distinct bin_start_s from load order by 1")]
    return starts[shift:]


def check_reloads(t):
    t.none(
        "carried in + started = ended + carried out", "select * from reload_totals where carried_in + started <> ended + carried_out")
    t.none(
        "reloads by outcome and by cause",
        f"""select * from (select {LINE}, cause, sum(reloads) filter (charged) c, sum(reloads) filter (not charged) f from reloads group by all)
            full join reload_causes using ({LINE}, cause) where coalesce(c, 0) <> coalesce(ended_charged, 0) or coalesce(f, 0) <> coalesce(ended_free, 0)""")
    t.none(
        "reloads by cause and in total",
        f"""select * from (select {LINE}, sum(started_charged + started_free) s, sum(ended_charged + ended_free) e, sum(requests) r from reload_causes group by all)
            right join reload_totals using ({LINE}) where coalesce(s, 0) <> started or coalesce(e, 0) <> ended or coalesce(r, 0) <> requests_sent""")
    t.none(
        "timelines and their delays",
        f"""select * from (select {LINE}, charged, sum(reloads) n from reloads where outcome = 'ok' group by all)
            full join reload_delays using ({LINE}, charged) where coalesce(n, 0) <> coalesce(reloads, 0)""")
    t.none(
        "quantiles of delays in order", "select * from reload_delays where not (p50_s <= p95_s and p95_s <= p99_s and p99_s <= longest_s)")
    for name, column in [("reloads_charged", "started_charged"), ("reloads_free", "started_free")]:
        t.same(name, t.metric(name), float(t.one(f"select coalesce(sum({column}), 0)::bigint from reload_causes")))
        for (kind,) in t.rows("select distinct kind from reload_totals order by 1"):
            t.same(
                f"{name} of {kind}", t.metric(name, "kind", kind),
                float(t.db.execute(f"select coalesce(sum({column}), 0)::bigint from reload_causes where kind = ?", [kind]).fetchone()[0]))
    failed, well = t.rows(
        "select coalesce(sum(reloads) filter (outcome in ('error', 'timeout', 'offline')), 0), coalesce(sum(reloads) filter (outcome = 'ok'), 0) from reloads")[0]
    t.same("share_reloads_failed", t.metric("share_reloads_failed"), failed / (failed + well) if failed + well else None)


def check_budget(t, seconds):
    t.none(
        "opening + accrued = spent + expired + closing",
        "select * from budget_totals where abs(opening_tokens + accrued_tokens - spent_tokens - expired_tokens - closing_tokens) > 1e-6 * (1 + accrued_tokens)")
    for column in ("accrued_tokens", "expired_tokens", "spent_tokens"):
        t.none(
            f"{column} by hour and in total",
            f"""select * from (select {LINE}, pool, sum({column}) h from budget group by all) right join budget_totals using ({LINE}, pool)
                where abs(coalesce(h, 0) - {column}) > 1e-6 * (1 + {column})""")
    t.none(
        "a charged reload spends one token",
        f"""select * from (select {LINE}, sum(spent_tokens) s from budget_totals group by all)
            full join (select {LINE}, sum(started_charged) c from reload_causes group by all) using ({LINE}) where coalesce(s, 0) <> coalesce(c, 0)""")
    expired, gone = t.rows("select coalesce(sum(expired_tokens), 0), coalesce(sum(expired_tokens + spent_tokens), 0) from budget_totals")[0]
    stated = t.metric("share_tokens_expired")
    if stated is not None:
        t.checks += 1
        if not 0 <= stated <= 1 or (expired == 0) != (stated == 0):
            t.problems.append(f"share_tokens_expired: {stated} is stated, {expired} of {gone} expired")
    t.none("mean waits", "select * from budget_waits where waits > 0 and abs(mean_wait_s * waits / wait_s - 1) > 0.006 and wait_s > 0")


def check_views(t):
    states = " + ".join(f"views_{state}" for state in VIEW_STATES)
    for table in ("staleness", "views_by_hour"):
        t.none(f"states of {table}", f"select * from {table} where {states} <> views")
        for state in ("stale", "fresh"):
            t.none(
                f"share_{state} of {table}",
                f"select * from {table} where views > 0 and abs(share_{state} - views_{state} / views) > 0.006 * share_{state} + 1e-9")
    for state in VIEW_STATES:
        t.none(
            f"views_{state} by mode, by hour and by look",
            f"""select * from (select {LINE}, sum(views_{state}) a from staleness group by all)
                full join (select {LINE}, sum(views_{state}) b from views_by_hour group by all) using ({LINE})
                full join (select {LINE}, sum(views) c from presentation where state = '{state}' group by all) using ({LINE})
                where coalesce(a, 0) <> coalesce(b, 0) or coalesce(a, 0) <> coalesce(c, 0)""")
    t.none(
        "views by surface and by look",
        f"""select * from (select {LINE}, surface, sum(views) n from presentation group by all) full join presentation_surfaces using ({LINE}, surface)
            where coalesce(n, 0) <> coalesce(views, 0)""")
    t.none("stale time within waking time", "select * from staleness where stale_time_s > waking_time_s * (1 + 1e-9)")
    views, stale, fresh = t.rows("select sum(views)::bigint, sum(views_stale)::bigint, sum(views_fresh)::bigint from staleness")[0]
    t.same("views", t.metric("views"), float(views or 0))
    t.same("share_stale", t.metric("share_stale"), stale / views if views else None)
    t.same("share_fresh", t.metric("share_fresh"), fresh / views if views else None)
    for kind, views, stale in t.rows("select kind, sum(views)::bigint, sum(views_stale)::bigint from staleness group by all order by all"):
        t.same(f"views of {kind}", t.metric("views", "kind", kind), float(views))
        t.same(f"share_stale of {kind}", t.metric("share_stale", "kind", kind), stale / views if views else None)


def check_fleet(t, manifest):
    people, devices = t.rows("select sum(people)::bigint, sum(devices)::bigint from fleet")[0]
    t.same("people of the manifest", manifest["people"], people)
    t.same("people", t.metric("people"), float(people))
    t.same("devices", t.metric("devices"), float(devices))


def check_service(t, seconds):
    if not t.has("service"):
        return
    t.same("offered to the service and arrived", t.one("select sum(offered)::bigint from service"), t.one("select sum(requests)::bigint from load"))
    t.none("first attempts and retries", "select * from service where first_attempts + retries <> offered")
    # The number in flight at the end of a bin is what was before, and what came, less what ended.
    t.none(
        "in flight from bin to bin",
        """select * from (select *, lag(in_flight) over (partition by pool, region order by bin_start_s) before from service)
           where before is not null and in_flight <> before + offered - served - refused - timed_out""")
    t.none(
        "what reaches the origin is admitted, shed or lost",
        "select pool, sum(origin_requests) from service group by all having sum(origin_requests) <> sum(admitted + shed_by_rate + shed_by_queue + lost_in_outage)")
    figures = {(m, p): v for m, p, v in t.rows("select metric, pool, value from service_summary")} if t.has("service_summary") else {}
    for pool, offered, hits, served, refused, timed_out in t.rows(
        "select pool, sum(offered)::bigint, sum(hits)::bigint, sum(served)::bigint, sum(refused)::bigint, sum(timed_out)::bigint from service group by all order by all"
    ):
        for name, value in [("offered", offered), ("hits", hits), ("served", served)]:
            stated = figures.get((name, pool), t.metric(name, "pool", pool))
            if stated is not None:
                t.same(f"{name} of {pool}", float(stated), float(value))
        ended = served + refused + timed_out
        stated = figures.get(("share_served", pool), t.metric("share_served", "pool", pool))
        t.same(f"share_served of {pool}", stated, served / ended if ended else None)
    t.none(
        "quantiles of latencies in order",
        "select * from service_latencies where not (p50_s <= p90_s and p90_s <= p95_s and p95_s <= p99_s and p99_s <= p999_s and p999_s <= longest_s * 1.01 + 1e-6)")


def check_thresholds(t):
    tests = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}
    for metric, op, bound, measured, holds in t.rows("select metric, op, bound, measured, holds from thresholds"):
        t.same(f"threshold on {metric}", int(holds), int(measured is not None and tests[op](measured, bound)))


def check(folder):
    t = Tables(folder)
    manifest = check_files(t)
    seconds = manifest["report_s"]
    check_load(t, seconds)
    check_reloads(t)
    check_budget(t, seconds)
    check_views(t)
    check_fleet(t, manifest)
    check_service(t, seconds)
    check_thresholds(t)
    return t


def main():
    failed = 0
    checks = 0
    for folder in sys.argv[1:]:
        tables = check(folder)
        checks += tables.checks
        for problem in tables.problems:
            failed += 1
            print(f"{folder}: {problem}")
    print(f"{len(sys.argv) - 1} runs, {checks} figures and laws recomputed, {failed} differ")
    sys.exit(1 if failed or not checks else 0)


if __name__ == "__main__":
    main()
