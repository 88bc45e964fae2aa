"""Proofs of depths at the command line, and the filter "obb"."""
import math
import random
import unittest

from commands import BOX, query, verdicts

SEED = 20260731
SQUARE = {"type": "box", "half_extents": [1, 1]}
CUBE = {"type": "hull", "vertices": [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]}
CAN = {"type": "cylinder", "radius": 1, "half_length": 3}
SLENDER = {3: [{"type": "capsule", "radius": 0.2, "half_length": 2}, {"type": "cylinder", "radius": 0.2, "half_length": 2},
               {"type": "cone", "radius": 0.3, "half_length": 2}, {"type": "ellipsoid", "radii": [2, 0.2, 0.3]},
               {"type": "segment", "vertices": [[0, 0, 0], [3, 2, 1]]},
               {"type": "triangle", "vertices": [[0, 0, 0], [3, 2, 1], [2, 2, 2]]}, {"type": "sphere", "radius": 0.3}],
           2: [{"type": "capsule", "radius": 0.2, "half_length": 2}, {"type": "ellipse", "radii": [2, 0.2]},
               {"type": "polygon", "vertices": [[0, 0], [3, 3], [3, 3.5], [0, 0.5]]}, {"type": "point"}]}


def line_of(name, a, b, position, **rest):
    return {"id": "q", "query": name, "dim": len(position), "a": a, "b": {**b, "position": position}, **rest}


def rotation(source, dim):
    return [source.gauss(0, 1) for _ in range(4 if dim == 3 else 2)]


def random_hull(source, dim, count):
    return {"type": "hull", "vertices": [[source.uniform(-1, 1) for _ in range(dim)] for _ in range(count)]}


def random_pairs(count):
    """Pairs of boxes and hulls in 2D and 3D, some rounded; most of them overlap."""
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
                 line_of("manifold", CUBE, {**CUBE, "rotation": [9, 1, 2, 3]}, [0.5, 0.25, 1], proof=True),
                 line_of("penetration", CAN, CAN, [0, 0, 0], proof=True)]
        rounded, curved, manifold, ring = answers = query(*lines)
        self.assertEqual((rounded["distance"], list(rounded["certificate"]["upper"])), (-0.5, ["pairs"]))
        self.assertTrue(curved["relation"] == "overlapping" and curved["distance"] < 0)
        self.assertIsInstance(curved["certificate"]["upper"]["surface"]["pairs"][0][0], list)
        self.assertEqual(list(manifold["certificate"]["upper"]), ["surface"])
        self.assertAlmostEqual(ring["distance"], -2)
        *found, of_ring = verdicts(lines, answers)
        self.assertEqual(found, ["verified"] * 3)
        self.assertNotEqual(of_ring, "refused")

    def test_the_depth_of_a_curved_shape_may_end_early(self):
        """The depth is nearly equal in all directions, so a surface with few faces cannot prove all digits."""
        line = line_of("penetration", CAN, {**CAN, "rotation": [1, 1e-9, 0, 0]}, [1e-9, 0, 0])
        answer, proved = query(line, {**line, "proof": True})
        self.assertEqual(verdicts([line] * 2, [answer, proved]), ["unproven", "verified"])
        for each in (answer, proved):
            self.assertEqual((each["relation"], each["stopped"]), ("overlapping", "budget"))
            self.assertAlmostEqual(each["distance"], -2, 4)
            self.assertLess(each["upper"] - each["lower"], 1e-4)
        self.assertGreaterEqual(proved["upper"], answer["upper"])


class Boxes(unittest.TestCase):
    def filtered(self, lines):
        """Counts the pairs that the filter obb separates, the separated pairs, and the pairs that the filter aabb separates.
        The filter obb separates only separated pairs, and all separated pairs of boxes."""
        boxed, bounded = ([{**line, "filter": name} for line in lines] for name in ("obb", "aabb"))
        answers, exact, bounds = (query(*some) for some in (boxed, lines, bounded))
        found = [pair for pair in zip(boxed, answers, strict=True) if pair[1]["relation"] == "separated"]
        self.assertEqual(set(verdicts(*zip(*found))), {"verified"})
        for line, answer, true, rough in zip(lines, answers, exact, bounds, strict=True):
            self.assertIn((answer["relation"], answer["path"]), (("separated", "obb"), ("undecided", "obb")))
            self.assertTrue("separated" not in (answer["relation"], rough["relation"]) or true["relation"] == "separated")
            if answer["relation"] != true["relation"] == "separated" and line["a"]["type"] == line["b"]["type"] == "box":
                self.assertLess(true["distance"], 1e-9)
        return [sum(answer["relation"] == "separated" for answer in some) for some in (answers, exact, bounds)]

    def test_of_boxes(self):
        lines = [line_of("distance", a, b, [3 * x for x in p]) for a, b, p in random_pairs(400) if a["type"] == "box"]
        found, *_ = self.filtered(lines)
        self.assertTrue(20 < found < len(lines) - 20)

    def test_around_other_shapes(self):
        """The filter obb separates more pairs of slender shapes than aabb does, and nearly all separated pairs."""
        source, lines = random.Random(SEED), []
        for i in range(1200):
            dim = 2 + i % 2
            a, b = ({**source.choice(SLENDER[dim]), "margin": source.choice([0, 0, 0.1]), "rotation": rotation(source, dim)}
                    for _ in range(2))
            lines.append(line_of("intersect", a, b, [source.uniform(-3, 3) for _ in range(dim)]))
        found, separated, by_bounds = self.filtered(lines)
        self.assertTrue(600 < separated < 1150 and found > max(1.2 * by_bounds, 0.9 * separated), (found, separated, by_bounds))

    def test_the_best_axis_bounds_the_distance(self):
        source, lines = random.Random(SEED), []
        for i in range(200):
            dim = 2 + i % 2
            a, b = ({"type": "box", "half_extents": [source.uniform(0.5, 2) for _ in range(dim)],
                     "rotation": rotation(source, dim)} for _ in range(2))
            lines.append(line_of("obb", a, b, [source.uniform(-3, 3) for _ in range(dim)]))
        answers = query(*lines)
        for answer in answers:
            self.assertAlmostEqual(math.hypot(*answer["axis"]), 1)
            low = 0 if answer["relation"] == "separated" else answer["distance"]
            self.assertTrue(low - 1e-12 < answer["axis_separation"] <= answer["distance"] + 1e-12, answer)
        self.assertTrue(50 < sum(answer["relation"] == "separated" for answer in answers) < 150)
        self.assertEqual(set(verdicts(lines, answers)), {"verified"})

    def test_large_polytopes(self):
        source = random.Random(SEED)
        for count, expected in ((60, None), (300, "unsupported")):
            answer, = query(line_of("minkowski", *(random_hull(source, 3, count) for _ in range(2)), [0, 0, 0]))
            self.assertEqual(answer.get("error", {}).get("code"), expected)
