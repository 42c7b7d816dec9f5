"""Runs the recipes of docs/load-test.md, as they stand there, on a table of `reloadsim export --format csv`.

    recipes.py DOCUMENT REQUESTS

Each recipe must start as many requests in every second as the table REQUESTS has. The lines of a shell are run; Locust sends its requests to a server of this file
where it can be imported; Gatling's simulation is compiled and run against `GATLING`, which counts the users that it injects, where there is javac; a `jmeter` on the
path runs its plan against the same server. What is not there is said, and read instead: Python by its own parser, the plan by expat and its schedule by JMeter's
documented grammar. Prints what was done. Status 1 with the first thing that is wrong.
"""

import ast
import collections
import csv
import http.server
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import xml.etree.ElementTree

# The words of Gatling's Java dialect that the recipe has; csv reads as Gatling's feeder does, but by lines that have no comma in quotes before the address.
GATLING = {
    "io/gatling/javaapi/core/OpenInjectionStep.java": "package io.gatling.javaapi.core; public record OpenInjectionStep(double rate, long seconds) {}",
    "io/gatling/javaapi/core/ChainBuilder.java": "package io.gatling.javaapi.core; public record ChainBuilder(String name, String url) {}",
    "io/gatling/javaapi/core/Simulation.java": """package io.gatling.javaapi.core;
        public class Simulation {
          protected void setUp(OpenInjectionStep[] steps) { for (var step : steps) for (long i = 0; i < step.seconds(); i++) System.out.println(step.rate()); }
        }""",
    "io/gatling/javaapi/core/CoreDsl.java": """package io.gatling.javaapi.core;
        import java.io.*; import java.nio.file.*; import java.util.*; import java.util.stream.*;
        public class CoreDsl {
          public record Rate(double rate) { public OpenInjectionStep during(long seconds) { return new OpenInjectionStep(rate, seconds); } }
          public record Scenario(String name) {
            public Scenario feed(Feeder feeder) { return this; }
            public Scenario exec(ChainBuilder request) { return this; }
            public OpenInjectionStep[] injectOpen(OpenInjectionStep... steps) { return steps; }
          }
          public record Feeder(String file) {
            public List<Map<String, Object>> readRecords() {
              try (var lines = Files.lines(Path.of(file))) {
                return lines.skip(1).map(line -> Map.<String, Object>of("time_s", line.split(",")[0])).collect(Collectors.toList());
              } catch (IOException error) { throw new UncheckedIOException(error); }
            }
          }
          public static Feeder csv(String file) { return new Feeder(file); }
          public static Scenario scenario(String name) { return new Scenario(name); }
          public static Rate constantUsersPerSec(double rate) { return new Rate(rate); }
          public static OpenInjectionStep nothingFor(long seconds) { return new OpenInjectionStep(0, seconds); }
        }""",
    "io/gatling/javaapi/http/HttpDsl.java": """package io.gatling.javaapi.http;
        import io.gatling.javaapi.core.*;
        public class HttpDsl {
          public record Request(String name) { public ChainBuilder get(String url) { return new ChainBuilder(name, url); } }
          public static Request http(String name) { return new Request(name); }
        }""",
    "Main.java": "public class Main { public static void main(String[] words) { new ReloadLoad(); } }",
}


def demand(holds, words):
    if not holds:
        sys.exit(words)


def recipes(document):
    """The code of the section, by tool."""
    section = re.search(r"^## Gatling, JMeter, Artillery and Locust$(.*?)^## ", document, re.M | re.S).group(1)
    found = collections.defaultdict(list)
    tool = None
    for name, code in re.findall(r"^\*\*(\w+)\*\*|^```\w+\n(.*?)^```$", section, re.M | re.S):
        if name:
            tool = name
        else:
            found[tool].append(code)
    demand({tool: len(code) for tool, code in found.items()} == {"Gatling": 1, "JMeter": 2, "Artillery": 1, "Locust": 1}, f"the recipes {dict(found).keys()}")
    return found


class Server:
    """A server that answers at once and keeps the paths that it is asked for."""

    def __enter__(self):
        paths = self.paths = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                paths.append(self.path)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()

    def check(self, tool, rows, exactly):
        known = {urllib.parse.urlsplit(row["url"])[2:4] for row in rows}
        demand(all(urllib.parse.urlsplit(path)[2:4] in known for path in self.paths), f"{tool} asks for other addresses: {self.paths[:3]}")
        slack = 0 if exactly else len(rows) / 4
        demand(abs(len(self.paths) - len(rows)) <= slack, f"{tool} sends {len(self.paths)} requests of {len(rows)}")
        print(f"{tool}: {len(self.paths)} requests sent for the {len(rows)} of the table")


def run(words, folder, **more):
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, **more)
    demand(ended.returncode == 0, f"{words[0]} ends with {ended.returncode}: {ended.stdout[-1000:]} {ended.stderr[-2000:]}")
    return ended.stdout


