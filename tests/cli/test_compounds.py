"""Compounds and decomposed polygons: answers are those of the parts, certificates prove them, and what is forged is
refused."""
import copy
import math
import random
import sys
import unittest

from commands import ROOT, ask, verdicts

SQUARE = [[0, 0], [6, 0], [6, 6], [0, 6]]
HOLE = [[2, 2], [4, 2], [4, 4], [2, 4]]
FRAME = {"type": "polygon", "concave": "decompose", "vertices": SQUARE, "holes": [HOLE]}
HOOK = {"type": "polygon", "concave": "decompose", "vertices": [[0, 0], [6, 0], [6, 6], [3, 3], [0, 6]]}
CORNER = {"type": "polygon", "concave": "decompose", "vertices": [[0, 0], [4, 0], [4, 2], [2, 2], [2, 4], [0, 4]]}
DUMBBELL = {"type": "compound", "parts": [{"type": "sphere", "radius": 1, "position": [-2, 0, 0]},
                                          {"type": "sphere", "radius": 1, "position": [2, 0, 0]},
                                          {"type": "capsule", "radius": 0.25, "half_length": 2,
                                           "rotation": [1, 0, 1, 0]}]}
TABLE = {"type": "compound", "parts": [{"type": "box", "half_extents": [2, 2, 0.25], "position": [0, 0, 2]}] + [
    {"type": "box", "half_extents": [0.25, 0.25, 1], "position": [x, y, 0.75]} for x in (-1, 1) for y in (-1, 1)]}
EGGS = {"type": "compound", "margin": 0.125, "parts": [{"type": "ellipsoid", "radii": [1, 2, 1]},
                                                       {"type": "cone", "radius": 1, "half_length": 1,
                                                        "position": [0, 0, 3]}]}


def question(name, a, b, position, query="distance", **rest):
    return {"id": name, "query": query, "a": a, "b": {**b, "position": position}, **rest}


def flat(*arguments, **rest):
    return question(*arguments, **rest, dim=2)


DISK, SPOT, STICK = {"type": "circle", "radius": 0.5}, {"type": "point"}, {"type": "segment",
                                                                           "vertices": [[0, 0], [0.5, 0.5]]}
BOX = {"type": "box", "half_extents": [0.5, 0.5, 0.5]}
QUESTIONS = [
    flat("in the hole", FRAME, DISK, [3, 3]), flat("in the hole, touching", FRAME, DISK, [2.5, 3]),
    flat("in the frame", FRAME, DISK, [1, 1]), flat("beyond", FRAME, DISK, [9, 3]),
    flat("two frames", FRAME, FRAME, [6.5, 1]), flat("linked", FRAME, CORNER, [5, 5]),
    flat("turned", {**FRAME, "rotation": 0.3}, {**HOOK, "rotation": [2, 1], "margin": 0.25}, [9, 1]),
    flat("relation", HOOK, STICK, [8, 8], query="intersect"), flat("reflex", HOOK, SPOT, [3, 3]),
    flat("reflex, near", HOOK, SPOT, [3, 3.0000000000000004]), flat("contact", CORNER, HOOK, [4, 0], query="manifold"),
    flat("clearance", FRAME, DISK, [3, 3], query="intersect", clearance=0.25),
    question("between the balls", DUMBBELL, BOX, [0, 0, 0.75]), question("ball", DUMBBELL, BOX, [3.5, 0, 0]),
    question("two", DUMBBELL, {**TABLE, "rotation": [1, 0.25, 0.5, 0]}, [0, 0, -4]),
    question("under the table", TABLE, BOX, [0, 0, 1]), question("on the table", TABLE, BOX, [0, 0, 2.75]),
    question("in the table", TABLE, BOX, [1.5, 0, 2.5], query="manifold"),
    question("curved", EGGS, BOX, [0, 3, 0]), question("curved, deep", EGGS, DUMBBELL, [0, 0.5, 0]),
    question("plane", {"type": "halfspace", "normal": [0, 0, 1], "offset": -1}, TABLE, [0, 0, 1]),
    question("cutoff", TABLE, BOX, [0, 50, 0], max_distance=3),
]
RELATIONS = ("separated", "touching", "undecided", "overlapping")


