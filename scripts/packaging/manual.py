#!/usr/bin/env python3
"""Makes manual pages of those that generate-manual of swift-argument-parser has written: `manual.py FOLDER` changes the files of a folder.

A page is called as `man` and `apropos` look for it, reloadsim-run for `reloadsim run`; a paragraph begins with a macro, a sentence with a line, and a table
stands as it is, so that neither groff, mandoc nor lintian has a warning.
"""
import re
import sys
import textwrap
from pathlib import Path


def text_lines(line):
    """A line of text as lines of a sentence or less, none of which is a command."""
    for sentence in re.split(r"(?<=[a-z0-9)`'\"][.!?]) +|(?<=[A-Z][A-Z][.!?]) +|(?<=[.!?]\)) +", line):
        for part in textwrap.wrap(sentence, 78, break_long_words=False, break_on_hyphens=False):
            yield "\\&" + part if part[0] in ".'" else part


def page(text):
    out, section, table = [], "", False
    for line in re.sub(r"\breloadsim\.([a-z]+) 1\b", r"reloadsim-\1 1", text).rstrip("\n").split("\n"):
        if table and not line.startswith(" "):
            out.append(".Ed")
            table = False
        if line.startswith(".Sh"):
            section = line[4:].strip('"')
        if line.startswith(".Dt"):
            line = line.replace("RELOADSIM.", "RELOADSIM-")
        elif line.startswith(".Nm ") and section == "NAME":
            command = line[4:].strip('"')
            line = ".Nm " + command.replace(" ", "-")
        elif line.startswith(".Nm") and section == "SYNOPSIS":
            line = f'.Nm "{command}"'
        elif line.startswith(".Nd"):
            line = ".Nd " + line[4:].strip('"').rstrip(".")
        elif line.startswith((".It", ".Bl", ".El")):
            while out[-1] == ".Pp":
                out.pop()
        elif not line.strip():
            line = ".Pp"
        elif line.startswith(" "):
            if not table:
                out.append(".Bd -literal -offset 2n")
                table = True
        elif not line.startswith("."):
            out += text_lines(line)
            continue
        if line != ".Pp" or not out[-1].startswith((".Sh", ".Pp")):
            out.append(line)
    if section != "SEE ALSO":
        out += ['.Sh "SEE ALSO"', ".Xr reloadsim 1"]
    return "\n".join(out) + "\n"


for path in sorted(Path(sys.argv[1]).glob("*.1")):
    path.write_text(page(path.read_text(encoding="utf-8")), encoding="utf-8")
    path.rename(path.with_name(re.sub(r"\.(?=.*\.1$)", "-", path.name)))
