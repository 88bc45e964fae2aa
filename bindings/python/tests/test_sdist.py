"""The source distribution has the C sources, so that it needs no checkout. wheels.py installs from it."""

import importlib.util
import subprocess
import sys
import tarfile
from pathlib import Path

import graze
import pytest

FOLDER = Path(__file__).resolve().parent.parent


@pytest.mark.skipif(importlib.util.find_spec("scikit_build_core") is None, reason="scikit-build-core is not installed")
@pytest.mark.skipif(not (FOLDER / "backend").exists(), reason="the build backend is not here")
def test_the_source_distribution_contains_the_c_sources(tmp_path):
    program = "import sys; sys.path.insert(0, 'backend'); import graze_build; graze_build.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", program, tmp_path], cwd=FOLDER, check=True, capture_output=True)
    (path,) = tmp_path.iterdir()
    assert path.name == f"graze-{graze.__version__}.tar.gz"
    with tarfile.open(path) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    for name in ("CMakeLists.txt", "LICENSE", "include/graze/graze.h", "cmake/functions.cmake", "cli/explain/story.h"):
        assert f"vendor/{name}" in names
    assert sum(name.startswith("vendor/src/") and name.endswith(".c") for name in names) > 100
    assert {"PKG-INFO", "backend/graze_build.py", "src/module.cpp", "graze/_graze.pyi"} <= names
    assert (FOLDER / "PKG-INFO").exists() or not (FOLDER / "vendor").exists()
