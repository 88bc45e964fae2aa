"""Meshes in `graze explain`: the deciding faces and the work of the search in the text, the faces and rays that are drawn in
the picture and on the page, and the limits of what is drawn of large meshes. Faces that a ray hits, and nearest faces, are
computed here again."""
import json
import math
import re
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from browser import QUICK, PageCase
from commands import linear, query, ray, rotational, run, text_of

SVG = "{http://www.w3.org/2000/svg}"
MOST_FACES, MOST_DOTS, MOST_BYTES = 2000, 800, 500_000
CORNERS = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
SIDES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
         [1, 5, 7], [1, 7, 3]]
CUBE = {"type": "mesh", "vertices": CORNERS, "triangles": SIDES}
BALL = {"type": "sphere", "radius": 0.25}
DISK = {"type": "circle", "radius": 0.25}
L = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]]
FRAME = [[0, 0], [6, 0], [6, 6], [0, 6], [2, 2], [2, 4], [4, 4], [4, 2]]


def outline(corners, *rings, **rest):
    """A 2D mesh; `rings` are lists of indices, by default one of all corners."""
    rings = rings or [list(range(len(corners)))]
    return {"type": "mesh", "vertices": corners, "edges": [[r[i], r[(i + 1) % len(r)]] for r in rings for i in range(len(r))],
            **rest}


def small_cube(scale, **rest):
    return {**CUBE, "vertices": [[scale * x for x in corner] for corner in CORNERS], **rest}


def pair(a, b, place, name="distance", **rest):
    return {"query": name, "dim": len(place), "a": a, "b": {**b, "position": place}, **rest}


def explain(line, *options):
    done = run("explain", *options, json.dumps(line))
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def story_of(line):
    return json.loads(explain(line, "--json"))


def words_of(line):
    return " ".join(explain(line).split())


def hills(n):
    """2·n² triangles over a grid of n by n squares, with small hills."""
    vertices = [[x, y, 0.125 * math.sin(x) * math.cos(2 * y)] for x in range(n + 1) for y in range(n + 1)]
    at = [(x * (n + 1) + y, (x + 1) * (n + 1) + y) for x in range(n) for y in range(n)]
    return {"type": "mesh", "vertices": vertices, "triangles": [t for p, q in at for t in ([p, q, q + 1], [p, q + 1, p + 1])]}


def hits(mesh, origin, direction):
    """(t, triangle) for each triangle that a ray crosses, by t: Möller and Trumbore 1997. The mesh has no pose."""
    minus = lambda p, q: [a - b for a, b in zip(p, q, strict=True)]  # noqa: E731
    dot = lambda p, q: sum(a * b for a, b in zip(p, q, strict=True))  # noqa: E731
    cross = lambda p, q: [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]  # noqa: E731
    found = []
    for index, face in enumerate(mesh["triangles"]):
        p, q, r = (mesh["vertices"][i] for i in face)
        e, f, s = minus(q, p), minus(r, p), minus(origin, p)
        h = cross(direction, f)
        if det := dot(e, h):
            g = cross(s, e)
            u, v, t = dot(s, h) / det, dot(direction, g) / det, dot(f, g) / det
            if u >= 0 and v >= 0 and u + v <= 1 and t >= 0:
                found.append((t, index))
    return sorted(found)


INSIDE = [  # a body inside a solid: the solid, the certificate
    (pair(CUBE, BALL, [0.25, 0.125, 0.5]), "A"), (pair(BALL, CUBE, [0.25, 0.125, 0.5]), "B"),
    (pair(CUBE, small_cube(0.25), [0.5, 0.25, 0.125]), "A"), (pair(small_cube(0.25), CUBE, [0.5, 0.25, 0.125], "intersect"), "B"),
    (pair(CUBE, {"type": "box", "half_extents": [0.25, 0.125, 0.25]}, [0.25, 0.375, 0.5], "intersect"), "A"),
    (pair({**CUBE, "rotation": [4, 1, 2, 3], "position": [1, 2, 3]}, BALL, [1.25, 2.125, 3.25], "intersect"), "A"),
    (pair(CUBE, {"type": "compound", "parts": [BALL, {**BALL, "position": [0.5, 0, 0]}]}, [0.125, 0.25, 0.375]), "A"),
    (pair(outline(L), DISK, [0.5, 2]), "A"), (pair(outline(L), {"type": "point"}, [2.5, 0.25], "intersect"), "A"),
    (pair(outline(FRAME, [0, 1, 2, 3], [4, 5, 6, 7]), DISK, [1, 3], "intersect"), "A"),
    (pair({"type": "point"}, outline(L), [-0.5, -0.5], "intersect"), "B")]


