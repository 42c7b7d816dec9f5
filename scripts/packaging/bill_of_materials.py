#!/usr/bin/env python3
"""Writes the parts of a built reloadsim as an SPDX 2.3 document: what is inside the binary, and the libraries of the system that it loads.

    swift package show-dependencies --format json | bill_of_materials.py BINARY --checkouts DIR --version V --date YYYY-MM-DD
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def licence(folder):
    """The SPDX name of the licence in a folder, by its first lines."""
    for file in sorted(folder.glob("LICEN[CS]E*")):
        text = file.read_text(encoding="utf-8")
        if "Apache License" in text:
            return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
        if "MIT License" in text:
            return "MIT"
    sys.exit(f"bill_of_materials: {folder} has no licence that is known here")


def system_libraries(binary):
    """Debian packages of the libraries that a binary loads, with their versions; C's own and the compiler's apart from what is named in the binary are left out."""
    needed = re.findall(r"\(NEEDED\).*\[(.+?)\]", output("readelf", "-d", str(binary)))
    paths = dict(re.findall(r"^\s*(\S+) => (\S+)", output("ldd", str(binary)), re.M))
    packages = set()
    for name in needed:
        if name not in paths:
            continue
        for path in (paths[name], os.path.realpath(paths[name]), re.sub("^/usr", "", os.path.realpath(paths[name]))):
            found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
            if found.returncode == 0:
                packages.add(found.stdout.split(":")[0])
                break
    for package in sorted(packages):
        yield package, output("dpkg-query", "-W", "-f", "${Version}", package)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=Path)
    parser.add_argument("--checkouts", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", required=True)
    arguments = parser.parse_args()

    digest = hashlib.sha256(arguments.binary.read_bytes()).hexdigest()

    def package(key, name, version, location, terms, purl=None, **more):
        entry = {
            "SPDXID": f"SPDXRef-{key}", "name": name, "versionInfo": version, "downloadLocation": location, "filesAnalyzed": False,
            "licenseConcluded": terms, "licenseDeclared": terms, "copyrightText": "NOASSERTION", **more,
        }
        if purl:
            entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
        return entry

    packages = [
        package(
            "reloadsim", "reloadsim", arguments.version, "NOASSERTION", "GPL-3.0-or-later", primaryPackagePurpose="APPLICATION",
            checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
    ]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-reloadsim")]
    swift = re.search(r"Swift version ([\d.]+)", output("swift", "--version"))[1]
    packages.append(
        package(
            "swift-runtime", "swift-runtime", swift, "https://www.swift.org/install", "Apache-2.0 WITH Swift-exception",
            comment="The standard library, Dispatch and Foundation, linked into the binary."))
    relations.append(("SPDXRef-reloadsim", "STATIC_LINK", "SPDXRef-swift-runtime"))
    for its in sorted(json.load(sys.stdin)["dependencies"], key=lambda its: its["identity"]):
        url = its["url"].removesuffix(".git")
        key = re.sub("[^A-Za-z0-9.-]", "-", its["identity"])
        host = url.removeprefix("https://")
        packages.append(
            package(key, its["name"], its["version"], f"git+{url}.git@{its['version']}", licence(arguments.checkouts / Path(url).name), f"pkg:swift/{host}@{its['version']}"))
        relations.append(("SPDXRef-reloadsim", "STATIC_LINK", f"SPDXRef-{key}"))
    for name, version in system_libraries(arguments.binary):
        key = "debian-" + re.sub("[^A-Za-z0-9.-]", "-", name)
        packages.append(package(key, name, version, "NOASSERTION", "NOASSERTION", f"pkg:deb/debian/{name}@{version}"))
        relations.append(("SPDXRef-reloadsim", "DYNAMIC_LINK", f"SPDXRef-{key}"))
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"reloadsim-{arguments.version}",
        "documentNamespace": f"urn:reloadsim:spdx:{arguments.version}:{digest}",
        "creationInfo": {"created": f"{arguments.date}T00:00:00Z", "creators": ["Tool: reloadsim-package"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations
        ],
    }
    json.dump(document, sys.stdout, indent=2)
    print()


main()
