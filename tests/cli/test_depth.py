"""Depth, separating axes, manifolds and Minkowski sets at the command line: answers, agreement of the methods, proofs."""
import itertools
import json
import math
import random
import sys
import unittest

from commands import query, run, verdicts

SEED = 20260731
BOX = {"type": "box", "half_extents": [1, 1, 1]}
SQUARE = {"type": "box", "half_extents": [1, 1]}
CUBE = {"type": "hull", "vertices": [list(v) for v in itertools.product((-1, 1), repeat=3)]}
DIAMOND = {"type": "polygon", "vertices": [[1, 0], [0, 1], [-1, 0], [0, -1]]}
SHAPES2 = [SQUARE, DIAMOND, {"type": "triangle", "vertices": [[0, 0], [2, 0], [0, 1]]}]


def line_of(name, a, b, position, **rest):
    return {"id": "q", "query": name, "dim": len(position), "a": a, "b": {**b, "position": position}, **rest}


def random_hull(source, dim, count):
    return {"type": "hull", "vertices": [[source.uniform(-1, 1) for _ in range(dim)] for _ in range(count)]}


def random_pairs(count):
    """Pairs of polytopes, most of them overlapping, boxes and hulls, some rounded, in 2D and 3D."""
    source = random.Random(SEED)
    for i in range(count):
        dim = 2 + i % 2

        def body():
            shape = dict((BOX if dim == 3 else SQUARE) if i % 4 < 2 else random_hull(source, dim, 12))
            shape["rotation"] = [source.gauss(0, 1) for _ in range(4 if dim == 3 else 2)]
            if i % 5 == 0:
                shape["margin"] = 0.25
            return shape
        yield body(), body(), [source.uniform(-1, 1) for _ in range(dim)]


def dot(p, q):
    return sum(x * y for x, y in zip(p, q))


def less(p, q):
    return [x - y for x, y in zip(p, q)]


class Proofs(unittest.TestCase):
    def test_every_depth_is_proved_where_it_is_asked(self):
        lines = [line_of("penetration", *pair, proof=True) for pair in random_pairs(200)]
        answers = query(*lines)
        self.assertEqual(verdicts(lines, answers), ["verified"] * len(lines))
        deep = [x for x in answers if x["relation"] == "overlapping"]
        forms = [next(iter(x["certificate"]["upper"])) for x in deep]
        self.assertGreater(len(deep), 150)
        self.assertGreater(forms.count("axes"), 50)
        self.assertGreater(forms.count("surface"), 50)
        for answer in deep:
            self.assertLess(answer["distance"], 0)
            self.assertLess(answer["upper"] - answer["lower"], 1e-11)

    def test_without_proof_a_hull_is_unproven_and_a_box_is_not(self):
        lines = [line_of("distance", *pair) for pair in random_pairs(200)]
        seen = set()
        for line, answer, said in zip(lines, answers := query(*lines), verdicts(lines, answers)):
            if answer["relation"] != "overlapping":
                continue
            upper = answer["certificate"]["upper"]
            seen.add((line["a"]["type"], "margin" in line["a"], upper and next(iter(upper))))
            self.assertEqual(said, "verified" if upper else "unproven")
        hulls = {("hull", False, None), ("hull", True, None)}
        self.assertLessEqual(hulls | {("box", False, "axes"), ("box", True, "axes")}, seen)
        self.assertLessEqual(seen - hulls - {("hull", True, "pairs")}, {("box", False, "axes"), ("box", True, "axes"),
                                                                       ("box", True, "pairs")})

    def test_rounded_shapes_with_cores_apart_are_proved_by_pairs(self):
        line = line_of("penetration", {**CUBE, "margin": 0.5}, {"type": "sphere", "radius": 1}, [2, 0, 0])
        answer, = query(line)
        self.assertEqual(answer["distance"], -0.5)
        self.assertEqual(list(answer["certificate"]["upper"]), ["pairs"])
        self.assertEqual(verdicts([line], [answer])[0], "verified")

    def test_curved_shapes_are_proved_by_points(self):
        egg = {"type": "ellipsoid", "radii": [1, 2, 3]}
        line = line_of("penetration", egg, BOX, [1, 1.5, 2], proof=True)
        answer, = query(line)
        self.assertEqual(answer["relation"], "overlapping")
        self.assertLess(answer["distance"], 0)
        self.assertIsInstance(answer["certificate"]["upper"]["surface"]["pairs"][0][0], list)
        self.assertEqual(verdicts([line], [answer])[0], "verified")

    def test_the_depth_of_a_curved_shape_may_end_early(self):
        # Nearly the same depth all around: no surface of few faces shows it to the last digits.
        can = {"type": "cylinder", "radius": 1, "half_length": 3}
        line = line_of("penetration", can, {**can, "rotation": [1, 1e-9, 0, 0]}, [1e-9, 0, 0])
        answer, proved = query(line, {**line, "proof": True})
        for told, said in ((answer, "unproven"), (proved, "verified")):
            self.assertEqual((told["relation"], told["stopped"]), ("overlapping", "budget"))
            self.assertAlmostEqual(told["distance"], -2, 4)
            self.assertLess(told["upper"] - told["lower"], 1e-4)
            self.assertEqual(verdicts([line], [told])[0], said)
        self.assertGreaterEqual(proved["upper"], answer["upper"])

    def test_a_ring_of_least_depths(self):
        can = {"type": "cylinder", "radius": 1, "half_length": 3}
        line = line_of("penetration", can, can, [0, 0, 0], proof=True)
        answer, = query(line)
        self.assertAlmostEqual(answer["distance"], -2)
        self.assertNotEqual(verdicts([line], [answer])[0], "refused")

    def test_output_does_not_depend_on_the_number_of_threads(self):
        text = "".join(json.dumps(line_of(query, *pair, proof=i % 3 == 0)) + "\n"
                       for i, pair in enumerate(random_pairs(100)) for query in ("penetration", "manifold", "minkowski"))
        one = run("query", text=text)
        self.assertEqual(one.stdout.count(b"\n"), 300)
        for jobs in (2, 7):
            self.assertEqual(run("query", "--jobs", jobs, text=text).stdout, one.stdout, jobs)


