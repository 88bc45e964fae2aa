#!/usr/bin/env python3
"""Checks the map of the source, src/README.md: every file of src is in it once, in the section of its folder, and nothing
else is."""
import re
import sys

from layers import LAYERS, ROOT, sources

MAP = ROOT / "src/README.md"


def listed(text):
    """(folder, file) for each name in the first column of the tables; `gjk.c, .h` names two files."""
    folder = ""
    for line in text.splitlines():
        heading = re.match(r"## `?(\w+)`?", line)
        if heading:
            folder = heading[1]
        row = re.match(r"\| (`[^|]*`) \|", line)
        if row and folder in LAYERS:
            stem = ""
            for name in re.findall(r"[\w.]+", row[1]):
                if name.startswith("."):
                    name = stem + name
                stem = name.rsplit(".", 1)[0]
                yield folder, name


def main():
    names = list(listed(MAP.read_text(encoding="utf-8")))
    files = {tuple(path.relative_to(ROOT / "src").parts) for path in sources(".[ch]", "src")}
    wrong = [f"{MAP.name}: {'/'.join(name)} is missing" for name in sorted(files - set(names))]
    wrong += [f"{MAP.name}: there is no {'/'.join(name)}" for name in sorted(set(names) - files)]
    wrong += [f"{MAP.name}: {'/'.join(name)} is listed twice" for name in sorted(set(names)) if names.count(name) > 1]
    print("\n".join("src/" + line for line in wrong) if wrong else f"map: {len(files)} files of src")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
