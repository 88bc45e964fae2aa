#!/usr/bin/env python3
"""Builds the source distribution and the wheels, and imports each wheel with each CPython that is found.

    python3 bindings/python/wheels.py [--out FOLDER] [VERSION ...]

Wheels are built from the source distribution, outside the checkout. CPython 3.10 and 3.11 have a wheel each; the wheel
of 3.12 uses the stable ABI and serves all later versions. Interpreters are searched on PATH (python3.12), in the folder
of pyenv, and with uv if it is installed. A version without an interpreter is skipped with a message.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
CHECK = """
import sys, graze
answer = graze.distance(graze.place(graze.box(1, 1, 1)), graze.place(graze.sphere(1), (4, 0, 0)))
assert answer.distance == 2 and answer.verify() and graze.explain(answer).html
assert not graze.__file__.startswith(sys.argv[1]), graze.__file__
print("graze", graze.__version__, "in CPython", sys.version.split()[0])
"""


def run(*command, **options):
    """The output of a command. Its messages are printed if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def interpreter(version):
    """The path of a CPython of this version, or None. A candidate may be a shim that does not run."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path("~/.pyenv").expanduser()) / "versions"
    candidates = [shutil.which(f"python{version}"), *sorted(pyenv.glob(f"{version}.*/bin/python{version}"))]
    if shutil.which("uv"):
        found = subprocess.run(["uv", "python", "find", "--no-python-downloads", version], capture_output=True, text=True)
        candidates.append(found.stdout.strip())
    program = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2], sys.implementation.name)"
    for candidate in filter(None, candidates):
        done = subprocess.run([str(candidate), "-c", program], capture_output=True, text=True)
        if done.returncode == 0 and done.stdout.split() == [version, "cpython"]:
            return Path(candidate)
    return None


def environment(python, path):
    run(python, "-m", "venv", "--clear", path)
    return path / "bin" / "python"


def serves(wheel, version):
    """Whether a wheel is for a version: cp311-cp311 for 3.11, cp312-abi3 for 3.12 and later."""
    minor = int(version.split(".")[1])
    return "-cp312-abi3-" in wheel.name if minor >= 12 else f"-cp3{minor}-cp3{minor}-" in wheel.name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FOLDER.parent.parent / "build" / "dist")
    parser.add_argument("versions", nargs="*", default=VERSIONS, metavar="VERSION")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.out, ignore_errors=True)
    tested = failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        python = environment(sys.executable, folder / "sdist")
        run(python, "-m", "pip", "install", "-q", "build")
        run(python, "-m", "build", "-q", "--sdist", "-o", arguments.out, FOLDER)
        (sdist,) = arguments.out.glob("graze-*.tar.gz")
        print(f"sdist: {sdist.name}, {sdist.stat().st_size} bytes", flush=True)
        for version in arguments.versions:
            base = interpreter(version)
            if base is None:
                print(f"{version}: skipped, no interpreter on PATH, in the folder of pyenv or with uv", flush=True)
                continue
            try:
                python = environment(base, folder / version)
                if not any(serves(wheel, version) for wheel in arguments.out.glob("*.whl")):
                    run(python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", arguments.out, sdist, cwd=folder)
                wheel = next(wheel for wheel in arguments.out.glob("*.whl") if serves(wheel, version))
                run(python, "-m", "pip", "install", "-q", "--no-deps", wheel)
                print(f"{version}: {run(python, '-c', CHECK, FOLDER, cwd=folder).strip()}, {wheel.name}", flush=True)
                tested += 1
            except (RuntimeError, StopIteration) as error:
                print(f"{version}: failed\n{error}", flush=True)
                failed += 1
    print(f"wheels: {tested} passed, {failed} failed")
    return 1 if failed or not tested else 0


if __name__ == "__main__":
    sys.exit(main())