class Obb(unittest.TestCase):
    def test_the_best_axis_bounds_the_distance(self):
        source, apart = random.Random(SEED), 0
        lines = []
        for i in range(200):
            dim = 2 + i % 2
            a, b = ({"type": "box", "half_extents": [source.uniform(0.5, 2) for _ in range(dim)],
                     "rotation": [source.gauss(0, 1) for _ in range(4 if dim == 3 else 2)]} for _ in range(2))
            lines.append(line_of("obb", a, b, [source.uniform(-3, 3) for _ in range(dim)]))
        for line, answer in zip(lines, query(*lines)):
            self.assertAlmostEqual(math.hypot(*answer["axis"]), 1)
            if answer["relation"] == "separated":
                apart += 1
                self.assertLessEqual(answer["axis_separation"], answer["distance"] + 1e-12)
                self.assertGreater(answer["axis_separation"], -1e-12)
            else:
                self.assertAlmostEqual(answer["axis_separation"], answer["distance"], 12)
        self.assertTrue(50 < apart < 150, apart)
        self.assertEqual(set(verdicts(lines, query(*lines))), {"verified"})

    def test_as_a_filter(self):
        lines = [line_of("distance", a, b, x, filter="obb") for a, b, x in random_pairs(400) if a["type"] == "box"]
        lines = [{**line, "b": {**line["b"], "position": [3 * x for x in line["b"]["position"]]}} for line in lines]
        truth = query(*[{**line, "filter": "aabb", "query": "intersect"} for line in lines])
        exact = query(*[{key: line[key] for key in line if key != "filter"} for line in lines])
        parted = 0
        for line, answer, rough, fine in zip(lines, query(*lines), truth, exact, strict=True):
            self.assertIn(answer["relation"], ("separated", "undecided"))
            if answer["relation"] == "separated":
                parted += 1
                self.assertEqual((answer["path"], fine["relation"]), ("obb", "separated"))
                self.assertEqual(verdicts([line], [answer])[0], "verified")
            elif fine["relation"] == "separated":
                self.assertLess(fine["distance"], 1e-9)
            if rough["relation"] == "separated":
                self.assertEqual(fine["relation"], "separated")
        self.assertTrue(20 < parted < len(lines) - 20, parted)

    def test_boxes_around_other_shapes(self):
        """What they part is apart; around slender shapes they part more than bounds do, and nearly all there is."""
        source = random.Random(SEED)
        slender = {3: [{"type": "capsule", "radius": 0.2, "half_length": 2},
                       {"type": "cylinder", "radius": 0.2, "half_length": 2},
                       {"type": "cone", "radius": 0.3, "half_length": 2}, {"type": "ellipsoid", "radii": [2, 0.2, 0.3]},
                       {"type": "segment", "vertices": [[0, 0, 0], [3, 2, 1]]},
                       {"type": "triangle", "vertices": [[0, 0, 0], [3, 2, 1], [2, 2, 2]]}, {"type": "sphere", "radius": 0.3}],
                   2: [{"type": "capsule", "radius": 0.2, "half_length": 2}, {"type": "ellipse", "radii": [2, 0.2]},
                       {"type": "polygon", "vertices": [[0, 0], [3, 3], [3, 3.5], [0, 0.5]]}, {"type": "point"}]}
        lines = []
        for i in range(1200):
            dim = 2 + i % 2
            a, b = ({**source.choice(slender[dim]), "margin": source.choice([0, 0, 0.1]),
                     "rotation": [source.gauss(0, 1) for _ in range(4 if dim == 3 else 2)]} for _ in range(2))
            lines.append(line_of("intersect", a, b, [source.uniform(-3, 3) for _ in range(dim)], filter="obb"))
        boxes, exact = query(*lines), query(*[{key: line[key] for key in line if key != "filter"} for line in lines])
        bounds = query(*[{**line, "filter": "aabb"} for line in lines])
        parted, apart, by_bounds = (sum(answer["relation"] == "separated" for answer in answers)
                                    for answers in (boxes, exact, bounds))
        found = [(line, box) for line, box in zip(lines, boxes, strict=True) if box["relation"] == "separated"]
        self.assertEqual(set(verdicts(*zip(*found))), {"verified"})
        self.assertTrue(600 < apart < 1150, apart)
        self.assertGreater(parted, 1.2 * by_bounds)
        self.assertGreater(parted, 0.9 * apart)


