#!/usr/bin/env python3
"""What the libraries define and what they need, by nm and objdump:
  - the shared libraries export the functions of the public headers and nothing else (compare.h belongs to graze_compare alone), and need the C library alone, of
    which they call malloc() and free() (src/core/memory.c) and, but for the verifier, threads (src/scene/pool.c): no
    libm, no input or output;
  - the static libraries have no global name without our prefix and no data that can change;
  - nothing that a solver defines is in the verifier's libraries or in graze-verify.

usage: symbols.py NM OBJDUMP GRAZE.so VERIFY.so COMPARE.so GRAZE.a VERIFY.a [VERIFIER-COMMAND]"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# The compiler calls these on its own.
ALLOWED = {"malloc", "free",
           "memcpy", "memmove", "memset", "memcmp", "memchr", "strcmp", "__stack_chk_fail", "__cxa_finalize", "__gmon_start__",
           "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "_GLOBAL_OFFSET_TABLE_", "__cpu_model"}

SYSTEM = re.compile(r"(getenv|pthread_(create|join|(attr|mutex|cond)_\w+))$")

# Its integer arithmetic: __popcountdi2, __udivti3 …
ARITHMETIC = re.compile(r"__[a-z]+[dt]i\d$")


class Inspector:
    def __init__(self, nm, objdump):
        self.nm, self.objdump = nm, objdump

    def symbols(self, path, *options):
        """(name, letter) of every symbol, without versions."""
        out = subprocess.run([self.nm, "-P", *options, path], check=True, capture_output=True, text=True).stdout
        rows = [line.split() for line in out.splitlines()]
        return {(row[0].split("@")[0], row[1]) for row in rows if len(row) >= 2 and len(row[1]) == 1}

    def defined(self, path, *options):
        return {name for name, letter in self.symbols(path, *options) if letter not in "Uw"}

    def undefined(self, path, *options):
        """The undefined symbols, without the helpers of the compiler."""
        names = {name for name, letter in self.symbols(path, *options) if letter in "Uw"}
        return {name for name in names - ALLOWED if not ARITHMETIC.match(name)}

    def needed(self, path):
        out = subprocess.run([self.objdump, "-p", path], check=True, capture_output=True, text=True).stdout
        return re.findall(r"NEEDED\s+(\S+)", out)

    def changing_sections(self, path):
        """Sections of writable data that are not empty."""
        out = subprocess.run([self.objdump, "-h", path], check=True, capture_output=True, text=True).stdout
        found = re.findall(r"^\s*\d+\s+(\.(?:t?data|t?bss)\S*)\s+([0-9a-f]+)", out, re.M)
        return {name for name, size in found if int(size, 16) and not name.startswith(".data.rel.ro")}


def declared(*headers):
    """The functions that these public headers declare."""
    text = "".join(p.read_text(encoding="utf-8") for p in headers)
    return set(re.findall(r"^GRAZE_API\s[^;(]*?\b(graze_\w+)\(", text, re.M))


def without_system(names, allowed):
    return {name for name in names if not (allowed and SYSTEM.match(name))}


def problems(nm, objdump, library, verifier, compare, *others):
    inspect, static, commands = Inspector(nm, objdump), others[:2], others[2:]
    exported = inspect.defined(library, "-D")
    headers = set((ROOT / "include/graze").glob("*.h"))
    of_compare = {ROOT / "include/graze/compare.h"}
    public = declared(*(headers - of_compare))
    yield "a header declares but the library lacks", public - exported
    yield "exported but in no header", exported - public
    yield "the verifier exports but no header declares", inspect.defined(verifier, "-D") - public
    yield "graze_compare does not export exactly the headers", inspect.defined(compare, "-D") ^ declared(*headers)
    for path in (library, verifier, compare):
        yield f"{Path(path).name} needs", without_system(inspect.undefined(path, "-D"), path != verifier)
        yield f"{Path(path).name} needs the library", set(inspect.needed(path)) - {"libc.so.6"}
    for path in static:
        names = inspect.defined(path, "-g")
        yield f"{Path(path).name}: without our prefix", {n for n in names if not re.match(r"(graze|grz)_", n)}
        yield f"{Path(path).name}: needs", without_system(inspect.undefined(path) - names, path == static[0])
        yield f"{Path(path).name}: data that can change", inspect.changing_sections(path)

    solving, checking = (inspect.defined(path, "-g") for path in static)
    solver = solving - checking
    yield "no solver at all in the library?", {"graze_distance", "graze_intersect"} - solver
    yield "the verifier lacks", {"graze_verify", "graze_place", "graze_version"} - checking
    for path in (verifier, *filter(None, commands)):
        names = {name for name, _ in inspect.symbols(path)} | {name for name, _ in inspect.symbols(path, "-D")}
        yield f"{Path(path).name}: has parts of a solver", (names & solver) | {n for n in names if "gjk" in n}


def main():
    wrong = [f"{what}: {', '.join(sorted(names))}" for what, names in problems(*sys.argv[1:]) if names]
    print("\n".join(wrong) if wrong else f"{len(declared(*(ROOT / 'include/graze').glob('*.h')))} public functions, every symbol in its place")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
