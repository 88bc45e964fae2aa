#!/usr/bin/env python3
"""Checks the length of the first reading: the files that a new reader reads after graze.h have at most 1,800 lines."""
import sys

from layers import ROOT

FILES = ["src/narrow/obstacle.h", "src/narrow/distance.c", "src/narrow/gjk.c", "src/verify/polytope.c",
         "src/verify/cso.c"]
LINES = 1800


def main():
    missing = [name for name in FILES if not (ROOT / name).is_file()]
    lines = {name: len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in FILES if name not in missing}
    total = sum(lines.values())
    print(f"reading: {total} lines of {LINES} ({', '.join(f'{name} {count}' for name, count in lines.items())})")
    for name in missing:
        print(f"  missing: {name}")
    return 1 if missing or total > LINES else 0


if __name__ == "__main__":
    sys.exit(main())
