"""The provider of Tests/Examples/package in Python: asks soon after something new came, and less and less often while nothing does.

    reloadsim run scenario.yaml --provider mine='python3 mine.py'
"""

import json
import re
import sys

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds(text):
    return sum(int(number) * UNITS[unit] for number, unit in re.findall(r"(\d+)([smhd])", text))


def lengths(parameters):
    shortest = seconds(parameters.get("shortest", "15m"))
    return shortest, max(shortest, seconds(parameters.get("longest", "4h")))


def hello(question):
    shortest, _ = lengths(question["with"])
    answer = {"version": 1, "usual_life": "1h", "least_reaction": shortest, "parameters": ["shortest", "longest"]}
    if not 60 <= shortest <= 86400:
        answer["refused"] = {"shortest": "a length of time from 1m to 1d"}
    return answer


def timeline(question):
    shortest, longest = lengths(question["with"])
    version, quiet = question["memory"][:2]
    content = question["content"]
    current = content["version"] if content else 0
    quiet = quiet + 1 if current == version else 0
    return {"policy": {"after": min(shortest * 2 ** min(quiet, 20), longest)}, "memory": [current, quiet]}


for line in sys.stdin:
    question = json.loads(line)
    answer = hello(question) if question["ask"] == "hello" else timeline(question)
    print(json.dumps(answer), flush=True)
