"""Depth, separating axes, manifolds and Minkowski sets at the command line: answers, agreement of the methods, proofs."""
import itertools
import math
import random
import sys
import unittest

from commands import query, run, text_of, verdicts

SEED = 20260731
BOX = {"type": "box", "half_extents": [1, 1, 1]}
SQUARE = {"type": "box", "half_extents": [1, 1]}
CUBE = {"type": "hull", "vertices": [list(v) for v in itertools.product((-1, 1), repeat=3)]}
CAN = {"type": "cylinder", "radius": 1, "half_length": 3}
POLYGONS = [SQUARE, {"type": "polygon", "vertices": [[1, 0], [0, 1], [-1, 0], [0, -1]]},
            {"type": "triangle", "vertices": [[0, 0], [2, 0], [0, 1]]}]


def line_of(name, a, b, position, **rest):
    return {"id": "q", "query": name, "dim": len(position), "a": a, "b": {**b, "position": position}, **rest}


def without_filter(lines):
    return [{key: value for key, value in line.items() if key != "filter"} for line in lines]


def rotation(source, dim):
    return [source.gauss(0, 1) for _ in range(4 if dim == 3 else 2)]


def random_hull(source, dim, count):
    return {"type": "hull", "vertices": [[source.uniform(-1, 1) for _ in range(dim)] for _ in range(count)]}


def random_pairs(count):
    """Pairs of polytopes, most of them overlapping, boxes and hulls, some rounded, in 2D and 3D."""
    source = random.Random(SEED)
    for i in range(count):
        dim = 2 + i % 2

        def body():
            shape = dict((BOX if dim == 3 else SQUARE) if i % 4 < 2 else random_hull(source, dim, 12))
            return {**shape, "rotation": rotation(source, dim), **({"margin": 0.25} if i % 5 == 0 else {})}
        yield body(), body(), [source.uniform(-1, 1) for _ in range(dim)]


class Proofs(unittest.TestCase):
    def test_every_depth_is_proved_with_proof(self):
        lines = [line_of("penetration", *pair, proof=True) for pair in random_pairs(200)]
        answers = query(*lines)
        self.assertEqual(verdicts(lines, answers), ["verified"] * len(lines))
        deep = [x for x in answers if x["relation"] == "overlapping"]
        forms = [next(iter(x["certificate"]["upper"])) for x in deep]
        self.assertTrue(len(deep) > 150 and forms.count("axes") > 50 and forms.count("surface") > 50)
        self.assertTrue(all(x["distance"] < 0 and x["upper"] - x["lower"] < 1e-11 for x in deep))

    def test_without_proof_a_hull_is_unproven_and_a_box_is_not(self):
        lines, seen = [line_of("distance", *pair) for pair in random_pairs(200)], set()
        for line, answer, verdict in zip(lines, answers := query(*lines), verdicts(lines, answers)):
            if answer["relation"] == "overlapping":
                upper = answer["certificate"]["upper"]
                seen.add((line["a"]["type"], "margin" in line["a"], upper and next(iter(upper))))
                self.assertEqual(verdict, "verified" if upper else "unproven")
        needed = {("hull", False, None), ("hull", True, None), ("box", False, "axes"), ("box", True, "axes")}
        self.assertLessEqual(needed, seen)
        self.assertLessEqual(seen - needed, {("hull", True, "pairs"), ("box", True, "pairs")})

    def test_curved_and_rounded_shapes(self):
        egg = {"type": "ellipsoid", "radii": [1, 2, 3]}
        lines = [line_of("penetration", {**CUBE, "margin": 0.5}, {"type": "sphere", "radius": 1}, [2, 0, 0]),
                 line_of("penetration", egg, BOX, [1, 1.5, 2], proof=True),
                 line_of("penetration", CAN, CAN, [0, 0, 0], proof=True),
                 line_of("manifold", CUBE, {**CUBE, "rotation": [9, 1, 2, 3]}, [0.5, 0.25, 1], proof=True)]
        rounded, curved, ring, manifold = answers = query(*lines)
        self.assertEqual((rounded["distance"], list(rounded["certificate"]["upper"])), (-0.5, ["pairs"]))
        self.assertTrue(curved["relation"] == "overlapping" and curved["distance"] < 0)
        self.assertIsInstance(curved["certificate"]["upper"]["surface"]["pairs"][0][0], list)
        self.assertAlmostEqual(ring["distance"], -2)
        self.assertEqual(list(manifold["certificate"]["upper"]), ["surface"])
        found = verdicts(lines, answers)
        self.assertNotEqual(found.pop(2), "refused")  # a ring of least depths
        self.assertEqual(found, ["verified"] * 3)

    def test_the_depth_of_a_curved_shape_may_end_early(self):
        """Nearly the same depth all around: no surface of few faces shows it to the last digits."""
        line = line_of("penetration", CAN, {**CAN, "rotation": [1, 1e-9, 0, 0]}, [1e-9, 0, 0])
        answer, proved = query(line, {**line, "proof": True})
        self.assertEqual(verdicts([line] * 2, [answer, proved]), ["unproven", "verified"])
        for each in (answer, proved):
            self.assertEqual((each["relation"], each["stopped"]), ("overlapping", "budget"))
            self.assertAlmostEqual(each["distance"], -2, 4)
            self.assertLess(each["upper"] - each["lower"], 1e-4)
        self.assertGreaterEqual(proved["upper"], answer["upper"])

    def test_output_does_not_depend_on_the_number_of_threads(self):
        text = text_of(line_of(name, *pair, proof=i % 3 == 0) for i, pair in enumerate(random_pairs(100))
                       for name in ("penetration", "manifold", "minkowski"))
        one = run("query", text=text)
        self.assertEqual(one.stdout.count(b"\n"), 300)
        for jobs in (2, 7):
            self.assertEqual(run("query", "--jobs", jobs, text=text).stdout, one.stdout, jobs)

    def test_methods_agree(self):
        pairs, paths = list(random_pairs(120)), set()
        by_method = [query(*[line_of("penetration", *pair, method=name) for pair in pairs])
                     for name in ("auto", "gjk", "exact", "sat", "epa", "brute")]
        for answers in zip(*by_method, strict=True):
            self.assertEqual(len({x["relation"] for x in answers}), 1, answers)
            self.assertLessEqual(max(x["lower"] for x in answers), min(x["upper"] for x in answers), answers)
            paths |= {x["path"] for x in answers}
        self.assertLessEqual({"sat", "epa", "brute"}, paths)


