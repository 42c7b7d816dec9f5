#!/usr/bin/env python3
"""Shows that `scripts/validate-people --check` can fail: people and figures are changed, and each change must be found by the bounds.

usage: mutations.py

Every figure is moved below and above its bounds. The shipped people are changed key by key, in small cohorts, which unchanged are inside their bounds.
RELOADSIM names another program than the built one.
"""
import concurrent.futures
import contextlib
import importlib.machinery
import importlib.util
import io
import math
import multiprocessing
import os
import shutil
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def loaded(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), os.path.join(ROOT, "scripts", name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


sys.dont_write_bytecode = True
people = loaded("validate-people")
SHIPPED = people.FOLDER
failures = []


def expect(holds, claim):
    if not holds:
        failures.append(claim)
        print(f"mutations: it does not hold that {claim}", file=sys.stderr)


# ---------------------------------------------------------------- figures

def committed():
    """The table as it is committed, with values of four digits."""
    table = people.Table()
    with open(os.path.join(SHIPPED, "validation.csv"), encoding="utf-8", newline="") as file:
        for row in people.csv.DictReader(file):
            table.rows.append(list(row.values()))
            table.values.append((row["part"], row["figure"], float(row["simulated"])))
    return table


def figures(bounds):
    values = committed().values
    expect(list(bounds.faults(values)) == [], "the committed figures are inside their bounds")
    for at, (part, figure, _) in enumerate(values):
        least, most, _ = bounds.rows[part, figure]
        step = (most - least) / 1000
        for wrong in (least - step, most + step, math.nan, math.inf):
            faults = list(bounds.faults(values[:at] + [(part, figure, wrong)] + values[at + 1:]))
            expect(
                len(faults) == 1 and f"{figure} is {wrong:.6g}, outside its bounds {least:g} to {most:g}" in faults[0],
                f"{figure} of {part} at {wrong:.6g} is named, with its bounds")
        for right in (least, most):
            expect(list(bounds.faults(values[:at] + [(part, figure, right)] + values[at + 1:])) == [], f"{figure} of {part} at {right:g} is inside")
    expect(len(list(bounds.faults(values[1:]))) == 1, "a figure that is no longer computed is missed")
    expect(len(list(bounds.faults([*values, ("students", "new", 1.0)]))) == 1, "a figure without bounds is named")


# ---------------------------------------------------------------- the whole check

def checked(arguments):
    """Whether the command passes, and what it says."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            people.main(arguments)
        except SystemExit as end:
            return end.code in (None, 0), said.getvalue() + (end.code if isinstance(end.code, str) else "")
    return True, said.getvalue()


def whole_check():
    """The check by itself, beside files that say what it computes: people are as committed, and then not."""
    with tempfile.TemporaryDirectory() as folder:
        for name in os.listdir(SHIPPED):
            shutil.copy(os.path.join(SHIPPED, name), folder)
        table = committed()
        people.FOLDER, people.computed, people.not_fitted = folder, lambda: (table, []), lambda rows: ([], [])
        checked([])
        passes, said = checked(["--check"])
        expect(passes and said == "", f"figures inside their bounds pass beside files that say so: {said}")

        at, figure = next((at, value[1]) for at, value in enumerate(table.values) if value[1] == "within_user_nb_k_median")
        table.values[at] = (table.values[at][0], figure, 9.5)
        table.rows[at][5] = "9.5"
        passes, said = checked([])
        expect(not passes and figure in said, "writing the files says which figures are outside")
        passes, said = checked(["--check"])
        expect(not passes and figure in said and "otherwise" not in said, "a figure outside its bounds fails though the files have been written again")
        table = committed()
        passes, said = checked(["--check"])
        expect(not passes and "validation.csv" in said and "outside" not in said, "other files than would be written fail though all figures are inside")

        path = os.path.join(folder, "bounds.csv")
        with open(path, encoding="utf-8") as file:
            rows = file.read().splitlines()
        for change, wanted in (
            (lambda row: row.rsplit(",", 1)[0] + ",because", "does not explain"), (lambda row: row.rsplit(",", 1)[0], "fields"),
            (lambda row: f"{row}\n{row}", "already"), (lambda row: "students,a,2,1,interval", "least must be below most"),
            (lambda row: "students,a,nan,1,interval", "least must be below most"), (lambda row: "students,a,,1,interval", "a number"),
        ):
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join([rows[0], change(rows[1]), *rows[2:]]) + "\n")
            passes, said = checked(["--check"])
            expect(not passes and wanted in said and "bounds.csv:" in said, f"a wrong table of bounds is told ({wanted}): {said}")


# ---------------------------------------------------------------- people

MUTATIONS = [
    ("daily_k halved", "students", "pickups: {daily_k: {median: 7.25, sigma: 0.72, clip: [1, 10000]}}", "within_user_nb_k_median"),
    ("days on their own", "students", "pickups: {day_correlation: -0.1}", "lag1_day_autocorr_log_mean"),
    ("weekdays alike", "students", "pickups: {weekday_factors: [1, 1, 1, 1, 1, 1, 1]}", "weekend_weekday_ratio_mean"),
    ("half the unlocks", "students", "pickups: {unlocks_per_day: {shape: 3.1, mean: 53.5, clip: [8, 300]}}", "unlocks_per_day_user_mean_mean"),
    (
        "asleep an hour later", "students",
        'sleep: {workday: {onset: "02:33", wake: "09:38"}, free_day: {onset: "03:02", wake: "10:18"}}', "fitbit_onset_mean"),
    ("the same night every night", "students", "sleep: {nights: {onset_sd: 10m, wake_sd: 10m}}", "fitbit_onset_sd"),
    ("bursts off", "use by adults", "pickups: {burstiness: 0.1}", "burstiness of gaps awake, median over people"),
    ("sessions twice as long", "use by adults", "pickups: {session_length: {median: 80s, sigma: 1.74, clip: [1s, 4h]}}", "session length, median, s"),
    ("no glances", "use by adults", "pickups: {glances_per_unlock: 0}", "glances for each unlock"),
    ("as many unlocks as students", "use by adults", "pickups: {unlocks_per_day: {shape: 3.1, mean: 107, clip: [8, 300]}}", "unlocks a day, mean over people"),
    ("ages alike", "sleep of adults", 'sleep: {workday: {onset: "23:04", wake: "06:43"}}', "age 16-19 wk_f mean"),
    ("more outings", "movement of adults", "movement: {outings: {per_day: 1.2, per_commute_day: 0.8}}", "trips a day"),
    (
        "to work an hour later", "movement of adults", 'movement: {commute: {departure: {mean: "08:20", sd: 1h20m}}}',
        "share of commuters who leave from 6:30 to 8:29"),
]


# Students, adults and people who move: enough for the bounds. Those who sleep take a second.
people.STUDENTS, people.ADULTS, people.MOVERS = 120, 100, 150
# Bounds of quantiles over people, which so few people do not show well enough.
UNFIT = "(chance_of_28)", "(other_students)"
PARTS = {
    "students": lambda table, more: people.students(table, more=more), "use by adults": people.adult_use, "sleep of adults": people.adult_sleep,
    "movement of adults": people.adult_movement,
}


def faults(part, keys):
    """What the bounds find in a part, with other keys of the population."""
    table = people.Table()
    PARTS[part](table, f"  {keys}")
    found = people.gate.Bounds(people.FOLDER).faults(table.values, parts=(part,))
    return [fault for fault in found if not fault.endswith(UNFIT)]


def cohorts():
    tries = [("the shipped people", part, "", None) for part in PARTS] + MUTATIONS
    with concurrent.futures.ProcessPoolExecutor(mp_context=multiprocessing.get_context("fork")) as pool:
        results = pool.map(faults, [part for _, part, _, _ in tries], [keys for _, _, keys, _ in tries])
        for (name, part, _, figure), found in zip(tries, results, strict=True):
            if figure is None:
                expect(found == [], f"{name} of the part {part} are inside their bounds: {found}")
            else:
                expect(any(f"{figure} is" in fault for fault in found), f"{figure} is outside its bounds with {name}: {found}")


def main():
    bounds = people.gate.Bounds(people.FOLDER)
    cohorts()
    figures(bounds)
    whole_check()
    if failures:
        sys.exit(f"mutations: {len(failures)} claims about the check of simulated people do not hold")
    print(f"mutations: {len(MUTATIONS)} changes of people and {4 * len(bounds.rows)} of figures were found; unchanged people are inside their bounds")


if __name__ == "__main__":
    main()
