#!/usr/bin/env python3
"""Checks the budgets that keep the code readable: lengths of files and functions, and no leftovers (to-do marks,
disabled code, absolute paths of one machine). Reports the numbers, and the files of src/ beyond the intended length."""
import re
import sys

from csource import functions
from layers import ROOT, sources

FILE_LINES = 800          # of any file
SRC_FILE_LINES = 600      # of a file of src/ …
SRC_FILE_INTENDED = 500   # … and the length above which it is reported
SHORT_FILE_LINES = 40     # shorter files of src/ are counted
FUNCTION_LINES = 160
MARKS = re.compile(r"#\s*if\s+0\b|\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b")
PATHS = re.compile(r"(^|[\s\"'=(])/(home|root|tmp|Users|work)/")


def main():
    code = sources(".[ch]", "include", "src", "cli", "tests", "fuzz", "examples", "bench", "bindings")
    others = (sources(".py", "tools", "tests", "bindings") + sources(".lua", "bindings", "examples", "tests")
              + sources(".cmake", "cmake") + sources(".sh", "tools", "tests"))
    wrong, long_files, src_lines, lengths = [], [], [], []
    for path in code + others:
        text, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
        lines = text.splitlines()
        in_src = name.parts[0] == "src"
        if len(lines) > (SRC_FILE_LINES if in_src else FILE_LINES):
            wrong.append(f"{name}: {len(lines)} lines, at most {SRC_FILE_LINES if in_src else FILE_LINES} are allowed")
        elif in_src and len(lines) > SRC_FILE_INTENDED:
            long_files.append(f"  {name}: {len(lines)} lines, at most {SRC_FILE_INTENDED} are intended")
        if in_src:
            src_lines.append(len(lines))
        for number, line in enumerate(lines, 1):
            if MARKS.search(line):
                wrong.append(f"{name}:{number}: leftover mark: {line.strip()}")
            if PATHS.search(line):
                wrong.append(f"{name}:{number}: path of one machine: {line.strip()}")
        if path.suffix == ".c" and name.parts[0] in ("src", "cli", "bindings"):
            lengths += [(function.length, f"{name}:{function.first} {function.name}()") for function in functions(text)]
    src_lines.sort()
    lengths.sort()
    print(f"files: {len(src_lines)} in src, median {src_lines[len(src_lines) // 2]} lines, "
          f"{sum(n < SHORT_FILE_LINES for n in src_lines)} below {SHORT_FILE_LINES} lines, longest {src_lines[-1]}")
    print(f"functions: {len(lengths)} in .c files, median {lengths[len(lengths) // 2][0]} lines, "
          f"p90 {lengths[int(0.9 * (len(lengths) - 1))][0]}, longest {lengths[-1][0]} ({lengths[-1][1]})")
    wrong += [f"{place}: {length} lines, at most {FUNCTION_LINES} are allowed"
              for length, place in lengths if length > FUNCTION_LINES]
    print("\n".join(long_files + wrong), end="\n" if long_files + wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