class Texts(unittest.TestCase):
    def test_the_deciding_triangles_and_the_work_of_the_search(self):
        line = pair(CUBE, small_cube(1, rotation=[4, 1, 2, 3]), [3, 0.5, 0.25])
        text, (answer,) = words_of(line), query(line)
        a, b, tested = answer["triangle_a"], answer["triangle_b"], answer["pairs"]["tested"]
        self.assertLess(tested, 144)
        self.assertIn(f"The deciding pair is triangle {a} of A (a triangle) and triangle {b} of B (a triangle). The search tests "
                      f"{tested} of 144 pairs; the bounding-volume trees exclude the others.", text)
        places = [f"A{i} ({', '.join(map(str, CORNERS[v]))}) (vertex {v})".replace("-", "−") for i, v in enumerate(SIDES[a])]
        self.assertIn(f"The vertices of triangle {a} of A are {', '.join(places)}.", text)
        self.assertIn(f"The vertices of triangle {b} of B are B0 ", text)
        self.assertIn("checked exactly by the verifier: verified", text)

    def test_edges_in_2d(self):
        text = words_of(pair(outline(L), DISK, [2, 2]))
        self.assertIn("The deciding pair is edge 2 of A (a segment) and B.", text)
        self.assertIn("The vertices of edge 2 of A are A0 (3, 1) (vertex 2), A1 (1, 1) (vertex 3).", text)
        self.assertIn("separated, distance 0.75", text)

    def test_a_mesh_with_a_pose(self):
        """The deciding face is one of the mesh at its place."""
        for shape, place in ((CUBE, [5, 0, 0]), (outline(L), [10, 0])):
            story = story_of(pair({"type": "box", "half_extents": [0.5, 0.125, 0.125][:len(place)]}, shape, place))
            vertices = [[x + d for x, d in zip(v, place)] for v in shape["vertices"]]
            corners = [corner[:len(place)] for corner in story["bodies"][1]["mesh"]["points"]]
            self.assertTrue(story["of_parts"])
            self.assertEqual(len(corners), len(place))
            self.assertTrue(all(corner in vertices for corner in corners), corners)

    def test_the_depth_of_a_solid(self):
        line = pair(CUBE, CUBE, [1.5, 0.25, 0.125])
        text, (answer,) = words_of(line), query(line)
        lower, upper = (repr(answer[key]).replace("-", "−") for key in ("lower", "upper"))
        self.assertIn(f"all of A ends at 1 and all of B begins at 0.5, so moving B by 0.5 along d ends the overlap: the distance is "
                      f"at least {lower}.", text)
        self.assertIn(f": the distance is at most {upper}.", text)
        self.assertIn("checked exactly by the verifier: verified.", text)

    def test_a_body_inside_a_solid(self):
        both = 0
        for line, solid in INSIDE:
            with self.subTest(line=json.dumps(line)):
                text, story = words_of(line), story_of(line)
                shown = story["ray"]
                self.assertIn("No pair of parts is in contact, so a ray decides", text)
                self.assertIn(f"is inside the solid mesh {solid}. The ray from it in the direction", text)
                self.assertTrue(shown["inside"])
                self.assertEqual(len(shown["hits"]) % 2, 1)
                self.assertEqual(text.count("The number is odd."), 1)
                for hit in shown["hits"]:
                    self.assertIn(f"{'triangle' if story['dim'] == 3 else 'edge'} {hit['face']} at ", text)
                if line["query"] == "intersect":
                    self.assertIn("verified", story["evidence"]["verdict"])
                    self.assertEqual((story["steps"], story["of_parts"]), ([], False))
                if line["a"] == CUBE:  # without a pose
                    found = hits(CUBE, shown["origin"], shown["direction"])
                    self.assertEqual([face for _, face in found], [hit["face"] for hit in shown["hits"]])
                    both += 1
        self.assertGreater(both, 2)

    def test_the_first_triangle_of_a_ray(self):
        line = ray(CUBE, [5, 0.25, 0.125], [-1, 0.0625, 0], 10)
        text, story = words_of(line), story_of(line)
        found = hits(CUBE, [5, 0.25, 0.125], [-1, 0.0625, 0])
        self.assertEqual(len(found), 2)
        self.assertEqual([face for _, face in found], [hit["face"] for hit in story["ray"]["hits"]])
        self.assertIn(f"The first pair in contact is triangle {found[0][1]} of A (a triangle) and B.", text)
        self.assertIn("The triangles that the ray hits # triangle t at 1 ", text)
        for (t, _), hit in zip(found, story["ray"]["hits"], strict=True):
            self.assertAlmostEqual(t, hit["t"], 9)
        for turn in range(12):  # the certificate is that of the first face only
            direction = [-4, (turn - 5.5) / 4]
            frame = outline(FRAME, [0, 1, 2, 3], [4, 5, 6, 7])
            through = story_of(ray({**frame, "edges": frame["edges"][turn % 8:] + frame["edges"][:turn % 8]}, [10, 3], direction))
            self.assertGreaterEqual(len(through["ray"]["hits"]), 2)
            self.assertEqual(through["evidence"]["verdict"], "unproven")
        missed = words_of(ray(CUBE, [5, 0.25, 3], [-1, 0, 0], 10))
        self.assertIn("The nearest pair is triangle", missed)
        self.assertNotIn("that the ray hits", missed)

    def test_the_first_triangles_of_a_cast(self):
        for line in (linear(CUBE, small_cube(0.5), [4, 0.25, 0.125], [-1, 0, 0], 9),
                     rotational(CUBE, small_cube(0.5), [4, 0.25, 0.125], 0, 1, [-1, 0, 0], 9)):
            text, (answer,) = words_of(line), query(line)
            self.assertIn(f"The first pair in contact is triangle {answer['triangle_a']} of A (a triangle) and triangle "
                          f"{answer['triangle_b']} of B (a triangle). The search tests {answer['pairs']['tested']} ", text)
            self.assertIn(" at t = 0. The time from 0 to 9", text)
        inside = words_of(linear(CUBE, BALL, [0.25, 0.125, 0.5], [1, 0, 0], 9))
        self.assertIn("At t = 0 A and B are overlapping: the point (0.25, 0.125, 0.5) of B is inside the solid mesh A.", inside)
        self.assertIn("hit at t = 0: overlapping", inside)

    def test_what_is_not_supported_is_named(self):
        for line, words in ((pair(CUBE, CUBE, [1, 0, 0], "minkowski"), "a is a mesh: use its parts, or intersect or distance"),
                            (pair(CUBE, CUBE, [1, 0, 0], "obb"), "a is not a box: use distance"),
                            (pair(CUBE, BALL, [1, 0, 0], method="sat"), 'method: not supported ("sat"), must be auto: a is a mesh'),
                            ({"query": "aabb", "a": CUBE}, "not supported by explain: aabb"),
                            (pair(CUBE, BALL, [1, 0, 0], filter="aabb"), "not supported by explain: filter")):
            done = run("explain", json.dumps(line))
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr.decode())


