"""Runs of `graze simulate`, and their output files."""
import json
import tempfile
from pathlib import Path

from commands import BOX, ROOT, run

SCENES = ROOT / "examples/scenes"
COLUMNS = ["pairs", "casts", "contacts", "in_contact", "responses", "stalled", "overlaps", "missed"]


def simulate(*arguments, **options):
    return run("simulate", *arguments, **options)


def written(option, *arguments, **options):
    """The finished process, and the file of --json, --html or --svg."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        done = simulate(f"--{option}", path, *arguments, **options)
        return done, path.read_text(encoding="utf-8") if path.exists() else None


def summary_of(*arguments, **options):
    """The object of --json."""
    done, text = written("json", *arguments, **options)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(text)


def timeless(summary):
    """Removes the times, which differ between runs."""
    del summary["summary"]["ms"]
    for row in summary["rows"]:
        del row["ms"]
    return summary


def played(*arguments, **options):
    """The recording in the page of --html, and the size of the page."""
    done, text = written("html", *arguments, **options)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    begin = text.index('<script type="application/json" id="story">')
    end = text.index("</script>", begin)
    return json.loads(text[text.index(">", begin) + 1:end]), len(text.encode())


def scene(*bodies, **keys):
    return json.dumps({"steps": 4, **keys, "bodies": [{"shape": BOX, **body} for body in bodies]})
