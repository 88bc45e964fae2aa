#!/usr/bin/env python3
"""Writes the library as one source, graze.c, and its public headers: every source in layer order, every internal header once.

usage: amalgamate.py FOLDER     write FOLDER/graze.c, FOLDER/graze.h and the further public headers, as they are
       amalgamate.py --check    only check that no two sources define the same file-local name, and that functions with
                                the prefix grz_ are shared between files"""
import collections
import re
import sys
from pathlib import Path

from csource import functions, strip
from layers import KERNEL, ROOT, library_sources, sources

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^>"]+)[>"].*\n', re.M)
STATIC = re.compile(r"^(?:__attribute__\(\(.*?\)\) )?static\s+(?:inline\s+)?[^;={]*?\b(\w+)\s*(?:\(|\[|=|;)", re.M)
MACRO = re.compile(r"^#\s*define\s+(\w+)(?!\w| GRZ_ISA_NAME\()", re.M)  # not those that rename a name of a kernel

PREAMBLE = """\
/* Graze {version}, all of it in one file: compile this with any options but -ffast-math and
 * -ffp-contract=fast, and include "graze.h". Link with -pthread where the C library wants that, or define
 * GRAZE_NO_THREADS.
 * Made by tools/amalgamate.py from the sources, which are easier to read.
 *
{licence} */

/* The options of the ordinary build: a*b + c is never fused … */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
/* … and helpers that one version of the library does not use are no news. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

{headers}"""

HIDE = """
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif
"""

END = """
#if defined(__GNUC__)
#pragma GCC visibility pop
#pragma GCC diagnostic pop
#endif
"""


def licence():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8").strip()
    return "".join(f" * {line}".rstrip() + "\n" for line in text.split("\n"))


def version(header):
    return re.search(r'#define GRAZE_VERSION "([^"]+)"', header).group(1)


def expand(path, seen, standard):
    """The text of one file: its internal includes put in place, the standard headers collected, those of one
    architecture (immintrin.h …) or system (pthread.h) left where the source includes them."""
    def replace(match):
        kind, name = match.groups()
        if kind == "<" and ("intrin" in name or name in ("arm_neon.h", "pthread.h")):
            return f"#pragma GCC visibility push(default)\n#include <{name}>\n#pragma GCC visibility pop\n"
        if kind == "<":
            if not name.startswith("graze/"):
                standard.add(name)
            return ""
        if name in seen:
            return ""
        if not KERNEL.search(name):  # included once for each instruction set
            seen.add(name)
        return expand(ROOT / "src" / name, seen, standard)

    text = INCLUDE.sub(replace, path.read_text(encoding="utf-8"))
    return f"\n/* ---- {path.relative_to(ROOT)} ---- */\n" + text.lstrip("\n")


def amalgamate(folder):
    folder.mkdir(parents=True, exist_ok=True)
    headers = [path for path in sources(".h", "include") if path.name != "compare.h"]  # of another library
    for path in headers:
        text = re.sub(r"<graze/(\w+\.h)>", r'"\1"', path.read_text(encoding="utf-8"))
        (folder / path.name).write_text(text, encoding="utf-8")
    seen, standard = set(), set()
    body = "".join(expand(path, seen, standard) for path in library_sources())
    text = PREAMBLE.format(version=version((folder / "graze.h").read_text(encoding="utf-8")), licence=licence(),
                           headers="".join(f'#include "{path.name}"\n' for path in headers))
    text += "".join(f"#include <{name}>\n" for name in sorted(standard))
    text += HIDE + re.sub(r"\n{3,}", "\n\n", body) + END
    (folder / "graze.c").write_text(text, encoding="utf-8")
    return text.count("\n")


def file_local_names(text):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    return set(STATIC.findall(text)) | set(MACRO.findall(text))


def unshared():
    """The functions with the prefix grz_ that no file but the defining one uses. The declaration is no use."""
    uses = collections.defaultdict(collections.Counter)
    for path in sources(".[ch]", "src", "tests", "fuzz", "bench"):
        for name in re.findall(r"\bgrz_\w+", strip(path.read_text(encoding="utf-8"))):
            uses[name][path] += 1
    for path in sources(".c", "src"):
        for function in functions(path.read_text(encoding="utf-8")):
            others = sum(count for other, count in uses[function.name].items() if other != path)
            if function.name.startswith("grz_") and not function.is_static and others < 2:
                yield f"{path.relative_to(ROOT)}: only this file uses {function.name}(): make it static, without grz_"


def check():
    definitions = collections.defaultdict(list)
    files = sources(".[ch]", "src")
    for path in files:
        if re.search(r"simd/f64xn_(?!portable)", path.as_posix()):
            continue  # the names of f64xn_portable.h again
        for name in file_local_names(path.read_text(encoding="utf-8")) - {"GRZ_ISA"}:
            definitions[name].append(str(path.relative_to(ROOT)))
    wrong = [f"{name} is defined in {' and '.join(places)}" for name, places in sorted(definitions.items()) if len(places) > 1]
    wrong += unshared()
    print("\n".join(wrong) if wrong else f"names: {len(definitions)} file-local names, each in one file")
    return 1 if wrong or not definitions else 0


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    lines = amalgamate(Path(sys.argv[1]))
    print(f"{sys.argv[1]}/graze.c: {lines} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