class Large(unittest.TestCase):
    def test_the_faces_nearest_the_deciding_one_are_drawn(self):
        n = 80
        mesh, place = hills(n), [31.25, 44.5, 2]
        line = pair(mesh, BALL, place)
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.html")
            story = json.loads(explain_file(folder, line, "--json", "--html", page))
            self.assertLess(page.stat().st_size, MOST_BYTES)
        body = story["bodies"][0]
        faces, corners = body["faces"], mesh["triangles"]
        self.assertEqual((faces["total"], len(faces["corners"]), len(faces["dots"])), (2 * n * n, MOST_FACES, MOST_DOTS))
        self.assertIn(f"Only {MOST_FACES} of the {2 * n * n} triangles of A are drawn, those nearest the deciding one.",
                      story["words"]["drawn"])
        self.assertIsNone(story["query"])
        self.assertGreater(story["query_size"], 100_000)
        drawn = {tuple(tuple(faces["points"][i]) for i in face) for face in faces["corners"]}
        middle = lambda points: [sum(x) / 3 for x in zip(*points, strict=True)]  # noqa: E731
        at = middle([mesh["vertices"][i] for i in corners[body["part"]]])
        ranked = sorted((math.dist(at, middle([mesh["vertices"][i] for i in face])), face) for face in corners)
        radius = ranked[MOST_FACES - 1][0]
        for distance, face in ranked:
            if abs(distance - radius) > 1e-9:
                self.assertEqual(tuple(tuple(mesh["vertices"][i]) for i in face) in drawn, distance < radius)

    def test_the_faces_that_a_ray_hits_are_drawn(self):
        mesh = hills(80)
        mesh["vertices"] += [[x, y, z + 9] for x, y, z in mesh["vertices"]]  # two layers
        mesh["triangles"] += [[i + 81 * 81 for i in face] for face in mesh["triangles"]]
        with tempfile.TemporaryDirectory() as folder:
            story = json.loads(explain_file(folder, ray(mesh, [5.25, 4.5, 20], [0.5, 0.625, -1]), "--json"))
        hit = story["ray"]["hits"]
        self.assertEqual([each["face"] for each in hit], [face for _, face in hits(mesh, [5.25, 4.5, 20], [0.5, 0.625, -1])])
        self.assertEqual(len(hit), 2)
        faces = story["bodies"][0]["faces"]
        drawn = {tuple(tuple(faces["points"][i]) for i in face) for face in faces["corners"]}
        for each in hit:
            self.assertIn(tuple(tuple(mesh["vertices"][i]) for i in mesh["triangles"][each["face"]]), drawn)
        self.assertIn("those nearest the deciding one or hit by the ray.", story["words"]["drawn"])

    def test_thousands_of_edges_in_2d(self):
        n = 3000
        ring = [[10 * math.cos(2 * math.pi * i / n), 10 * math.sin(2 * math.pi * i / n)] for i in range(n)]
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder, "p.svg")
            explain_file(folder, pair(outline(ring), DISK, [12, 1]), "--svg", picture)
            root = ElementTree.parse(picture).getroot()
            self.assertLess(picture.stat().st_size, 60_000)
        self.assertIn(f"Only {MOST_FACES} of the 3000 edges of A are drawn", " ".join(t.text for t in root.iter(SVG + "text")))
        self.assertEqual([path.get("class") for path in root.iter(SVG + "path")], ["a surface"])


