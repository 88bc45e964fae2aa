#!/usr/bin/env python3
"""Checks the map of the source, src/README.md: every file of src is in the table of its folder, and nothing else is.

usage: check_map.py [--write]     --write: add missing files, described by the first sentence of their first comment, and
                                  remove files that do not exist; existing descriptions stay"""
import re
import sys

from layers import LAYERS, ROOT, sources

MAP = ROOT / "src/README.md"


def rows_of(text):
    """{folder: {stem: (names, description)}} of all tables."""
    tables, folder = {}, ""
    for line in text.splitlines():
        heading = re.match(r"## (\w+)", line)
        folder = heading[1] if heading else folder
        row = re.match(r"\| `(\w+)\.([^|]*)` \| (.*) \|$", line)
        if row:
            names = {row[1] + "." + suffix for suffix in re.findall(r"\w+", row[2])}
            tables.setdefault(folder, {})[row[1]] = names, row[3]
    return tables


def files_of_folder(folder):
    """{stem: names} of the files of one folder."""
    stems = {}
    for path in sources(".[ch]", "src/" + folder):
        stems.setdefault(path.stem, set()).add(path.name)
    return stems


def first_sentence(folder, names):
    text = (ROOT / "src" / folder / min(names, key=lambda name: name.endswith(".c"))).read_text(encoding="utf-8")
    comment = re.sub(r"\s*\n \* ?", " ", re.search(r"/\*(.*?)\*/", text, re.S)[1]).strip()
    sentence = re.split(r"(?<=[a-z\d)])[.:](?=\s|$)", comment)[0]
    return sentence.replace("|", "\\|")


def written(text):
    """The map with tables that are as the files are."""
    known = rows_of(text)

    def table(match):
        folder = match[1]
        rows = []
        for stem, names in sorted(files_of_folder(folder).items()):
            suffixes = ", .".join(sorted(name.split(".")[1] for name in names))
            description = known.get(folder, {}).get(stem, (None, None))[1] or first_sentence(folder, names)
            rows.append(f"| `{stem}.{suffixes}` | {description} |\n")
        return match[0][:match.start(2) - match.start()] + "".join(rows)
    return re.sub(r"^## (\w+)\n.*?^\| file \| content \|\n\|---\|---\|\n((?:\|.*\n)*)", table, text, flags=re.M | re.S)


def main():
    text = MAP.read_text(encoding="utf-8")
    if "--write" in sys.argv[1:]:
        text = written(text)
        MAP.write_text(text, encoding="utf-8")
    tables, wrong, count = rows_of(text), [], 0
    for folder in LAYERS:
        listed = {name for names, _ in tables.get(folder, {}).values() for name in names}
        present = {name for names in files_of_folder(folder).values() for name in names}
        count += len(present)
        wrong += [f"src/README.md: {folder}/{name} is missing" for name in sorted(present - listed)]
        wrong += [f"src/README.md: there is no {folder}/{name}" for name in sorted(listed - present)]
    print("\n".join(wrong + ["map: python3 tools/check_map.py --write updates src/README.md"]) if wrong else f"map: {count} files of src")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
