"""Depth, separating axes, manifolds and Minkowski sets at the command line: what the answers say, that methods agree,
and that `graze verify` proves a depth by what `proof` adds and by nothing less."""
import copy
import itertools
import json
import math
import random
import sys
import unittest

from commands import ask, run, verdicts

SEED = 20260731
BOX = {"type": "box", "half_extents": [1, 1, 1]}
SQUARE = {"type": "box", "half_extents": [1, 1]}
CUBE = {"type": "hull", "vertices": [list(v) for v in itertools.product((-1, 1), repeat=3)]}
DIAMOND = {"type": "polygon", "vertices": [[1, 0], [0, 1], [-1, 0], [0, -1]]}
SHAPES2 = [SQUARE, DIAMOND, {"type": "triangle", "vertices": [[0, 0], [2, 0], [0, 1]]}]


def question(query, a, b, position, **rest):
    return {"id": "q", "query": query, "dim": len(position), "a": a, "b": {**b, "position": position}, **rest}


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


def verdict(line, answer):
    return verdicts([line], [answer])[0]


def dot(p, q):
    return sum(x * y for x, y in zip(p, q))


def less(p, q):
    return [x - y for x, y in zip(p, q)]


class Proofs(unittest.TestCase):
    def test_every_depth_is_proved_where_it_is_asked(self):
        lines = [question("penetration", *pair, proof=True) for pair in random_pairs(200)]
        answers = ask(*lines)
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
        lines = [question("distance", *pair) for pair in random_pairs(200)]
        seen = set()
        for line, answer, said in zip(lines, answers := ask(*lines), verdicts(lines, answers)):
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
        line = question("penetration", {**CUBE, "margin": 0.5}, {"type": "sphere", "radius": 1}, [2, 0, 0])
        answer, = ask(line)
        self.assertEqual(answer["distance"], -0.5)
        self.assertEqual(list(answer["certificate"]["upper"]), ["pairs"])
        self.assertEqual(verdict(line, answer), "verified")

    def test_curved_shapes_are_proved_by_points(self):
        egg = {"type": "ellipsoid", "radii": [1, 2, 3]}
        line = question("penetration", egg, BOX, [1, 1.5, 2], proof=True)
        answer, = ask(line)
        self.assertEqual(answer["relation"], "overlapping")
        self.assertLess(answer["distance"], 0)
        self.assertIsInstance(answer["certificate"]["upper"]["surface"]["pairs"][0][0], list)
        self.assertEqual(verdict(line, answer), "verified")

    def test_the_depth_of_a_curved_shape_may_end_early(self):
        # Nearly the same depth all around: no surface of few faces shows it to the last digits.
        can = {"type": "cylinder", "radius": 1, "half_length": 3}
        line = question("penetration", can, {**can, "rotation": [1, 1e-9, 0, 0]}, [1e-9, 0, 0])
        answer, proved = ask(line, {**line, "proof": True})
        for told, said in ((answer, "unproven"), (proved, "verified")):
            self.assertEqual((told["relation"], told["stopped"]), ("overlapping", "budget"))
            self.assertAlmostEqual(told["distance"], -2, 4)
            self.assertLess(told["upper"] - told["lower"], 1e-4)
            self.assertEqual(verdict(line, told), said)
        self.assertGreaterEqual(proved["upper"], answer["upper"])

    def test_a_ring_of_least_depths(self):
        can = {"type": "cylinder", "radius": 1, "half_length": 3}
        line = question("penetration", can, can, [0, 0, 0], proof=True)
        answer, = ask(line)
        self.assertAlmostEqual(answer["distance"], -2)
        self.assertNotEqual(verdict(line, answer), "refused")

    def test_output_does_not_depend_on_the_number_of_threads(self):
        text = "".join(json.dumps(question(query, *pair, proof=i % 3 == 0)) + "\n"
                       for i, pair in enumerate(random_pairs(100)) for query in ("penetration", "manifold", "minkowski"))
        one = run("query", text=text)
        self.assertEqual(one.stdout.count(b"\n"), 300)
        for jobs in (2, 7):
            self.assertEqual(run("query", "--jobs", jobs, text=text).stdout, one.stdout, jobs)


