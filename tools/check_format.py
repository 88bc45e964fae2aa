#!/usr/bin/env python3
"""Checks the layout of the C files, and of the C++ files of the bindings, with clang-format 14: .clang-format is for it.

usage: check_format.py [--write]     --write: lay them out"""
import collections
import re
import shutil
import subprocess
import sys
from pathlib import Path

from layers import ROOT, sources

VERSION = "14"


def find_tool():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        tool = shutil.which(name)
        if tool and f"version {VERSION}." in subprocess.run([tool, "--version"], capture_output=True, text=True).stdout:
            return tool
    return None


def main():
    c_files = sources(".[ch]", "include", "src", "cli", "tests", "fuzz", "bench", "examples", "bindings")
    files, tool = [str(p) for p in c_files + sources(".[ch]pp", "bindings")], find_tool()
    if not tool:
        print(f"format: skipped, there is no clang-format {VERSION} (Debian 12: apt-get install clang-format)")
        return 0
    if "--write" in sys.argv[1:]:
        return subprocess.run([tool, "-i", *files]).returncode
    messages = subprocess.run([tool, "--dry-run", *files], capture_output=True, text=True).stderr
    places = collections.defaultdict(list)
    for path, line in re.findall(r"^(\S+?):(\d+):\d+: warning:", messages, re.M):
        if line not in places[path]:
            places[path].append(line)
    for path, lines in places.items():
        print(f"{Path(path).relative_to(ROOT)}: not laid out at line {', '.join(lines[:8])}{' …' if lines[8:] else ''}")
    print("make format lays them out" if places else f"format: {len(files)} files")
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main())
