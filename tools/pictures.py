#!/usr/bin/env python3
"""Makes the pictures of docs/pictures/ anew: the page of 500 moving cubes in mid-run, and the curves of all methods. The
curves are measured, several times over, and the quickest run is drawn: whatever else the machine does only adds to times.
Needs chromium and chromedriver.

usage: pictures.py GRAZE FOLDER"""
import base64
import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from layers import ROOT

sys.path.insert(0, str(ROOT / "tests/explain"))
from browser import Browser  # noqa: E402

RUNS = 9
TIME = 5  # seconds of the run, which is twice as long
WINDOW = (800, 810)
DRAWN = "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
# The picture with its legend and its controls; what is written below them is left out.
STAGE = """const stage = document.querySelector(".stage").getBoundingClientRect();
const { bottom } = document.querySelector(".dock").getBoundingClientRect();
return { x: stage.left - 8, y: stage.top, width: stage.width + 16, height: bottom - stage.top, scale: 1 }"""


def cubes(graze, target):
    with tempfile.TemporaryDirectory() as folder, Browser("--enable-unsafe-swiftshader") as browser:
        page = Path(folder, "cubes.html")
        subprocess.run([graze, "simulate", "--count", "500", "--method", "fccd", "--html", page], check=True,
                       stdout=subprocess.DEVNULL)
        browser.size(*WINDOW)
        browser.prefer(prefers_color_scheme="light", prefers_reduced_motion="reduce")
        browser.open(f"{page.as_uri()}#t={TIME}")
        browser.run(DRAWN)
        shot = browser.devtools("Page.captureScreenshot", format="png", clip=browser.run(STAGE))
    target.write_bytes(base64.b64decode(shot["data"]))


def total(table):
    """How long the steps of a table of `--csv` took: logarithms, so that all cells count alike."""
    rows = csv.DictReader(table.splitlines())
    return sum(math.log(float(row[column])) for row in rows for column in ("all_pairs_ms", "scene_ms"))


def compare(graze, target):
    best = None
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder, "compare.svg")
            table = subprocess.run([graze, "simulate", "--compare", "--csv", "--svg", picture], check=True, text=True,
                                   capture_output=True).stdout
            if best is None or total(table) < best[0]:
                best = total(table), picture.read_bytes()
    target.write_bytes(best[1])


def main():
    graze, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    cubes(graze, folder / "cubes.png")
    compare(graze, folder / "compare.svg")


if __name__ == "__main__":
    main()