class Manifolds(unittest.TestCase):
    def check_points(self, answer, most):
        points, normal = answer["points"], answer["normal"]
        self.assertTrue(0 < len(points) <= most, answer)
        for p in points:
            self.assertEqual(list(p), ["point_a", "point_b", "depth", "feature"])
            self.assertRegex(p["feature"], "^[0-9a-f]{16}$")
            self.assertAlmostEqual(p["depth"], -dot(less(p["point_b"], p["point_a"]), normal), 9)
        self.assertAlmostEqual(max(p["depth"] for p in points), -answer["distance"], 9)
        self.assertEqual(len({p["feature"] for p in points}), len(points))

    def test_points(self):
        lines = [line_of("manifold", *pair) for pair in random_pairs(100)]
        whole = [{**line, "full": True} for line in lines]
        more = 0
        for line, answer, full in zip(lines, query(*lines), query(*whole), strict=True):
            with self.subTest(line=line):
                if answer["relation"] != "overlapping":
                    continue
                self.check_points(answer, 2 if line["dim"] == 2 else 4)
                self.check_points(full, 100)
                self.assertGreaterEqual(len(full["points"]), len(answer["points"]))
                more += len(full["points"]) > len(answer["points"])
        self.assertGreater(more, 3)

    def test_a_face_on_a_face(self):
        # The cubes share a square turned by 45 degrees: an octagon, of which 4 corners stay.
        turned = {**BOX, "rotation": [math.cos(math.pi / 8), 0, 0, math.sin(math.pi / 8)]}
        line = line_of("manifold", BOX, turned, [0, 0, 1.75])
        short, full = query(line, {**line, "full": True})
        self.assertEqual((len(short["points"]), len(full["points"])), (4, 8))
        self.assertLessEqual({p["feature"] for p in short["points"]}, {p["feature"] for p in full["points"]})

    def test_apart(self):
        line = line_of("manifold", BOX, BOX, [0, 0, 3])
        near, far, speculative = query(line, {**line, "max_distance": 0.5}, {**line, "max_distance": 2})
        self.assertEqual({p["depth"] for p in near["points"]}, {-1})
        self.assertEqual((far["points"], far["stopped"]), ([], "cutoff"))
        self.assertEqual([p["depth"] for p in speculative["points"]], [-1] * 4)

    def test_a_proof(self):
        line = line_of("manifold", CUBE, {**CUBE, "rotation": [9, 1, 2, 3]}, [0.5, 0.25, 1], proof=True)
        answer, = query(line)
        self.assertEqual(list(answer["certificate"]["upper"]), ["surface"])
        self.assertEqual(verdicts([line], [answer])[0], "verified")


