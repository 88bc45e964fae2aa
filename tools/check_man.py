#!/usr/bin/env python3
"""Checks that the manual page knows every subcommand and option that `graze --help` shows.

usage: check_man.py GRAZE"""
import re
import subprocess
import sys

from layers import ROOT


def words(text):
    """Options, and the first word of each indented line of help, which is a subcommand."""
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
    return options, set(re.findall(r"^  (?:graze )?([a-z][a-z-]+)\b", text, re.M)) - {"graze"}


def help_of(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout + done.stderr


def main():
    graze, page = sys.argv[1], ROOT / "docs/man/graze.1"
    if not page.exists():
        print(f"manual: there is no {page.relative_to(ROOT)}")
        return 1
    manual = page.read_text(encoding="utf-8").replace("\\-", "-")
    options, commands = words(help_of(graze, "--help"))
    commands = {c for c in commands if subprocess.run([graze, c, "--help"], capture_output=True).returncode == 0}
    for command in commands:
        options |= words(help_of(graze, command, "--help"))[0]
    missing = sorted(w for w in options | commands if not re.search(rf"(?<![\w-]){re.escape(w)}(?![\w-])", manual))
    print(f"manual: {page.name} lacks {', '.join(missing)}" if missing else
          f"manual: {len(commands)} subcommands and {len(options)} options, all described")
    return 1 if missing or not options else 0


if __name__ == "__main__":
    sys.exit(main())
