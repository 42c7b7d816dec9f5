#!/usr/bin/env python3
"""Writes the copyright file of the Debian package, in Debian's machine-readable form: the program's licence, and those of the packages inside it.

    copyright.py CHECKOUTS
"""

import sys
from pathlib import Path

checkouts = Path(sys.argv[1])


def licence(name):
    """The text of the licence of one of the packages."""
    for file in sorted((checkouts / name).glob("LICEN[CS]E*")):
        return file.read_text(encoding="utf-8")
    sys.exit(f"copyright: {checkouts / name} has no licence")


def body(text):
    """A text as the continuation of a field: indented, a dot for an empty line."""
    return "\n".join(" " + (line.rstrip() or ".") for line in text.strip().splitlines())


print("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/")
print("Upstream-Name: reloadsim")
print()
print("Files: *")
print("Copyright: 2026 The reloadsim authors")
print("License: GPL-3+")
print(" This program is free software: you can redistribute it and/or modify it under")
print(" the terms of the GNU General Public License as published by the Free Software")
print(" Foundation, either version 3 of the License, or (at your option) any later")
print(" version. On Debian systems its text is in /usr/share/common-licenses/GPL-3.")
print()
print("Files: usr/bin/reloadsim#swift-argument-parser usr/bin/reloadsim#swift-runtime")
print("Copyright: Apple Inc. and the Swift project authors")
print("License: Apache-2.0-with-runtime-exception")
print(" Licensed under the Apache License, Version 2.0; on Debian systems its text is in")
print(" /usr/share/common-licenses/Apache-2.0. With this exception:")
print(" .")
print(body(licence("swift-argument-parser").split("Runtime Library Exception to the Apache 2.0 License: ##")[1]))
print("Comment: Linked into the program.")
print()
print("Files: usr/bin/reloadsim#Yams")
print("Copyright: 2016 JP Simard")
print("License: Expat")
print(body(licence("Yams")))
print("Comment: Linked into the program.")
