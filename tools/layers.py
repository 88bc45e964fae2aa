"""The order of the folders of src/ (a folder may include only itself and those before it), and how to list sources."""
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LAYERS = ["base", "math", "lanes", "shape", "build", "cert", "tree", "axes", "cso", "contact", "motion", "compound",
          "broad", "batch", "response", "scene"]

# What the verifier's own library is made of: everything it may see, and no solver (also in CMakeLists.txt).
VERIFIER = ["base", "math", "lanes", "shape", "cert", "tree"]


def sources(suffix, *folders):
    """Files below the given folders of the project, sorted."""
    return sorted(p for folder in folders for p in (ROOT / folder).rglob("*" + suffix))


def library_sources():
    """The .c files of src/, layer by layer."""
    return [p for layer in LAYERS for p in sources(".c", "src/" + layer)]