class Minkowski(unittest.TestCase):
    def test_polygons(self):
        for a, b, of in itertools.product(SHAPES2, SHAPES2, ("difference", "sum")):
            line = line_of("minkowski", a, b, [0.5, 0.25], of=of)
            answer, = query(line)
            self.assertEqual(list(answer), ["id", "query", "vertices", "pairs", "holds_origin", "path", "iterations"])
            w, sign = answer["vertices"], 1 if of == "sum" else -1
            for point, (i, j) in zip(w, answer["pairs"], strict=True):
                p, q = self.corner(a, i), [x + y for x, y in zip(self.corner(b, j), [0.5, 0.25])]
                self.assertEqual(point, [x + sign * y for x, y in zip(p, q)])
            turns = [(y[0] - x[0]) * (z[1] - y[1]) - (y[1] - x[1]) * (z[0] - y[0])
                     for x, y, z in zip(w, w[1:] + w[:1], w[2:] + w[:2])]
            self.assertGreater(min(turns), 0)
            inside = all(x[0] * y[1] - x[1] * y[0] >= 0 for x, y in zip(w, w[1:] + w[:1]))
            self.assertEqual(answer["holds_origin"], inside)
            self.assertEqual(verdicts([line], [answer])[0], "unproven")

    @staticmethod
    def corner(shape, i):
        if "vertices" in shape:
            return shape["vertices"][i]
        return [h if i >> k & 1 else -h for k, h in enumerate(shape["half_extents"])]

    def test_cubes(self):
        for rest, center in ({}, [-0.5, -0.25, -1]), ({"of": "difference"}, [-0.5, -0.25, -1]), ({"of": "sum"},
                                                                                             [0.5, 0.25, 1]):
            answer, = query(line_of("minkowski", CUBE, BOX, [0.5, 0.25, 1], **rest))
            corners = sorted([x + y for x, y in zip(center, v)] for v in itertools.product((-2, 2), repeat=3))
            self.assertEqual(sorted(answer["vertices"]), corners)
            self.assertIs(answer["holds_origin"], True)

    def test_the_border_counts(self):
        for x, holds in ((2, True), (math.nextafter(2, 3), False)):
            answer, = query(line_of("minkowski", BOX, BOX, [x, 0, 0]))
            self.assertIs(answer["holds_origin"], holds)

    def test_many_vertices(self):
        source = random.Random(SEED)
        sizes = [(60, 60, "good"), (300, 300, "unsupported")]
        for n, m, expected in sizes:
            answer, = query(line_of("minkowski", random_hull(source, 3, n), random_hull(source, 3, m), [0, 0, 0]))
            self.assertEqual(answer.get("error", {}).get("code", "good"), expected)


class Methods(unittest.TestCase):
    def test_they_agree(self):
        pairs = list(random_pairs(120))
        names = ("auto", "gjk", "exact", "sat", "epa", "brute")
        told = [query(*[line_of("penetration", *pair, method=name) for pair in pairs]) for name in names]
        paths = set()
        for answers in zip(*told, strict=True):
            with self.subTest(answers=answers):
                self.assertEqual(len({x["relation"] for x in answers}), 1)
                self.assertLessEqual(max(x["lower"] for x in answers), min(x["upper"] for x in answers))
                paths |= {x["path"] for x in answers}
        self.assertLessEqual({"sat", "epa", "brute"}, paths)


if __name__ == "__main__":
    sys.exit(unittest.main())
