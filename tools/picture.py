#!/usr/bin/env python3
"""Draws what `graze query` answered: the shapes in the world beside their Minkowski difference, where GJK walks.

usage: picture.py [--graze COMMAND] [--check]

Asks the questions below, with their traces, and writes docs/images/NAME.svg; with --check only compares. The numbers in
the pictures are the command's own; the outline of the difference is the hull of all differences of vertices."""
import argparse
import json
import math
import re
import subprocess
import sys
from html import escape

from layers import ROOT

SQUARE = {"type": "polygon", "vertices": [[0, 0], [3, 0], [3, 3], [0, 3]]}
ASK = {"dim": 2, "query": "distance", "method": "gjk", "start": [1, 0], "trace": True}
QUESTIONS = {
    "distance": {**ASK, "a": {"type": "polygon", "vertices": [[0, 0], [4, 0], [5, 2], [2, 4], [0, 3]]},
                 "b": {"type": "polygon", "vertices": [[6, 5], [7, 3.5], [9, 4], [9, 6], [7, 7]]}},
    "overlapping": {**ASK, "query": "intersect", "a": SQUARE,
                    "b": {"type": "polygon", "vertices": [[2, 2], [5, 2], [5, 5], [2, 5]]}},
    "touching": {**ASK, "query": "intersect", "a": SQUARE,
                 "b": {"type": "polygon", "vertices": [[3, 3], [5, 3], [3, 5], [3, 5]]}},
}

WIDTH, PANEL, TOP, LINE = 720, 336, 40, 25  # the picture; the width of a panel; where panels begin; a line of text
MARGIN, BADGE = 16, 10                      # around what is drawn; the radius of a step's number
# Light and dark; every colour is written out, for viewers that know no CSS variables.
COLOURS = {"ink": ("#1f2328", "#e6edf3"), "paper": ("#ffffff", "#0d1117"), "a": ("#0969da", "#58a6ff"),
           "b": ("#bc4c00", "#f0883e"), "c": ("#6e7781", "#9198a1"), "proof": ("#1a7f37", "#3fb950"),
           "walk": ("#8250df", "#bc8cff")}
SHAPES = """\
text { font: 15px system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
  paint-order: stroke; stroke-width: 4px; stroke-linejoin: round; }
.title { font-weight: 600; font-size: 16px; }
.word { font-weight: 600; }
polygon.a, polygon.b, polygon.c, .simplex { stroke-width: 2; fill-opacity: 0.16; stroke-linejoin: round; }
.simplex { stroke-dasharray: 5 4; }
line.proof { stroke-width: 2.5; }
.dash { stroke-dasharray: 7 5; }
circle { stroke-width: 1.5; }
.origin { stroke-width: 2.5; }
.badge { stroke-width: 2; }
.number { font-weight: 600; font-size: 14px; }
"""
PAINT = """\
.paper { fill: paper; }
text { fill: ink; stroke: paper; }
polygon.a { fill: a; stroke: a; } text.a { fill: a; }
polygon.b { fill: b; stroke: b; } text.b { fill: b; }
polygon.c { fill: c; stroke: c; }
.simplex { fill: walk; stroke: walk; }
line.proof { stroke: proof; } text.proof { fill: proof; } circle.proof { fill: proof; stroke: paper; }
.head { fill: proof; }
.origin { stroke: ink; }
.badge { fill: walk; stroke: paper; } .number { fill: paper; stroke: none; }
"""


def style():
    def paint(scheme):
        return re.sub(r"(fill|stroke): (\w+)", lambda m: f"{m[1]}: {COLOURS[m[2]][scheme] if m[2] in COLOURS else m[2]}", PAINT)

    return f"{SHAPES}{paint(0)}@media (prefers-color-scheme: dark) {{\n{paint(1)}}}\n"


def hull(points):
    """The convex hull, counter-clockwise."""
    points = sorted(set(points))

    def half(points):
        chain = []
        for p in points:
            while len(chain) > 1 and ((chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1])
                                      <= (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])):
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return half(points) + half(points[::-1])


def difference(question):
    a, b = (question[key]["vertices"] for key in "ab")
    return hull([(p[0] - q[0], p[1] - q[1]) for p in a for q in b])


def short(x):
    """A number for a label: as short as it can be."""
    return f"{round(x, 3):g}".replace("-", "\N{MINUS SIGN}")


