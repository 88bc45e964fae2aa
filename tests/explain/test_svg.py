"""The picture of `graze explain --svg`: for every 2D query of the test files and the examples, and for degenerate ones, it
is XML, legible, within its own borders, and the same each time; and what --json records is found in its place."""
import itertools
import json
import math
import re
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from commands import ROOT, linear, query, ray, records, rotational, run

SVG = "{http://www.w3.org/2000/svg}"
QUERIES = ("intersect", "distance", "penetration", "obb", "manifold", "minkowski", "shapecast", "toi", "raycast")
LEAST_TYPE, MOST_BYTES = 13, 40000

POINT, SPECK = {"type": "point"}, {"type": "circle", "radius": 1e-300, "position": [5e-300, 1e-300]}
SQUARE = {"type": "box", "half_extents": [1, 1]}
SLAB = {"type": "box", "half_extents": [500, 0.0005]}
FLAT = {"type": "segment", "vertices": [[0, 0], [4, 1]]}
GROUND = {"type": "halfspace", "normal": [0.1, 1], "offset": 0.3}
ELLIPSE = {"type": "ellipse", "radii": [4, 2], "rotation": 0.3}
U = {"type": "polygon", "concave": "decompose",
     "vertices": [[0, 0], [6, 0], [6, 6], [4, 6], [4, 2], [2, 2], [2, 6], [0, 6]]}
OUTLINE = {"type": "mesh", "vertices": U["vertices"], "edges": [[i, (i + 1) % 8] for i in range(8)]}
# An ellipse of many corners: many steps, many axes.
ROUND = {"type": "polygon", "vertices": [
    [3, 0], [2.8, 0.7], [2.4, 1.2], [1.8, 1.6], [0.9, 1.9], [0, 2], [-0.9, 1.9], [-1.8, 1.6], [-2.4, 1.2], [-2.8, 0.7],
    [-3, 0], [-2.8, -0.7], [-2.4, -1.2], [-1.8, -1.6], [-0.9, -1.9], [0, -2], [0.9, -1.9], [1.8, -1.6], [2.4, -1.2],
    [2.8, -0.7]]}

SLOPE = {"type": "polygon", "vertices": [[0, 0], [3, 0], [2, 2]]}
KITE = {"type": "polygon", "vertices": [[6, 5], [7, 3.5], [9, 4], [9, 6]]}
CORNER = {"type": "polygon", "vertices": [[0, 0], [3, 0], [3, 3], [0, 3]]}
DEEP = {"type": "polygon", "vertices": [[2, 1], [5, 0], [4, 4]]}


def pair(name, a, b, **rest):
    return {"dim": 2, "query": name, "a": a, "b": b, **rest}


def at(shape, x, y, **more):
    return {**shape, "position": [x, y], **more}


DEGENERATE = [
    {"query": query, **more, "a": a, "b": b}
    for a, b in [
        (POINT, POINT), (POINT, at(POINT, 1e-300, 2e-300)), (POINT, at(POINT, 5e-324, 0)), (POINT, FLAT), (FLAT, FLAT),
        (FLAT, {"type": "segment", "vertices": [[1, 3], [3, -2]]}), (SQUARE, SQUARE), (SQUARE, at(SQUARE, 2, 0)),
        (SQUARE, at(SQUARE, 2.0000000000000004, 0.5)), (SLAB, at(SLAB, 0, 200, rotation=0.1)), (SLAB, SLAB),
        (SLAB, at(SQUARE, 100, 0.4)), (at(SQUARE, 1e40, 1e40), POINT), (SPECK, at(SQUARE, 1e30, 0)),
        ({"type": "box", "half_extents": [1e-300, 2e-300]}, SPECK), ({"type": "circle", "radius": 1}, {"type": "circle", "radius": 1}),
        (GROUND, at(SQUARE, 0, 1)), (POINT, GROUND), (at(SQUARE, 1e6, -3e9), GROUND), (ELLIPSE, GROUND), (ELLIPSE, ELLIPSE),
        (ELLIPSE, at(ELLIPSE, 5, 4)), (OUTLINE, at(SQUARE, 3, 4)), (POINT, at(OUTLINE, -1, -1)),
        (OUTLINE, at(OUTLINE, 0, 7)), (OUTLINE, GROUND), (at({**OUTLINE, "solid": False}, 1e30, 0), POINT),
        (U, at(SQUARE, 3, 4)), (U, at(POINT, 1, 1)), (ROUND, at(ROUND, 5, 4)),
        ({**SQUARE, "margin": 0.3}, at({**SQUARE, "margin": 0.4}, 2.4, 2)), ({"type": "box", "half_extents": [1e40, 1e39]}, SQUARE)]
    for query, more in [("distance", {}), ("intersect", {}), ("intersect", {"method": "gjk", "start": [0, 1]}), ("manifold", {}),
                        ("distance", {"method": "sat"}), ("penetration", {"method": "brute"}), ("minkowski", {}),
                        ("minkowski", {"of": "sum"}), ("distance", {"max_distance": 0.5})]]