class Tampering(unittest.TestCase):
    """Each change to a true answer is refused; what only lacks a proof is unproven."""

    def changed(self, answer, change):
        """A copy after change(answer, its certificate.upper)."""
        answer = copy.deepcopy(answer)
        before = json.dumps(answer)
        change(answer, answer["certificate"]["upper"])
        self.assertNotEqual(json.dumps(answer), before)
        return answer

    def proved(self, a, b, position):
        line = question("penetration", a, b, position, proof=True)
        answer, = ask(line)
        self.assertEqual(verdict(line, answer), "verified")
        return line, answer

    def test_surfaces(self):
        line, answer = self.proved(CUBE, {**CUBE, "rotation": [4, 1, 2, 3]}, [0.5, 0.25, 1])

        def faces(change):
            return lambda _, upper: change(upper["surface"]["faces"])

        def pairs(change):
            return lambda _, upper: change(upper["surface"]["pairs"])

        def put(value):
            return lambda answer, _: answer["certificate"].update(upper=value)
        for name, change in {
                "flipped": faces(lambda f: f[0].reverse()),
                "removed": faces(lambda f: f.pop()),
                "twice": faces(lambda f: f.append(f[0])),
                "all removed": faces(lambda f: f.clear()),
                "all flipped": faces(lambda f: [x.reverse() for x in f]),
                "degenerate": faces(lambda f: f[0].__setitem__(0, f[0][1])),
                "index beyond": faces(lambda f: f[0].__setitem__(0, 99999)),
                "index below": faces(lambda f: f[0].__setitem__(0, -1)),
                "half an index": faces(lambda f: f[0].__setitem__(0, 0.5)),
                "two corners": faces(lambda f: f[0].pop()),
                "a face that is no list": faces(lambda f: f.__setitem__(0, 7)),
                "no faces": lambda _, upper: upper["surface"].pop("faces"),
                "no pairs": lambda _, upper: upper["surface"].pop("pairs"),
                "pairs all removed": pairs(lambda p: p.clear()),
                "a vertex beyond": pairs(lambda p: p[0].__setitem__(0, 8)),
                "a vertex below": pairs(lambda p: p[0].__setitem__(1, -1)),
                "a point of a polytope": pairs(lambda p: p[0].__setitem__(0, [0, 0, 0])),
                "half a pair": pairs(lambda p: p[0].pop()),
                "another vertex": pairs(lambda p: p[0].reverse() if p[0][0] != p[0][1] else p[1].reverse()),
                "upper too good": lambda answer, _: answer.update(upper=answer["lower"], distance=answer["lower"],
                                                                  lower=answer["lower"] - 1e-9),
                "lower too good": lambda answer, _: answer.update(lower=answer["distance"] + 1e-9,
                                                                  distance=answer["distance"] + 1e-9,
                                                                  upper=answer["distance"] + 1e-9),
                "deeper": lambda answer, _: answer.update(upper=-9, distance=-9, lower=-9),
                "axes of hulls": put({"axes": "box"}),
                "a surface that is no object": put({"surface": [1]}),
                "two proofs": lambda _, upper: upper.update(axes="box"),
                "two proofs, one of them pairs": lambda _, upper: upper.update(pairs=[[0, 0]])}.items():
            with self.subTest(name):
                bad = self.changed(answer, change)
                if name == "upper too good" and answer["lower"] == answer["upper"]:
                    bad["upper"] = bad["distance"] = math.nextafter(answer["upper"], -9)
                self.assertEqual(verdict(line, bad), "refused")
        for value in (None, {}):
            self.assertEqual(verdict(line, self.changed(answer, put(value))), "unproven", value)

    def test_polygons(self):
        line, answer = self.proved(DIAMOND, {**DIAMOND, "rotation": [3, 1]}, [0.5, 0.25])
        for name, change in {
                "clockwise": lambda p: p.reverse(), "shortened": lambda p: p.pop(), "empty": lambda p: p.clear(),
                "swapped": lambda p: p.insert(0, p.pop(1))}.items():
            with self.subTest(name):
                bad = self.changed(answer, lambda _, upper: change(upper["surface"]["pairs"]))
                self.assertEqual(verdict(line, bad), "refused")
        bad = self.changed(answer, lambda _, upper: upper["surface"].update(faces=[[0, 1, 2]]))
        self.assertEqual(verdict(line, bad), "refused")

    def test_axes(self):
        line, answer = self.proved(BOX, {**BOX, "rotation": [4, 1, 2, 3]}, [1.5, 0.25, 0.5])
        self.assertEqual(answer["certificate"]["upper"], {"axes": "box"})
        for name, change in {
                "upper too good": lambda answer, _: answer.update(upper=answer["upper"] - 1e-9,
                                                                  distance=answer["lower"] - 1e-9,
                                                                  lower=answer["lower"] - 1e-9),
                "another word": lambda _, upper: upper.update(axes="boxes"),
                "a number": lambda _, upper: upper.update(axes=15),
                "two proofs": lambda _, upper: upper.update(pairs=[[0, 7]])}.items():
            with self.subTest(name):
                self.assertEqual(verdict(line, self.changed(answer, change)), "refused")
        self.assertEqual(verdict({**line, "b": {**line["b"], "half_extents": [1, 1, 0.5]}}, answer), "refused")

    def test_where_there_is_a_gap_no_depth_proof_helps(self):
        line = question("distance", BOX, BOX, [5, 0, 0])
        answer, = ask(line)
        for upper in ({"axes": "box"}, {"surface": {"pairs": [[0, 0], [1, 0], [2, 0], [4, 0]],
                                                    "faces": [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]}}):
            bad = self.changed(answer, lambda x, _, upper=upper: x["certificate"].update(upper=upper))
            self.assertIn(verdict(line, bad), ("refused", "unproven"))


