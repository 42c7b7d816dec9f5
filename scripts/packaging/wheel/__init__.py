"""Runs reloadsim and reads its results as pandas tables.

    import reloadsim

    result = reloadsim.run("first-look", people=500, set={"kinds.weather.policy.after": "1h"})
    result.figure("share_fresh")         # Figure(value=…, low=…, high=…, unit='share'): the range of 95 % of other draws
    result.figures()                     # every metric with its range, a table
    result["load"]                       # load.csv, with the types that datapackage.json states
    reloadsim.load("out/first-look")     # results that exist

A scenario is the path of a file, a mapping with its keys, or the name of a shipped one (`reloadsim.scenarios()`). Keywords are the options of
`reloadsim run` with `_` in place of `-`: `seed=2`, `represents="40M"`, `threshold=["share_fresh >= 0.7"]`; `True` is an option without a value. What the
program refuses is an `Error` with its own sentence and status. A broken threshold is none: `result.holds` is False.
"""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
import weakref
from pathlib import Path

__all__ = ["Error", "Figure", "Result", "command", "load", "run", "scenarios"]

_HERE = Path(__file__).resolve().parent
_BROKEN = 99

Figure = collections.namedtuple("Figure", "value low high unit")
Figure.__doc__ = "A metric, and between which values 95 % of other draws lie; None where no range is known."


class Error(Exception):
    """The program's own sentence, with the exit status that docs/errors.md explains."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status, self.message = status, message

    def __reduce__(self):
        return type(self), (self.status, self.message)


def _program():
    """The program of this package, or the one that RELOADSIM_BINARY names."""
    return os.environ.get("RELOADSIM_BINARY") or str(_HERE / "bin" / "reloadsim")


def scenarios():
    """The names of the scenarios that come with the program."""
    return sorted(path.stem for path in (_HERE / "Scenarios").glob("*.yaml"))


def _options(options):
    """Keywords as words of a command line."""
    words = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if name == "set" and isinstance(value, dict):
            value = [f"{path}={_value(its)}" for path, its in value.items()]
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                words.append(option)
            elif one is not None and one is not False:
                words += [option, str(one)]
    return words


def _value(value):
    """A value as the scenario's YAML takes it."""
    return value if isinstance(value, str) else json.dumps(value)


