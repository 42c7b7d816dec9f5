#!/usr/bin/env python3
"""Compares reloadsim's sensitivity indices with those that SALib computes from the same runs.

    sensitivity.py FOLDER...        each folder holds the three files of one study

A study's files are CSV with one header line, points as decimal separators, and no empty lines:

    design.csv    One row a run, in the order of the design. A column for each factor, headed by its name; values in the unit cube or in the
                  factor's own units, as long as a larger coordinate is a larger value.
    outputs.csv   One row a run, in the same order. A column for each output, headed by its name.
    indices.csv   One row for each output and factor, in the design's order of factors; further columns are left alone.
                  Of a Saltelli design: output, factor, first, first_low, first_high, total, total_low, total_high.
                  Of a Morris design:   output, factor, levels, mu, mu_star, mu_star_low, mu_star_high, sigma.
                  The columns from `first` or `mu` on are empty where the output is always the same, and `_low` and `_high` where the
                  resamples do not tell an interval.

A Saltelli design has for each base row A, A with each factor of B in turn, and B; a Morris design has trajectories of one point more than there
are factors. Intervals have 95 % confidence. What must hold:

    - estimates are SALib's to 1e-9 of their size (and 1e-12 of the largest of their kind, where they are rounding);
    - intervals overlap, and are as wide as SALib's to a quarter: both are bootstraps, with other random numbers;
    - in folders named ishigami-sobol and ishigami-morris the outputs are Ishigami's function of a design in the unit cube, and our indices agree
      with those of SALib's own samples: the intervals overlap.

Needs SALib (scripts/check-sensitivity fetches it). Exit status 1: something does not hold; 64: the arguments or files cannot be read.
"""

import csv
import math
import os
import sys
import warnings

import numpy as np
from SALib.analyze import morris as morris_analysis
from SALib.analyze import sobol as sobol_analysis
from SALib.sample import morris as morris_sample
from SALib.sample import sobol as sobol_sample
from SALib.test_functions import Ishigami

RESAMPLES = 1000
SEED = 20260101
# SALib says of constant outputs and of its Morris sample's uneven corners what is expected here.
warnings.filterwarnings("ignore", module="SALib")


class Wrong(Exception):
    """Files that cannot be compared."""


def table(folder, name):
    path = os.path.join(folder, name)
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
    except OSError as problem:
        raise Wrong(f"{path}: {problem.strerror}") from problem
    if len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows):
        raise Wrong(f"{path}: expected a header and rows of as many cells")
    return rows[0], rows[1:]


def matrix(folder, name):
    header, rows = table(folder, name)
    try:
        return header, np.array([[float(cell) for cell in row] for row in rows])
    except ValueError as problem:
        raise Wrong(f"{os.path.join(folder, name)}: {problem}") from problem


class Study:
    """The files of one folder."""

    def __init__(self, folder):
        self.name = os.path.basename(os.path.normpath(folder))
        self.factors, self.design = matrix(folder, "design.csv")
        names, outputs = matrix(folder, "outputs.csv")
        if len(outputs) != len(self.design):
            raise Wrong(f"{folder}: {len(self.design)} rows in design.csv and {len(outputs)} in outputs.csv")
        self.outputs = dict(zip(names, outputs.T))
        header, rows = table(folder, "indices.csv")
        self.is_morris = "mu_star" in header
        needed = MORRIS if self.is_morris else SOBOL
        missing = [name for name in ["output", "factor"] + needed if name not in header]
        if missing:
            raise Wrong(f"{folder}/indices.csv: no column {', '.join(missing)}")
        self.indices = {}
        for row in rows:
            cells = dict(zip(header, row))
            if cells["output"] not in self.outputs or cells["factor"] not in self.factors:
                raise Wrong(f"{folder}/indices.csv: {cells['output']}, {cells['factor']} stand in no header of design.csv and outputs.csv")
            self.indices.setdefault(cells["output"], {})[cells["factor"]] = {
                name: float(cells[name]) if cells[name] else math.nan for name in needed}
        for output, found in self.indices.items():
            if list(found) != self.factors:
                raise Wrong(f"{folder}/indices.csv: the factors of {output} are not those of design.csv in their order")
        width = len(self.factors) + (1 if self.is_morris else 2)
        if len(self.design) % width:
            raise Wrong(f"{folder}: {len(self.design)} runs are no multiple of {width}")

    def problem(self):
        return {"num_vars": len(self.factors), "names": list(self.factors), "bounds": [[0, 1]] * len(self.factors)}


SOBOL = ["first", "first_low", "first_high", "total", "total_low", "total_high"]
MORRIS = ["levels", "mu", "mu_star", "mu_star_low", "mu_star_high", "sigma"]


def salib_sobol(problem, outputs):
    found = sobol_analysis.analyze(problem, outputs, calc_second_order=False, num_resamples=RESAMPLES, seed=SEED)
    return {"first": (found["S1"], found["S1_conf"]), "total": (found["ST"], found["ST_conf"])}