class Obb(unittest.TestCase):
    def test_the_best_axis_bounds_the_distance(self):
        source, apart = random.Random(SEED), 0
        lines = []
        for i in range(200):
            dim = 2 + i % 2
            a, b = ({"type": "box", "half_extents": [source.uniform(0.5, 2) for _ in range(dim)],
                     "rotation": [source.gauss(0, 1) for _ in range(4 if dim == 3 else 2)]} for _ in range(2))
            lines.append(question("obb", a, b, [source.uniform(-3, 3) for _ in range(dim)]))
        for line, answer in zip(lines, ask(*lines)):
            self.assertAlmostEqual(math.hypot(*answer["axis"]), 1)
            if answer["relation"] == "separated":
                apart += 1
                self.assertLessEqual(answer["axis_separation"], answer["distance"] + 1e-12)
                self.assertGreater(answer["axis_separation"], -1e-12)
            else:
                self.assertAlmostEqual(answer["axis_separation"], answer["distance"], 12)
        self.assertTrue(50 < apart < 150, apart)
        self.assertEqual(set(verdicts(lines, ask(*lines))), {"verified"})

    def test_as_a_filter(self):
        lines = [question("distance", a, b, x, filter="obb") for a, b, x in random_pairs(400) if a["type"] == "box"]
        lines = [{**line, "b": {**line["b"], "position": [3 * x for x in line["b"]["position"]]}} for line in lines]
        truth = ask(*[{**line, "filter": "aabb", "query": "intersect"} for line in lines])
        exact = ask(*[{key: line[key] for key in line if key != "filter"} for line in lines])
        parted = 0
        for line, answer, rough, fine in zip(lines, ask(*lines), truth, exact, strict=True):
            self.assertIn(answer["relation"], ("separated", "undecided"))
            if answer["relation"] == "separated":
                parted += 1
                self.assertEqual((answer["path"], fine["relation"]), ("obb", "separated"))
                self.assertEqual(verdict(line, answer), "verified")
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
            lines.append(question("intersect", a, b, [source.uniform(-3, 3) for _ in range(dim)], filter="obb"))
        boxes, exact = ask(*lines), ask(*[{key: line[key] for key in line if key != "filter"} for line in lines])
        bounds = ask(*[{**line, "filter": "aabb"} for line in lines])
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
        lines = [question("manifold", *pair) for pair in random_pairs(100)]
        whole = [{**line, "full": True} for line in lines]
        more = 0
        for line, answer, full in zip(lines, ask(*lines), ask(*whole), strict=True):
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
        line = question("manifold", BOX, turned, [0, 0, 1.75])
        short, full = ask(line, {**line, "full": True})
        self.assertEqual((len(short["points"]), len(full["points"])), (4, 8))
        self.assertLessEqual({p["feature"] for p in short["points"]}, {p["feature"] for p in full["points"]})

    def test_apart(self):
        line = question("manifold", BOX, BOX, [0, 0, 3])
        near, far, speculative = ask(line, {**line, "max_distance": 0.5}, {**line, "max_distance": 2})
        self.assertEqual({p["depth"] for p in near["points"]}, {-1})
        self.assertEqual((far["points"], far["stopped"]), ([], "cutoff"))
        self.assertEqual([p["depth"] for p in speculative["points"]], [-1] * 4)

    def test_a_proof(self):
        line = question("manifold", CUBE, {**CUBE, "rotation": [9, 1, 2, 3]}, [0.5, 0.25, 1], proof=True)
        answer, = ask(line)
        self.assertEqual(list(answer["certificate"]["upper"]), ["surface"])
        self.assertEqual(verdict(line, answer), "verified")


