"""graze explain --svg: for every 2D question of the test files and the examples, and for degenerate ones, a picture that is
XML, legible, within its own borders, and the same each time."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
GRAZE = os.environ.get("GRAZE", str(ROOT / "build/graze"))
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
# An ellipse of many corners: many steps, many axes.
ROUND = {"type": "polygon", "vertices": [
    [3, 0], [2.8, 0.7], [2.4, 1.2], [1.8, 1.6], [0.9, 1.9], [0, 2], [-0.9, 1.9], [-1.8, 1.6], [-2.4, 1.2], [-2.8, 0.7],
    [-3, 0], [-2.8, -0.7], [-2.4, -1.2], [-1.8, -1.6], [-0.9, -1.9], [0, -2], [0.9, -1.9], [1.8, -1.6], [2.4, -1.2],
    [2.8, -0.7]]}


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
        (ELLIPSE, at(ELLIPSE, 5, 4)), (U, at(SQUARE, 3, 4)), (U, at(POINT, 1, 1)), (ROUND, at(ROUND, 5, 4)),
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


def questions():
    """Every 2D question about two shapes."""
    for path in sorted([*ROOT.glob("tests/cases/*.jsonl"), *ROOT.glob("examples/*.jsonl")]):
        for line in path.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)
            if question.get("dim") == 2 and question.get("query") in QUERIES:
                yield question
    for question in DEGENERATE + MOVING:
        yield {"dim": 2, **question}


def run(*arguments, text=""):
    return subprocess.run([GRAZE, *map(str, arguments)], input=text.encode(), capture_output=True, timeout=120)


def explain(question, path):
    """The picture, or None where the question is refused."""
    done = run("explain", "--svg", path, json.dumps(question))
    if done.returncode == 0:
        return path.read_bytes()
    if done.returncode != 1:
        raise AssertionError(f"status {done.returncode}: {question}: {done.stderr.decode()}")
    return None


def type_sizes(style):
    """Every size of type that a style sheet sets."""
    return [float(size) for size in re.findall(r"font(?:-size)?: (\d+)px", style)]


def shift(element):
    moved = re.fullmatch(r"translate\((\d+) (\d+)\)", element.get("transform", "translate(0 0)"))
    return float(moved[1]), float(moved[2])


def places(element, x=0, y=0):
    """Every coordinate that is drawn, and what draws it."""
    dx, dy = shift(element)
    x, y = x + dx, y + dy
    get = lambda name: float(element.get(name, 0))
    tag = element.tag.removeprefix(SVG)
    if tag == "defs":
        return
    if tag == "line":
        yield x + get("x1"), y + get("y1"), element
        yield x + get("x2"), y + get("y2"), element
    elif tag == "circle":
        yield x + get("cx"), y + get("cy"), element
    elif tag == "polygon":
        for pair in element.get("points").split():
            u, v = map(float, pair.split(","))
            yield x + u, y + v, element
    elif tag in ("rect", "text"):
        yield x + get("x"), y + get("y"), element
        yield x + get("x") + get("width"), y + get("y") + get("height"), element
    for child in element:
        yield from places(child, x, y)


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.questions = list(questions())
        with ThreadPoolExecutor(2) as pool:
            cls.pictures = list(pool.map(
                lambda item: explain(item[1], Path(cls.folder.name) / f"{item[0]}.svg"), enumerate(cls.questions)))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def each(self, check):
        """Checks every picture, by its root element."""
        for question, picture in zip(self.questions, self.pictures):
            if picture is not None:
                with self.subTest(question=json.dumps(question)):
                    check(ElementTree.fromstring(picture.decode("utf-8")))

    def test_whatever_is_answered_has_a_picture(self):
        text = "".join(json.dumps(question) + "\n" for question in self.questions)
        answers = [json.loads(line) for line in run("query", "-", text=text).stdout.decode().splitlines()]
        self.assertEqual(len(answers), len(self.questions))
        for question, answer, picture in zip(self.questions, answers, self.pictures):
            with self.subTest(question=json.dumps(question)):
                self.assertEqual(picture is None, "error" in answer or question.get("filter") is not None)
        self.assertGreater(sum(picture is not None for picture in self.pictures), 150)

    def test_numbers_are_numbers(self):
        def check(root):
            for element in root.iter():
                for name, value in element.attrib.items():
                    if name not in ("aria-label", "class", "id"):
                        self.assertIsNone(re.search("nan|inf|null", value.lower()), f"{name}={value}")
            for text in root.iter(SVG + "text"):
                self.assertIsNone(re.search(r"\b(nan|inf|null)\b", text.text.lower()), text.text)
        self.each(check)

    def test_type_is_large_enough(self):
        def check(root):
            sizes = type_sizes(root.find(SVG + "style").text)
            self.assertGreaterEqual(min(sizes), LEAST_TYPE)
            for element in root.iter():
                self.assertIsNone(element.get("font-size"))
                self.assertIsNone(element.get("style"))
        self.each(check)

    def test_nothing_is_outside(self):
        def check(root):
            left, top, width, height = map(float, root.get("viewBox").split())
            self.assertEqual((left, top, width), (0, 0, 720))
            for x, y, element in places(root):
                self.assertTrue(-1 <= x <= width + 1 and -1 <= y <= height + 1, ElementTree.tostring(element).decode())
        self.each(check)

    def test_there_are_words(self):
        def check(root):
            self.assertEqual(root.get("role"), "img")
            self.assertGreater(len(root.get("aria-label")), 30)
            for text in root.iter(SVG + "text"):
                self.assertTrue(text.text)
                self.assertLessEqual(len(text.text), 110)  # more do not fit into a line
        self.each(check)

    def test_pictures_are_small(self):
        for question, picture in zip(self.questions, self.pictures):
            if picture is not None:
                with self.subTest(question=json.dumps(question)):
                    self.assertLess(len(picture), MOST_BYTES)

    def test_the_same_again(self):
        path = Path(self.folder.name) / "again.svg"
        for question, picture in list(zip(self.questions, self.pictures))[::7]:
            with self.subTest(question=json.dumps(question)):
                self.assertEqual(explain(question, path), picture)


class Words(unittest.TestCase):
    def texts(self, **question):
        """What is written, from top to bottom."""
        with tempfile.TemporaryDirectory() as folder:
            root = ElementTree.fromstring(explain({"dim": 2, **question}, Path(folder) / "t.svg").decode())
        return [text.text for text in root.iter(SVG + "text")]

    def test_captions_are_explained(self):
        texts = self.texts(query="distance", a=SQUARE, b=at(SQUARE, 3, 4))
        self.assertTrue(texts[texts.index("The steps") + 1].startswith("Below each: d·w, and the bounds so far"))
        texts = self.texts(query="distance", a=SQUARE, b=at({"type": "circle", "radius": 1}, 3, 4))
        self.assertIn("of the cores, r more", texts[texts.index("The steps") + 1])

    def test_stops_belong_to_the_steps(self):
        texts = self.texts(query="penetration", a=ELLIPSE, b=at(SQUARE, 3, 1))
        stops = [i for i, text in enumerate(texts) if text.startswith("Stopped after step ")]
        answer = next(i for i, text in enumerate(texts) if text.startswith("overlapping, penetration depth"))
        self.assertGreaterEqual(len(stops), 2)
        self.assertLess(max(stops), answer)

    def test_steps_left_out_are_named(self):
        texts = self.texts(query="distance", a=ELLIPSE, b=at(ELLIPSE, 5, 4))
        i = next(i for i, text in enumerate(texts) if text.startswith("… steps 8 to "))
        self.assertEqual(texts[i + 1:i + 3], ["are left out;", "the page has them"])

    def test_names_lie_beside_outlines(self):
        """The words in the world hide no outline of a shape."""
        boxes = dict(a=at({"type": "box", "half_extents": [2, 1]}, 0, 0, rotation=0.3),
                     b=at(SQUARE, 3.4, 2.5, rotation=-0.6))
        triangles = dict(method="sat", a={"type": "triangle", "vertices": [[0, 0], [3, 0], [1, 2]]},
                         b={"type": "triangle", "vertices": [[1, 1], [5, 0], [4, 3]]})
        for question in (dict(query="obb", **boxes), dict(query="distance", **triangles)):
            with tempfile.TemporaryDirectory() as folder:
                root = ElementTree.fromstring(explain({"dim": 2, **question}, Path(folder) / "t.svg").decode())
            outlines = [e for e in root.iter(SVG + "polygon") if e.get("class") in ("a", "b")][:2]
            names = [e for e in root.iter(SVG + "text") if re.match(r"best axis|depth ", e.text or "")]
            self.assertTrue(names)
            for name in names:
                x, y, half = float(name.get("x")), float(name.get("y")), 3.3 * len(name.text)
                for outline in outlines:
                    corners = [tuple(map(float, pair.split(","))) for pair in outline.get("points").split()]
                    for (u, v), (w, z) in zip(corners, corners[1:] + corners[:1]):
                        for t in (i / 200 for i in range(201)):
                            p, q = u + t * (w - u), v + t * (z - v)
                            self.assertFalse(abs(p - x) < half and y - 10 < q < y, (name.text, p, q))


class Refused(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "picture.svg"

    def test_three_dimensions(self):
        question = {"query": "distance", "a": {"type": "sphere", "radius": 1}, "b": {"type": "point", "position": [3, 0, 0]}}
        done = run("explain", "--svg", self.path, json.dumps(question))
        self.assertEqual(done.returncode, 1)
        self.assertIn("2D", done.stderr.decode())
        self.assertIn("--html", done.stderr.decode())
        self.assertFalse(self.path.exists())

    def test_more_than_one_question(self):
        line = json.dumps({"dim": 2, "query": "distance", "a": SQUARE, "b": at(SQUARE, 3, 0)}) + "\n"
        done = run("explain", "--svg", self.path, "-", text=2 * line)
        self.assertEqual(done.returncode, 2)
        self.assertIn("one question", done.stderr.decode())
        self.assertFalse(self.path.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