def full(x):
    """A number with all its digits."""
    return repr(int(x) if x == int(x) else x).replace("-", "\N{MINUS SIGN}")


def vector(v):
    return "(" + ", ".join(short(x) for x in v) + ")"


def box(points):
    """The middle and the size of a bounding box."""
    low, high = ([pick(p[i] for p in points) for i in (0, 1)] for pick in (min, max))
    return [(low[i] + high[i]) / 2 for i in (0, 1)], [high[i] - low[i] for i in (0, 1)]


class Panel:
    """One drawing; y goes up."""

    def __init__(self, left, height, scale, points):
        center, _ = box(points)
        self.scale, self.height = scale, height
        self.left = left + PANEL / 2 - scale * center[0]
        self.bottom = TOP + height / 2 + scale * center[1]
        self.edge = (left, TOP)
        self.parts = []

    def at(self, p):
        return self.left + self.scale * p[0], self.bottom - self.scale * p[1]

    def add(self, text):
        self.parts.append(text)

    def shape(self, points, name):
        self.add(f'<polygon class="{name}" points="' +
                 " ".join("%.1f,%.1f" % self.at(p) for p in points) + '"/>')

    def line(self, p, q, name):
        self.add('<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>' % (name, *self.at(p), *self.at(q)))

    def dot(self, p, name, radius=5):
        self.add('<circle class="%s" cx="%.1f" cy="%.1f" r="%g"/>' % (name, *self.at(p), radius))

    def text(self, p, words, name="", move=(0, 0), anchor="middle"):
        x, y = self.at(p)
        self.add(f'<text class="{name}" x="{x + move[0]:.1f}" y="{y + move[1]:.1f}" text-anchor="{anchor}">'
                 f'{escape(words)}</text>')

    def badge(self, p, words):
        x, y = self.at(p)
        half = BADGE + 4 * (len(words) - 1)
        self.add(f'<rect class="badge" x="{x - half:.1f}" y="{y - BADGE:.1f}" width="{2 * half}" height="{2 * BADGE}" '
                 f'rx="{BADGE}"/><text class="number" x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle">{words}</text>')

    def arrow(self, p, q):
        """From p to just before q."""
        (x, y), (u, v) = self.at(p), self.at(q)
        length = math.hypot(u - x, v - y)
        e, f = (u - x) / length, (v - y) / length
        u, v = u - 6 * e, v - 6 * f
        self.add(f'<line class="proof" x1="{x:.1f}" y1="{y:.1f}" x2="{u - 8 * e:.1f}" y2="{v - 8 * f:.1f}"/>')
        self.add('<polygon class="head" points="%.1f,%.1f %.1f,%.1f %.1f,%.1f"/>' % (
            u, v, u - 13 * e - 6 * f, v - 13 * f + 6 * e, u - 13 * e + 6 * f, v - 13 * f - 6 * e))

    def across(self, p, d, name):
        """The line through p perpendicular to d, as far as the panel goes."""
        x, y = self.at(p)
        e, f = d[1], d[0]  # in the picture, where y goes down
        spans = []
        for value, step, low, size in ((x, e, self.edge[0], PANEL), (y, f, self.edge[1], self.height)):
            if step != 0:
                spans.append(sorted(((low - value) / step, (low + size - value) / step)))
        first, last = max(s[0] for s in spans), min(s[1] for s in spans)
        self.add('<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>' % (
            name, x + first * e, y + first * f, x + last * e, y + last * f))


def middle(points):
    return tuple(sum(p[i] for p in points) / len(points) for i in (0, 1))


def draw_world(question, answer, panel):
    a, b = (question[key]["vertices"] for key in "ab")
    panel.shape(a, "a")
    panel.shape(b, "b")
    for points, name in ((a, "A"), (b, "B")):
        panel.text(middle({tuple(p) for p in points}), name, "word " + name.lower(), (0, 5))
    if answer["relation"] == "separated":
        p, q = answer["point_a"], answer["point_b"]
        panel.arrow(p, q)
        panel.dot(p, "proof")
        panel.dot(q, "proof")
        panel.text(middle([p, q]), short(answer["distance"]), "word proof", (12, 22), "start")
    elif answer["relation"] == "touching":
        p = a[answer["certificate"]["relation"]["pairs"][0][0]]
        panel.dot(p, "proof", 6)
        panel.text(p, vector(p), "word proof", (12, 20), "start")


