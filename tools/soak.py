#!/usr/bin/env python3
"""Runs the tests with full counts (GRAZE_TIER=soak) and writes what they printed, one section for each. Left out are
those with nothing to count: the package, its consumers, the commands, the documents.

usage: soak.py BUILD-FOLDER TABLE.txt [ONLY]     ONLY: a regular expression; only these run, and the table keeps the rest"""
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
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    build, table, only = (sys.argv + [""])[1:4]
    kept = Path(table).read_text(encoding="utf-8").rstrip("\n").split("\n\n")[1:] if only else []
    with tempfile.NamedTemporaryFile(suffix=".xml") as report:
        command = ["ctest", "--test-dir", build, "-j", str(os.cpu_count() or 1), "--timeout", "1000000",
                   "--tests-regex", only, "--exclude-regex", NOTHING_TO_COUNT, "--output-on-failure",
                   "--output-junit", report.name, "--test-output-size-passed", "1000000"]
        status = subprocess.run(command, env={**os.environ, "GRAZE_TIER": "soak"}).returncode
        suite = ElementTree.parse(report.name).getroot()
    version = re.search(r'GRAZE_VERSION "([^"]+)"', (ROOT / "include/graze/graze.h").read_text()).group(1)
    cases = [case for case in suite.iter("testcase") if not re.match(NOTHING_TO_COUNT, case.get("name"))]
    sections = {text.split(": ")[0]: text for text in kept}
    sections.update((case.get("name"), section(case)) for case in cases)
    failed = sum(": passed, " not in text.split("\n")[0] for text in sections.values())
    head = f"Graze {version}: the tests with full counts (make soak): {len(sections)} tests, {failed} failed."
    Path(table).write_text("\n\n".join([head] + [sections[name] for name in sorted(sections)]) + "\n", encoding="utf-8")
    print(f"written to {table}")
    return status


if __name__ == "__main__":
    sys.exit(main())
