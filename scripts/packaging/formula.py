#!/usr/bin/env python3
"""Fills in the Homebrew formula: the version and checksum of an archive of sources, and where it lies.

    formula.py ARCHIVE --version V                                      from the file itself, on the machine where it lies
    formula.py ARCHIVE --version V --url ADDRESS --homepage ADDRESS     for a tap of others
"""
import argparse
import hashlib
import re
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--url")
    parser.add_argument("--homepage")
    options = parser.parse_args()
    text = (Path(__file__).resolve().parent / "reloadsim.rb").read_text(encoding="utf-8")
    values = {
        "URL": options.url or options.archive.resolve().as_uri(), "VERSION": options.version,
        "SHA256": hashlib.sha256(options.archive.read_bytes()).hexdigest(), "HOMEPAGE": f'homepage "{options.homepage}"' if options.homepage else "",
    }
    text = re.sub(r"@([A-Z0-9]+)@", lambda found: values[found[1]], text)
    print(re.sub(r"\n +\n", "\n", text), end="")


main()