class Obb(unittest.TestCase):
    def test_the_best_axis_bounds_the_distance(self):
        source, lines = random.Random(SEED), []
        for i in range(200):
            dim = 2 + i % 2
            a, b = ({"type": "box", "half_extents": [source.uniform(0.5, 2) for _ in range(dim)],
                     "rotation": rotation(source, dim)} for _ in range(2))
            lines.append(line_of("obb", a, b, [source.uniform(-3, 3) for _ in range(dim)]))
        answers, apart = query(*lines), 0
        for answer in answers:
            self.assertAlmostEqual(math.hypot(*answer["axis"]), 1)
            if answer["relation"] == "separated":
                apart += 1
                self.assertTrue(-1e-12 < answer["axis_separation"] <= answer["distance"] + 1e-12, answer)
            else:
                self.assertAlmostEqual(answer["axis_separation"], answer["distance"], 12)
        self.assertTrue(50 < apart < 150, apart)
        self.assertEqual(set(verdicts(lines, answers)), {"verified"})

    def test_as_a_filter(self):
        lines = [line_of("distance", a, b, [3 * x for x in p], filter="obb") for a, b, p in random_pairs(400)
                 if a["type"] == "box"]
        answers, rough, exact = (query(*some) for some in (
            lines, [{**line, "filter": "aabb", "query": "intersect"} for line in lines], without_filter(lines)))
        for answer, bounds, true in zip(answers, rough, exact, strict=True):
            self.assertIn(answer["relation"], ("separated", "undecided"))
            if answer["relation"] == "separated":
                self.assertEqual((answer["path"], true["relation"]), ("obb", "separated"))
            elif true["relation"] == "separated":
                self.assertLess(true["distance"], 1e-9)
            self.assertTrue(bounds["relation"] != "separated" or true["relation"] == "separated")
        found = [pair for pair in zip(lines, answers) if pair[1]["relation"] == "separated"]
        self.assertEqual(set(verdicts(*zip(*found))), {"verified"})
        self.assertTrue(20 < len(found) < len(lines) - 20)

    def test_boxes_around_other_shapes(self):
        """They separate only what is separated: around slender shapes more than bounds do, and nearly all there is."""
        source, lines = random.Random(SEED), []
        slender = {3: [{"type": "capsule", "radius": 0.2, "half_length": 2},
                       {"type": "cylinder", "radius": 0.2, "half_length": 2},
                       {"type": "cone", "radius": 0.3, "half_length": 2}, {"type": "ellipsoid", "radii": [2, 0.2, 0.3]},
                       {"type": "segment", "vertices": [[0, 0, 0], [3, 2, 1]]},
                       {"type": "triangle", "vertices": [[0, 0, 0], [3, 2, 1], [2, 2, 2]]}, {"type": "sphere", "radius": 0.3}],
                   2: [{"type": "capsule", "radius": 0.2, "half_length": 2}, {"type": "ellipse", "radii": [2, 0.2]},
                       {"type": "polygon", "vertices": [[0, 0], [3, 3], [3, 3.5], [0, 0.5]]}, {"type": "point"}]}
        for i in range(1200):
            dim = 2 + i % 2
            a, b = ({**source.choice(slender[dim]), "margin": source.choice([0, 0, 0.1]), "rotation": rotation(source, dim)}
                    for _ in range(2))
            lines.append(line_of("intersect", a, b, [source.uniform(-3, 3) for _ in range(dim)], filter="obb"))
        boxes, exact, bounds = (query(*some) for some in (lines, without_filter(lines),
                                                          [{**line, "filter": "aabb"} for line in lines]))
        found, apart, by_bounds = (sum(answer["relation"] == "separated" for answer in answers)
                                   for answers in (boxes, exact, bounds))
        separated = [pair for pair in zip(lines, boxes, strict=True) if pair[1]["relation"] == "separated"]
        self.assertEqual(set(verdicts(*zip(*separated))), {"verified"})
        self.assertTrue(600 < apart < 1150 and found > max(1.2 * by_bounds, 0.9 * apart), (found, apart, by_bounds))