MOVING = [
    {"query": "shapecast", "a": a, "b": b,
     "motion": {"type": "linear", "velocity_a": [1, 0.5], "velocity_b": velocity, "t_max": t_max}}
    for a, b in [(SQUARE, at(SQUARE, 6, 1)), (SQUARE, SQUARE), (POINT, at(POINT, 3, 0)), (SLAB, at(SQUARE, 100, 5)),
                 (GROUND, at(SQUARE, 0, 9)), (ELLIPSE, at(ELLIPSE, 9, 4)), (U, at(SQUARE, 3, 9)), (POINT, SPECK),
                 ({**SQUARE, "margin": 0.3}, at({**SQUARE, "margin": 0.4}, 5, 2)), (at(SQUARE, 1e40, 0), SQUARE)]
    for velocity, t_max in [([-3, -0.5], 4), ([0, -40], 1), ([1, 0.5], 1), ([-1e30, 1], 1e10), ([1e-300, 0], 1), ([0, 0], 0)]
] + [
    {"query": "toi", "a": a, "b": b,
     "motion": {"type": "rotational", "velocity_a": [0, 0], "velocity_b": velocity, "angular_velocity_a": rate,
                "angular_velocity_b": -1, "t_max": 2}}
    for a, b in [(SQUARE, at(SQUARE, 3, 1)), (FLAT, at(ELLIPSE, 2, 6)), (SLAB, at(SQUARE, 100, 5)), (U, at(SQUARE, 3, 9)),
                 (POINT, at(POINT, 3, 0)), (SQUARE, SQUARE), ({**SQUARE, "margin": 0.3}, at(SPECK, 4, 0))]
    for velocity, rate in [([0, 0], 2), ([-1, -3], 300)]
] + [
    {"query": "raycast", "a": a, "motion": {"type": "ray", "origin": origin, "direction": direction, "t_max": None}}
    for a in (SQUARE, GROUND, U, ROUND, POINT) for origin in ([-5, 0.5], [0, 0.1]) for direction in ([1, 0], [0, 0], [0.5, 3])]


def queries():
    """Every 2D query about two shapes."""
    for path in sorted([*ROOT.glob("tests/cases/*.jsonl"), *ROOT.glob("examples/*.jsonl")]):
        for request in records(path):
            if request.get("dim") == 2 and request.get("query") in QUERIES:
                yield request
    for request in DEGENERATE + MOVING:
        yield {"dim": 2, **request}


def picture(request, path):
    """Its bytes, or None where the query is rejected."""
    done = run("explain", "--svg", path, json.dumps(request))
    if done.returncode not in (0, 1):
        raise AssertionError(f"status {done.returncode}: {request}: {done.stderr.decode()}")
    return path.read_bytes() if done.returncode == 0 else None


def ends(line):
    return [(float(line.get("x" + i)), float(line.get("y" + i))) for i in "12"]


def corners(element):
    return [tuple(map(float, pair.split(","))) for pair in element.get("points").split()]


