#!/usr/bin/env python3
"""Checks that each file that the installed help, manual page, headers and documents name is installed.

usage: files.py PREFIX"""
import re
import subprocess
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
NAMED = re.compile(r"(?<![\w/.])(?:docs|examples)/[\w/-]*\w\.\w+|\bLIMITS\.md\b")


def texts(prefix):
    """(name, text) of everything installed that names files."""
    graze = prefix / "bin/graze"
    if graze.exists():
        general = help_of(graze)
        yield "graze --help", general
        for verb in sorted(set(re.findall(r"^  (?:graze )?([a-z]+)\b", general, re.M)) - {"graze"}):
            yield f"graze {verb} --help", help_of(graze, verb)
        yield "graze-verify --help", help_of(prefix / "bin/graze-verify")
    for path in [*prefix.rglob("man1/*.1"), *prefix.rglob("include/graze/*.h"), *prefix.rglob("docs/guide/simulate.md")]:
        yield path.name, path.read_text(encoding="utf-8").replace("\\-", "-")


def help_of(*command):
    done = subprocess.run([*command, "--help"], capture_output=True, text=True)
    return done.stdout + done.stderr


def links(documents):
    """(document, target) of every link to a file."""
    for path in documents.rglob("*.md"):
        for target in LINK.findall(path.read_text(encoding="utf-8")):
            if "://" not in target:
                yield path, target


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    prefix = Path(sys.argv[1])
    documents = next(iter(prefix.rglob("doc/graze")), prefix)
    named = {(file, name) for name, text in texts(prefix) for file in NAMED.findall(text)}
    missing = sorted(f"{name} names {file}, which is not installed" for file, name in named if not (documents / file).is_file())
    linked = list(links(documents))
    missing += sorted(f"{path.relative_to(documents)} links to {target}, which is not installed"
                      for path, target in linked if not (path.parent / target).exists())
    print("\n".join(missing) if missing else f"{len({file for _, file in named})} files are named and {len(linked)} links are followed")
    return 1 if missing or not named or len(linked) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
