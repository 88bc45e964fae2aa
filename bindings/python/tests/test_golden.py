"""The bits of all answers to the query lines of the project are those of `graze query`, and do not change.

golden.json has a hash of the answers to each file. `python tests/test_golden.py` writes it.
"""

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import graze
import lines
import pytest

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = Path(__file__).parent / "golden.json"
COMMAND = os.environ.get("GRAZE") or shutil.which("graze")
FILES = [
    "tests/cases/sample.jsonl",
    "tests/cases/reported.jsonl",
    "examples/mission.jsonl",
    "examples/motion.jsonl",
    "examples/overlap.jsonl",
    "examples/cubes.jsonl",
    "examples/concave.jsonl",
    "examples/compound.jsonl",
    "tests/cli/motion.jsonl",
    "tests/cli/toi.jsonl",
    "tests/cli/pairs.jsonl",
    "tests/cli/compounds.jsonl",
    "tests/lua/meshes.jsonl",
]


def answers(file):
    """(number, line, answer or None for a rejected line, verify)."""
    for number, line in enumerate(lines.read(ROOT / file), 1):
        if "query" not in line or not isinstance(line.get("a"), dict) or not lines.is_supported(line):
            continue
        try:
            yield number, line, *lines.answer(line)
        except (graze.Error, TypeError, KeyError, AttributeError, ValueError):
            yield number, line, None, None


def hash_of(file):
    text = "\n".join(json.dumps(lines.plain(result), sort_keys=True) for _, _, result, _ in answers(file))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("file", FILES)
def test_answers_have_the_golden_bits(file):
    assert hash_of(file) == json.loads(GOLDEN.read_text())[file]


def without_repeats(certificate):
    """The command omits the pairs of a touch of rounded shapes if they equal those of its direction."""
    relation = certificate.get("relation")
    if isinstance(relation, dict) and relation.get("kind") == "touch" and "nearest" in relation:
        relation.pop("pairs", None)
    for part in certificate.get("parts") or ():
        without_repeats(part["certificate"])
    return {key: value for key, value in certificate.items() if value is not None}


def compared(ours, theirs):
    """Both with the members that both have, in one form."""
    if isinstance(theirs.get("points"), list):
        theirs["points"] = [[p["point_a"], p["point_b"], p["depth"], p["feature"]] for p in theirs["points"]]
    if "certificate" in theirs and "certificate" in ours:
        left, right = without_repeats(ours["certificate"]), without_repeats(theirs["certificate"])
        keys = (set(left) & set(right)) - {"frontier"}
        keys = keys & {"relation"} if "t" in ours else keys  # casts have other keys: t_lower, t_upper
        ours["certificate"], theirs["certificate"] = ({key: side[key] for key in keys} for side in (left, right))
    names = set(ours) & set(theirs)
    return ({name: side[name] for name in names} for side in (ours, theirs))


@pytest.mark.skipif(not COMMAND, reason="GRAZE names no command")
@pytest.mark.parametrize("file", FILES)
def test_answers_are_those_of_the_command(file):
    output = subprocess.run([COMMAND, "query", file], cwd=ROOT, capture_output=True, text=True).stdout.splitlines()
    count = 0
    for number, line, result, verify in answers(file):
        theirs = lines.plain(json.loads(output[number - 1]))
        name = f"{file}:{number}: {line}"
        if "error" in theirs or result is None:
            assert ("error" in theirs) == (result is None), f"{name}: {theirs.get('error')}"
            continue
        left, right = compared(lines.plain(result), theirs)
        assert left == right, name
        if verify is not None and line.get("proof") and result.get("t") is None:
            assert verify(), name
        count += 1
    assert count > 0


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps({file: hash_of(file) for file in FILES}, indent=2) + "\n")
