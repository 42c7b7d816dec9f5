"""Runs the snippets of docs/analysis.md in a run's folder and compares what they print with analysis.txt: analysis.py ROOT FOLDER [--update]."""

import pathlib
import re
import shutil
import subprocess
import sys


def main():
    root, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    expected = root / "Tests/Reference/analysis.txt"
    known = dict(re.findall(r"(?ms)^== (\d+ \w+)\n(.*?)(?=^== |\Z)", expected.read_text())) if expected.exists() else {}
    found, left_out = {}, []
    for number, (language, code) in enumerate(re.findall(r"(?ms)^```(python|r)\n(.*?)^```", (root / "docs/analysis.md").read_text()), 1):
        name = f"{number} {language}"
        program = [sys.executable, "-c"] if language == "python" else ["Rscript", "--vanilla", "-e"]
        if not shutil.which(program[0]):
            left_out.append(name)
            found[name] = known.get(name, "")
            continue
        ended = subprocess.run(program + [code], cwd=folder, capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(f"snippet {name} ends with {ended.returncode}:\n{ended.stderr}")
        found[name] = ended.stdout
    if "--update" in sys.argv:
        expected.write_text("".join(f"== {name}\n{text}" for name, text in found.items()))
    wrong = [name for name in found.keys() | known.keys() if found.get(name) != known.get(name)]
    if wrong and "--update" not in sys.argv:
        for name in sorted(wrong):
            print(f"snippet {name} prints\n{found.get(name)}and should print\n{known.get(name)}")
        sys.exit(1)
    print(f"{len(found) - len(left_out)} snippets print what they should" + (f"; not tried, no Rscript: {', '.join(left_out)}" if left_out else ""))


if __name__ == "__main__":
    main()
