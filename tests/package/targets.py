#!/usr/bin/env python3
"""Compiles the amalgamation for other targets. GRAZE_TIER selects the builds:
  test  this machine's compiler without -fno-math-errno and without a square root instruction. nm must find no function
        of libm.
  ci    also with the instruction, and with each cross compiler that is installed. The hash of tests/golden/ must not
        change without a square root instruction and for 32-bit x86.
  soak  also the symbols with -O2, and the hash with each cross compiler whose emulator (qemu-user) is installed.

usage: targets.py AMALGAMATED-FOLDER COMPILER NM"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from symbols import Inspector, without_system

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
CROSS = ("riscv64", "s390x")
HIDE_SQRT = ["-U__SSE2__", "-U__aarch64__"]

# GCC has no unsigned __int128 for 32-bit x86; Clang has it on request. Either multilib or a cross compiler has the headers.
CLANG32 = ["clang", "-fforce-enable-int128", "-msse2", "-mfpmath=sse", "-static"]
CLANG32_FROM = (["-m32"], ["--target=i686-linux-gnu", "-isystem", "/usr/i686-linux-gnu/include", "-L/usr/i686-linux-gnu/lib"])


def libm_symbols(nm, command, source, folder):
    """The undefined symbols of an object that neither the library nor the compiler's support library may need."""
    result = Path(folder) / "graze.o"
    subprocess.run([*command, "-c", str(source), "-o", str(result)], check=True)
    return sorted(without_system(Inspector(nm, None).undefined(result), True))


def symbol_builds(tier, compiler, nm):
    """(nm, compile command) of each build whose symbols are checked."""
    for level in ("-O0", "-O2") if tier == "soak" else ("-O0",):
        yield nm, [compiler, level, "-fmath-errno", *HIDE_SQRT]
        if tier == "test":
            continue
        yield nm, [compiler, level, "-fmath-errno"]
        for target in CROSS:
            cross = f"{target}-linux-gnu-gcc"
            if shutil.which(cross):
                yield f"{target}-linux-gnu-nm", [cross, level, "-fmath-errno"]
            else:
                print(f"skipped: {cross} is not installed")


def clang32(folder):
    """The command of a working compiler for 32-bit x86, or None."""
    source = Path(folder) / "empty.c"
    source.write_text("#include <stdlib.h>\nint main(void) { return sizeof(void *) == 4 ? 0 : 1; }\n")
    for options in CLANG32_FROM if shutil.which("clang") else ():
        program = Path(folder) / "empty"
        if subprocess.run([*CLANG32, *options, str(source), "-o", str(program)], capture_output=True).returncode == 0:
            return CLANG32 + options if subprocess.run([str(program)]).returncode == 0 else None
    return None


def hash_builds(tier, compiler, folder):
    """(compile command, emulator) of each build whose hash is compared."""
    if tier == "test":
        return
    yield [compiler, "-O1", *HIDE_SQRT], []
    command = clang32(folder)
    if command:
        yield [*command, "-O1"], []
    else:
        print("skipped: 32-bit x86 needs Clang with gcc-multilib or gcc-i686-linux-gnu")
    for target in CROSS if tier == "soak" else ():
        cross, emulator = f"{target}-linux-gnu-gcc", f"qemu-{target}"
        if shutil.which(cross) and shutil.which(emulator):
            yield [cross, "-O1", "-static"], [emulator]
        else:
            print(f"skipped: {cross} or {emulator} is not installed")


def golden_hash(command, emulator, source, folder):
    program = Path(folder) / "golden"
    subprocess.run([*command, f"-I{folder}", str(GOLDEN / "golden.c"), str(source), "-o", str(program)], check=True)
    return subprocess.run([*emulator, str(program)], check=True, capture_output=True, text=True).stdout.strip()


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    amalgamated, compiler, nm = Path(sys.argv[1]).resolve(), *sys.argv[2:]
    tier = os.environ.get("GRAZE_TIER", "test")
    expected, failed = (GOLDEN / "hash.txt").read_text().strip(), False
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "graze").symlink_to(amalgamated)  # golden.c includes <graze/graze.h>
        for nm_of, command in symbol_builds(tier, compiler, nm):
            needed = libm_symbols(nm_of, command, amalgamated / "graze.c", folder)
            failed |= bool(needed)
            print(*command, "needs", ", ".join(needed) or "no libm", flush=True)
        for command, emulator in hash_builds(tier, compiler, folder):
            value = golden_hash(command, emulator, amalgamated / "graze.c", folder)
            failed |= value != expected
            print(*command, *emulator, value, "" if value == expected else f"(expected {expected})", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
