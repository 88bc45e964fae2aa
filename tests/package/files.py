#!/usr/bin/env python3
"""Checks that each file that the installed help, manual page and headers name is installed, and that the relative links
of the installed documents lead to installed files.

usage: files.py PREFIX"""
import re
import subprocess
import sys
from pathlib import Path

NAMED = re.compile(r"(?<![\w/.])(?:docs|examples)/[\w/-]*\w\.\w+|\bLIMITS\.md\b")
LINK = re.compile(r"""(?:\]\(|<img src=")([^)#\s"]+)""")


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


def dead_links(documents):
    """(page, link) of the relative links that lead nowhere."""
    for page in documents.rglob("*.md"):
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            if not re.match("[a-z]+:", link) and not (page.parent / link).exists():
                yield page.relative_to(documents), link


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    prefix = Path(sys.argv[1])
    documents = next(iter(prefix.rglob("doc/graze")), prefix)
    named = {(file, name) for name, text in texts(prefix) for file in NAMED.findall(text)}
    missing = sorted(f"{name} names {file}, which is not installed" for file, name in named if not (documents / file).is_file())
    missing += sorted(f"{page} links to {link}, which is not installed" for page, link in dead_links(documents))
    print("\n".join(missing) if missing else f"{len({file for file, _ in named})} files are named and installed")
    return 1 if missing or not named else 0


if __name__ == "__main__":
    sys.exit(main())