def places(element, x=0, y=0):
    """Every coordinate that is drawn, and what draws it."""
    moved = re.fullmatch(r"translate\((\d+) (\d+)\)", element.get("transform", "translate(0 0)"))
    x, y = x + float(moved[1]), y + float(moved[2])
    u, v, w, z, width, height = (float(element.get(name, 0)) for name in ("x", "y", "cx", "cy", "width", "height"))
    tag = element.tag.removeprefix(SVG)
    if tag == "defs":
        return
    drawn = {"circle": [(w, z)], "rect": [(u, v), (u + width, v + height)], "text": [(u, v)]}.get(tag, [])
    if tag == "line":
        drawn = ends(element)
    elif tag == "polygon":
        drawn = corners(element)
    elif tag == "path":
        drawn = [tuple(map(float, place.split())) for place in re.split("[ML]", element.get("d"))[1:]]
    yield from ((x + u, y + v, element) for u, v in drawn)
    for child in element:
        yield from places(child, x, y)


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.queries = list(queries())
        with ThreadPoolExecutor(2) as pool:
            cls.pictures = list(pool.map(lambda item: picture(item[1], cls.folder / f"{item[0]}.svg"), enumerate(cls.queries)))

    def test_whatever_is_answered_has_a_picture(self):
        for request, answer, found in zip(self.queries, query(*self.queries), self.pictures, strict=True):
            with self.subTest(request=json.dumps(request)):
                self.assertEqual(found is None, "error" in answer or request.get("filter") is not None)
        self.assertGreater(sum(found is not None for found in self.pictures), 150)

    def test_every_picture(self):
        """Its numbers are numbers, its type is large enough, nothing lies outside, there are words, and it is small."""
        for request, found in zip(self.queries, self.pictures, strict=True):
            if found is not None:
                with self.subTest(request=json.dumps(request)):
                    self.assertLess(len(found), MOST_BYTES)
                    self.check(ElementTree.fromstring(found.decode("utf-8")))

    def check(self, root):
        sizes = map(float, re.findall(r"font(?:-size)?: (\d+)px", root.find(SVG + "style").text))
        self.assertGreaterEqual(min(sizes), LEAST_TYPE)
        for element in root.iter():
            self.assertEqual((element.get("font-size"), element.get("style")), (None, None))
            for name, value in element.attrib.items():
                if name not in ("aria-label", "class", "id"):
                    self.assertNotRegex(value.lower(), "nan|inf|null", name)
        left, top, width, height = map(float, root.get("viewBox").split())
        self.assertEqual((left, top, width, root.get("role")), (0, 0, 720, "img"))
        for x, y, element in places(root):
            self.assertTrue(-1 <= x <= width + 1 and -1 <= y <= height + 1, ElementTree.tostring(element).decode())
        self.assertGreater(len(root.get("aria-label")), 30)
        for text in root.iter(SVG + "text"):
            self.assertTrue(text.text)
            self.assertLessEqual(len(text.text), 110)  # more do not fit into a line
            self.assertNotRegex(text.text.lower(), r"\b(nan|inf|null)\b")

    def test_the_same_again(self):
        for request, found in list(zip(self.queries, self.pictures))[::7]:
            with self.subTest(request=json.dumps(request)):
                self.assertEqual(picture(request, self.folder / "again.svg"), found)


def shown(x):
    """A number as pictures write it."""
    text = f"{x:.6g}"
    return (text if "e" not in text else re.sub(r"e([+-])0*", r"e\1", text).replace("e+", "e")).replace("-", "−")


