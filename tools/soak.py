#!/usr/bin/env python3
"""Runs all tests with full counts (GRAZE_TIER=soak), the tests of a sanitized build, and long fuzzing, and writes what
they print into a table with one section per test. Left out: tests without counts (commands, documents, packages other than
those for foreign processors).

Each result is appended to BUILD-FOLDER/soak/state.jsonl. A later run skips tests that passed, unless the tested programs or
scripts have changed since.

usage: soak.py [--fresh] BUILD-FOLDER TABLE.txt [ONLY]
       --fresh  forgets earlier results     ONLY  a regular expression: runs only these tests, keeps the other sections"""
import concurrent.futures
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from layers import ROOT

NOTHING_TO_COUNT = re.compile("(package/(?!targets)|(consumers|cli|docs|explain|simulate)/)")
SANITIZED = ROOT / "build/asan-ubsan"
FUZZ_SECONDS = 600
SCRIPTS = ("tests/**/*.py", "tests/**/*.sh", "tests/**/*.lua", "tests/**/*.jsonl", "tests/golden/*", "bindings/lua/**/*.lua",
           "fuzz/*")

# Lines that the test framework itself prints.
FRAMEWORK = re.compile(r"^\[[\s=-]|^\[\w+\]|^\s*$")


class Job:
    def __init__(self, name, command, environment=None, folder=ROOT, inputs=()):
        self.name, self.command, self.folder, self.inputs = name, [str(word) for word in command], folder, inputs
        self.environment = {**os.environ, **(environment or {})}


def digest(paths):
    """The SHA-256 of files, in this order."""
    sha = hashlib.sha256()
    for path in paths:
        sha.update(hashlib.sha256(Path(path).read_bytes()).digest())
    return sha.hexdigest()


def ctest_jobs(build, prefix, tier):
    """The tests of a build folder. A test in C depends on its program, a script on all scripts and on the libraries."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True, text=True)
    products = [path for name in ("graze", "graze-verify", "libgraze.a", "amalgamated/graze.c")
                if (path := Path(build, name)).is_file()] + sorted(Path(build, "lua").glob("*/graze.so"))
    scripts = sorted({path for pattern in SCRIPTS for path in ROOT.glob(pattern) if path.is_file()})
    for test in json.loads(listed.stdout)["tests"]:
        if "command" not in test or NOTHING_TO_COUNT.match(test["name"]):
            continue
        properties = {entry["name"]: entry["value"] for entry in test["properties"]}
        environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        program = Path(test["command"][0])
        own = Path(build).resolve() in program.resolve().parents
        yield Job(prefix + test["name"], test["command"], {**environment, "GRAZE_TIER": tier},
                  properties.get("WORKING_DIRECTORY", ROOT), [program] if own else [*products, *scripts])


def fuzz_jobs():
    for source in sorted((ROOT / "fuzz").glob("*.c")):
        yield Job(f"fuzz/{source.stem}", [ROOT / "tools/fuzz.sh", "run", source.stem, FUZZ_SECONDS],
                  inputs=[ROOT / "build/fuzz" / source.stem])


def prepare():
    """Builds the sanitized tests and the fuzz targets."""
    jobs = str(os.cpu_count() or 1)
    for command in (["cmake", "--preset", "asan-ubsan", "-G", "Ninja", "-DCMAKE_C_COMPILER=clang"],
                    ["cmake", "--build", "--preset", "asan-ubsan", "-j", jobs], [ROOT / "tools/fuzz.sh", "build"]):
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def run(job, key):
    """The result of one test, as it is stored."""
    began = time.monotonic()
    done = subprocess.run(job.command, env=job.environment, cwd=job.folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    return {"name": job.name, "key": key, "passed": done.returncode == 0, "seconds": time.monotonic() - began,
            "output": done.stdout}


def load(state):
    """{name: result}: the last result of each test. A line cut by an interruption is skipped."""
    results = {}
    for line in state.read_text(encoding="utf-8").splitlines() if state.exists() else []:
        try:
            result = json.loads(line)
        except ValueError:
            continue
        results[result["name"]] = result
    return results


def run_all(jobs, results, state):
    """Runs what has not passed, as many at once as there are processors, and stores each result as it ends."""
    keys = {job.name: digest(job.inputs) for job in jobs}
    left = [job for job in jobs if (old := results.get(job.name)) is None or not old["passed"] or old["key"] != keys[job.name]]
    print(f"{len(jobs)} tests, {len(jobs) - len(left)} passed before", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool, state.open("a", encoding="utf-8") as out:
        running = [pool.submit(run, job, keys[job.name]) for job in left]
        try:
            for number, future in enumerate(concurrent.futures.as_completed(running), 1):
                result = future.result()
                results[result["name"]] = result
                out.write(json.dumps(result) + "\n")
                out.flush()
                verdict = "passed" if result["passed"] else "FAILED"
                print(f"{number}/{len(left)} {result['name']}: {verdict}, {result['seconds']:.0f} s", flush=True)
                if not result["passed"]:
                    print(result["output"], flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            print("\ninterrupted; the next `make soak` goes on here")
            os._exit(130)


def section(result):
    """The rows of one test in the table."""
    lines = [line.rstrip() for line in result["output"].splitlines() if not FRAMEWORK.match(line)]
    verdict = "passed" if result["passed"] else "failed"
    return "\n".join([f"{result['name']}: {verdict}, {result['seconds']:.0f} s"] + [f"  {line}" for line in lines])


def main():
    arguments = [word for word in sys.argv[1:] if word != "--fresh"]
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    build, table, only = (arguments + [""])[:3]
    state = Path(build, "soak/state.jsonl")
    state.parent.mkdir(parents=True, exist_ok=True)
    if "--fresh" in sys.argv:
        state.unlink(missing_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    prepare()
    jobs = [*ctest_jobs(build, "", "soak"), *ctest_jobs(SANITIZED, "asan-ubsan/", "test"), *fuzz_jobs()]
    jobs = [job for job in jobs if re.search(only, job.name)]
    results = load(state)
    run_all(jobs, results, state)
    kept = Path(table).read_text(encoding="utf-8").rstrip("\n").split("\n\n")[1:] if only and Path(table).exists() else []
    sections = {text.split(": ")[0]: text for text in kept}
    sections.update((job.name, section(results[job.name])) for job in jobs)
    failed = sum(": passed, " not in text.split("\n")[0] for text in sections.values())
    version = re.search(r'GRAZE_VERSION "([^"]+)"', (ROOT / "include/graze/graze.h").read_text()).group(1)
    head = f"Graze {version}: the tests with full counts (make soak): {len(sections)} tests, {failed} failed."
    Path(table).write_text("\n\n".join([head] + [sections[name] for name in sorted(sections)]) + "\n", encoding="utf-8")
    print(f"written to {table}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
