"""The stubs are those of the compiled module, and type checkers accept the package and a program that uses it."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent


def has(module):
    return pytest.mark.skipif(importlib.util.find_spec(module) is None, reason=f"{module} is not installed")


def run(*command, cwd=FOLDER):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=os.environ | {"PATH": path})
    assert done.returncode == 0, done.stdout + done.stderr


@has("nanobind")
@pytest.mark.skipif(not (FOLDER / "graze/_graze.pyi").exists(), reason="the stubs are not here")
def test_stubs_are_generated(tmp_path):
    stub = tmp_path / "_graze.pyi"
    run(sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "graze._graze", "--include-private", "-o", str(stub), cwd=tmp_path)
    assert stub.read_text() == (FOLDER / "graze/_graze.pyi").read_text()


@has("mypy")
def test_mypy():
    run(sys.executable, "-m", "mypy")


@has("pyright")
def test_pyright():
    run(sys.executable, "-m", "pyright", "--pythonpath", sys.executable)