def salib_morris(problem, design, outputs, levels):
    found = morris_analysis.analyze(problem, design, outputs, num_resamples=RESAMPLES, num_levels=levels, seed=SEED)
    values = {name: np.array(found[name], dtype=float) for name in ("mu", "mu_star", "mu_star_conf", "sigma")}
    return {"mu": (values["mu"], None), "mu_star": (values["mu_star"], values["mu_star_conf"]), "sigma": (values["sigma"], None)}


class Comparison:
    """What was compared, as a table, and whether all of it holds."""

    def __init__(self):
        self.rows = []
        self.failures = 0

    def add(self, study, output, factor, figure, ours, theirs, verdict):
        self.failures += verdict != "agrees"
        self.rows.append((study, output, factor, figure, ours, theirs, verdict))

    def printed(self):
        header = ("study", "output", "factor", "figure", "reloadsim", "SALib", "verdict")
        widths = [max(len(row[column]) for row in [header] + self.rows) for column in range(len(header))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in [header] + self.rows)


def text(value, reach=None):
    return f"{value:.6g}" if reach is None or math.isnan(reach) else f"{value:.6g} ± {reach:.2g}"


def estimates_agree(ours, theirs, largest):
    return abs(ours - theirs) <= 1e-9 * max(abs(ours), abs(theirs)) + 1e-12 * largest


def verdict(ours, low, high, theirs, reach, largest, same_runs):
    """`same_runs`: whether the estimates come from the same runs, and not only from the same function."""
    if same_runs and not estimates_agree(ours, theirs, largest):
        return f"differs by {abs(ours - theirs):.2g}"
    if reach is None or math.isnan(low):
        return "agrees"
    tiny = 1e-12 * largest
    if low - tiny > theirs + reach or high + tiny < theirs - reach:
        return "intervals apart"
    half = (high - low) / 2
    if same_runs and max(half, reach) > tiny and not 0.8 < (half + tiny) / (reach + tiny) < 1.25:
        return f"an interval {half / reach:.2g} times as wide" if reach > 0 else "an interval where SALib has none"
    return "agrees"


def compare(study, output, theirs, comparison, same_runs=True):
    found = study.indices[output]
    name = study.name if same_runs else study.name + ", SALib's sample"
    largest = {figure: max(1e-300, np.abs(values).max()) for figure, (values, _) in theirs.items()}
    if study.is_morris:
        largest = {figure: max(value, largest["mu_star"]) for figure, value in largest.items()}
    for number, factor in enumerate(study.factors):
        ours = found[factor]
        for figure, (values, reaches) in theirs.items():
            if not same_runs and reaches is None:
                continue
            reach = None if reaches is None else float(reaches[number])
            low, high = (math.nan, math.nan) if reach is None else (ours[figure + "_low"], ours[figure + "_high"])
            comparison.add(
                name, output, factor, figure, text(ours[figure], (high - low) / 2), text(values[number], reach),
                verdict(ours[figure], low, high, float(values[number]), reach, largest[figure], same_runs))


def check(folder, comparison):
    study = Study(folder)
    for output in study.indices:
        outputs = study.outputs[output]
        undefined = [math.isnan(numbers["first" if not study.is_morris else "mu"]) for numbers in study.indices[output].values()]
        if any(undefined):
            constant = all(undefined) and np.ptp(outputs) == 0
            comparison.add(study.name, output, "all", "", "undefined", "", "agrees" if constant else "undefined, but the output varies")
        elif study.is_morris:
            levels = {int(numbers["levels"]) for numbers in study.indices[output].values()}
            if len(levels) != 1:
                raise Wrong(f"{folder}/indices.csv: levels {sorted(levels)} in one design")
            compare(study, output, salib_morris(study.problem(), study.design, outputs, levels.pop()), comparison)
        else:
            compare(study, output, salib_sobol(study.problem(), outputs), comparison)
    if study.name in ("ishigami-sobol", "ishigami-morris"):
        check_ishigami(study, comparison)


def check_ishigami(study, comparison):
    """Our outputs are SALib's function of our points, and SALib's own samples say the same of it."""
    def function(points):
        return Ishigami.evaluate(-np.pi + 2 * np.pi * points)

    output = next(iter(study.outputs))
    worst = np.abs(function(study.design) - study.outputs[output]).max()
    comparison.add(study.name, output, "all", "outputs", f"within {worst:.2g}", "", "agrees" if worst < 1e-12 else "differs")
    problem = study.problem()
    if study.is_morris:
        levels = int(next(iter(study.indices[output].values()))["levels"])
        points = morris_sample.sample(problem, 100, num_levels=levels, seed=SEED)
        theirs = salib_morris(problem, points, function(points), levels)
    else:
        points = sobol_sample.sample(problem, 1024, calc_second_order=False, seed=SEED)
        theirs = salib_sobol(problem, function(points))
    compare(study, output, theirs, comparison, same_runs=False)


def main(folders):
    if not folders or any(folder.startswith("-") for folder in folders):
        sys.stderr.write(__doc__)
        return 64
    comparison = Comparison()
    try:
        for folder in folders:
            check(folder, comparison)
    except Wrong as problem:
        sys.stderr.write(f"check-sensitivity: {problem}\n")
        return 64
    print(comparison.printed())
    print(f"\n{len(comparison.rows)} figures compared, {comparison.failures} do not agree")
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