class Proofs(unittest.TestCase):
    def test_with_proof_all_are_verified(self):
        asked = [{**q, "proof": True} for q in QUESTIONS]
        answers = ask(*asked)
        for q, answer, verdict in zip(asked, answers, verdicts(asked, answers), strict=True):
            with self.subTest(q["id"]):
                self.assertEqual(verdict, "verified", answer)
                pairs = answer["pairs"]
                self.assertEqual(pairs["tested"], pairs["total"])
                self.assertEqual(len(answer["certificate"]["parts"]), pairs["total"])
                self.assertEqual([key for key in ("part_a", "part_b") if key in answer],
                                 [f"part_{s}" for s in "ab" if q[s]["type"] == "compound" or "concave" in q[s]])
        self.assertEqual({answer["relation"] for answer in answers}, set(RELATIONS) - {"undecided"})

    def test_without_proof_one_pair_shows_that_they_meet(self):
        answers = ask(*[{**q, "query": "intersect"} for q in QUESTIONS])
        for q, answer, verdict in zip(QUESTIONS, answers, verdicts([{**q, "query": "intersect"} for q in QUESTIONS],
                                                                   answers), strict=True):
            with self.subTest(q["id"]):
                self.assertEqual(verdict, "verified" if answer["relation"] == "overlapping" else "unproven")
                self.assertLessEqual(answer["pairs"]["tested"], answer["pairs"]["total"])
        self.assertLess(sum(a["pairs"]["tested"] for a in answers), sum(a["pairs"]["total"] for a in answers))

    def test_the_proof_changes_no_number(self):
        plain, proved = ask(*QUESTIONS), ask(*[{**q, "proof": True} for q in QUESTIONS])
        for q, first, second in zip(QUESTIONS, plain, proved, strict=True):
            self.assertEqual(first["relation"], second["relation"], q["id"])
            if first.get("distance") is not None:
                self.assertAlmostEqual(first["distance"], second["distance"], 6, q["id"])

    def test_seams_are_interior(self):
        answers = []
        for name, place, shape, relation in (
                ("point on the seam", [1, 1], SPOT, "overlapping"), ("the reflex corner", [2, 2], SPOT, "touching"),
                ("the other end", [0, 0], SPOT, "touching"), ("along the seam", [0.5, 0.5], STICK, "overlapping"),
                ("to its end", [1.5, 1.5], STICK, "overlapping"), ("beyond its end", [2, 2], STICK, "touching")):
            asked = flat(name, CORNER, shape, place, query="intersect", proof=True)
            answer, = ask(asked)
            with self.subTest(name, answer=answer):
                self.assertEqual(answer["relation"], relation)
                self.assertEqual(verdicts([asked], [answer]), ["verified"])
                answers.append(answer["certificate"]["relation"]["kind"])
        self.assertEqual(answers.count("seam"), 3, answers)

    def test_bridges_are_interior(self):
        keyhole = {"type": "polygon", "concave": "decompose",
                   "vertices": SQUARE + [SQUARE[0]] + HOLE[:1] + HOLE[:0:-1] + HOLE[:1]}
        for name, place, relation, kind in (("on the bridge", [1, 1], "overlapping", "seam"),
                                            ("where it begins", [0, 0], "touching", "touch"),
                                            ("where it ends", [2, 2], "touching", "touch")):
            for a, b in ((keyhole, {**SPOT, "position": place}), ({**SPOT, "position": place}, keyhole)):
                asked = {"id": name, "query": "intersect", "dim": 2, "proof": True, "a": a, "b": b}
                answer, = ask(asked)
                with self.subTest(name, answer=answer):
                    self.assertEqual(answer["relation"], relation)
                    self.assertEqual(answer["certificate"]["relation"]["kind"], kind)
                    self.assertEqual(verdicts([asked], [answer]), ["verified"])

    def test_angles_of_parts_are_echoed_and_checked(self):
        cross = {"type": "compound", "parts": [{"type": "box", "half_extents": [2, 0.5]},
                                               {"type": "box", "half_extents": [2, 0.5], "rotation": 1.0}]}
        asked = flat("cross", cross, DISK, [5, 1], proof=True)
        answer, = ask(asked)
        pair = [math.cos(0.5), math.sin(0.5)]
        self.assertEqual(answer["part_rotations_a"][0], None)
        for got, wanted in zip(answer["part_rotations_a"][1], pair, strict=True):
            self.assertAlmostEqual(got, wanted, 15)
        self.assertEqual(verdicts([asked], [answer]), ["verified"])
        for list_of in ([None, [1, 0]], [None], "no", [None, 1.0]):
            self.assertEqual(verdicts([asked], [{**answer, "part_rotations_a": list_of}]), ["refused"])


