#!/usr/bin/env python3
"""The same answers, to the last bit, from every compiler: builds golden.c with graze.c (the amalgamation) by each
compiler at hand and each set of options, and compares what they print with hash.txt.

usage: run.py AMALGAMATED-FOLDER [--write]
       --write: put the hash into hash.txt, provided that all builds agree"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXPECTED = HERE / "hash.txt"
BASE = {"x86_64": "-march=x86-64", "aarch64": "-march=armv8-a"}.get(os.uname().machine, "")


def builds():
    """(compiler, options) of every build."""
    sets = [["-O0", BASE], ["-O3", "-march=native"], ["-O3", BASE], ["-O0", "-march=native"], ["-O2", "-std=c17"]]
    found = [c for c in ("gcc", "clang") if shutil.which(c)] or ["cc"]
    return [(c, [o for o in options if o]) for options in sets for c in found]


def run(compiler, options, amalgamated, folder):
    """The hash, and what was counted."""
    program = Path(folder) / "golden"
    flat = Path(folder) / "graze"
    if not flat.exists():
        flat.symlink_to(amalgamated)  # golden.c says <graze/graze.h>
    command = [compiler, *options, f"-I{folder}", str(HERE / "golden.c"), str(amalgamated / "graze.c"), "-o",
               str(program)]
    if subprocess.run(command).returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    done = subprocess.run([str(program)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{compiler} {' '.join(options)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout.strip(), done.stderr.strip()


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    amalgamated, write = Path(sys.argv[1]).resolve(), "--write" in sys.argv[2:]
    expected = EXPECTED.read_text().strip() if EXPECTED.exists() else None
    hashes = set()
    with tempfile.TemporaryDirectory() as folder:
        for compiler, options in builds():
            value, counted = run(compiler, options, amalgamated, folder)
            if not hashes:
                print(counted)
            hashes.add(value)
            print(value, compiler, *options, flush=True)
    if write and len(hashes) == 1:
        EXPECTED.write_text(hashes.pop() + "\n")
        print(f"written to {EXPECTED.name}")
        return 0
    if hashes == {expected}:
        return 0
    print(f"expected {expected}" if len(hashes) == 1 else "the builds do not agree", "(make golden writes a new hash)")
    return 1


if __name__ == "__main__":
    sys.exit(main())