def command(*words, ok=(0,)):
    """Runs any command of the program, and returns what it prints to standard output."""
    try:
        ended = subprocess.run([_program(), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", errors="replace")
    except OSError as problem:
        raise Error(66, f"{_program()} cannot be run: {problem.strerror}") from problem
    if ended.returncode not in ok:
        lines = ended.stderr.strip().split("\n")
        told = [line for line in lines if line.startswith("error:")]
        said = "\n".join(line.removeprefix("error: ") for line in told) or "\n".join(lines[-5:]) or f"reloadsim ended with status {ended.returncode}"
        raise Error(ended.returncode, said)
    for line in ended.stderr.split("\n"):
        if line.startswith("warning:"):
            warnings.warn(line.removeprefix("warning: "), stacklevel=3)
    return ended.stdout


def run(scenario, out=None, **options):
    """Simulates a scenario. Without `out` the results lie in a folder that is removed with the result."""
    temporary = tempfile.mkdtemp(prefix="reloadsim-") if out is None else None
    folder = Path(temporary) / "results" if temporary else out
    with tempfile.TemporaryDirectory(prefix="reloadsim-") as place:
        if isinstance(scenario, dict):
            file = Path(place) / f"{scenario.get('name', 'scenario')}.json"
            file.write_text(json.dumps(scenario), encoding="utf-8")
        else:
            file = Path(scenario)
            if not file.exists() and str(scenario) in scenarios():
                file = _HERE / "Scenarios" / f"{scenario}.yaml"
        try:
            command("run", file, "--out", folder, "--quiet", *_options({"no_report": temporary is not None, **options}), ok=(0, _BROKEN))
        except BaseException:
            if temporary:
                shutil.rmtree(temporary, ignore_errors=True)
            raise
    return Result(folder, temporary)


def load(folder):
    """Results that exist: the folder of a run."""
    return Result(folder)


class Result:
    """The folder of a run; `result["load"]` is the table load.csv."""

    def __init__(self, folder, temporary=None):
        self.folder = Path(folder)
        self._tables = {}
        if temporary is not None:
            self._removal = weakref.finalize(self, shutil.rmtree, temporary, True)
        for name in ("manifest.json", "datapackage.json"):
            if not (self.folder / name).exists():
                raise Error(66, f"{self.folder}: no {name}, so there are no complete results here")
        self.manifest = json.loads((self.folder / "manifest.json").read_text(encoding="utf-8"))
        described = json.loads((self.folder / "datapackage.json").read_text(encoding="utf-8"))
        self._resources = {its["name"]: its for its in described["resources"] if its.get("format") == "csv"}

    def __repr__(self):
        return f"<reloadsim.Result {self.manifest.get('scenario', self.folder.name)}, fingerprint {self.fingerprint}>"

    @property
    def fingerprint(self):
        """Two runs with one fingerprint measured the same."""
        return self.manifest.get("fingerprint")

    @property
    def tables(self):
        """The names of the tables."""
        return list(self._resources)

    def columns(self, table):
        """A column a row: its type, and what it means."""
        import pandas

        fields = self._resource(table)["schema"]["fields"]
        return pandas.DataFrame([{key: field.get(key) for key in ("name", "type", "adds", "description")} for field in fields]).set_index("name")

    def _resource(self, table):
        if table not in self._resources:
            raise KeyError(f"no table {table!r}; there are {', '.join(self._resources)}")
        return self._resources[table]

    def __getitem__(self, table):
        """A table with the types that its description states. The same object each time: copy it before you change it."""
        if table not in self._tables:
            self._tables[table] = self._read(self._resource(table))
        return self._tables[table]

    def _read(self, resource):
        import pandas

        types = {"integer": "Int64", "number": "float64", "boolean": "boolean", "string": "string", "datetime": "string"}
        fields = {field["name"]: field["type"] for field in resource["schema"]["fields"]}
        # A segment may be called "NA": empty cells alone are missing.
        read = pandas.read_csv(
            self.folder / resource["path"], dtype={name: types.get(kind, "string") for name, kind in fields.items()}, keep_default_na=False, na_values=[""],
            true_values=["true"], false_values=["false"])
        for name, kind in fields.items():
            # Local times have offsets that change with the clocks, so all are put into UTC.
            if kind == "datetime" and name in read:
                read[name] = pandas.to_datetime(read[name], utc=True, format="ISO8601")
        return read

    @property
    def summary(self):
        """summary.csv: a metric of the run or of a part a row."""
        return self["summary"]

    def figures(self):
        """Every metric with its range, by scope, name and metric; of all for whom the people stand, with `represents`."""
        table = self.summary.copy()
        stands = "represented_value" in table and table["represented_value"].notna().any()
        value, low, high = ("represented_value", "represented_p2_5", "represented_p97_5") if stands else ("value", "redraw_p2_5", "redraw_p97_5")
        table["name"] = table["name"].fillna("")
        table = table.rename(columns={"value": "of_the_sample"} if stands else {}).rename(columns={value: "value", low: "low", high: "high"})
        return table.set_index(["scope", "name", "metric"]).sort_index()[["value", "low", "high", "unit"]]

    def figure(self, metric, name="", scope=None):
        """One metric: of the run, or of a part by its name (`figure("share_fresh", "weather")`)."""
        table = self.figures().reset_index()
        rows = table[(table["metric"] == metric) & (table["name"] == name)]
        if scope is not None:
            rows = rows[rows["scope"] == scope]
        if len(rows) != 1:
            raise KeyError(f"{len(rows) or 'no'} rows of {metric!r} for {name or 'the run'!r} in summary.csv")
        row = rows.iloc[0]
        value, low, high = (None if its != its else float(its) for its in (row["value"], row["low"], row["high"]))
        return Figure(value, low, high, row["unit"])

    @property
    def holds(self):
        """Whether every threshold and objective holds; True without any."""
        return bool((self["thresholds"]["holds"].fillna(True)).all())


def main():
    """The program itself, as the command `reloadsim`."""
    try:
        os.execv(_program(), [_program(), *sys.argv[1:]])
    except OSError as problem:
        sys.exit(f"error: {_program()} cannot be run: {problem.strerror}")
