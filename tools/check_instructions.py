#!/usr/bin/env python3
"""Counts the instructions of fixed queries (bench/counted.c) by callgrind, and compares them with the table in
bench/instructions.txt. Counts depend on the compiler, so a table of another one is not compared.

usage: check_instructions.py PROGRAM [--write]     PROGRAM: of bench/counted.c; --write: renew the table"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import which

from layers import ROOT

TABLE = ROOT / "bench/instructions.txt"
MOST = 0.02
HEAD = """# Instructions of one query, by callgrind: bench/counted.c. The test bench/instructions compares, `make counts` renews.
"""


class Skip(Exception):
    pass


def machine_option():
    if not which("valgrind"):
        raise Skip("there is no valgrind (Debian: apt-get install valgrind)")
    cpu = Path("/proc/cpuinfo")
    if not cpu.exists() or " avx2" not in cpu.read_text(encoding="utf-8"):
        raise Skip("this is no x86-64 machine with AVX2")


def count(program):
    """(compiler, {query: instructions}). Callgrind writes a file for each call of counted()."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        output = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--toggle-collect=counted",
                                 "--dump-after=counted", program], check=True, text=True, capture_output=True).stdout
        counts = {}
        compiler, *lines = output.splitlines()
        for number, line in enumerate(lines, 1):
            name, _, repetitions = line.rpartition(" ")
            total = re.search(r"^(?:totals|summary): (\d+)", Path(f"{out}.{number}").read_text(encoding="utf-8"), re.M)
            counts[name] = round(int(total.group(1)) / int(repetitions))
    return compiler, counts


def read():
    """(compiler, {query: instructions})"""
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    rows = (line.rsplit(None, 1) for line in lines[1:])
    return lines[0], {name: int(number) for name, number in rows}


def write(compiler, counts):
    rows = "".join(f"{name:<32}{number:>8}\n" for name, number in counts.items())
    TABLE.write_text(f"{HEAD}{compiler}\n{rows}", encoding="utf-8")


def compare(known, counts):
    worst, wrong = 0, sorted(known.keys() ^ counts.keys())
    wrong = [f"{name}: only in one of bench/counted.c and bench/instructions.txt" for name in wrong]
    for name in known.keys() & counts.keys():
        change = counts[name] / known[name] - 1
        worst = max(worst, change, key=abs)
        if abs(change) > MOST:
            wrong.append(f"{name}: {counts[name]} instructions, {100 * change:+.1f} % of the {known[name]} in "
                         f"{TABLE.relative_to(ROOT)}")
    print(f"instructions: {len(counts)} queries, the largest change {100 * worst:+.1f} %")
    print("\n".join(wrong + ["make counts renews the table"]) + "\n" if wrong else "", end="")
    return 1 if wrong else 0


def main():
    program, writes = sys.argv[1], "--write" in sys.argv[2:]
    try:
        machine_option()
        compiler, counts = count(program)
        of, known = read()
        if writes:
            write(compiler, counts)
        elif compiler != of:
            raise Skip(f"the table was counted with {of}, this is {compiler}")
    except Skip as why:
        print(f"instructions: skipped, {why}")
        return writes
    return 0 if writes else compare(known, counts)


if __name__ == "__main__":
    sys.exit(main())
