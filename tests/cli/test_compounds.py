"""Compounds and decomposed polygons (compounds.jsonl): answers equal those of the parts, certificates prove them, and forged
certificates are refused."""
import math
import unittest

from commands import ROOT, Answered, query, verdicts

SQUARE = [[0, 0], [6, 0], [6, 6], [0, 6]]
HOLE = [[2, 2], [4, 2], [4, 4], [2, 4]]
SPOT = {"type": "point"}


def polygon(vertices, **rest):
    return {"type": "polygon", "vertices": vertices, **rest}


def concave(vertices, **rest):
    return polygon(vertices, concave="decompose", **rest)


def compound(pieces):
    return {"type": "compound", "parts": [polygon(piece) for piece in pieces]}


def intersection(shape, other, place):
    return {"query": "intersect", "dim": 2, "proof": True, "a": shape, "b": {**other, "position": place}}


CORNER = concave([[0, 0], [4, 0], [4, 2], [2, 2], [2, 4], [0, 4]])
FRAME = concave(SQUARE, holes=[HOLE])


class Proofs(Answered):
    file = "compounds.jsonl"

    def test_with_proof_all_are_verified(self):
        for (name, line), verdict in zip(self.lines.items(), verdicts(self.lines.values(), self.answers.values()), strict=True):
            answer = self.answers[name]
            with self.subTest(name, answer=answer):
                self.assertEqual(verdict, "verified")
                self.assertEqual(answer["pairs"]["tested"], answer["pairs"]["total"])
                if name != "seam":
                    self.assertEqual(len(answer["certificate"]["parts"]), answer["pairs"]["total"])
                self.assertEqual([key for key in ("part_a", "part_b") if key in answer],
                                 [f"part_{s}" for s in "ab" if line[s]["type"] == "compound" or "concave" in line[s]])
        self.assertEqual({answer["relation"] for answer in self.answers.values()}, {"separated", "touching", "overlapping"})

    def test_without_proof_one_pair_proves_an_overlap(self):
        lines = [{**line, "query": "intersect", "proof": False} for name, line in self.lines.items() if name != "seam"]
        answers = query(*lines)
        for line, answer, verdict in zip(lines, answers, verdicts(lines, answers), strict=True):
            self.assertEqual(verdict, "verified" if answer["relation"] == "overlapping" else "unproven", line["id"])
            self.assertLessEqual(answer["pairs"]["tested"], answer["pairs"]["total"])
        self.assertLess(sum(a["pairs"]["tested"] for a in answers), sum(a["pairs"]["total"] for a in answers))

    def test_the_proof_changes_no_number(self):
        for line, plain in zip(self.lines.values(), query(*[{**line, "proof": False} for line in self.lines.values()])):
            proved = self.answers[line["id"]]
            self.assertEqual(plain["relation"], proved["relation"], line["id"])
            if plain.get("distance") is not None:
                self.assertAlmostEqual(plain["distance"], proved["distance"], 6, line["id"])

    def test_internal_edges_and_bridges_are_interior(self):
        stick = {"type": "segment", "vertices": [[0, 0], [0.5, 0.5]]}
        keyhole = concave(SQUARE + [SQUARE[0]] + HOLE[:1] + HOLE[:0:-1] + HOLE[:1])
        for shape, other, place, relation, kind in (
                (CORNER, SPOT, [1, 1], "overlapping", "seam"), (CORNER, SPOT, [2, 2], "touching", "touch"),
                (CORNER, SPOT, [0, 0], "touching", "touch"), (CORNER, stick, [0.5, 0.5], "overlapping", "seam"),
                (CORNER, stick, [1.5, 1.5], "overlapping", "seam"), (CORNER, stick, [2, 2], "touching", "touch"),
                (keyhole, SPOT, [1, 1], "overlapping", "seam"), (keyhole, SPOT, [0, 0], "touching", "touch"),
                (keyhole, SPOT, [2, 2], "touching", "touch")):
            line = intersection(shape, other, place)
            for line in (line, {**line, "a": line["b"], "b": line["a"]}):
                answer, = query(line)
                with self.subTest(place, answer=answer):
                    self.assertEqual((answer["relation"], answer["certificate"]["relation"]["kind"]), (relation, kind))
                    self.assertEqual(verdicts([line], [answer]), ["verified"])

    def test_vertices_on_the_middle_of_an_edge(self):
        touching = concave(SQUARE, holes=[[[2, 0], [4, 0], [3, 3]], [[3, 3], [4, 4], [2, 4]]])
        spike = concave([[0, 0], [9, 0], [6, 0], [6, 6], [0, 6]])
        lines = [{**intersection(shape, SPOT, [12, 3]), "query": "distance"} for shape in (touching, spike)]
        self.assertEqual(verdicts(lines, query(*lines)), ["verified"] * 2)

    def test_angles_of_parts_are_echoed_and_checked(self):
        bar = {"type": "box", "half_extents": [2, 0.5]}
        line = {"query": "distance", "dim": 2, "proof": True, "b": {"type": "circle", "radius": 0.5, "position": [5, 1]},
                "a": {"type": "compound", "parts": [bar, {**bar, "rotation": 1.0}]}}
        answer, = query(line)
        none, pair = answer["part_rotations_a"]
        self.assertIsNone(none)
        self.assertLess(math.dist(pair, [math.cos(0.5), math.sin(0.5)]), 1e-15)
        made = [{**answer, "part_rotations_a": value} for value in ([None, [1, 0]], [None], "no", [None, 1.0])]
        self.assertEqual(verdicts([line] * 5, [answer, *made]), ["verified"] + ["refused"] * 4)

    def test_the_examples(self):
        for name, expected in (("concave", ["unproven", "verified", "error"]), ("compound", ["verified", "verified"])):
            lines = (ROOT / f"examples/{name}.jsonl").read_text(encoding="utf-8").splitlines()
            self.assertEqual(verdicts(lines, query(*lines)), expected)


