"""Parses scripts of an export that hold hostile names by the languages' own parsers, and compares each with the same script of a harmless name.

    hostile_scripts.py FOLDER

FOLDER has a folder `harmless` and one for each hostile name, each with `name.txt` and the files of every format; the tests of `LoadExport` write it. A script
may differ from the harmless one in its comments, and a table in its cells: whatever else differs is a statement, an element or a row that a name has made.

Parsers: csv and json; node's (its built-in acorn) where it is installed; prometheus_client where it can be imported.
Prints what was parsed by what. Status 1 with the first differences.
"""

import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys

FORMULA = re.compile(r"[=@\t\r\n\uff1d\uff0b\uff0d\uff20]|[+-](?![0-9.][0-9A-Za-z._%]*$)")

NODE = """
const acorn = require('internal/deps/acorn/acorn/dist/acorn');
const fs = require('fs');
for (const file of JSON.parse(fs.readFileSync(0, 'utf8'))) {
  let tree;
  try {
    tree = JSON.stringify(acorn.parse(fs.readFileSync(file, 'utf8'), { sourceType: 'module', ecmaVersion: 2020 }),
      (key, value) => (key === 'start' || key === 'end' ? undefined : value));
  } catch (error) { tree = 'error: ' + error.message; }
  console.log(JSON.stringify([file, tree]));
}
"""

def rows(path, name):
    """The rows without the cells that hold the name; csv reads them as it reads any file, and a spreadsheet must find no formula."""
    with open(path, newline="", encoding="utf-8") as file:
        table = list(csv.reader(file))
    for row in table:
        for cell in row:
            if FORMULA.match(cell):
                raise ValueError(f"the cell {cell!r} is a formula")
    # A key has hyphens for blanks.
    def is_name(cell):
        return cell.replace(" ", "-") in (name.replace(" ", "-"), "'" + name.replace(" ", "-"))

    return [[None if is_name(cell) or cell.startswith("https://") else cell for cell in row] for row in table]


def requests(path):
    """Records of GoReplay: a line of its own, a request of three lines without a body, the separator."""
    records = path.read_bytes().split("\n🐵🙈🙉\n".encode())
    shape = re.compile(rb"1 [0-9a-f]{24} \d+\nGET /[!-~]* HTTP/1\.1\r\nHost: [!-~]+\r\nUser-Agent: reloadsim\r\n\r\n")
    if records.pop() != b"" or not all(shape.fullmatch(record) for record in records):
        raise ValueError("a record that is no request")
    return len(records)


def timings(path):
    lines = path.read_bytes().split(b"\n")
    if lines.pop() != b"" or not all(re.fullmatch(rb"\d+\.\d{3}\thttps://[!-~]+", line) for line in lines):
        raise ValueError("a line that is no time and address")
    return len(lines)


def samples(path, name):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families

    found = []
    for family in text_string_to_metric_families(path.read_text(encoding="utf-8")):
        for sample in family.samples:
            found.append([family.name, sample.name, sorted(sample.labels), sample.value, str(sample.timestamp)])
    return found


def trees_by_node(paths):
    ended = subprocess.run(
        ["node", "--expose-internals", "--no-warnings", "-e", NODE], input=json.dumps([str(path) for path in paths]), capture_output=True, text=True, check=True)
    return [json.loads(line)[1] for line in ended.stdout.splitlines()]


def can_import(module):
    try:
        __import__(module)
        return True
    except ImportError:
        return False


def main(folder):
    folders = sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir() and path.name != "harmless")
    harmless = pathlib.Path(folder) / "harmless"
    names = {path: (path / "name.txt").read_bytes().decode() for path in [harmless, *folders]}
    wrong = []

    def compare(file, parser, read):
        expected = read(harmless / file, names[harmless])
        for path in folders:
            try:
                found = read(path / file, names[path])
                if found != expected:
                    wrong.append(f"{path / file}: {parser} finds something else with the name {names[path]!r}")
            except Exception as error:
                wrong.append(f"{path / file}: {parser} says {error} with the name {names[path]!r}")
        print(f"{file}: {len(folders)} parsed by {parser}")

    def compare_all(file, parser, read):
        expected, *found = read([harmless / file, *[path / file for path in folders]])
        if expected.startswith("error") or len(found) != len(folders):
            wrong.append(f"{file}: {parser} does not read it: {expected}")
        for path, tree in zip(folders, found):
            if tree != expected:
                wrong.append(f"{path / file}: {parser} finds something else with the name {names[path]!r}")
        print(f"{file}: {len(folders)} parsed by {parser}")

    compare("requests.csv", "csv", rows)
    compare("requests.gor", "the grammar of GoReplay", lambda path, name: requests(path))
    compare("requests.tsv", "the grammar of h2load", lambda path, name: timings(path))
    compare("targets.json", "json", lambda path, name: len(json.loads(path.read_text(encoding="utf-8"))))
    if can_import("prometheus_client"):
        compare("requests.om", "prometheus_client", samples)
    if shutil.which("node"):
        compare_all("load.js", "node's parser", trees_by_node)
    if wrong:
        sys.exit("\n".join(wrong[:20]) + f"\n{len(wrong)} scripts with something else in them")
    if not folders:
        sys.exit(f"{folder} has no scripts of hostile names")


if __name__ == "__main__":
    main(*sys.argv[1:])