def explain_file(folder, line, *options):
    """Explains a line that is too long for a command line."""
    path = Path(folder, "line.jsonl")
    path.write_text(text_of([line]), encoding="utf-8")
    done = run("explain", *options, path)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Pictures(unittest.TestCase):
    def load(self, line):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "p.svg")
            explain(line, "--svg", path)
            self.root = ElementTree.parse(path).getroot()
        self.words = " ".join(text.text for text in self.root.iter(SVG + "text"))

    def paths(self, style):
        """The chains of screen points of a class."""
        return [[tuple(map(float, p.split())) for p in re.split("[ML]", chain)[1:]] for path in self.root.iter(SVG + "path")
                if path.get("class") == style for chain in re.findall("M[^M]*", path.get("d"))]

    def of_class(self, tag, style):
        return [element for element in self.root.iter(SVG + tag) if element.get("class") == style]

    def map_of(self, chain, corners):
        """From the world to the screen, by the first and the third corner of a closed chain."""
        (x, y), (u, _), (p, q), (r, _) = chain[0], chain[2], corners[0], corners[2]
        scale = (u - x) / (r - p)
        return lambda at: (x + scale * (at[0] - p), y - scale * (at[1] - q))

    def test_the_outline_and_the_deciding_edge(self):
        self.load(pair(outline(L), DISK, [2, 2]))
        chain, = self.paths("a")
        place = self.map_of(chain, L)
        self.assertEqual(len(chain), 7)
        for corner, at in zip([*L, L[0]], chain, strict=True):
            self.assertLess(math.dist(place(corner), at), 0.2)
        edge, = self.of_class("line", "a decides")
        ends = [(float(edge.get("x" + i)), float(edge.get("y" + i))) for i in "12"]
        for end, corner in zip(sorted(ends), sorted(place(L[i]) for i in (2, 3)), strict=True):
            self.assertLess(math.dist(end, corner), 0.2)
        self.assertIn("A − B of the deciding pair", self.words)
        self.assertIn("The search tests", self.words)

    def test_a_hole_and_a_ray(self):
        self.load(pair(outline(FRAME, [0, 1, 2, 3], [4, 5, 6, 7]), DISK, [1, 3], "intersect"))
        outer, inner = self.paths("a")
        place = self.map_of(outer, FRAME)
        self.assertLess(math.dist(inner[0], place(FRAME[4])), 0.2)
        self.assertEqual(self.of_class("line", "a decides"), [])
        self.assertNotIn("Minkowski", self.words)  # one panel
        hits = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in self.of_class("circle", "contact")]
        self.assertEqual(len(hits), 1)
        self.assertLess(math.dist(hits[0], place([0, 3])), 0.2)

    def test_a_surface_is_not_filled(self):
        self.load(pair(outline(L, solid=False), DISK, [0.5, 2]))
        self.assertEqual(len(self.paths("a surface")), 1)
        self.assertIn("separated", self.words)

    def test_a_ray_marks_the_edges_that_it_hits(self):
        self.load(ray(outline(L), [4, 0.5], [-1, 0.125], 9))
        for style in ("met", "sample"):  # the first hit and the other one; samples of the time bar are larger
            self.assertEqual(sum(dot.get("r") == "4" for dot in self.of_class("circle", style)), 1)

    def test_a_moving_outline(self):
        self.load(rotational(outline(L), outline(L), [6, 1], 0, 0.25, [-1, 0], 9))
        self.assertEqual((len(self.paths("a")), len(self.paths("b")), len(self.paths("b ghost"))), (1, 1, 1))


