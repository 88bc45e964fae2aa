"""The order of the folders of src/ (a folder may include only itself and those before it), and how to list sources."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LAYERS = ["core", "exact", "simd", "shape", "verify", "geometry", "bvh", "narrow", "ccd", "compound", "batch", "scene", "compare"]

# The folders of the verifier's own library: everything it may see, and no solver (also in CMakeLists.txt).
VERIFIER = ["core", "exact", "simd", "shape", "verify"]


# Headers that a source includes once for each instruction set, for instance src/batch/kernels.c
# (see src/simd/isa.h).
KERNEL = re.compile(r"_kernel\.h$")


def sources(suffix, *folders):
    """Files below the given folders of the project, sorted; not those that luarocks builds there."""
    return sorted(p for folder in folders for p in (ROOT / folder).rglob("*" + suffix) if "build.luarocks" not in p.parts)


def library_sources():
    """The .c files of src/, layer by layer."""
    return [p for layer in LAYERS if layer != "compare" for p in sources(".c", "src/" + layer)]