class Examples(unittest.TestCase):
    def test_the_examples_are_answered_as_they_say(self):
        for name, wanted in (("concave", ["unproven", "verified", "error"]), ("compound", ["verified", "verified"])):
            lines = (ROOT / f"examples/{name}.jsonl").read_text(encoding="utf-8").splitlines()
            answers = ask(*lines)
            self.assertEqual(verdicts(lines, answers), wanted, answers)


class Forgeries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.asked = {q["id"]: {**q, "proof": True} for q in QUESTIONS}
        cls.asked["seam"] = flat("seam", CORNER, SPOT, [1, 1], query="intersect", proof=True)
        cls.answers = dict(zip(cls.asked, ask(*cls.asked.values()), strict=True))

    def judge(self, name, change):
        answer = copy.deepcopy(self.answers[name])
        change(answer)
        self.assertNotEqual(answer, self.answers[name])
        return verdicts([self.asked[name]], [answer])[0]

    def test_pieces_that_are_not_the_polygon(self):
        def pieces(change):
            return lambda answer: change(answer["certificate"]["pieces_a"])
        forged = {"a piece is left out": lambda p: p.pop(), "a piece twice": lambda p: p.append(p[0]),
                  "the hole is filled": lambda p: p.append([list(point) for point in HOLE]),
                  "the hole counts twice": lambda p: p.__setitem__(slice(None), [SQUARE, HOLE]),
                  "the hole is covered": lambda p: p.__setitem__(slice(None), [SQUARE]),
                  "clockwise": lambda p: p[0].reverse(), "moved": lambda p: p[0].__setitem__(0, [0, 6.5]),
                  "two points": lambda p: p.append([[0, 0], [1, 1]]), "no list": lambda p: p.append(7),
                  "a concave piece": lambda p: p.append([[0, 0], [2, 0], [1, 0.5], [0, 2]]),
                  "a flat piece": lambda p: p.append([[9, 9], [10, 10], [9, 9]]),
                  "there and back": lambda p: p.extend([[[9, 9], [10, 9], [9, 10]], [[9, 10], [10, 9], [9, 9]]]),
                  "something apart": lambda p: p.append([[9, 9], [10, 9], [9, 10]]),
                  "three numbers": lambda p: p[0][0].append(0), "a word": lambda p: p[0].__setitem__(0, "x")}
        for name in ("in the hole", "beyond", "in the frame"):
            for why, change in forged.items():
                with self.subTest(why, name=name):
                    self.assertEqual(self.judge(name, pieces(change)), "refused")
        whole = [HOOK["vertices"]]
        self.assertEqual(self.judge("reflex", lambda a: a["certificate"].update(pieces_a=whole)), "refused")
        for name in ("in the hole", "beyond", "in the frame"):
            for empty in ([], "no", {}, 3):
                self.assertEqual(self.judge(name, lambda a: a["certificate"].update(pieces_a=empty)), "refused")
            self.assertEqual(self.judge(name, lambda a: a["certificate"].pop("pieces_a")), "unproven")

    def test_another_splitting_is_as_good(self):
        question_ = self.asked["beyond"]
        four = [[[0, 0], [6, 0], [4, 2], [2, 2]], [[6, 0], [6, 6], [4, 4], [4, 2]],
                [[6, 6], [0, 6], [2, 4], [4, 4]], [[0, 6], [0, 0], [2, 2], [2, 4]]]
        parts = [{"type": "polygon", "vertices": piece} for piece in four]
        same = {**question_, "a": {"type": "compound", "parts": parts}}
        answer, = ask(same)
        self.assertEqual(verdicts([same], [answer]), ["verified"])
        answer["certificate"]["pieces_a"] = four
        self.assertEqual(verdicts([question_], [answer]), ["verified"])

    def test_pieces_that_cancel_each_other_carry_no_claim(self):
        # A triangle and its reverse, or a flat piece, leave no edge over; but the claim is about a place outside.
        asked = flat("outside", HOOK, SPOT, [9.25, 9.25], query="intersect")
        true, = ask({"query": "decompose", "dim": 2, "a": {**HOOK, "concave": "decompose"}})
        for more in ([[[9, 9], [10, 9], [9, 10]], [[9, 10], [10, 9], [9, 9]]], [[[9, 9], [10, 10], [9, 9]]]):
            pieces = true["pieces"] + more
            answer, = ask({**asked, "a": {"type": "compound", "parts": [{"type": "polygon", "vertices": piece}
                                                                        for piece in pieces]}})
            self.assertIn(answer["relation"], ("overlapping", "touching"))
            answer["certificate"]["pieces_a"] = pieces
            self.assertEqual(verdicts([asked], [answer]), ["refused"])

    def forged(self, shape, pieces, place, relation):
        """The verdict on an answer about a point that is right for these pieces, as parts of a compound."""
        asked = flat("forged", {"type": "polygon", "concave": "decompose", **shape}, SPOT, place, query="intersect",
                     proof=True)
        parts = {"type": "compound", "parts": [{"type": "polygon", "vertices": piece} for piece in pieces]}
        answer, = ask({**asked, "a": parts})
        self.assertEqual(answer["relation"], relation)
        self.assertEqual(verdicts([{**asked, "a": parts}], [answer]), ["verified"])
        answer["certificate"]["pieces_a"] = pieces
        return verdicts([asked], [answer])[0]

    def test_pieces_with_corners_inside(self):
        square, middle = [[0, 0], [4, 0], [4, 4], [0, 4]], [1, 2]
        fan = [[*pair, middle] for pair in zip(square, square[1:] + square[:1], strict=True)]
        halves = [[[0, 0], [4, 0], [4, 2], [0, 2]], [[0, 2], [2, 2], [2, 4], [0, 4]], [[2, 2], [4, 2], [4, 4], [2, 4]]]
        for shape, pieces in (({"vertices": square}, fan), ({"vertices": [*square, square[0], middle]}, fan),
                              ({"vertices": square}, halves)):
            self.assertEqual(self.forged(shape, pieces, middle, "touching"), "refused")

    def test_a_corner_on_the_edge_of_a_piece(self):
        shape = {"vertices": [[0, 0], [4, 0], [4, 2], [4, 4], [0, 4], [0, 2]], "holes": [[[2, 2], [3, 3], [1, 3]]]}
        pieces = [[[0, 0], [4, 0], [4, 2], [0, 2]], [[0, 2], [2, 2], [1, 3]], [[2, 2], [4, 2], [3, 3]],
                  [[0, 2], [1, 3], [0, 4]], [[1, 3], [3, 3], [4, 4], [0, 4]], [[3, 3], [4, 2], [4, 4]]]
        self.assertEqual(self.forged(shape, pieces, [1, 2], "touching"), "refused")

    def test_rings_that_wind_twice(self):
        square = [[0, 0], [4, 0], [4, 4], [0, 4]]
        error, = ask({"query": "decompose", "dim": 2, "a": {"type": "polygon", "vertices": square * 2}})
        self.assertEqual(error["error"]["code"], "not_simple")
        self.assertEqual(self.forged({"vertices": square * 2}, [square, square], [9, 2], "separated"), "refused")

    def test_however_many_edges_are_cut(self):
        # Along the x axis there and back, in many ways: an outline of a square, and no other.
        square, large = [[0, 0], [4, 0], [4, 4], [0, 4]], [[0, 0], [100, 0], [100, 100], [0, 100]]
        for most in (10, 128, 180):
            spikes = [[-x, 0] for k in range(2, most) for x in range(k, -1, -1)]
            shape = {"vertices": [*square, [0, 0], *spikes[:-1]]}
            self.assertEqual(self.forged(shape, [large], [50, 40], "overlapping"), "refused")
            self.assertEqual(self.forged(shape, [square], [2, 1], "overlapping"), "verified")

    def test_answers_to_decompose(self):
        asked = {"query": "decompose", "dim": 2, "a": {"type": "polygon", "vertices": SQUARE, "holes": [HOLE]}}
        answer, = ask(asked)
        self.assertEqual(verdicts([asked], [answer]), ["unproven"])
        for pieces in (answer["pieces"][1:], [SQUARE], [*answer["pieces"], HOLE], [], "no"):
            self.assertEqual(verdicts([asked], [{**answer, "pieces": pieces}]), ["refused"])

    def test_corners_on_the_middle_of_an_edge(self):
        touching = {**FRAME, "holes": [[[2, 0], [4, 0], [3, 3]], [[3, 3], [4, 4], [2, 4]]]}
        spike = {**FRAME, "holes": [], "vertices": [[0, 0], [9, 0], [6, 0], [6, 6], [0, 6]]}
        for shape in (touching, spike):
            asked = flat("middle", shape, SPOT, [12, 3], proof=True)
            answer, = ask(asked)
            self.assertEqual(verdicts([asked], [answer]), ["verified"], answer)

    def test_proofs_that_are_not_those_of_all_pairs(self):
        def parts(change):
            return lambda answer: change(answer["certificate"]["parts"])
        for name in ("in the hole", "beyond", "under the table", "two frames", "in the hole, touching"):
            for why, change in {"one is left out": lambda p: p.pop(),
                                "one twice": lambda p: p.__setitem__(0, p[1]),
                                "one too many": lambda p: p.append(p[0]),
                                "no such part": lambda p: p[0].update(part_a=99),
                                "half a part": lambda p: p[0].update(part_a=0.5)}.items():
                with self.subTest(why, name=name):
                    self.assertEqual(self.judge(name, parts(change)), "refused")
            empty = self.judge(name, lambda a: a["certificate"].update(parts=[]))
            none = self.judge(name, lambda a: a["certificate"].pop("parts"))
            self.assertEqual((empty, none), ("refused", "unproven"))

    def test_claims_beyond_the_proof(self):
        for name in ("in the hole", "beyond", "under the table", "two frames"):
            with self.subTest(name):
                for part in (1e6, -1, 0.5, "0"):
                    self.assertEqual(self.judge(name, lambda a: a.update(part_a=part)), "refused")
                for claim in ({"relation": "overlapping"}, {"relation": "touching"}, {"upper": 1e-3, "distance": 1e-3},
                              {"lower": 100, "upper": 101, "distance": 100.5}):
                    self.assertEqual(self.judge(name, lambda a: a.update(claim)), "refused", claim)
                back = {"kind": "separated", "direction": [-x for x in self.answers[name]["normal"]]}
                self.assertEqual(self.judge(name, lambda a: [part["certificate"].update(relation=back) for part
                                                             in a["certificate"]["parts"]]), "refused")
        self.assertEqual(self.judge("in the frame", lambda a: a.update(relation="separated")), "refused")

    def test_seams(self):
        def touch(i, **change):
            return lambda answer: answer["certificate"]["relation"]["seam"][i].update(change)
        self.assertEqual(self.answers["seam"]["certificate"]["relation"]["kind"], "seam")
        for i in (0, 1):
            for change in ({"sign": 0}, {"sign": -self.answers["seam"]["certificate"]["relation"]["seam"][i]["sign"]},
                           {"part_a": 1 - i}, {"part_a": 7}, {"kind": "inside"}, {"pairs": [[0, 0]]},
                           {"facet": [[0, 0], [0, 0]]}, {"pairs": None}):
                with self.subTest(change):
                    same = self.answers["seam"]["certificate"]["relation"]["seam"][i]
                    if all(same[key] == value for key, value in change.items()):
                        continue
                    self.assertEqual(self.judge("seam", touch(i, **change)), "refused")
        self.assertEqual(self.judge("seam", lambda a: a["certificate"]["relation"]["seam"].pop()), "refused")


