"""Reads what `reloadsim export` has written as the tools read it: by their own code where PyPI has it, by their documented grammar elsewhere.

    export.py EXPORT [RUN]

EXPORT is the folder of an export of whatever format; its manifest says how many requests it has, and every format must have them all. RUN is the folder of the
run: a CSV export of whole bins with nothing thinned must then have the requests of load.csv, by bin, endpoint, region and cause.

Readers that are not ours: csv and json for the containers, esprima for the script of k6, and the parser of prometheus_client. Written here from documentation: k6's
ramping-arrival-rate, the records of GoReplay, the targets and rates of vegeta and wrk2, whose scripts run with programs that take no time, and the timing script of
h2load, which `h2load.py` also runs. `recipes.py` runs what reads the table of `--format csv`.
"""

import collections
import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

PARTS_OF_URL = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+/[A-Za-z0-9._~!$&'()*+,;=:@/?%\[\]-]*")


class Wrong(Exception):
    """An export that is not as it must be."""


def demand(holds, words):
    if not holds:
        raise Wrong(words)


def address(url):
    demand(PARTS_OF_URL.fullmatch(url) and urllib.parse.urlsplit(url).hostname, f"'{url}' is no address")
    return url


def check_csv(folder, facts, run):
    with open(folder / "requests.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = ["time_s", "utc", "region", "endpoint", "key", "cause", "person"] + (["url"] if "url" in facts else [])
    before = -1.0
    for row in rows:
        demand(list(row) == names and None not in row.values(), f"requests.csv: {row}")
        demand(float(row["time_s"]) >= before, f"requests.csv: {row['time_s']} comes after {before}")
        demand(facts["from"].rstrip("Z") <= row["utc"].rstrip("Z") and row["region"] and row["endpoint"] and row["key"] and row["cause"], f"requests.csv: {row}")
        before = float(row["time_s"])
        if "url" in row:
            address(row["url"])
    # Bins are a minute long in the runs of check-export.
    if run is not None and facts["scale"] == 1 and facts["stage"] == "edge" and facts["from"].endswith(":00Z") and facts["to"].endswith(":00Z"):
        compare_with_load(rows, facts, run)
    return len(rows)


def compare_with_load(rows, facts, run):
    """Every bin of load.csv that lies in the span has the export's requests."""
    with open(run / "load.csv", newline="", encoding="utf-8") as file:
        load = [row for row in csv.DictReader(file) if facts["from"].rstrip("Z") <= row["bin_start_utc"].rstrip("Z") < facts["to"].rstrip("Z")]
    starts = sorted({row["bin_start_utc"] for row in load})
    # Further tries have a row for each cause that began their reloads.
    table = collections.Counter()
    for row in load:
        table[row["bin_start_utc"], row["endpoint"], row["region"], row["cause"]] += int(row["requests"])
    own = collections.Counter()
    for row in rows:
        start = max(start for start in starts if start <= row["utc"])
        own[start, row["endpoint"], row["region"], row["cause"]] += 1
    demand(own == table, f"requests.csv and load.csv differ: {[(key, own[key], table.get(key)) for key in own | table if own[key] != table.get(key)][:5]}")
    print(f"  load.csv has the same {sum(table.values())} requests in {len(table)} cells")


def check_h2load(folder, facts, run):
    lines = (folder / "requests.tsv").read_text(encoding="utf-8").split("\n")
    demand(lines.pop() == "", "requests.tsv does not end with a line end")
    before = 0.0
    for line in lines:
        demand(line.count("\t") == 1, f"'{line}' has not two fields")
        time, url = line.split("\t")
        demand(re.fullmatch(r"\d+\.\d{3}", time) and float(time) >= before, f"'{time}' after {before}")
        before = float(time)
        address(url)
    return len(lines)


def records_of(path):
    """GoReplay's input-file: lines are collected up to one that is the separator; a record's header has a type, a number and nanoseconds."""
    separator = "🐵🙈🙉\n".encode()
    buffer = b""
    with open(path, "rb") as file:
        for line in file:
            if line != separator:
                buffer += line
                continue
            header, _, payload = buffer[:-1].partition(b"\n")
            yield header.split(b" "), payload
            buffer = b""
    demand(buffer == b"", f"{path} ends within a record: {buffer[:80]}")


def check_gor(folder, facts, run):
    count, before, numbers = 0, 0, set()
    for header, payload in records_of(folder / "requests.gor"):
        demand(len(header) == 3 and header[0] == b"1", f"the header {header} is not that of a request")
        demand(re.fullmatch(rb"[0-9a-f]{24}", header[1]), f"'{header[1]}' is no number of a request")
        time = int(header[2])
        demand(time >= before > -1 and len(str(time)) == 19, f"{time} ns after {before}")
        before = time
        numbers.add(header[1])
        head, blank, body = payload.partition(b"\r\n\r\n")
        demand(blank and not body, f"the request {payload} has no end of its header, or a body")
        first, *fields = head.split(b"\r\n")
        demand(re.fullmatch(rb"GET /\S* HTTP/1\.1", first), f"'{first}' is no request line")
        demand(any(field.startswith(b"Host: ") for field in fields), "a request without Host")
        count += 1
    demand(len(numbers) == count, "two requests have one number")
    return count


def k6_starts(scenario):
    """The instants in seconds at which ramping-arrival-rate starts iterations: where the area under the rate comes to the next whole number."""
    unit = {"1s": 1.0}[scenario["timeUnit"]]
    rate = scenario["startRate"] / unit
    begin, done, number = 0.0, 0.0, 1
    for stage in scenario["stages"]:
        length = float(re.fullmatch(r"(\d+)ms", stage["duration"]).group(1)) / 1000
        target = stage["target"] / unit
        area = length * (rate + target) / 2
        while number <= done + area + 1e-6:
            rest = number - done
            if rate == target:
                yield begin + rest / rate
            else:
                slope = (target - rate) / length
                yield begin + (math.sqrt(rate * rate + 2 * slope * rest) - rate) / slope
            number += 1
        done, rate, begin = done + area, target, begin + length


def check_k6(folder, facts, run):
    import esprima

    scenario = json.loads((folder / "scenario.json").read_text())
    demand(
        set(scenario) == {"executor", "startRate", "timeUnit", "preAllocatedVUs", "maxVUs", "stages"} and scenario["executor"] == "ramping-arrival-rate",
        f"the scenario has the options {sorted(scenario)}",
    )
    for stage in scenario["stages"]:
        demand(set(stage) == {"duration", "target"} and isinstance(stage["target"], int) and stage["target"] >= 0, f"the stage {stage}")
    demand(1 <= scenario["preAllocatedVUs"] <= scenario["maxVUs"], "users")
    starts = list(k6_starts(scenario))
    jumps = [stage for stage in scenario["stages"] if stage["duration"] == "0ms"]
    demand(len(jumps) == (len(scenario["stages"]) - 1) // 2, "between two steps there is one jump")
    rows = json.loads((folder / "targets.json").read_text())
    demand(len(rows) == min(facts["exported"], 100_000), f"targets.json has {len(rows)} rows")
    for _, url in rows:
        address(url)
    script = (folder / "load.js").read_text()
    esprima.parseModule(script)
    for file in re.findall(r"open\('\./(\S+?)'\)", script):
        demand((folder / file).exists(), f"load.js reads {file}")
    return len(starts)


def attack(folder, variable):
    """Runs attack.sh with programs that take no time, and gives the words of each command with the number of its first request, and the targets that they read."""
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        log, targets = scratch / "log", scratch / "targets"
        log.touch()
        targets.touch()
        tool = f"""#!/bin/sh
if [ "$1" = encode ]; then exec cat; fi
printf '%s\\n' "${{FROM:-}} $*" >> '{log}'
for word; do case $word in -targets=*) cat "${{word#*=}}" >> '{targets}' ;; esac; done
"""
        for file, text in {"sleep": "#!/bin/sh\n", "tool": tool}.items():
            (scratch / file).write_text(text)
            (scratch / file).chmod(0o755)
        environment = {**os.environ, "PATH": f"{scratch}:{os.environ['PATH']}", variable: str(scratch / "tool")}
        ended = subprocess.run(["sh", str((folder / "attack.sh").resolve())], env=environment, capture_output=True, text=True)
        demand(ended.returncode == 0 and not ended.stderr, f"attack.sh ended with {ended.returncode}: {ended.stderr}")
        return log.read_text().splitlines(), targets.read_text()


def steps_of(folder):
    steps = [tuple(map(int, line.split(" "))) for line in (folder / "steps.txt").read_text().splitlines()]
    demand(all(requests >= 0 and milliseconds > 0 for requests, milliseconds in steps), "steps.txt")
    return steps


def check_vegeta(folder, facts, run):
    steps = steps_of(folder)
    text = (folder / "targets.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        target = json.loads(line)
        demand(set(target) == {"method", "url"} and target["method"] == "GET", f"the target {line}")
        address(target["url"])
    log, sent = attack(folder, "VEGETA")
    demand(sent == text, "attack.sh sends other requests than targets.jsonl has")
    rates = [tuple(map(int, re.search(r"-rate=(\d+)/(\d+)ms -duration=(\d+)ms", line).groups())) for line in log]
    demand(rates == [(requests, length, length) for requests, length in steps if requests], "attack.sh has other rates than steps.txt")
    return sum(requests for requests, _ in steps)


def check_wrk2(folder, facts, run):
    steps = steps_of(folder)
    paths = (folder / "paths.txt").read_text(encoding="utf-8").splitlines()
    demand(len(paths) == sum(requests for requests, _ in steps) and all(path.startswith("/") for path in paths), "paths.txt")
    log, _ = attack(folder, "WRK")
    first, expected = 1, []
    for requests, milliseconds in steps:
        if requests:
            rate = math.ceil(requests / math.ceil(milliseconds / 1000))
            expected.append((first, rate, math.ceil(requests / rate)))
        first += requests
    found = [tuple(map(int, re.match(r"(\d+) .*-R(\d+) -d(\d+)s", line).groups())) for line in log]
    demand(found == expected, f"attack.sh asks for {found} and not {expected}")
    return len(paths)


def check_dashboard(folder, facts, endpoints):
    import json

    from grafana_foundation_sdk.models.dashboard import Dashboard
    from grafana_foundation_sdk.cog.encoder import JSONEncoder
    from grafana_foundation_sdk.cog.plugins import register_default_plugins

    register_default_plugins()
    text = json.loads((folder / "dashboard.json").read_text(encoding="utf-8"))
    read = Dashboard.from_json(text)
    demand(len(read.panels) == len(text["panels"]) >= 4 and len(read.templating.list_val) == 4, "panels and variables")
    for panel in read.panels:
        demand(panel.title and panel.grid_pos.w == 12 and panel.targets, f"the panel {panel.title}")
        for target in panel.targets:
            demand("reloadsim_requests_total" in target.expr or target.expr == "$real", f"the query {target.expr}")
    shift = facts.get("shift_s", 0)
    demand(unix(read.time.from_val) == unix(facts["from"]) + shift and unix(read.time.to) == unix(facts["to"]) + shift, "the span of the dashboard")
    # The library reads the panels as they were stated: it writes the same ones again.
    again = json.loads(json.dumps(read, cls=JSONEncoder))
    demand([p["title"] for p in again["panels"]] == [p["title"] for p in text["panels"]], "panels that are written again")


def check_openmetrics(folder, facts, run):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families

    last = {}
    first, end = (unix(facts[end]) + facts.get("shift_s", 0) for end in ("from", "to"))
    for family in text_string_to_metric_families((folder / "requests.om").read_text(encoding="utf-8")):
        demand(family.name == "reloadsim_requests" and family.type == "counter", f"the family {family.name}")
        for sample in family.samples:
            labels = tuple(sorted(sample.labels.items()))
            time = float(sample.timestamp)
            demand(set(sample.labels) == {"stage", "endpoint", "region", "cause", "first_cause"} and first - 1e-6 <= time <= end + 1e-6, f"{sample}")
            if labels in last:
                demand(last[labels][0] < time and last[labels][1] <= sample.value, f"{sample} after {last[labels]}")
            else:
                demand(sample.value == 0 and abs(time - first) < 1e-6, f"the first sample {sample}")
            last[labels] = (time, sample.value)
    check_dashboard(folder, facts, run)
    for labels, (time, _) in last.items():
        demand(abs(time - end) < 1e-6, f"{labels} ends at {time}")
    return int(sum(value for _, value in last.values()))


def unix(text):
    import datetime

    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


CHECKS = {
    "csv": check_csv,
    "h2load": check_h2load,
    "gor": check_gor,
    "k6": check_k6,
    "vegeta": check_vegeta,
    "wrk2": check_wrk2,
    "openmetrics": check_openmetrics,
}


def main(folder, run=None):
    folder = pathlib.Path(folder)
    facts = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for file in facts["files"]:
        demand((folder / file["name"]).stat().st_size == file["bytes"], f"{file['name']} has not {file['bytes']} bytes")
    try:
        count = CHECKS[facts["export"]](folder, facts, None if run is None else pathlib.Path(run))
        demand(count == facts["exported"], f"{count} requests, and the manifest says {facts['exported']}")
        demand(facts["exported"] == facts["requests"] if facts["scale"] == 1 else facts["exported"] < facts["requests"], f"{facts['exported']} of {facts['requests']}")
    except Wrong as wrong:
        sys.exit(f"{folder} ({facts['export']}): {wrong}")
    print(f"{facts['export']}: {count} requests, as the manifest says")


if __name__ == "__main__":
    main(*sys.argv[1:])
