"""The picture of `graze explain --svg` shows what --json records: every number of it is found in its place."""
import json
import math
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from commands import linear, ray, rotational, run  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
SQUARE = {"type": "polygon", "vertices": [[0, 0], [3, 0], [3, 3], [0, 3]]}
KITE = {"type": "polygon", "vertices": [[6, 5], [7, 3.5], [9, 4], [9, 6]]}
DEEP = {"type": "polygon", "vertices": [[2, 1], [5, 0], [4, 4]]}
TRIANGLE = {"type": "polygon", "vertices": [[0, 0], [3, 0], [2, 2]]}


def pair(query, a, b, **rest):
    return {"dim": 2, "query": query, "a": a, "b": b, **rest}


def shown(x):
    """A number as pictures write it."""
    text = f"{x:.6g}"
    return (text if "e" not in text else re.sub(r"e([+-])0*", r"e\1", text).replace("e+", "e")).replace("-", "−")


class Drawn(unittest.TestCase):
    def draw(self, line):
        """The story, and the maps into its picture: world(p), difference(p)."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "p.svg")
            self.story = json.loads(run("explain", "--json", "--svg", path, json.dumps(line)).stdout)
            self.root = ElementTree.parse(path).getroot()
        self.texts = [text.text for text in self.root.iter(SVG + "text")]
        self.words = " ".join(self.texts)
        bodies = [body["mesh"]["points"] for body in self.story["bodies"]]
        a = self.points("polygon", "a")
        (x, y), (u, v) = a[0], a[1]
        (p, q), (r, s) = bodies[0][0], bodies[0][1]
        self.scale = math.hypot(u - x, v - y) / math.hypot(r - p, s - q)
        self.world = lambda point: (x + self.scale * (point[0] - p), y - self.scale * (point[1] - q))
        zero = self.centre(self.root)
        self.difference = lambda point: (zero[0] + self.scale * point[0], zero[1] - self.scale * point[1])
        self.near(a, map(self.world, bodies[0]))
        self.size = [max(point[i] for point in mesh) - min(point[i] for point in mesh) for mesh in bodies for i in (0, 1)]
        return self.story

    def each(self, tag, name, within=None):
        return [e for e in (self.root if within is None else within).findall(SVG + tag) if e.get("class") == name]

    def points(self, tag, name, index=0):
        return [tuple(map(float, p.split(","))) for p in self.each(tag, name)[index].get("points").split()]

    def circles(self, name, within=None):
        return [(float(e.get("cx")), float(e.get("cy"))) for e in self.each("circle", name, within)]

    def centre(self, within):
        """Of the cross at the origin."""
        line = self.each("line", "origin", within)[0]
        return (float(line.get("x1")) + float(line.get("x2"))) / 2, float(line.get("y1"))

    def near(self, found, expected, slack=0.2):
        found, expected = list(found), list(expected)
        self.assertEqual(len(found), len(expected))
        for p, q in zip(found, expected):
            self.assertLess(math.dist(p, q), slack, (found, expected))

    def ends(self, line):
        return [(float(line.get("x" + i)), float(line.get("y" + i))) for i in "12"]

    def on_line(self, line, direction, anchor):
        """The line is perpendicular to the direction, and through a point of the picture."""
        (x, y), (u, v) = self.ends(line)
        length = math.hypot(u - x, v - y)
        self.assertLess(abs((u - x) * direction[0] - (v - y) * direction[1]) / length, 0.02)
        self.assertLess(abs((anchor[0] - x) * (v - y) - (anchor[1] - y) * (u - x)) / length, 0.25)

    def check_answer(self):
        answer, evidence = self.story["answer"], self.story["evidence"]
        circles = self.circles("proof")
        self.near(circles[:2], [self.world(answer["point_a"]), self.world(answer["point_b"])])
        self.near(circles[2:3], [self.difference([a - b for a, b in zip(answer["point_a"], answer["point_b"])])])
        for key in ("lower", "upper"):
            self.assertIn(str(answer[key]).replace("-", "−"), self.words)
        self.assertIn(shown(answer["distance"]), self.words)
        d, gap = evidence["direction"], evidence["begin_b"] - evidence["reach_a"]
        self.assertIn(f"A reaches {shown(evidence['reach_a'])} and B begins at {shown(evidence['begin_b'])}", self.words)
        dashes = self.each("line", "proof dash")
        self.on_line(dashes[-1], d, self.difference([-gap * x for x in d]))
        if len(dashes) > 1:
            self.on_line(dashes[0], d, self.world([(evidence["reach_a"] + evidence["begin_b"]) / 2 * x for x in d]))

    def check_steps(self):
        zero = self.centre(self.root.find(f"{SVG}defs/{SVG}g[@id='zero']"))
        hull = self.root.find(f".//{SVG}g[@id='set']/{SVG}polygon").get("points").split()
        hull = [tuple(map(float, p.split(","))) for p in hull]
        scale = (max(x for x, _ in hull) - min(x for x, _ in hull)) / (self.size[0] + self.size[2])
        place = lambda p: (zero[0] + scale * p[0], zero[1] - scale * p[1])  # noqa: E731
        cells, points = self.each("g", "cell"), [point["at"] for point in self.story["points"]]
        self.assertEqual(len(cells), len(self.story["steps"]))
        for cell, step in zip(cells, self.story["steps"]):
            new = points[step["point"]]
            simplex = step.get("polytope", {}).get("points", step["simplex"]) if step["phase"] == "epa" else step["simplex"]
            circles = self.circles("walk", cell)
            self.near(circles[-1:], [place(new)])
            if step["phase"] == "gjk":
                self.near(circles[:-1], [place(points[i]) for i in simplex])
            texts = [text.text for text in cell.iter(SVG + "text")]
            self.assertIn("d·w = " + shown(step["origin_check"]), texts)
            bounds = [shown(step[key]) if step[key] is not None else None for key in ("lower", "upper")]
            self.assertTrue(any(all(b in text for b in bounds if b) for text in texts if text.startswith("[")), (bounds, texts))
            if any(step["direction"]):
                d = [x / math.hypot(*step["direction"]) for x in step["direction"]]
                arrow, = self.each("polygon", "head walk", cell)
                tip = tuple(map(float, arrow.get("points").split()[0].split(",")))
                w = place(new)
                along = [(tip[0] - w[0]) / math.dist(tip, w), -(tip[1] - w[1]) / math.dist(tip, w)]
                self.near([along], [d], 0.05)
                self.on_line(self.each("line", "reach", cell)[0], d, w)

    def test_distances_and_depths(self):
        for line in (pair("distance", SQUARE, KITE), pair("distance", SQUARE, KITE, method="gjk"),
                     pair("penetration", SQUARE, DEEP), pair("penetration", SQUARE, DEEP, method="epa"),
                     pair("distance", TRIANGLE, KITE, method="gjk", start=[1, 0.5])):
            story = self.draw(line)
            self.near(self.points("polygon", "b"), map(self.world, story["bodies"][1]["mesh"]["points"]))
            self.check_answer()
            self.check_steps()
        self.assertGreater(len(story["steps"]), 1)

    def test_axes(self):
        story = self.draw(pair("distance", SQUARE, DEEP, method="sat"))
        self.assertEqual(len(story["axes"]), 7)
        rows = list(zip(self.each("rect", "a"), self.each("rect", "b"), strict=True))
        for axis, (a, b) in zip(story["axes"], rows, strict=True):
            low, high = min(axis["a"][0], axis["b"][0]), max(axis["a"][1], axis["b"][1])
            for rect, interval in ((a, axis["a"]), (b, axis["b"])):
                x, width = float(rect.get("x")), float(rect.get("width"))
                self.near([(x, x + width)], [[205 + 435 * (end - low) / (high - low) for end in interval]], 0.2)
            self.assertIn(f"overlap {shown(-axis['separation'])}", self.texts)
            self.assertIn("({}, {})".format(*map(shown, axis["direction"])), self.texts)

    def test_contacts(self):
        box = {"type": "box", "half_extents": [5, 1]}
        story = self.draw(pair("manifold", box, {"type": "box", "half_extents": [1, 1], "position": [2, 1.875]}))
        contacts = story["answer"]["points"]
        self.near(self.circles("contact"), [self.world(c[key]) for c in contacts for key in ("point_a", "point_b")])
        self.assertEqual(self.texts.count(shown(contacts[0]["depth"])), len(contacts))

    def test_minkowski_sets(self):
        answer = self.draw(pair("minkowski", SQUARE, KITE))["answer"]
        self.near(self.circles("walk"), map(self.difference, answer["vertices"]))
        self.assertEqual([t for t in self.texts if re.match(r"A\d", t)], [f"A{i} − B{j}" for i, j in answer["pairs"]])

    def check_motion(self, line):
        motion, answer = self.draw(line)["motion"], self.story["answer"]
        end = motion["t_end"]
        looks = [e for e in self.root.findall(SVG + "circle") if float(e.get("r")) == 5 and e.get("class") in
                 ("look", "met", "open")]
        row = max(e.get("cy") for e in looks if 20 == float(e.get("cx")))
        looks = [e for e in looks if e.get("cy") == row][:16]
        for look, moment in zip(looks, [m for m in motion["moments"] if m["sampled"]], strict=True):
            self.assertAlmostEqual(float(look.get("cx")), 20 + 680 * moment["t"] / end, delta=0.1)
            self.assertEqual(look.get("class") == "look", moment["look"] == "apart")
        spans = {"free": "free", "undecided": "open", "met": "met"}
        for span in motion["spans"]:
            rect = self.each("rect", spans[span["state"]])[0]
            self.assertAlmostEqual(float(rect.get("x")), 20 + 680 * span["from"] / end, delta=0.1)
            width = 680 * (span["to"] - span["from"]) / end
            self.assertAlmostEqual(float(rect.get("width")), max(width, 3), delta=0.1)
        self.assertIn(f"t = {shown(motion['t_key'])}", self.texts)
        return motion, answer

    def test_a_cast(self):
        motion, answer = self.check_motion(linear(TRIANGLE, {"type": "box", "half_extents": [1, 0.75]}, [7, 4], [-2, -0.5], 4,
                                                  [1, 0.25]))
        for key in "ab":
            index = "ab".index(key)
            points, velocity = self.story["bodies"][index]["mesh"]["points"], motion["velocity_" + key]
            then = [[x + motion["t_key"] * v for x, v in zip(point, velocity)] for point in points]
            self.near(self.points("polygon", key + " ghost"), map(self.world, then))
            sweep = self.points("polygon", key + " sweep")
            last = [[x + motion["t_drawn"] * v for x, v in zip(point, velocity)] for point in points]
            for place in map(self.world, points + last):
                self.assertGreaterEqual(min((q[0] - p[0]) * (place[1] - p[1]) - (q[1] - p[1]) * (place[0] - p[0]) for p, q in zip(
                    sweep[1:] + sweep[:1], sweep)), -40, "inside its sweep")
        path = self.ends(self.each("line", "free")[0])
        self.near(path, [self.difference([0, 0]), self.difference([answer["t_lower"] * u for u in motion["u"]])])
        evidence = motion["evidence"]
        self.on_line(self.each("line", "proof dash")[0], evidence["direction"], self.world(answer["point"]))
        for text in (f"A reaches {shown(evidence['reach_a'])} and B begins at {shown(evidence['begin_b'])}",
                     f"closes by {shown(evidence['closing'])} in each", f"until t = {evidence['free_until']}",
                     *(str(answer[key]) for key in ("t_lower", "t_upper")), "({}, {})".format(*map(shown, answer["point"]))):
            self.assertIn(text, self.words)

    def test_a_ray_that_passes(self):
        motion, answer = self.check_motion(ray({"type": "box", "half_extents": [1, 1]}, [-5, 1.5], [1, 0], 9))
        for number in (*answer["min_distance"], answer["t_min"], motion["evidence"]["gap"], motion["evidence"]["near_upper"]):
            self.assertTrue(shown(number) in self.words or str(number) in self.words, number)

    def test_a_rod_that_turns(self):
        motion, _ = self.check_motion(rotational({"type": "box", "half_extents": [2, 0.05]},
                                                 {"type": "box", "half_extents": [1, 0.1]},
                                                 [1, 1.2], 4, 0, t_max=0.6))
        self.assertTrue(motion["turns"] and len(motion["steps"]) > 1)
        cut = [float(e.get("x")) for e in self.each("rect", "cut")]
        self.assertTrue(cut)
        for x in cut:
            self.assertTrue(any(abs(20 + 680 * step["to"] / motion["t_end"] - x) < 2 for step in motion["steps"]), (x, cut))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