def farthest(steps, d):
    return max((step["point"] for step in steps), key=lambda w: w[0] * d[0] + w[1] * d[1])


def draw_difference(question, answer, panel):
    steps, origin = answer["trace"], (0, 0)
    panel.shape(difference(question), "c")
    if answer["relation"] == "overlapping":
        points = {tuple(step["pair"]): step["point"] for step in steps}
        panel.shape([points[tuple(pair)] for pair in steps[-1]["simplex"]], "simplex")
    direction = answer["certificate"]["relation"].get("direction")
    if direction:
        panel.across(farthest(steps, direction), direction, "proof dash")
    if answer["relation"] == "separated":
        panel.arrow(steps[-1]["point"], origin)
    arm = 18 / panel.scale
    panel.line((-arm, 0), (arm, 0), "origin")
    panel.line((0, -arm), (0, arm), "origin")
    panel.text(origin, "0", "word", (8, -8), "start")
    numbers = {}
    for number, step in enumerate(steps, 1):
        numbers.setdefault(tuple(step["point"]), []).append(str(number))
    for point, names in numbers.items():
        panel.badge(point, ",".join(names))


def words(answer):
    """What is written below: the answer, why it holds, and how it was found."""
    proof, steps, d = answer["certificate"]["relation"], answer["trace"], None
    head, difference_name = answer["relation"], "A \N{MINUS SIGN} B"
    if "direction" in proof:
        d = proof["direction"]
        w = farthest(steps, d)
        bound = f'every point w of {difference_name} has {vector(d)}\N{MIDDLE DOT}w \N{LESS-THAN OR EQUAL TO} ' + \
                short(w[0] * d[0] + w[1] * d[1])
    if answer["relation"] == "separated":
        head += f': distance {short(answer["distance"])}, surely in [{full(answer["lower"])}, {full(answer["upper"])}]'
        reason = bound + "; 0 has not"
    elif answer["relation"] == "touching":
        reason = f"0 is a point of {difference_name}, and {bound}"
    else:
        reason = f"0 lies strictly inside a triangle of points of {difference_name}"
    walk = " \N{RIGHTWARDS ARROW} ".join(f'{i} {vector(step["point"])}' for i, step in enumerate(steps, 1))
    return [head, "proof: " + reason, f'GJK: {walk}: {answer["stop"]}']


def picture(question, answer):
    gap = WIDTH - 2 * PANEL
    left, right = gap / 4, PANEL + 3 * gap / 4
    world = question["a"]["vertices"] + question["b"]["vertices"]
    cso = difference(question) + [(0, 0)]
    sizes = [box(points)[1] for points in (world, cso)]
    scale = (PANEL - 2 * MARGIN) / max(size[0] for size in sizes)
    height = scale * max(size[1] for size in sizes) + 2 * MARGIN
    panels = [Panel(left, height, scale, world), Panel(right, height, scale, cso)]
    draw_world(question, answer, panels[0])
    draw_difference(question, answer, panels[1])
    lines, total = words(answer), round(TOP + height + 3 * LINE + 14)
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}" height="{total}" '
            f'role="img" aria-label="{escape("; ".join(lines))}">',
            f"<style>\n{style()}</style>", f'<rect class="paper" width="{WIDTH}" height="{total}" rx="8"/>',
            f'<text class="title" x="{left:g}" y="27">The shapes</text>',
            f'<text class="title" x="{right:g}" y="27">Their difference A \N{MINUS SIGN} B</text>']
    text += panels[0].parts + panels[1].parts
    for i, line in enumerate(lines, 1):
        text.append(f'<text x="{left:g}" y="{TOP + height + LINE * i:.0f}">{escape(line)}</text>')
    return "\n".join(text + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--graze", default=ROOT / "build/graze", help="the command (default build/graze)")
    parser.add_argument("--check", action="store_true", help="compare with what is there, write nothing")
    options = parser.parse_args()
    asked = "".join(json.dumps({"id": name, **question}) + "\n" for name, question in QUESTIONS.items())
    done = subprocess.run([options.graze, "query"], input=asked, capture_output=True, text=True, check=True)
    old = []
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        path = ROOT / "docs/images" / (answer["id"] + ".svg")
        text = picture(QUESTIONS[answer["id"]], answer)
        if not options.check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            old.append(path.relative_to(ROOT))
    for path in old:
        print(f"{path} is not what the command answers: run tools/picture.py")
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
