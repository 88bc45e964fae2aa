#!/usr/bin/env python3
"""Checks what keeps the code readable: files of at most 800 lines, nine functions in ten of at most 50 lines, nothing
left over (to-do marks, disabled code, absolute paths of somebody's machine)."""
import re
import sys

from layers import ROOT, sources

FILE_LINES = 800
FUNCTION_LINES = 50
MARKS = re.compile(r"#\s*if\s+0\b|\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b")
PATHS = re.compile(r"(^|[\s\"'=(])/(home|root|tmp|Users|work)/")


def strip(text):
    """The C text with comments, strings and characters blanked, line breaks kept."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def functions(text):
    """(first line, length) of each function body found by counting braces at file level."""
    depth, start, head = 0, 0, ""
    for number, line in enumerate(strip(text).split("\n"), 1):
        if line.lstrip().startswith("#"):
            continue
        for character in line:
            if character == "{":
                if depth == 0:
                    is_function = re.search(r"\)\s*$", head) and "=" not in head
                    start = number if is_function else 0
                depth += not (depth == 0 and re.search(r'extern\s+$', head))
                head = ""
            elif character == "}":
                depth = max(depth - 1, 0)
                if depth == 0:
                    if start:
                        yield start, number - start + 1
                    start, head = 0, ""
            elif depth == 0:
                head = "" if character == ";" else head + character
        head += "\n" if depth == 0 else ""


def main():
    code = sources(".[ch]", "include", "src", "cli", "tests", "fuzz", "examples", "bench", "bindings")
    others = sources(".py", "tools", "tests", "bindings") + sources(".lua", "bindings", "examples", "tests") + sources(".cmake", "cmake") + sources(".sh", "tools", "tests")
    wrong, lengths = [], []
    for path in code + others:
        text, here = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
        lines = text.split("\n")
        if len(lines) > FILE_LINES + 1:
            wrong.append(f"{here}: {len(lines) - 1} lines, more than {FILE_LINES}")
        for number, line in enumerate(lines, 1):
            if MARKS.search(line):
                wrong.append(f"{here}:{number}: left-over mark: {line.strip()}")
            if PATHS.search(line):
                wrong.append(f"{here}:{number}: a path of one machine: {line.strip()}")
        if path.suffix == ".c" and here.parts[0] in ("src", "cli", "bindings"):
            lengths += [(length, f"{here}:{first}") for first, length in functions(text)]
    lengths.sort()
    if lengths:
        p90, longest = lengths[int(0.9 * (len(lengths) - 1))][0], lengths[-1]
        print(f"budgets: {len(code)} C files, {len(lengths)} functions, median {lengths[len(lengths) // 2][0]} lines, "
              f"p90 {p90}, longest {longest[0]} ({longest[1]})")
        if p90 > FUNCTION_LINES:
            wrong.append(f"functions: p90 is {p90} lines, more than {FUNCTION_LINES}")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
