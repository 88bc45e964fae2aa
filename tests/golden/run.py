#!/usr/bin/env python3
"""Compares the hash of many answers with hash.txt. Answers must have the same bits in every build.

GRAZE_TIER selects the builds:
  test  golden.c linked with the libraries given by --library
  ci    also the amalgamation for the widest instruction set of this machine, by one compiler
  soak  also the amalgamation by each compiler with each set of options

usage: run.py AMALGAMATED-FOLDER [--library FILE]… [--write]
       --library  a static library of Graze, already built
       --write    writes the hash to hash.txt, if all builds of the soak tier agree"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
EXPECTED = HERE / "hash.txt"
BASE = {"x86_64": "-march=x86-64", "aarch64": "-march=armv8-a"}.get(os.uname().machine, "")
WIDEST = ["-O3", "-march=native"]
SETS = [["-O0", BASE], WIDEST, ["-O3", BASE], ["-O0", "-march=native"], ["-O2", "-std=c17"]]


def compilers():
    return [c for c in ("gcc", "clang") if shutil.which(c)] or ["cc"]


def amalgamated_builds(tier):
    """(compiler, options) of each build of the amalgamation."""
    if tier == "soak":
        return [(c, [o for o in options if o]) for options in SETS for c in compilers()]
    return [(compilers()[-1], WIDEST)] if tier == "ci" else []


def run(command, folder):
    """Compiles with `command`. Returns the hash and the counts that golden.c prints."""
    program = Path(folder) / "golden"
    command = [*map(str, command), "-o", str(program)]
    if subprocess.run(command).returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    done = subprocess.run([program], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout.strip(), done.stderr.strip()


def commands(arguments, tier, folder):
    """(name, command) of each build."""
    source = HERE / "golden.c"
    for library in arguments.library:
        yield library, [compilers()[0], "-O1", f"-I{INCLUDE}", source, library, "-lm", "-pthread"]
    for compiler, options in amalgamated_builds(tier):
        yield " ".join([compiler, *options]), [compiler, *options, f"-I{folder}", source, arguments.amalgamated / "graze.c"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("amalgamated", type=lambda text: Path(text).resolve())
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    tier = "soak" if arguments.write else os.environ.get("GRAZE_TIER", "test")
    expected = EXPECTED.read_text().strip() if EXPECTED.exists() else None
    hashes = set()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "graze").symlink_to(arguments.amalgamated)  # golden.c includes <graze/graze.h>
        for name, command in commands(arguments, tier, folder):
            value, counted = run(command, folder)
            if not hashes:
                print(counted)
            hashes.add(value)
            print(value, name, flush=True)
    if arguments.write and len(hashes) == 1:
        EXPECTED.write_text(hashes.pop() + "\n")
        print(f"written to {EXPECTED.name}")
        return 0
    if hashes == {expected}:
        return 0
    print(f"expected {expected}" if len(hashes) == 1 else "the builds do not agree", "(make golden writes a new hash)")
    return 1


if __name__ == "__main__":
    sys.exit(main())
