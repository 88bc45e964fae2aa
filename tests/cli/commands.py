"""Runs the commands under test: $GRAZE, with graze-verify beside it."""
import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
GRAZE = os.environ.get("GRAZE", str(ROOT / "build/graze"))


def run(*arguments, text=b"", **options):
    """The finished process; `text` goes to its standard input."""
    if isinstance(text, str):
        text = text.encode()
    return subprocess.run([GRAZE, *map(str, arguments)], input=text, capture_output=True, timeout=600, **options)


def ask(*lines, jobs=1):
    """The answers to question lines, each a string or an object."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    done = run("query", "--jobs", jobs, text=text)
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def records(name):
    """The objects of a data file of this folder."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line]