def quaternion_product(p, q):
    w, x, y, z = p
    a, b, c, d = q
    return [w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b,
            w * d + x * c - y * b + z * a]


def turned(q, v):
    n = sum(c * c for c in q)
    w, x, y, z = quaternion_product(quaternion_product(q, [0, *v]), [q[0], -q[1], -q[2], -q[3]])
    return [x / n, y / n, z / n]


class BruteForce(unittest.TestCase):
    """Against the answers about every pair of parts; seed 4711."""

    def placed_part(self, compound, part):
        q = compound.get("rotation", [1, 0, 0, 0])
        at = turned(q, part.get("position", [0, 0, 0]))
        return {**part, "rotation": quaternion_product(q, part.get("rotation", [1, 0, 0, 0])),
                "position": [a + b for a, b in zip(at, compound["position"])],
                "margin": part.get("margin", 0) + compound.get("margin", 0)}

    def random_part(self, rng):
        shape = rng.choice([
            {"type": "box", "half_extents": [rng.uniform(0.1, 1) for _ in range(3)]},
            {"type": "sphere", "radius": rng.uniform(0.1, 1)}, {"type": "capsule", "radius": 0.3, "half_length": 1},
            {"type": "hull", "vertices": [[rng.uniform(-1, 1) for _ in range(3)] for _ in range(8)]}])
        return {**shape, "position": [rng.uniform(-2, 2) for _ in range(3)],
                "rotation": [rng.gauss(0, 1) for _ in range(4)]}

    def random_compound(self, rng, reach):
        return {"type": "compound", "parts": [self.random_part(rng) for _ in range(rng.randint(1, 6))],
                "position": [rng.uniform(-reach, reach) for _ in range(3)], "margin": rng.choice([0, 0, 0.1]),
                "rotation": [rng.gauss(0, 1) for _ in range(4)]}

    def test_lists_of_parts(self):
        rng, seen = random.Random(4711), {relation: 0 for relation in RELATIONS}
        for _ in range(60):
            a, b = self.random_compound(rng, 1.5), self.random_compound(rng, 1.5)
            whole, *pairs = ask({"query": "distance", "a": a, "b": b}, *[
                {"query": "distance", "a": self.placed_part(a, p), "b": self.placed_part(b, q)}
                for p in a["parts"] for q in b["parts"]])
            seen[whole["relation"]] += 1
            self.assertEqual(whole["relation"], max((p["relation"] for p in pairs), key=RELATIONS.index))
            self.assertAlmostEqual(whole["distance"], min(p["distance"] for p in pairs), 9)
            best = pairs[whole["part_a"] * len(b["parts"]) + whole["part_b"]]
            self.assertAlmostEqual(whole["distance"], best["distance"], 9)
        self.assertTrue(min(seen["separated"], seen["overlapping"]) >= 15, seen)

    def ring(self, rng, count, least, most):
        angles = sorted(rng.sample(range(360), count))
        return [[round(r * math.cos(math.radians(t))), round(r * math.sin(math.radians(t)))]
                for t, r in ((t, rng.uniform(least, most)) for t in angles)]

    def test_outlines(self):
        rng, seen, proved = random.Random(4711), {relation: 0 for relation in RELATIONS}, 0
        for _ in range(60):
            outline, hole = self.ring(rng, rng.randint(5, 12), 60, 200), self.ring(rng, rng.randint(3, 6), 5, 20)
            shape = {"type": "polygon", "vertices": outline[::rng.choice([1, -1])], "holes": [hole]}
            pieces, = ask({"query": "decompose", "dim": 2, "a": shape})
            if "error" in pieces:  # not every star of few rays holds the middle
                self.assertEqual(pieces["error"]["code"], "not_simple")
                continue
            other = {"type": rng.choice(["circle", "box"]), "position": [rng.randint(-200, 200) for _ in range(2)]}
            other.update({"radius": 5} if other["type"] == "circle" else {"half_extents": [3, 5]})
            asked = {"query": "distance", "dim": 2, "proof": True, "a": {**shape, "concave": "decompose"}, "b": other}
            whole, *pairs = ask(asked, *[{"query": "distance", "dim": 2, "a": {"type": "polygon", "vertices": piece},
                                          "b": other} for piece in pieces["pieces"]])
            seen[whole["relation"]] += 1
            self.assertEqual(whole["relation"], max((p["relation"] for p in pairs), key=RELATIONS.index))
            self.assertAlmostEqual(whole["distance"], min(p["distance"] for p in pairs), 9)
            proved += verdicts([asked], [whole]) == ["verified"]
        self.assertTrue(min(seen["separated"], seen["overlapping"]) >= 10, seen)
        self.assertEqual(proved, sum(seen.values()))


if __name__ == "__main__":
    sys.exit(unittest.main())