class Minkowski(unittest.TestCase):
    def test_polygons(self):
        for a, b, of in itertools.product(SHAPES2, SHAPES2, ("difference", "sum")):
            line = question("minkowski", a, b, [0.5, 0.25], of=of)
            answer, = ask(line)
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
            self.assertEqual(verdict(line, answer), "unproven")

    @staticmethod
    def corner(shape, i):
        if "vertices" in shape:
            return shape["vertices"][i]
        return [h if i >> k & 1 else -h for k, h in enumerate(shape["half_extents"])]

    def test_cubes(self):
        for rest, center in ({}, [-0.5, -0.25, -1]), ({"of": "difference"}, [-0.5, -0.25, -1]), ({"of": "sum"},
                                                                                             [0.5, 0.25, 1]):
            answer, = ask(question("minkowski", CUBE, BOX, [0.5, 0.25, 1], **rest))
            corners = sorted([x + y for x, y in zip(center, v)] for v in itertools.product((-2, 2), repeat=3))
            self.assertEqual(sorted(answer["vertices"]), corners)
            self.assertIs(answer["holds_origin"], True)

    def test_the_border_counts(self):
        for x, holds in ((2, True), (math.nextafter(2, 3), False)):
            answer, = ask(question("minkowski", BOX, BOX, [x, 0, 0]))
            self.assertIs(answer["holds_origin"], holds)

    def test_many_vertices(self):
        source = random.Random(SEED)
        sizes = [(60, 60, "good"), (300, 300, "unsupported")]
        for n, m, expected in sizes:
            answer, = ask(question("minkowski", random_hull(source, 3, n), random_hull(source, 3, m), [0, 0, 0]))
            self.assertEqual(answer.get("error", {}).get("code", "good"), expected)


class Methods(unittest.TestCase):
    def test_they_agree(self):
        pairs = list(random_pairs(120))
        names = ("auto", "gjk", "exact", "sat", "epa", "brute")
        told = [ask(*[question("penetration", *pair, method=name) for pair in pairs]) for name in names]
        paths = set()
        for answers in zip(*told, strict=True):
            with self.subTest(answers=answers):
                self.assertEqual(len({x["relation"] for x in answers}), 1)
                self.assertLessEqual(max(x["lower"] for x in answers), min(x["upper"] for x in answers))
                paths |= {x["path"] for x in answers}
        self.assertLessEqual({"sat", "epa", "brute"}, paths)


if __name__ == "__main__":
    sys.exit(unittest.main())
