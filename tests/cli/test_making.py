"""hull, fit_box, convexity and decompose: every claim about the points, in exact rationals; random points, seed 1837."""
import random
import sys
import unittest
from fractions import Fraction

from commands import query

SEED = 1837


def exact(points):
    return [tuple(map(Fraction, p)) for p in points]


def minus(p, q):
    return tuple(a - b for a, b in zip(p, q))


def dot(p, q):
    return sum(a * b for a, b in zip(p, q))


def turn(p, q, r):
    """Twice the signed area of a triangle."""
    (a, b), (c, d) = minus(q, p), minus(r, p)
    return a * d - b * c


def cross(p, q):
    return (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])


def chain(points):
    """The corners of the convex hull, counter-clockwise (Andrew 1979), exactly."""
    def half(ordered):
        out = []
        for p in ordered:
            while len(out) > 1 and turn(out[-2], out[-1], p) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]
    ordered = sorted(set(points))
    return ordered if len(ordered) < 2 else half(ordered) + half(ordered[::-1])


def area(ring):
    return abs(sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(ring, ring[1:] + ring[:1]))) / 2


def rows(rotation):
    """The rotation of a quaternion or half-angle pair of any length, exactly."""
    w, x, y, z = map(Fraction, rotation if len(rotation) == 4 else (rotation[0], 0, 0, rotation[1]))
    n = w * w + x * x + y * y + z * z
    return [[(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n],
            [2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n],
            [2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n]]


def clouds(rng, dim):
    """Points of several kinds: general, on a small grid, on a line or plane, far away, tiny."""
    for kind in range(40):
        count = rng.choice([1, 2, 3, 4, 7, 20, 60])
        if kind % 4 == 0:
            points = [[rng.gauss(0, 1) for _ in range(dim)] for _ in range(count)]
        elif kind % 4 == 1:
            points = [[rng.randint(0, 3) for _ in range(dim)] for _ in range(count)]
        elif kind % 4 == 2:
            points = [[rng.randint(-9, 9)] * (dim - 1) + [rng.randint(-9, 9)] for _ in range(count)]
        else:
            size = 2.0 ** rng.choice([-300, -60, 60])
            points = [[1e3 * size + size * rng.random() for _ in range(dim)] for _ in range(count)]
        yield points


class Hulls(unittest.TestCase):
    def test_2d(self):
        seen = set()
        for points in clouds(random.Random(SEED), 2):
            answer, = query({"query": "hull", "dim": 2, "a": {"type": "hull", "vertices": points}})
            wanted, got = chain(exact(points)), exact(answer["vertices"])
            if len(wanted) < 3:  # in the order of the input
                wanted.sort(key=exact(points).index)
            self.assertEqual(got, wanted, points)
            self.assertEqual([tuple(map(Fraction, points[i])) for i in answer["indices"]], wanted)
            self.assertEqual(answer["affine_dim"], min(len(wanted), 3) - 1)
            self.assertLessEqual(abs(Fraction(answer["area"]) - area(wanted)), area(wanted) / 10 ** 12)
            seen.add(answer["affine_dim"])
        self.assertEqual(seen, {0, 1, 2})

    def test_3d(self):
        seen = set()
        for points in clouds(random.Random(SEED), 3):
            answer, = query({"query": "hull", "a": {"type": "hull", "vertices": points}})
            given, got, edges = exact(points), exact(answer["vertices"]), 0
            self.assertEqual([given[i] for i in answer["indices"]], got)
            seen.add(answer["affine_dim"])
            volume = Fraction(0)
            for face in answer["faces"]:
                corners = [got[i] for i in face]
                normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]))
                self.assertTrue(any(normal))
                self.assertTrue(all(dot(normal, minus(p, corners[0])) <= 0 for p in given), points)
                self.assertTrue(all(dot(normal, minus(p, corners[0])) == 0 for p in corners))
                for p, q, r in zip(corners, corners[1:] + corners[:1], corners[2:] + corners[:2]):
                    self.assertGreater(dot(normal, cross(minus(q, p), minus(r, q))), 0)
                volume += sum(dot(corners[0], cross(p, q)) for p, q in zip(corners[1:], corners[2:])) / 6
                edges += len(face)
            if answer["affine_dim"] == 3:
                self.assertEqual(len(got) - edges // 2 + len(answer["faces"]), 2)
                self.assertLessEqual(abs(Fraction(answer["volume"]) - volume), volume / 10 ** 9)
            else:
                self.assertEqual(answer["volume"], 0)
                self.assertEqual(len(answer["faces"]), 2 if answer["affine_dim"] == 2 else 0)
        self.assertEqual(seen, {0, 1, 2, 3})


class Boxes(unittest.TestCase):
    def check(self, points, dim, answer):
        matrix, center = rows(answer["rotation"]), [Fraction(x) for x in answer["center"]]
        half = [Fraction(x) for x in answer["half_extents"]]
        for p in exact(points):
            v = minus(p, center)
            for k in range(dim):
                self.assertLessEqual(abs(sum(matrix[j][k] * v[j] for j in range(dim))), half[k], points)
        measure = 2 ** dim
        for x in half:
            measure *= x
        self.assertLessEqual(abs(Fraction(answer["area" if dim == 2 else "volume"]) - measure),
                             measure / 10 ** 12 + Fraction(1, 10 ** 300))
        return measure

    def test_2d_is_the_smallest(self):
        compared = 0
        for points in clouds(random.Random(SEED), 2):
            answer, = query({"query": "fit_box", "dim": 2, "a": {"type": "hull", "vertices": points}})
            got, ring, sizes = self.check(points, 2, answer), chain(exact(points)), []
            for p, q in zip(ring, ring[1:] + ring[:1]):
                along = minus(q, p)
                across = (-along[1], along[0])
                first, second = ([dot(axis, r) for r in ring] for axis in (along, across))
                if any(along):
                    sizes.append((max(first) - min(first)) * (max(second) - min(second)) / dot(along, along))
            spread = max(abs(x - y) for p in ring for q in ring for x, y in zip(p, q))
            if sizes and max(abs(x) for p in ring for x in p) < 4 * spread:  # farther away the centre's rounding counts
                rounding = 2 * spread * spread / 2 ** 52  # of the rotation, for what is very thin
                self.assertLessEqual(got, min(sizes) * (1 + Fraction(1, 10 ** 12)) + rounding, points)
                compared += 1
        self.assertGreaterEqual(compared, 20)

    def test_3d_holds_every_point_and_best_is_no_larger(self):
        for points in clouds(random.Random(SEED), 3):
            a = {"type": "hull", "vertices": points}
            plain, fast, best = query({"query": "fit_box", "a": a}, {"query": "fit_box", "effort": "fast", "a": a},
                                    {"query": "fit_box", "effort": "best", "a": a})
            self.assertEqual({**plain, "path": "fast"}, {**fast, "path": "fast"})
            self.assertLessEqual(self.check(points, 3, best), self.check(points, 3, fast) * (1 + Fraction(1, 10 ** 9)))


class Polygons(unittest.TestCase):
    def test_a_polygon_with_a_hole(self):
        ring, hole = [[0, 0], [6, 0], [6, 6], [0, 6]], [[2, 2], [2, 4], [4, 4], [4, 2]]
        for outline in (ring, ring[::-1]):
            for inner in (hole, hole[::-1]):
                answer, = query({"query": "decompose", "dim": 2, "a": {"type": "polygon", "vertices": outline,
                                                                     "holes": [inner]}})
                pieces = [exact(piece) for piece in answer["pieces"]]
                self.assertEqual((sum(map(area, pieces)), answer["area"]), (32, 32))
                self.assertEqual(answer["count"], len(pieces))
                self.assertTrue(2 <= answer["fewest"] <= len(pieces))
                self.assertLessEqual({p for piece in pieces for p in piece}, set(exact(outline + inner)))

    def test_every_splitting(self):
        a = {"type": "polygon", "vertices": [[0, 0], [8, 0], [8, 1], [7, 1], [7, 5], [6, 5], [6, 1], [5, 1], [5, 5], [4, 5],
                                             [4, 1], [0, 1]]}
        counts = {}
        for splitting in ("auto", "few", "fewest", None):
            q = {"query": "decompose", "dim": 2, "a": a, **({"splitting": splitting} if splitting else {})}
            answer, = query(q)
            self.assertEqual(sum(area(exact(p)) for p in answer["pieces"]), 16)
            self.assertEqual(answer["path"], splitting or "auto")
            counts[splitting] = answer["count"]
        self.assertTrue(counts["fewest"] == counts["auto"] == counts[None] <= counts["few"], counts)

    def test_problems_are_named_with_their_places(self):
        bow = {"type": "polygon", "vertices": [[0, 0], [4, 4], [4, 0], [0, 4], [0, 4]]}
        answer, = query({"query": "convexity", "dim": 2, "a": bow})
        self.assertEqual((answer["convex"], answer["simple"], answer["winding"]), (False, False, "none"))
        self.assertEqual(answer["problems"], [{"kind": "zero_area", "index": 0},
                                              {"kind": "repeated_consecutive_point", "index": 4, "other": 3},
                                              {"kind": "edges_cross", "index": 0, "other": 2}])


if __name__ == "__main__":
    sys.exit(unittest.main())
