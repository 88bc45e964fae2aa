#!/usr/bin/env python3
"""Checks the map of the source, src/README.md: every file of src is in the table of its folder, and nothing else is.

usage: check_map.py [--write]     --write: write the tables; the row of a new file is the first sentence of its first
                                  comment (of the header, if there is one)"""
import re
import sys

from layers import LAYERS, ROOT, sources

MAP = ROOT / "src/README.md"


def rows_of(text):
    """{folder: the names of its table}"""
    tables, folder = {}, ""
    for line in text.splitlines():
        heading = re.match(r"## (\w+)", line)
        folder = heading[1] if heading else folder
        row = re.match(r"\| `(\w+)\.([^|]*)` \|", line)
        if row:
            tables.setdefault(folder, set()).update(row[1] + "." + suffix for suffix in re.findall(r"\w+", row[2]))
    return tables


def files_of_folder(folder):
    """{stem: names} of the files of one folder."""
    stems = {}
    for path in sources(".[ch]", "src/" + folder):
        stems.setdefault(path.stem, set()).add(path.name)
    return stems


def first_sentence(folder, names):
    text = (ROOT / "src" / folder / min(names, key=lambda name: name.endswith(".c"))).read_text(encoding="utf-8")
    comment = " ".join(re.sub(r"\n \*", "\n", re.search(r"/\*(.*?)\*/", text, re.S)[1]).split())
    sentence = re.split(r"\.(?=\s|$)", comment)[0]
    return sentence.replace("|", "\\|")


def written(text):
    """The map with new tables; rows of known files stay."""
    def table(match):
        folder = match[1]
        rows, known = [], dict(re.findall(r"^\| `(\w+)\.[^|]*` \| (.*) \|$", match[2], re.M))
        for stem, names in sorted(files_of_folder(folder).items()):
            suffixes = ", .".join(sorted(name.split(".")[1] for name in names))
            rows.append(f"| `{stem}.{suffixes}` | {known.get(stem) or first_sentence(folder, names)} |\n")
        return match[0][:match.start(2) - match.start()] + "".join(rows)
    return re.sub(r"^## (\w+)\n.*?^\| file \| content \|\n\|---\|---\|\n((?:\|[^\n]*\n)*)", table, text, flags=re.M | re.S)


def main():
    text = MAP.read_text(encoding="utf-8")
    if "--write" in sys.argv[1:]:
        text = written(text)
        MAP.write_text(text, encoding="utf-8")
    tables, wrong, count = rows_of(text), [], 0
    for folder in LAYERS:
        listed = tables.get(folder, set())
        present = {name for names in files_of_folder(folder).values() for name in names}
        count += len(present)
        wrong += [f"src/README.md: {folder}/{name} is missing" for name in sorted(present - listed)]
        wrong += [f"src/README.md: there is no {folder}/{name}" for name in sorted(listed - present)]
    print("\n".join(wrong + ["map: python3 tools/check_map.py --write updates src/README.md"]) if wrong else f"map: {count} files of src")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
