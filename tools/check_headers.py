#!/usr/bin/env python3
"""Compiles every public header alone, as C99, C11, C17, C++11 and C++17, with every compiler at hand; warnings are
errors. Internal headers are compiled alone too, as C17, but for kernels and the types of one instruction set."""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from layers import KERNEL, ROOT, sources

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
PUBLIC = [("c", s) for s in ("c99", "c11", "c17")] + [("c++", s) for s in ("c++11", "c++17")]
COMPILERS = {"c": ["gcc", "clang"], "c++": ["g++", "clang++"]}


def compile_alone(header, language, standard, compiler, folder):
    """None, or the messages of the compiler."""
    unit = Path(folder) / ("unit.c" if language == "c" else "unit.cpp")
    # Twice: the include guard is checked as well. The declaration keeps the unit from being empty.
    unit.write_text(f"#include <{header}>\n#include <{header}>\nint nothing(void);\n")
    command = [compiler, f"-std={standard}", *WARNINGS, "-fsyntax-only", f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}",
               str(unit)]
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else f"{header} as {standard} with {compiler}:\n{done.stderr}"


def main():
    public = [str(p.relative_to(ROOT / "include")) for p in sources(".h", "include")]
    internal = [str(p.relative_to(ROOT / "src")) for p in sources(".h", "src")
                if not KERNEL.search(p.as_posix()) and not re.search(r"f64xn_\w+\.h$", p.name)]
    jobs = [(h, language, standard) for h in public for language, standard in PUBLIC]
    jobs += [(h, "c", "c17") for h in internal]
    count, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for header, language, standard in jobs:
            for compiler in filter(shutil.which, COMPILERS[language]):
                count += 1
                wrong.append(compile_alone(header, language, standard, compiler, folder))
    wrong = [w for w in wrong if w]
    print("\n".join(wrong) if wrong else f"headers: {len(public)} public, {len(internal)} internal, {count} compilations")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
