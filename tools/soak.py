#!/usr/bin/env python3
"""Runs the tests with full counts (GRAZE_TIER=soak) and writes what they printed, one section for each. Left out are
those with nothing to count: the package, its consumers, the commands, the documents.

usage: soak.py BUILD-FOLDER TABLE.txt"""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from layers import ROOT

NOTHING_TO_COUNT = "^(package|consumers|cli|docs)/"

# What the test framework itself prints.
FRAMEWORK = re.compile(r"^\[[\s=-]|^\[\w+\]|^\s*$")


def section(case):
    """The table rows of one test."""
    out = case.findtext("system-out") or ""
    lines = [line.rstrip() for line in out.splitlines() if not FRAMEWORK.match(line)]
    verdict = "passed" if case.get("status") == "run" else case.get("status")
    return "\n".join([f"{case.get('name')}: {verdict}, {float(case.get('time')):.0f} s"] + [f"  {line}" for line in lines])


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    build, table = sys.argv[1:]
    with tempfile.NamedTemporaryFile(suffix=".xml") as report:
        command = ["ctest", "--test-dir", build, "-j", str(os.cpu_count() or 1), "--timeout", "1000000",
                   "--exclude-regex", NOTHING_TO_COUNT, "--output-on-failure",
                   "--output-junit", report.name, "--test-output-size-passed", "1000000"]
        status = subprocess.run(command, env={**os.environ, "GRAZE_TIER": "soak"}).returncode
        suite = ElementTree.parse(report.name).getroot()
    version = re.search(r'GRAZE_VERSION "([^"]+)"', (ROOT / "include/graze/graze.h").read_text()).group(1)
    cases = [case for case in suite.iter("testcase") if not re.match(NOTHING_TO_COUNT, case.get("name"))]
    cases.sort(key=lambda case: case.get("name"))
    head = (f"Graze {version}: the tests with full counts (make soak): "
            f"{len(cases)} tests, {suite.get('failures')} failed.")
    Path(table).write_text("\n\n".join([head] + [section(case) for case in cases]) + "\n", encoding="utf-8")
    print(f"written to {table}")
    return status


if __name__ == "__main__":
    sys.exit(main())