class Drawn(unittest.TestCase):
    def load(self, line):
        """The story; what is written, from top to bottom, is in self.texts."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "p.svg")
            self.story = json.loads(run("explain", "--json", "--svg", path, json.dumps(line)).stdout)
            self.root = ElementTree.parse(path).getroot()
        self.texts = [text.text for text in self.root.iter(SVG + "text")]
        self.words = " ".join(self.texts)
        return self.story

    def draw(self, line):
        """The story, and the maps into its picture: world(p), difference(p)."""
        self.load(line)
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
        return corners(self.each(tag, name)[index])

    def circles(self, name, within=None):
        return [(float(e.get("cx")), float(e.get("cy"))) for e in self.each("circle", name, within)]

    def centre(self, within):
        """The cross at the origin."""
        (x, y), (u, _) = ends(self.each("line", "origin", within)[0])
        return (x + u) / 2, y

    def near(self, found, expected, slack=0.2):
        found, expected = list(found), list(expected)
        self.assertEqual(len(found), len(expected))
        for p, q in zip(found, expected):
            self.assertLess(math.dist(p, q), slack, (found, expected))

    def on_line(self, line, direction, anchor):
        """The line is perpendicular to the direction, and through a point of the picture."""
        (x, y), (u, v) = ends(line)
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
        d, gap = evidence["direction"], evidence["min_b"] - evidence["max_a"]
        self.assertIn(f"A ends at {shown(evidence['max_a'])} and B begins at {shown(evidence['min_b'])}", self.words)
        dashes = self.each("line", "proof dash")
        self.on_line(dashes[-1], d, self.difference([-gap * x for x in d]))
        if len(dashes) > 1:
            self.on_line(dashes[0], d, self.world([(evidence["max_a"] + evidence["min_b"]) / 2 * x for x in d]))

    def check_steps(self):
        zero = self.centre(self.root.find(f"{SVG}defs/{SVG}g[@id='zero']"))
        hull = corners(self.root.find(f".//{SVG}g[@id='set']/{SVG}polygon"))
        scale = (max(x for x, _ in hull) - min(x for x, _ in hull)) / (self.size[0] + self.size[2])
        place = lambda p: (zero[0] + scale * p[0], zero[1] - scale * p[1])  # noqa: E731
        cells, points = self.each("g", "cell"), [point["at"] for point in self.story["points"]]
        self.assertEqual(len(cells), len(self.story["steps"]))
        for cell, step in zip(cells, self.story["steps"]):
            new = points[step["point"]]
            simplex = step.get("polytope", {}).get("points", step["simplex"]) if step["phase"] == "epa" else step["simplex"]
            circles = self.circles("step", cell)
            self.near(circles[-1:], [place(new)])
            if step["phase"] == "gjk":
                self.near(circles[:-1], [place(points[i]) for i in simplex])
            texts = [text.text for text in cell.iter(SVG + "text")]
            self.assertIn("d·w = " + shown(step["origin_check"]), texts)
            bounds = [shown(step[key]) if step[key] is not None else None for key in ("lower", "upper")]
            for sign, bound in zip("≥≤", bounds):
                self.assertEqual([text for text in texts if text.startswith(sign)], [f"{sign} {bound}"] if bound else [])
            if any(step["direction"]):
                d = [x / math.hypot(*step["direction"]) for x in step["direction"]]
                arrow, = self.each("polygon", "head step", cell)
                tip, w = corners(arrow)[0], place(new)
                direction = [(tip[0] - w[0]) / math.dist(tip, w), -(tip[1] - w[1]) / math.dist(tip, w)]
                self.near([direction], [d], 0.05)
                self.on_line(self.each("line", "support", cell)[0], d, w)

    def test_distances_and_depths(self):
        for line in (pair("distance", CORNER, KITE), pair("distance", CORNER, KITE, method="gjk"),
                     pair("penetration", CORNER, DEEP), pair("penetration", CORNER, DEEP, method="epa"),
                     pair("distance", SLOPE, KITE, method="gjk", start=[1, 0.5])):
            story = self.draw(line)
            self.near(self.points("polygon", "b"), map(self.world, story["bodies"][1]["mesh"]["points"]))
            self.check_answer()
            self.check_steps()
        self.assertGreater(len(story["steps"]), 1)

    def test_axes(self):
        story = self.draw(pair("distance", CORNER, DEEP, method="sat"))
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
        answer = self.draw(pair("minkowski", CORNER, KITE))["answer"]
        self.near(self.circles("step"), map(self.difference, answer["vertices"]))
        self.assertEqual([t for t in self.texts if re.match(r"A\d", t)], [f"A{i} − B{j}" for i, j in answer["pairs"]])

    def check_motion(self, line):
        motion, answer = self.draw(line)["motion"], self.story["answer"]
        end = motion["t_end"]
        samples = [e for e in self.root.findall(SVG + "circle") if float(e.get("r")) == 5 and e.get("class") in
                 ("sample", "met", "open")]
        row = max(e.get("cy") for e in samples if 20 == float(e.get("cx")))
        samples = [e for e in samples if e.get("cy") == row][:16]
        for sample, moment in zip(samples, [m for m in motion["moments"] if m["sampled"]], strict=True):
            self.assertAlmostEqual(float(sample.get("cx")), 20 + 680 * moment["t"] / end, delta=0.1)
            self.assertEqual(sample.get("class") == "sample", moment["relation"] == "separated")
        spans = {"free": "free", "undecided": "open", "met": "met"}
        for span in motion["spans"]:
            rect = self.each("rect", spans[span["state"]])[0]
            self.assertAlmostEqual(float(rect.get("x")), 20 + 680 * span["from"] / end, delta=0.1)
            width = 680 * (span["to"] - span["from"]) / end
            self.assertAlmostEqual(float(rect.get("width")), max(width, 3), delta=0.1)
        self.assertIn(f"t = {shown(motion['t_key'])}", self.texts)
        return motion, answer

    def test_a_cast(self):
        motion, answer = self.check_motion(linear(SLOPE, {"type": "box", "half_extents": [1, 0.75]}, [7, 4], [-2, -0.5], 4,
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
        path = ends(self.each("line", "free")[0])
        self.near(path, [self.difference([0, 0]), self.difference([answer["t_lower"] * u for u in motion["u"]])])
        evidence = motion["evidence"]
        self.on_line(self.each("line", "proof dash")[0], evidence["direction"], self.world(answer["point"]))
        for text in (f"A ends at {shown(evidence['max_a'])} and B begins at {shown(evidence['min_b'])}",
                     f"closes by {shown(evidence['closing'])} per unit of time", f"until t = {evidence['free_until']}",
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

    def test_words(self):
        """Captions are explained, stops belong to the steps, and steps left out are named."""
        for b, begins in ((at(SQUARE, 3, 4), "Below each: d·w, and the bounds of the distance; "),
                          (at({"type": "circle", "radius": 1}, 3, 4), ".*of the cores, which is r more")):
            self.load(pair("distance", SQUARE, b))
            self.assertRegex(self.texts[self.texts.index("The steps") + 1], "^" + begins)
        self.load(pair("penetration", ELLIPSE, at(SQUARE, 3, 1)))
        stops = [i for i, text in enumerate(self.texts) if text.startswith("Stopped after step ")]
        answer = next(i for i, text in enumerate(self.texts) if text.startswith("overlapping, penetration depth"))
        self.assertGreaterEqual(len(stops), 2)
        self.assertLess(max(stops), answer)
        self.load(pair("distance", ELLIPSE, at(ELLIPSE, 5, 4)))
        i = next(i for i, text in enumerate(self.texts) if text.startswith("… steps 8 to "))
        self.assertEqual(self.texts[i + 1:i + 3], ["are omitted;", "the page has them"])

    def test_names_lie_beside_outlines(self):
        """The words in the world hide no outline of a shape."""
        for name, a, b, method in (
                ("obb", {"type": "box", "half_extents": [2, 1], "rotation": 0.3}, at(SQUARE, 3.4, 2.5, rotation=-0.6), "auto"),
                ("distance", {"type": "triangle", "vertices": [[0, 0], [3, 0], [1, 2]]},
                 {"type": "triangle", "vertices": [[1, 1], [5, 0], [4, 3]]}, "sat")):
            self.load(pair(name, a, b, method=method))
            outlines = [e for e in self.root.iter(SVG + "polygon") if e.get("class") in ("a", "b")][:2]
            names = [e for e in self.root.iter(SVG + "text") if re.match(r"best axis|depth ", e.text or "")]
            self.assertTrue(names)
            for name, outline in itertools.product(names, outlines):
                x, y, half = float(name.get("x")), float(name.get("y")), 3.3 * len(name.text)
                ring = corners(outline)
                for (u, v), (w, z) in zip(ring, ring[1:] + ring[:1]):
                    for t in (i / 200 for i in range(201)):
                        p, q = u + t * (w - u), v + t * (z - v)
                        self.assertFalse(abs(p - x) < half and y - 10 < q < y, (name.text, p, q))