# The colour of the pixel of a canvas at a point of the story.
PIXEL = """const [x, y] = world.at(arguments[0]).map(v => Math.round(v * devicePixelRatio));
const copy = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }), paper = copy.getContext("2d");
paper.drawImage(world.canvas, -x, -y);
return [...paper.getImageData(0, 0, 1, 1).data]"""
PAGES = {
    "two cubes": pair(CUBE, small_cube(1, rotation=[4, 1, 2, 3]), [3, 0.5, 0.25]),
    "inside": pair(CUBE, BALL, [0.25, 0.125, 0.5], "intersect"),
    "outline": pair(outline(FRAME, [0, 1, 2, 3], [4, 5, 6, 7]), DISK, [7, 3]),
    "flat inside": pair(outline(L), DISK, [0.5, 2]),
    "depth": pair(CUBE, CUBE, [1.5, 0.25, 0.125]),
    "ray": ray(CUBE, [5, 0.25, 0.125], [-1, 0.0625, 0], 10),
    "turning": rotational(CUBE, small_cube(0.5), [4, 0.25, 0.125], 0, 1, [-1, 0, 0], 9),
    "moving outline": linear(outline(L), outline(L), [6, 1], [-1, 0], 9),
    "hills": pair(hills(40), BALL, [20, 30, 3]),
}