def check_gatling(code, folder, seconds, rows):
    if not shutil.which("javac"):
        return print("Gatling: there is no javac; nothing was checked")
    for name, text in {**GATLING, "ReloadLoad.java": code[0]}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    run(["javac", "-Werror", "Main.java", "ReloadLoad.java"], folder)
    rates = [float(line) for line in run(["java", "-cp", ".", "Main"], folder).split()]
    demand(rates == seconds, f"Gatling's recipe starts {rates} a second in place of {seconds}")
    print(f"Gatling: compiled and run, {sum(rates):.0f} users")


def check_jmeter(code, folder, seconds, rows):
    (folder / "load.jmx").write_text(code[0])
    run(["sh", "-euc", code[1]], folder)
    root = xml.etree.ElementTree.fromstring(code[0])
    data = next(root.iter("CSVDataSet"))
    demand((folder / data.find("stringProp[@name='filename']").text).exists(), "JMeter's plan reads another table")
    demand(set(re.findall(r"\$\{(\w+)\}", code[0])) <= set(rows[0]), "JMeter's plan names other columns")
    schedule = (folder / "load.properties").read_text().removeprefix("schedule=")
    words = re.findall(r"(rate|even_arrivals|pause)\((\d+)(/sec| sec)\) ?", schedule)
    demand("".join(f"{word}({number}{unit}) " for word, number, unit in words).strip() == schedule.strip(), f"JMeter's schedule has other words: {schedule}")
    rates, at = [], 0
    while at < len(words) - 1:
        (word, number, _), after = words[at], words[at + 1 : at + 3]
        if word == "rate":
            demand(after == [("even_arrivals", "1", " sec"), ("rate", number, "/sec")], f"JMeter's schedule has {after} after a rate")
        rates.append(int(number) if word == "rate" else 0)
        at += 3 if word == "rate" else 1
    demand(rates == seconds and words[-1] == ("pause", "60", " sec"), f"JMeter's recipe starts {rates} a second in place of {seconds}")
    if not shutil.which("jmeter"):
        return print(f"JMeter: {sum(rates)} users in its schedule; there is no jmeter to run it")
    with Server() as server:
        write(rows, folder, server)
        run(["jmeter", "-n", "-t", "load.jmx", "-q", "load.properties", "-l", "results.jtl"], folder)
        server.check("JMeter", rows, exactly=True)


def check_artillery(code, folder, seconds, rows):
    run(["sh", "-euc", code[0]], folder)
    text = (folder / "load.yaml").read_text()
    phases = re.findall(r"^    - \{(?:duration: 1, arrivalRate: (\d+)|pause: 1)\}$", text, re.M)
    rates = [int(number or 0) for number in phases]
    if importlib.util.find_spec("yaml"):
        import yaml

        script = yaml.safe_load(text)
        config = script["config"]
        demand(set(script) == {"scenarios", "config"} and set(config) == {"target", "payload", "phases"}, "the sections of Artillery's script")
        demand(config["payload"]["fields"] == list(rows[0]), f"Artillery's fields are {config['payload']['fields']}")
        demand((folder / config["payload"]["path"]).exists() and len(config["phases"]) == len(phases), "Artillery's table and phases")
        demand(script["scenarios"][0]["flow"] == [{"get": {"url": "{{ url }}", "name": "{{ endpoint }}"}}], "Artillery's flow")
    demand(rates == seconds, f"Artillery's recipe starts {rates} a second in place of {seconds}")
    print(f"Artillery: {sum(rates)} users in its phases")


def check_locust(code, folder, seconds, rows):
    ast.parse(code[0])
    if not importlib.util.find_spec("locust"):
        return print("Locust: its file was parsed; there is no locust to run it")
    (folder / "locustfile.py").write_text(code[0])
    with Server() as server:
        write(rows, folder, server)
        run([sys.executable, "-m", "locust", "--headless", "--only-summary", "-f", "locustfile.py"], folder)
        server.check("Locust", rows, exactly=False)


def write(rows, folder, server=None):
    """The table, with the addresses of a server in place of their own."""
    with open(folder / "requests.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        for row in rows:
            url = row["url"] if server is None else urllib.parse.urlsplit(row["url"])._replace(scheme="http", netloc=f"127.0.0.1:{server.server.server_port}").geturl()
            table.writerow({**row, "url": url})


def main(document, requests):
    with open(requests, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    counts = collections.Counter(int(float(row["time_s"])) for row in rows)
    seconds = [counts[second] for second in range(max(counts) + 1)]
    found = recipes(pathlib.Path(document).read_text(encoding="utf-8"))
    for tool, check in {"Gatling": check_gatling, "JMeter": check_jmeter, "Artillery": check_artillery, "Locust": check_locust}.items():
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            write(rows, folder)
            check(found[tool], folder, seconds, rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
