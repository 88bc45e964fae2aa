"""Runs the commands under test: $GRAZE, with graze-verify beside it."""
import json
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
GRAZE = os.environ.get("GRAZE", str(ROOT / "build/graze"))


def run(*arguments, text=b"", **options):
    """The finished process; `text` goes to its standard input."""
    if isinstance(text, str):
        text = text.encode()
    return subprocess.run([GRAZE, *map(str, arguments)], input=text, capture_output=True, timeout=600, **options)


def text_of(lines):
    """Lines, each a string or an object."""
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)


def ask(*lines, jobs=1):
    """The answers to question lines."""
    done = run("query", "--jobs", jobs, text=text_of(lines))
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def verify(questions, answers, *options):
    """The finished process that judges answer lines."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("questions", "answers")]
        for path, lines in zip(paths, (questions, answers)):
            path.write_text(text_of(lines), encoding="utf-8")
        return run("verify", *options, *paths)


def verdicts(questions, answers):
    """What it says of each answer."""
    return [json.loads(line)["verdict"] for line in verify(questions, answers, "--json").stdout.splitlines()[:-1]]


def records(name):
    """The objects of a data file of this folder."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line]