class Pages(PageCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, line in PAGES.items():
            cls.pages[name] = Path(cls.folder, name.replace(" ", "-") + ".html")
            explain_file(cls.folder, line, "--html", cls.pages[name])

    def test_every_place_is_drawn_without_a_complaint(self):
        for name, path in self.pages.items():
            with self.subTest(name):
                self.forget()
                self.show(path, "step=0")
                last = self.browser.run("return last")
                for step in range(last + 1):
                    self.show(path, f"step={step}", reload=False)
                self.assert_no_request(path)
                self.assertEqual(self.browser.run("return now"), last)

    def test_phone(self):
        for name in list(self.pages)[::3 if QUICK else 1]:
            with self.subTest(name):
                self.show(self.pages[name], "step=1", (360, 740), mobile=True)
                self.assert_fits((360, 740))

    def test_the_deciding_triangle_has_a_strong_colour(self):
        self.show(self.pages["hills"], "step=1")
        story = json.loads(self.browser.run("return document.getElementById('story').textContent"))
        points = story["bodies"][0]["mesh"]["points"]
        middle = [sum(x) / 3 for x in zip(*points, strict=True)]
        aside = [middle[0] - 8, *middle[1:]]  # on another triangle
        self.browser.run("world.focus(arguments[0], 1); draw()", middle)
        strong = self.browser.run(PIXEL, [0.9 * m + 0.1 * p for m, p in zip(middle, points[0], strict=True)])
        self.browser.run("world.focus(arguments[0], 1); draw()", aside)
        pale = self.browser.run(PIXEL, aside)
        blue = [9, 105, 218]
        self.assertLess(math.dist(strong[:3], blue), 90)
        self.assertGreater(math.dist(pale[:3], blue), 130)

    def test_a_cavity_is_not_filled(self):
        self.show(self.pages["outline"], "step=0")
        solid, cavity, outside = (self.browser.run(PIXEL, [x, y, 0]) for x, y in ((1.1, 1.3), (3.3, 3.1), (6.6, 5.1)))
        self.assertEqual(cavity, outside)
        self.assertNotEqual(solid, outside)

    def test_words_about_the_search_and_the_drawn_faces(self):
        text = "return document.getElementById(arguments[0]).textContent"
        self.show(self.pages["two cubes"], "step=0")
        self.assertIn("of 144 pairs; the bounding-volume trees exclude the others", self.browser.run(text, "step-words"))
        self.assertEqual(self.browser.run(text, "drawn"), "The deciding triangles have a strong colour.")
        self.assertIn("A − B of the deciding pair", self.browser.run(text, "difference-title"))
        self.show(self.pages["hills"], "step=0")
        self.assertIn("Only 2000 of the 3200 triangles of A are drawn", self.browser.run(text, "drawn"))
        self.assertIn("The dots are some vertices of the whole mesh.", self.browser.run(text, "drawn"))
        self.assertIn("bytes and is not repeated here", self.browser.run(text, "query-text"))
        self.show(self.pages["inside"], "step=1")
        self.assertIn("The green ray from the point inside leaves the solid through 1 triangle, an odd number",
                      self.browser.run(text, "step-words"))
        self.assertTrue(self.browser.run("return document.getElementById('difference-figure').hidden"))

    def test_a_ray_is_drawn(self):
        self.show(self.pages["inside"], "step=1")
        story = json.loads(self.browser.run("return document.getElementById('story').textContent"))
        origin, (hit,) = story["ray"]["origin"], story["ray"]["hits"]
        middle = [0.4 * p + 0.6 * q for p, q in zip(origin, hit["at"], strict=True)]
        green = self.browser.run(PIXEL, middle)
        self.show(self.pages["inside"], "step=0", reload=False)
        without = self.browser.run(PIXEL, middle)
        self.assertLess(math.dist(green[:3], [26, 127, 55]), math.dist(without[:3], [26, 127, 55]) - 40)


if __name__ == "__main__":
    unittest.main()
