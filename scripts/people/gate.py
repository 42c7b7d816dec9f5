"""The bounds that `scripts/validate-people --check` holds every figure to.

Reports/people/bounds.csv has a row for each figure: part, figure, least, most and a reason, a word that Reports/people/bounds_reasons.csv explains.
No script writes either file: whoever moves a bound does it by hand, and the difference shows it.
"""
import csv
import math
import os

# A figure at its bound is inside it: times are printed in microseconds, and hours made of them end in other digits.
DIGITS = 5


class WrongTable(Exception):
    """A table of bounds that cannot be used; the message names file, line and cure."""


class Bounds:
    def __init__(self, folder):
        """Reads both tables of a folder."""
        self.meanings, self.rows = {}, {}
        for name, line, row in _rows(folder, "bounds_reasons.csv", ("reason", "meaning")):
            if not row["meaning"]:
                raise WrongTable(f"{name}:{line}: the reason {row['reason']} has no meaning; write one")
            self.meanings[row["reason"]] = row["meaning"]
        for name, line, row in _rows(folder, "bounds.csv", ("part", "figure", "least", "most", "reason")):
            figure = row["part"], row["figure"]
            try:
                least, most = float(row["least"]), float(row["most"])
            except ValueError:
                raise WrongTable(f"{name}:{line}: {row['figure']} needs a number as least and as most") from None
            if not -math.inf < least < most < math.inf:
                raise WrongTable(f"{name}:{line}: the bounds of {row['figure']} are {least:g} to {most:g}; least must be below most, and both finite")
            if row["reason"] not in self.meanings:
                raise WrongTable(f"{name}:{line}: bounds_reasons.csv does not explain the reason {row['reason'] or '(none)'} of {row['figure']}")
            if figure in self.rows:
                raise WrongTable(f"{name}:{line}: {row['figure']} has bounds already; keep one of the two rows")
            self.rows[figure] = least, most, row["reason"]

    def faults(self, values, parts=None):
        """A sentence for each figure outside its bounds, without bounds, or no longer computed.

        `values` has part, figure and value; with `parts` only figures of those parts are missed.
        """
        seen = set()
        for part, figure, value in values:
            seen.add((part, figure))
            if (part, figure) not in self.rows:
                yield f"{part}: {figure} is {value:.6g} and has no bounds; add a row with a reason to bounds.csv"
                continue
            least, most, reason = self.rows[part, figure]
            # A value that is not a number is inside nothing.
            if not least <= round(value, DIGITS) <= most:
                yield f"{part}: {figure} is {value:.6g}, outside its bounds {least:g} to {most:g} ({reason})"
        for part, figure in self.rows:
            if (part, figure) not in seen and (parts is None or part in parts):
                yield f"{part}: {figure} has bounds and is not computed; remove its row, or compute it"


def _rows(folder, name, columns):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        if tuple(reader.fieldnames or ()) != columns:
            raise WrongTable(f"{name}:1: the header must be {','.join(columns)}")
        for row in reader:
            if None in row or None in row.values():
                raise WrongTable(f"{name}:{reader.line_num}: expected {len(columns)} fields")
            yield name, reader.line_num, row
