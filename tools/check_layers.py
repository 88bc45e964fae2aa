#!/usr/bin/env python3
"""Checks who includes whom: src/ follows the order of the layers, cli/, bindings/ and examples/ see the public headers
only."""
import re
import sys

from layers import LAYERS, ROOT, VERIFIER, sources

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)


def check(path):
    """Errors of the includes of one file."""
    here = path.relative_to(ROOT)
    top = here.parts[0]
    if top == "src" and here.parts[1] not in LAYERS:
        yield f"{here}: the folder {here.parts[1]} is not among the layers"
        return
    for kind, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        folder = name.split("/")[0]
        if folder == "graze":
            if kind != "<":
                yield f'{here}: "{name}" is public, write <{name}>'
        elif top == "include":
            if kind == '"':
                yield f"{here}: a public header includes {name}"
        elif top != "src":
            if folder in LAYERS and "/" in name:
                yield f"{here}: {name} is internal; here only <graze/...> may be used"
        elif name == "stdlib.h" and here.as_posix() not in ("src/core/memory.c", "src/batch/kernels.c"):
            yield f"{here}: memory is allocated in src/core/memory.c alone, and the environment in src/batch/kernels.c"
        elif kind == '"':
            if "/" not in name or not (ROOT / "src" / name).is_file():
                yield f'{here}: "{name}" is no file of src/; write "folder/file.h"'
            elif LAYERS.index(folder) > LAYERS.index(here.parts[1]):
                yield f"{here}: {here.parts[1]} may not include {name}, which comes later"
            elif here.parts[1] == "verify" and folder not in VERIFIER:
                yield f"{here}: the verifier may not see {name}"


def main():
    files = sources(".[ch]", "include", "src", "cli", "examples", "bindings")
    wrong = [line for path in files for line in check(path)]
    print("\n".join(wrong) if wrong else f"layers: {len(files)} files, every include in order")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
