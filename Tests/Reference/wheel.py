"""The module of the wheel, in an environment where it is installed: see scripts/check-wheel."""
import gc
import pickle
import subprocess
import tempfile
import warnings
from pathlib import Path

import pandas

import reloadsim


def refused(status, words, call):
    try:
        call()
    except reloadsim.Error as error:
        assert error.status == status and words in str(error), (error.status, str(error))
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
    else:
        raise AssertionError(f"status {status} was expected")


assert "first-look" in reloadsim.scenarios()
version = reloadsim.command("--version").strip()

# A shipped scenario in a folder of its own, read again.
with tempfile.TemporaryDirectory() as place:
    result = reloadsim.run("first-look", out=Path(place) / "day", seed=2, people=500, threads=1)
    again = reloadsim.load(Path(place) / "day")
    assert again.fingerprint == result.fingerprint and len(result.fingerprint) == 16
    assert result.manifest["seed"] == "2" and result.manifest["people"] == 500
    assert (result.folder / "report.html").exists()
    for name in result.tables:
        table = result[name]
        assert list(table.columns) == list(result.columns(name).index), name
    load = result["load"]
    assert load["requests"].dtype == "Int64" and load["requests"].sum() == result.figure("requests_total").value
    assert str(load["bin_start_utc"].dt.tz) == "UTC" and (load["bin_start_utc"] == load["bin_start_local"]).all()
    assert result["load"] is load
    # The lines of the file, beside what pandas made of them.
    rows = (result.folder / "load.csv").read_text().strip().split("\n")
    assert len(rows) - 1 == len(load)
    fresh = result.figure("share_fresh")
    assert 0 < fresh.low < fresh.value < fresh.high < 1 and fresh.unit == "share"
    assert result.figures().loc[("run", "", "share_fresh"), "value"] == fresh.value
    assert result.holds and "first-look" in repr(result)

# A folder that is removed with its result, and is there as long as that is.
result = reloadsim.run("first-look", people=200, threads=1, set={"kinds.weather.policy.after": "1h", "kinds.weather.policy.jitter": {"sd": "5m"}})
folder = result.folder
assert result["summary"] is result.summary and not (folder / "report.html").exists()
del result
gc.collect()
assert not folder.exists() and not folder.parent.exists()

# People who stand for many: the figures of all for whom they stand.
one, many = (reloadsim.run("weather-week", people=300, threads=1, represents=stand) for stand in (None, "1M"))
assert one.fingerprint == many.fingerprint
assert many.figure("requests_total").value > 1_000 * one.figure("requests_total").value
assert many.figure("requests_total").low < many.figure("requests_total").value < many.figure("requests_total").high

# A scenario as a mapping, and a demand that is broken.
scenario = {
    "start": "2026-03-02T00:00:00-05:00", "warmup": "0s", "duration": "6h", "people": 50,
    "kinds": [{"id": "clock", "policy": {"after": "30m"}, "versions": {"source": "steady", "every": "1h"}}],
    "population": {"zones": {"America/New_York": 1}, "devices": [{"kind": "phone", "instances": [{"id": "one", "kind": "clock"}]}]},
}
broken = reloadsim.run(scenario, threshold=["share_fresh >= 0.99", "requests_total >= 1"])
assert not broken.holds and list(broken["thresholds"]["holds"]) == [False, True]
# A range that is not known is missing.
assert broken.figure("people").value == 50 and broken.figure("load_peak_1s_aligned").low is None

refused(65, "duration", lambda: reloadsim.run({**scenario, "duration": "6"}))
refused(66, "nowhere.yaml", lambda: reloadsim.run("nowhere.yaml"))
refused(64, "--no-such-option", lambda: reloadsim.run("first-look", no_such_option=True))
refused(66, "no manifest.json", lambda: reloadsim.load("/"))
for missing in (lambda: many["nothing"], lambda: many.figure("nothing"), lambda: many.figure("share_fresh", "nothing")):
    try:
        missing()
    except KeyError as error:
        assert "nothing" in str(error)
    else:
        raise AssertionError("a KeyError was expected")
with tempfile.TemporaryDirectory() as place:
    (Path(place) / "mine").write_text("mine")
    refused(74, "not empty", lambda: reloadsim.run("first-look", out=place, people=20))

# The program's warnings are Python's.
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    reloadsim.run({**scenario, "parameters": {"gates": "none"}}, set={"parameters.idle_after": "1h"})
assert [str(its.message) for its in caught] == ["parameters.idle_after: it has no effect, because gates is none"]

ended = subprocess.run(["reloadsim", "--version"], capture_output=True, text=True, check=True)
assert ended.stdout.strip() == version
print(f"pandas {pandas.__version__}, reloadsim {version}: tables, ranges, errors and the command are as they should be")
