"""The order of the folders of src/ (a folder may include only itself and those before it), and how to list sources."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LAYERS = ["core", "exact", "simd", "shape", "verify", "geometry", "bvh", "narrow", "ccd", "compound", "batch", "scene", "compare"]

# The folders of the verifier's own library: everything it may see, and no solver (also in CMakeLists.txt).
VERIFIER = ["core", "exact", "simd", "shape", "verify"]


# Headers that are no units by themselves: kernels, compiled once for each set of registers by src/batch/run_*.c
# (see src/simd/f64xn_portable.h).
KERNEL = re.compile(r"simd/f64xn_\w+\.h$|_kernel\.h$")


def sources(suffix, *folders):
    """Files below the given folders of the project, sorted."""
    return sorted(p for folder in folders for p in (ROOT / folder).rglob("*" + suffix))


def library_sources():
    """The .c files of src/, layer by layer."""
    return [p for layer in LAYERS if layer != "compare" for p in sources(".c", "src/" + layer)]
