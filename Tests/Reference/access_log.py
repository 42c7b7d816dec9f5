"""A second implementation of the figures of `reloadsim compare --log`, written from docs/load-test.md alone: from the exact arrivals of an export in place of a log, and
from the `load.csv` of a run. It also writes these arrivals as access logs.

    access_log.py write ARRIVALS.csv FOLDER          common.log, combined.log, lines.json
    access_log.py check ARRIVALS.csv RUN RESULT.json compares its own figures with the command's, digit by digit
"""

import collections
import csv
import datetime
import json
import pathlib
import sys
import zoneinfo


def arrivals(file):
    with open(file, encoding="utf-8", newline="") as text:
        for row in csv.DictReader(text):
            yield datetime.datetime.fromisoformat(row["utc"].replace("Z", "+00:00")), row["endpoint"], row["key"]


def write(file, folder):
    folder = pathlib.Path(folder)
    zones = [datetime.timezone(datetime.timedelta(hours=hours)) for hours in (-7, 0, 2)] + [datetime.timezone(datetime.timedelta(hours=5, minutes=30))]
    with open(folder / "common.log", "w") as common, open(folder / "combined.log", "w") as combined, open(folder / "lines.json", "w") as lines:
        for number, (at, endpoint, key) in enumerate(arrivals(file)):
            # Servers write the clock of where they are; any of them is the same instant.
            stamp = at.astimezone(zones[number % len(zones)]).strftime("%d/%b/%Y:%H:%M:%S %z")
            line = f'10.0.{number % 250}.7 - - [{stamp}] "GET /v1/{endpoint}/{key}?a=[1] HTTP/1.1" 200 512'
            common.write(line + "\n")
            combined.write(line + ' "-" "Widgets/1.0 (a \\"b\\" [c])"\n')
            lines.write(json.dumps({"status": 200, "ts": at.astimezone(zones[number % len(zones)]).isoformat(), "uri": f"/v1/{endpoint}/{key}"}) + "\n")


def of_local_day(minute, zone):
    """The minute of the day by the clock of a zone."""
    at = datetime.datetime.fromtimestamp(60 * minute, zone)
    return 60 * at.hour + at.minute


def figures(counts, first, minutes, of_day, zone):
    """All figures of a load by the minute, over some minutes of the local day; hours of which nothing is covered have None."""
    whole = sum(counts.values())
    span = [minute for minute in range(first, first + minutes) if of_local_day(minute, zone) in of_day]
    total, minutes, counts = sum(counts[minute] for minute in span), len(span), {minute: counts[minute] for minute in span}
    hours, covered, quarters = [0] * 24, [0] * 24, [0] * 4
    for minute in span:
        hour = of_local_day(minute, zone) // 60
        hours[hour] += counts[minute]
        covered[hour] += 1
        if minute % 15 == 0:
            quarters[minute // 15 % 4] += counts[minute]
    return {
        "mean_per_s": total / (60 * minutes), "share_aligned_minutes": sum(quarters) / total, **{f"share_minute_{15 * i:02}": q / total for i, q in enumerate(quarters)},
        "peak_to_mean_1m": max(counts.values()) * minutes / total, "hours": [h / (60 * c) if c else None for h, c in zip(hours, covered)], "total": whole,
    }


def check(file, run, result):
    run = pathlib.Path(run)
    logged = collections.Counter(int(at.timestamp()) // 60 for at, _, _ in arrivals(file))
    manifest = json.loads((run / "manifest.json").read_text())
    start = int(datetime.datetime.fromisoformat(manifest["report_start"].replace("Z", "+00:00")).timestamp()) // 60
    simulated = collections.Counter()
    with open(run / "load.csv", encoding="utf-8", newline="") as text:
        for row in csv.DictReader(text):
            simulated[start + int(row["bin_start_s"]) // 60] += int(row["requests"])
    spans = [(simulated, start, int(manifest["report_s"]) // 60), (logged, min(logged), max(logged) - min(logged) + 1)]
    said = json.loads(pathlib.Path(result).read_text())
    zone = zoneinfo.ZoneInfo(said["zone"])
    both = set.intersection(*({of_local_day(minute, zone) for minute in range(first, first + count)} for _, first, count in spans))
    own, log = (figures(*span, both, zone) for span in spans)
    both = [i for i in range(24) if own["hours"][i] is not None and log["hours"][i] is not None]
    for side in (own, log):
        values = [side["hours"][i] for i in both]
        side["fullest_hour_to_mean"] = max(values) / (sum(values) / len(values))
    sums = [sum(side["hours"][i] for i in both) for side in (own, log)]
    distance = sum(abs(own["hours"][i] / sums[0] - log["hours"][i] / sums[1]) for i in both) / 2
    wrong = []

    def near(name, a, b):
        if (a is None) != (b is None) or a is not None and abs(a - b) > 1e-9 * max(1, abs(a), abs(b)):
            wrong.append(f"{name}: {a} and {b}")

    near("requests of the run", own["total"], said["run_requests"])
    near("requests of the log", log["total"], said["log_requests"])
    near("shape_distance", distance, said["shape_distance"])
    for row in said["figures"]:
        near(f"{row['figure']} of the run", own[row["figure"]], row["run"])
        near(f"{row['figure']} of the log", log[row["figure"]], row["log"])
    for row in said["hours"]:
        near(f"hour {row['hour']} of the run", own["hours"][row["hour"]], row["run_per_s"])
        near(f"hour {row['hour']} of the log", log["hours"][row["hour"]], row["log_per_s"])
    if wrong:
        sys.exit(f"{result}: " + "; ".join(wrong))
    ratios = {row["figure"]: row["ratio"] for row in said["figures"]}
    print(f"{pathlib.Path(result).name}: {len(said['figures'])} figures and {len(said['hours'])} hours agree; log/run: "
          f"level {ratios['mean_per_s']:.3f}, aligned minutes {ratios['share_aligned_minutes']:.3f}, peak to mean {ratios['peak_to_mean_1m']:.3f}, "
          f"{100 * said['shape_distance']:.1f} % in other hours")
    return ratios, said


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(*sys.argv[2:])
    else:
        check(*sys.argv[2:])
