"""Runs the commands under test: $GRAZE, with graze-verify beside it."""
import copy
import json
import math
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
GRAZE = os.environ.get("GRAZE", str(ROOT / "build/graze"))
BOX = {"type": "box", "half_extents": [1, 1, 1]}


def run(*arguments, text=b"", **options):
    """Runs the command to its end; `text` is its standard input."""
    if isinstance(text, str):
        text = text.encode()
    return subprocess.run([GRAZE, *map(str, arguments)], input=text, capture_output=True, timeout=600, **options)


def sanitized():
    """Sanitizers reserve address space, and the allocator of the address sanitizer can deadlock after fork()."""
    return b"__asan_init" in Path(GRAZE).read_bytes() or b"__tsan_init" in Path(GRAZE).read_bytes()


def text_of(lines):
    """The text of lines, each a string or an object."""
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)


def query(*lines, jobs=1):
    """The answers to query lines."""
    return [json.loads(line) for line in run("query", "--jobs", jobs, text=text_of(lines)).stdout.splitlines()]


def verify(lines, answers, *options):
    """Runs `graze verify` to its end."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("lines", "answers")]
        for path, content in zip(paths, (lines, answers)):
            path.write_text(text_of(content), encoding="utf-8")
        return run("verify", *options, *paths)


def verdicts(lines, answers):
    return [json.loads(line)["verdict"] for line in verify(lines, answers, "--json").stdout.splitlines()[:-1]]


def records(name):
    """The objects of a data file, of this folder or by its path."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line]


def changed(answer, changes):
    """A copy with the values at paths of keys replaced: "a.0.b". A leading "-" removes the key; with a leading "="
    the value is an expression of the old value x and of the answer."""
    made = copy.deepcopy(answer)
    for path, value in changes.items():
        *steps, key = [int(step) if step.lstrip("-").isdigit() else step for step in re.sub("^[-=]", "", path).split(".")]
        place = made
        for step in steps:
            place = place[step]
        if path.startswith("-"):
            del place[key]
        elif path.startswith("="):
            place[key] = eval(value, {"x": place[key], "answer": answer, "math": math})
        else:
            place[key] = value
    if changes and made == answer:
        raise AssertionError(f"nothing is changed by {changes}")
    return made


class Answered(unittest.TestCase):
    """The query lines of a data file, by id, and their answers."""
    file = None

    @classmethod
    def setUpClass(cls):
        cls.lines = {line["id"]: line for line in records(cls.file)} if cls.file else {}
        cls.answers = dict(zip(cls.lines, query(*cls.lines.values()), strict=True))

    def verdict(self, name, answer):
        return verdicts([self.lines[name]], [answer])[0]

    def check(self, expected, rows):
        """Checks the verdict on the changed answer of each (id, changes), in one run."""
        answers = [changed(self.answers[name], changes) for name, changes in rows]
        found = verdicts([self.lines[name] for name, _ in rows], answers)
        for row, verdict in zip(rows, found, strict=True):
            with self.subTest(row):
                self.assertEqual(verdict, expected)


def linear(a, b, position, velocity, t_max=1, velocity_a=None, **rest):
    """A shapecast: B moves from `position`, and A with velocity_a (default: at rest)."""
    dim = len(position)
    motion = {"type": "linear", "velocity_a": velocity_a or [0] * dim, "velocity_b": velocity, "t_max": t_max}
    return {"query": "shapecast", "dim": dim, "a": a, "b": {**b, "position": position}, "motion": motion, **rest}


def rotational(a, b, position, angular_a=0, angular_b=0, velocity=None, t_max=1, **rest):
    """A toi: both rotate, in 3D a number is a rate about z, and B moves."""
    zero = [0] * len(position)
    angular = [w if len(zero) == 2 or isinstance(w, list) else [0, 0, w] for w in (angular_a, angular_b)]
    motion = {"type": "rotational", "velocity_a": zero, "velocity_b": velocity or zero, "angular_velocity_a": angular[0],
              "angular_velocity_b": angular[1], "t_max": t_max}
    return {"query": "toi", "dim": len(zero), "a": a, "b": {**b, "position": position}, "motion": motion, **rest}


def ray(a, origin, direction, t_max=None, **rest):
    motion = {"type": "ray", "origin": origin, "direction": direction, "t_max": t_max}
    return {"query": "raycast", "dim": len(origin), "a": a, "motion": motion, **rest}
