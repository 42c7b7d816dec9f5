"""The loop of docs/load-test.md: a fleet is simulated and exported, h2load plays it to a server on this machine, the service is calibrated from what h2load
noted, and the calibrated service is held against further loads and given to `plan`.

    load_loop.py RELOADSIM FOLDER [--smoke]

The server has known limits (queue_server.py): whether they are found is checked. How near the prediction comes is measured and printed beside the measurement,
with what chance alone would do; a busy machine may miss it, so that ends nothing. With --smoke there is one load, and a server whose limits are not found is only
printed, too: a record without a clock must be found in any case.
"""

import csv
import heapq
import json
import math
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
SERVERS, MEAN_MS, SHAPE, QUEUE = 4, 360, 4, 12
URL = "http://staging.example/v1/{endpoint}/{key}?region={region}"
# Devices that are refused ask again when any other would, so the load stays what it is; h2load does not give up.
CLIENTS = ["--set", "service.failure_after={min: 30m, max: 40m}", "--set", "service.timeout=1m"]


def run(program, *words):
    end = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=600)
    if end.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with {end.returncode}:\n{end.stderr}{end.stdout}")
    return end.stdout


class Loop:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def play(self, name, *source, servers=SERVERS, seed=1):
        """Exports the whole report of a run and plays it; gives the file of what h2load noted."""
        export = self.folder / f"{name}.load"
        run(self.program, "export", *source, "--format", "h2load", "--span", "2026-03-02T13:00Z/2026-03-02T13:02Z", "--stage", "origin", "--url", URL, "--out", export)
        server = subprocess.Popen(
            [sys.executable, HERE / "queue_server.py", "--servers", str(servers), "--mean-ms", str(MEAN_MS), "--shape", str(SHAPE), "--queue", str(QUEUE), "--seed", str(seed)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        log = self.folder / f"{name}.log"
        try:
            port = server.stdout.readline().strip()
            # The streams of one connection stand for the clients: the export has their order, and none waits for another's answer.
            run("h2load", "-c", 1, "-t", 1, "-m", 10_000, "--base-uri", f"http://127.0.0.1:{port}", "--timing-script-file", export / "requests.tsv", "--log-file", log)
        finally:
            server.stdin.close()
            server.wait(timeout=30)
        planned = len((export / "requests.tsv").read_text().splitlines())
        noted = len(log.read_text().splitlines())
        if planned != noted:
            sys.exit(f"h2load noted {noted} requests of {planned}")
        return log

    def calibrate(self, log):
        text = run(self.program, "calibrate", "--service", log, "--json")
        return json.loads(text)

    def scenario(self, name, fragment=""):
        path = self.folder / f"{name}.yaml"
        path.write_text((HERE / "load-test.yaml").read_text() + fragment)
        return path


def measured(log):
    rows = [line.split("\t") for line in log.read_text().splitlines()]
    answered = sorted(int(row[2]) for row in rows if row[1] == "200")
    starts = sorted(int(row[0]) for row in rows)
    return {
        "requests": len(rows), "length": (starts[-1] - starts[0]) / 1e6, "p99": answered[min(len(answered) - 1, int(0.99 * len(answered)))] / 1e6,
        "refused": sum(row[1] == "503" for row in rows) / len(rows),
    }


def predicted(folder):
    with open(folder / "service_latencies.csv", encoding="utf-8") as file:
        p99 = next(float(row["p99_s"]) for row in csv.DictReader(file) if row["measure"] == "origin_time")
    with open(folder / "summary.csv", encoding="utf-8") as file:
        refused = next(float(row["value"]) for row in csv.DictReader(file) if row["metric"] == "share_shed")
    return {"p99": p99, "refused": refused}


def check(calibrated):
    """The limits of the server, which a calibration must find; its service times it must have in its intervals, but for what a busy machine adds."""
    found = {estimate["key"]: estimate for estimate in calibrated["estimates"]}
    for key, truth in [("servers", SERVERS), ("queue", QUEUE)]:
        if key not in found or not found[key]["interval_low"] <= truth <= found[key]["interval_high"]:
            sys.exit(f"{key} is {truth}, and the calibration has {found.get(key)}; {calibrated['left_out']} {calibrated['notes']}")
    capacity = found["(capacity)"]
    print(f"the server has {SERVERS} servers, room for {QUEUE} in its queue, and serves {1000 * SERVERS / MEAN_MS:.2f} a second")
    print(f"calibrated: {found['servers']['value']:.0f} servers, {found['queue']['value']:.0f} in the queue, "
          f"{capacity['value']:.2f} a second ({capacity['interval_low']:.2f} to {capacity['interval_high']:.2f})")


def simulated(loop):
    """A record that neither the program nor a real server has made: a queue of a dozen lines. Its limits are known, and no clock is in it."""
    draws, servers, room, mean, shape = random.Random(1), 6, 15, 0.05, 2
    free, there, now, refused = [0.0] * servers, [], 0.0, 0
    path = loop.folder / "simulated.csv"
    with open(path, "w", encoding="utf-8") as file:
        file.write("time,latency_ms,status\n")
        for rate in (40, 100, 140, 60):
            end = now + 60
            while now < end:
                now += draws.expovariate(rate)
                there = [leave for leave in there if leave > now]
                if len(there) >= servers + room:
                    file.write(f"{now:.6f},0,503\n")
                    refused += 1
                    continue
                leave = max(now, free[0]) + draws.gammavariate(shape, mean / shape)
                heapq.heapreplace(free, leave)
                there.append(leave)
                file.write(f"{now:.6f},{1000 * (leave - now):.3f},200\n")
    found = {estimate["key"]: estimate for estimate in loop.calibrate(path)["estimates"]}
    for key, truth in [("servers", servers), ("queue", room), ("service_time.mean", mean), ("service_time.shape", shape), ("(capacity)", servers / mean)]:
        if key not in found or not found[key]["interval_low"] <= truth <= found[key]["interval_high"]:
            sys.exit(f"of a simulated queue {key} is {truth}, and the calibration has {found.get(key)}")
    print(f"a queue of another program ({refused} refused): servers, queue, shape, mean and capacity lie in their intervals")


def main(program, folder, *options):
    loop = Loop(program, folder)
    simulated(loop)
    if "--smoke" in options:
        calibrated = loop.calibrate(loop.play("calibration", loop.scenario("first"), "--people", 23_000, "--seed", 7))
        try:
            check(calibrated)
        except SystemExit as missed:
            print(f"missed, as on a busy machine: {missed}")
        return
    # A first load, somewhat above what the server takes, of another fleet than those below.
    first = loop.scenario("first")
    calibrated = loop.calibrate(loop.play("calibration", first, "--people", 23_000, "--seed", 7))
    check(calibrated)
    scenario = loop.scenario("calibrated", calibrated["fragment"])
    print(f"\n{'load':>16} {'offered/s':>9} {'p99 s':>8} {'predicted':>9} {'':>7} {'refused':>8} {'predicted':>9} {'by chance':>9}")
    for name, people in [("below", 12_000), ("near", 19_000), ("above", 27_000)]:
        results = loop.folder / name
        run(program, "run", scenario, "--people", people, "--seed", 1, *CLIENTS, "--out", results, "--quiet", "--force")
        own, other = measured(loop.play(name, results, seed=2)), predicted(results)
        error = own["p99"] / other["p99"] - 1
        # Refusals come in bursts: at the least as uncertain as ten for each of their groups.
        chance = 2 * math.sqrt(10 * max(other["refused"], 1 / own["requests"]) / own["requests"])
        verdict = "within 15 %" if abs(error) <= 0.15 and abs(own["refused"] - other["refused"]) <= max(0.15 * other["refused"], chance) else "NOT within 15 %"
        print(f"{name:>16} {own['requests'] / own['length']:9.2f} {own['p99']:8.3f} {other['p99']:9.3f} {100 * error:+6.1f}% "
              f"{100 * own['refused']:7.2f}% {100 * other['refused']:8.2f}% {100 * chance:7.2f} pp  {verdict}")
    # The question that the loop is for: how many servers does the largest of these loads need, and do they do?
    answer = json.loads(
        run(program, "plan", scenario, "--people", 27_000, "--repeat", 3, *CLIENTS, "--find", "service.pools.origin.servers=range(4,12,1)",
            "--target", "service.share_shed <= 0.5%", "--out", loop.folder / "plan", "--json"))
    servers = int(float(answer["answer"].split()[0]))
    own = measured(loop.play("planned", loop.folder / "above", servers=servers, seed=3))
    print(f"\nplan: {servers} servers refuse at most 0.5 % of the largest load; measured with {servers}: {100 * own['refused']:.2f} % of {own['requests']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