class Manifolds(unittest.TestCase):
    def check_points(self, answer, most):
        points, normal = answer["points"], answer["normal"]
        self.assertTrue(0 < len(points) <= most, answer)
        for p in points:
            self.assertEqual(list(p), ["point_a", "point_b", "depth", "feature"])
            self.assertRegex(p["feature"], "^[0-9a-f]{16}$")
            self.assertAlmostEqual(p["depth"], -sum((y - x) * n for x, y, n in zip(p["point_a"], p["point_b"], normal)), 9)
        self.assertAlmostEqual(max(p["depth"] for p in points), -answer["distance"], 9)
        self.assertEqual(len({p["feature"] for p in points}), len(points))

    def test_points(self):
        lines, more = [line_of("manifold", *pair) for pair in random_pairs(100)], 0
        for line, answer, full in zip(lines, query(*lines), query(*[{**line, "full": True} for line in lines]), strict=True):
            if answer["relation"] == "overlapping":
                self.check_points(answer, 2 if line["dim"] == 2 else 4)
                self.check_points(full, 100)
                self.assertGreaterEqual(len(full["points"]), len(answer["points"]))
                more += len(full["points"]) > len(answer["points"])
        self.assertGreater(more, 3)

    def test_a_face_on_a_face(self):
        """The cubes share a square turned by 45 degrees: an octagon, of which 4 vertices stay."""
        turned = {**BOX, "rotation": [math.cos(math.pi / 8), 0, 0, math.sin(math.pi / 8)]}
        line = line_of("manifold", BOX, turned, [0, 0, 1.75])
        short, full = query(line, {**line, "full": True})
        self.assertEqual((len(short["points"]), len(full["points"])), (4, 8))
        self.assertLessEqual({p["feature"] for p in short["points"]}, {p["feature"] for p in full["points"]})

    def test_separated_boxes(self):
        line = line_of("manifold", BOX, BOX, [0, 0, 3])
        near, far, speculative = query(line, {**line, "max_distance": 0.5}, {**line, "max_distance": 2})
        self.assertEqual({p["depth"] for p in near["points"]}, {-1})
        self.assertEqual((far["points"], far["stopped"]), ([], "cutoff"))
        self.assertEqual([p["depth"] for p in speculative["points"]], [-1] * 4)


class Minkowski(unittest.TestCase):
    def test_polygons(self):
        def vertex(shape, i):
            return shape["vertices"][i] if "vertices" in shape else [
                h if i >> k & 1 else -h for k, h in enumerate(shape["half_extents"])]
        for a, b, of in itertools.product(POLYGONS, POLYGONS, ("difference", "sum")):
            line = line_of("minkowski", a, b, [0.5, 0.25], of=of)
            answer, = query(line)
            self.assertEqual(list(answer), ["id", "query", "vertices", "pairs", "holds_origin", "path", "iterations"])
            w, sign = answer["vertices"], 1 if of == "sum" else -1
            for point, (i, j) in zip(w, answer["pairs"], strict=True):
                q = [x + y for x, y in zip(vertex(b, j), [0.5, 0.25])]
                self.assertEqual(point, [x + sign * y for x, y in zip(vertex(a, i), q)])
            turns = [(y[0] - x[0]) * (z[1] - y[1]) - (y[1] - x[1]) * (z[0] - y[0])
                     for x, y, z in zip(w, w[1:] + w[:1], w[2:] + w[:2])]
            self.assertGreater(min(turns), 0)
            self.assertEqual(answer["holds_origin"], all(x[0] * y[1] - x[1] * y[0] >= 0 for x, y in zip(w, w[1:] + w[:1])))
            self.assertEqual(verdicts([line], [answer]), ["unproven"])

    def test_cubes_and_their_boundary(self):
        centre = [-0.5, -0.25, -1]
        for rest, sign in ({}, 1), ({"of": "difference"}, 1), ({"of": "sum"}, -1):
            answer, = query(line_of("minkowski", CUBE, BOX, [0.5, 0.25, 1], **rest))
            vertices = sorted([sign * x + y for x, y in zip(centre, v)] for v in itertools.product((-2, 2), repeat=3))
            self.assertEqual((sorted(answer["vertices"]), answer["holds_origin"]), (vertices, True))
        for x, holds in ((2, True), (math.nextafter(2, 3), False)):
            self.assertIs(query(line_of("minkowski", BOX, BOX, [x, 0, 0]))[0]["holds_origin"], holds)

    def test_many_vertices(self):
        source = random.Random(SEED)
        for count, expected in ((60, None), (300, "unsupported")):
            answer, = query(line_of("minkowski", *(random_hull(source, 3, count) for _ in range(2)), [0, 0, 0]))
            self.assertEqual(answer.get("error", {}).get("code"), expected)


if __name__ == "__main__":
    sys.exit(unittest.main())
