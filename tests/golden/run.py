#!/usr/bin/env python3
"""Compares the hashes of many answers with hash.txt and compare_hash.txt. Answers must have the same bits in every build.

GRAZE_TIER selects the builds. The amalgamation has no reference methods, so it is linked with golden.c only:
  test  golden.c and compare.c linked with the libraries given by --library
  ci    also the amalgamation for the widest instruction set of this machine, by one compiler
  soak  also the amalgamation by each compiler with each set of options

usage: run.py AMALGAMATED-FOLDER [--library FILE]… [--write]
       --library  a static library graze_compare, already built
       --write    writes the hashes, if all builds of the soak tier agree"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
PROGRAMS = {"golden.c": HERE / "hash.txt", "compare.c": HERE / "compare_hash.txt"}
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


def compile_and_run(command, folder):
    """Compiles with `command`. Returns the hash and the counts that the program prints."""
    program = Path(folder) / "program"
    command = [*map(str, command), "-o", str(program)]
    if subprocess.run(command).returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    done = subprocess.run([program], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout.strip(), done.stderr.strip()


def builds(arguments, tier, folder):
    """(name, program, command) of each build."""
    for library in arguments.library:
        for name in PROGRAMS:
            yield library, name, [compilers()[0], "-O1", f"-I{INCLUDE}", HERE / name, library, "-lm", "-pthread"]
    for compiler, options in amalgamated_builds(tier):
        command = [compiler, *options, f"-I{folder}", HERE / "golden.c", arguments.amalgamated / "graze.c"]
        yield " ".join([compiler, *options]), "golden.c", command


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("amalgamated", type=lambda text: Path(text).resolve())
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    tier = "soak" if arguments.write else os.environ.get("GRAZE_TIER", "test")
    hashes = {name: set() for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "graze").symlink_to(arguments.amalgamated)  # the programs include <graze/graze.h>
        for build, name, command in builds(arguments, tier, folder):
            value, counted = compile_and_run(command, folder)
            if not hashes[name]:
                print(counted)
            hashes[name].add(value)
            print(value, name, build, flush=True)
    agree = all(len(found) == 1 for found in hashes.values())
    for name, file in PROGRAMS.items():
        expected = file.read_text().strip() if file.exists() else None
        if arguments.write and agree:
            file.write_text(f"{min(hashes[name])}\n")
            print(f"written to {file.name}")
        elif hashes[name] != {expected}:
            agree = False
            print(f"{name}: " + (f"expected {expected}" if len(hashes[name]) == 1 else "the builds do not agree"),
                  "(make golden writes new hashes)")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