class Forgeries(Answered):
    """More are in forgeries.jsonl."""
    file = "compounds.jsonl"

    def test_another_splitting_is_as_good(self):
        four = [[[0, 0], [6, 0], [4, 2], [2, 2]], [[6, 0], [6, 6], [4, 4], [4, 2]],
                [[6, 6], [0, 6], [2, 4], [4, 4]], [[0, 6], [0, 0], [2, 2], [2, 4]]]
        answer, = query({**self.lines["beyond"], "a": compound(four)})
        answer["certificate"]["pieces_a"] = four
        self.assertEqual(self.verdict("beyond", answer), "verified")

    def forged(self, shape, pieces, place, relations):
        """The verdict on a correct answer for these pieces as parts of a compound."""
        line = intersection(shape, SPOT, place)
        parts = {**line, "a": compound(pieces)}
        answer, = query(parts)
        self.assertIn(answer["relation"], relations)
        self.assertEqual(verdicts([parts], [answer]), ["verified"])
        answer["certificate"]["pieces_a"] = pieces
        return verdicts([line], [answer])[0]

    def test_pieces_of_another_set(self):
        square, middle = [[0, 0], [4, 0], [4, 4], [0, 4]], [1, 2]
        fan = [[*pair, middle] for pair in zip(square, square[1:] + square[:1], strict=True)]
        halves = [[[0, 0], [4, 0], [4, 2], [0, 2]], [[0, 2], [2, 2], [2, 4], [0, 4]], [[2, 2], [4, 2], [4, 4], [2, 4]]]
        on_edges = concave([[0, 0], [4, 0], [4, 2], [4, 4], [0, 4], [0, 2]], holes=[[[2, 2], [3, 3], [1, 3]]])
        around = [[[0, 0], [4, 0], [4, 2], [0, 2]], [[0, 2], [2, 2], [1, 3]], [[2, 2], [4, 2], [3, 3]],
                  [[0, 2], [1, 3], [0, 4]], [[1, 3], [3, 3], [4, 4], [0, 4]], [[3, 3], [4, 2], [4, 4]]]
        for shape, pieces, place, relation in (
                (concave(square), fan, middle, "touching"), (concave([*square, square[0], middle]), fan, middle, "touching"),
                (concave(square), halves, middle, "touching"), (on_edges, around, middle, "touching"),
                (concave(square * 2), [square, square], [9, 2], "separated")):  # a ring that winds twice
            self.assertEqual(self.forged(shape, pieces, place, {relation}), "refused")
        error, = query({"query": "decompose", "dim": 2, "a": polygon(square * 2)})
        self.assertEqual(error["error"]["code"], "not_simple")

    def test_pieces_that_cancel_each_other_prove_nothing(self):
        """A triangle and its reverse, or a flat piece, leave no edge over; the answer is about a point outside."""
        hook = concave([[0, 0], [6, 0], [6, 6], [3, 3], [0, 6]])
        true, = query({"query": "decompose", "dim": 2, "a": hook})
        for more in ([[[9, 9], [10, 9], [9, 10]], [[9, 10], [10, 9], [9, 9]]], [[[9, 9], [10, 10], [9, 9]]]):
            pieces = true["pieces"] + more
            line = {**intersection(hook, SPOT, [9.25, 9.25]), "proof": False}
            answer, = query({**line, "a": compound(pieces)})
            self.assertIn(answer["relation"], ("overlapping", "touching"))
            answer["certificate"]["pieces_a"] = pieces
            self.assertEqual(verdicts([line], [answer]), ["refused"])

    def test_any_number_of_cut_edges(self):
        """Along the x axis there and back, in several orders: an outline of a square, and no other."""
        square, large = [[0, 0], [4, 0], [4, 4], [0, 4]], [[0, 0], [100, 0], [100, 100], [0, 100]]
        for most in (10, 128, 180):
            spikes = [[-x, 0] for k in range(2, most) for x in range(k, -1, -1)]
            shape = concave([*square, [0, 0], *spikes[:-1]])
            self.assertEqual(self.forged(shape, [large], [50, 40], {"overlapping"}), "refused")
            self.assertEqual(self.forged(shape, [square], [2, 1], {"overlapping"}), "verified")

    def test_answers_to_decompose(self):
        line = {"query": "decompose", "dim": 2, "a": polygon(SQUARE, holes=[HOLE])}
        answer, = query(line)
        made = [{**answer, "pieces": pieces} for pieces in (
            answer["pieces"][1:], [SQUARE], [*answer["pieces"], HOLE], [], "no")]
        self.assertEqual(verdicts([line] * 6, [answer, *made]), ["unproven"] + ["refused"] * 5)
