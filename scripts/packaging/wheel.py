#!/usr/bin/env python3
"""Makes a wheel of a built reloadsim: the program, the shipped scenarios, and the module of scripts/packaging/wheel. The same program and commit give the
same bytes: files in order, with the date of SOURCE_DATE_EPOCH (1 January 1980 without one).

    wheel.py BINARY --out DIR       prints the path of the wheel

Its tag is linux_x86_64 (or the machine's) and not manylinux: the program loads libgsl and libnettle of the system, which no wheel may expect there.
"""
import argparse
import base64
import hashlib
import os
import platform
import subprocess
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    version = subprocess.run([options.binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    tag = f"py3-none-linux_{platform.machine()}"
    info = f"reloadsim-{version}.dist-info"
    scenarios = sorted(subprocess.run(["git", "ls-files", "Scenarios"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split())
    files = {
        "reloadsim/__init__.py": (ROOT / "scripts/packaging/wheel/__init__.py").read_bytes(),
        "reloadsim/bin/reloadsim": options.binary.read_bytes(),
        **{f"reloadsim/{name}": (ROOT / name).read_bytes() for name in scenarios},
        f"{info}/METADATA": "\n".join([
            "Metadata-Version: 2.1", "Name: reloadsim", f"Version: {version}", "Summary: Simulator of fleets of devices whose widgets reload under a budget",
            "License: GPL-3.0-or-later", "Requires-Python: >=3.9", "Requires-Dist: pandas>=2", "Description-Content-Type: text/plain", "",
            "Needs libgsl.so.27, libnettle.so.8 and tzdata of the system: apt-get install libgsl27 libnettle8 tzdata (Debian 12).", "",
        ]).encode(),
        f"{info}/WHEEL": "\n".join(["Wheel-Version: 1.0", "Generator: reloadsim-package", "Root-Is-Purelib: false", f"Tag: {tag}", ""]).encode(),
        f"{info}/entry_points.txt": b"[console_scripts]\nreloadsim = reloadsim:main\n",
        f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    lines = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}" for name, data in sorted(files.items())]
    files[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315_532_800))[:6]
    options.out.mkdir(parents=True, exist_ok=True)
    wheel = options.out / f"reloadsim-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        # The record comes last, as the format recommends for what stands in dist-info.
        for name in sorted(files, key=lambda name: (name.startswith(info), name.endswith("RECORD"), name)):
            entry = zipfile.ZipInfo(name, date)
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/bin/" in name else 0o100644) << 16
            made.writestr(entry, files[name], compresslevel=9)
    print(wheel)


main()
