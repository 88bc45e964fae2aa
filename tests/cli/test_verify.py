"""`graze verify`: true answers are verified, each kind of tampering is refused, what is not shown is unproven."""
import copy
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from commands import GRAZE, records, run, text_of, verify

BOX = {"type": "box", "half_extents": [1, 1, 1]}
BALL = {"type": "sphere", "radius": 1.5}
TURNED = {"type": "box", "half_extents": [1, 2], "rotation": 0.7}
FLOOR = {"type": "halfspace", "normal": [0, 0, 2], "offset": 1}
EGG = {"type": "ellipsoid", "radii": [1, 2, 3]}


def question(name, a, b, position, query="distance", **rest):
    return {"id": name, "query": query, "a": a, "b": {**b, "position": position}, **rest}


QUESTIONS = {
    "apart": question("apart", BOX, BOX, [5, 1, 0.5]),
    "apart, intersect": question(2, BOX, BOX, [5, 1, 0.5], "intersect"),
    "cut": question("cut", BOX, BOX, [50, 1, 0.5], max_distance=3),
    "touch": question("touch", BOX, BOX, [2, 1, 0.5]),
    "round touch": question("é", BALL, BOX, [2.5, 0, 0]),
    "inside": question("inside", BOX, BOX, [1, 0.25, 0.5]),
    "near": question("near", BALL, BOX, [2, 0, 0]),
    "plane": question("plane", FLOOR, BOX, [0, 0, 4]),
    "turned": question("turned", TURNED, TURNED, [3, 4], dim=2),
    "curved": question("curved", EGG, BOX, [4, 4, 4]),
    "filter": question("filter", BOX, BOX, [5, 1, 0.5], filter="aabb"),
    "clearance": question("clearance", BOX, BOX, [5, 1, 0.5], "intersect", clearance=2),
}


def counted(questions, answers):
    """The process of verify, and its counts by name."""
    done = verify(questions, answers)
    return done, {line.split()[0]: int(line.split()[1]) for line in done.stdout.decode().splitlines()}


class Verify(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = run("query", text=text_of(QUESTIONS.values()))
        cls.answers = dict(zip(QUESTIONS, map(json.loads, done.stdout.splitlines()), strict=True))

    def judge(self, name, answer, line=None):
        """The verdict on one answer, and the exit status must fit it."""
        done, counts = counted([line or QUESTIONS[name]], [answer])
        verdict, = [key for key, count in counts.items() if count]
        self.assertEqual(done.returncode, 1 if verdict == "refused" else 0, done.stderr)
        self.assertEqual(bool(done.stderr), verdict == "refused")
        return verdict

    def test_true_answers(self):
        kinds = set()
        for name, answer in self.answers.items():
            with self.subTest(name, answer=answer):
                self.assertEqual(self.judge(name, answer), "verified")
                kinds.add(answer["certificate"]["relation"]["kind"])
        self.assertEqual(kinds, {"separated", "touch", "inside", "near", "plane"})

    def tampered(self, name, *path_and_value):
        """The answer with the value at a path of keys replaced, or dropped where it is None."""
        *path, key, value = path_and_value
        answer = copy.deepcopy(self.answers[name])
        place = answer
        for step in path:
            place = place[step]
        self.assertIn(key, place if isinstance(place, dict) else range(len(place)))
        self.assertNotEqual(place[key], value)
        place[key] = value
        return answer

    def test_tampered_answers(self):
        c, r = "certificate", "relation"
        for name, *change in [
                ("apart", r, "overlapping"), ("apart", r, "touching"), ("apart", r, "apart"), ("apart", r, None),
                ("apart", r, "undecided"),
                ("apart", "lower", 3.0000000001), ("apart", "upper", 2.999999999), ("apart", "lower", 1e300),
                ("apart", "lower", -1), ("apart", "distance", 2.9), ("apart", "distance", "3"),
                ("apart", "id", "other"), ("apart", "query", "intersect"),
                ("apart", c, "none"), ("apart", c, r, "kind", "inside"), ("apart", c, r, "kind", "best"),
                ("apart", c, r, "kind", 3), ("apart", c, "upper", "pairs", [[0, 8]]),
                ("apart", c, "upper", "pairs", [[-1, 0]]), ("apart", c, "upper", "pairs", [[0.5, 0]]),
                ("apart", c, "upper", "pairs", [[0]]), ("apart", c, "upper", "pairs", []),
                ("apart", c, "upper", "pairs", [[0, 0]]), ("apart", c, "upper", "pairs", [[[1, 1, 1], 0]]),
                ("apart, intersect", r, "overlapping"), ("apart, intersect", "id", 3),
                ("cut", "lower", 2.5), ("cut", "lower", 80),
                ("touch", r, "separated"), ("touch", "lower", -1e-9), ("touch", "upper", 1e-9),
                ("touch", "distance", 1), ("touch", c, r, "pairs", [[0, 0]]),
                ("round touch", r, "overlapping"), ("round touch", c, r, "nearest", [[0, 1]]),
                ("inside", r, "touching"), ("inside", c, r, "pairs", [[0, 0], [1, 1]]), ("inside", "upper", 0.5),
                ("inside", "lower", -0.1),
                ("near", r, "separated"), ("near", c, r, "pairs", [[0, 7]]), ("near", c, r, "kind", "inside"),
                ("plane", r, "touching"), ("plane", "lower", 2.5), ("plane", "upper", 1), ("plane", c, r, "vertex", 7),
                ("plane", c, r, "vertex", 8), ("plane", c, r, "vertex", 0.5), ("plane", c, r, "kind", "separated"),
                ("turned", "rotation_a", [1, 0]), ("turned", "rotation_b", 0.7), ("turned", "rotation_a", [1]),
                ("turned", "rotation_a", [0.9393727128473789, -0.34289780745545134]),
                ("turned", "rotation_a", [-0.9393727128473789, -0.34289780745545134]),
                ("curved", "lower", 5), ("curved", r, "touching"),
                ("filter", r, "touching"), ("clearance", r, "overlapping")]:
            with self.subTest(name, change=change):
                self.assertEqual(self.judge(name, self.tampered(name, *change)), "refused")

    def test_the_certificate_of_another_question(self):
        answer = {**self.answers["apart"], "id": "inside"}
        self.assertEqual(self.judge("inside", answer), "refused")

    def test_directions(self):
        face, edge = [[1, 0], [3, 0], [5, 0]], [[1, 0], [3, 0]]
        for direction, verdict in [({"direction": [1, 0, 0]}, "verified"), ({"direction": [2, 0.5, 0]}, "verified"),
                                   ({"direction": [-1, 0, 0]}, "refused"), ({"direction": [0, 0, 0]}, "refused"),
                                   ({"direction": [1, 0]}, "refused"),
                                   ({"direction": [1, 0, 0], "nearest": [[1, 0]]}, "refused"),
                                   ({"facet": face, "sign": 1}, "verified"), ({"facet": face, "sign": -1}, "refused"),
                                   ({"facet": face, "sign": 0}, "refused"), ({"facet": edge, "sign": 1}, "refused"),
                                   ({"edge": edge, "axis": 2, "sign": 1}, "verified"),
                                   ({"edge": edge, "axis": 3, "sign": 1}, "refused"),
                                   ({"edge": edge, "sign": 1}, "refused")]:
            answer = copy.deepcopy(self.answers["apart, intersect"])
            answer["certificate"]["relation"] = {"kind": "separated", **direction}
            with self.subTest(direction):
                self.assertEqual(self.judge("apart, intersect", answer), verdict)

    def test_bounds_may_have_proofs_of_their_own(self):
        answer = copy.deepcopy(self.answers["apart"])
        answer["certificate"]["relation"] = {"kind": "separated", "direction": [2, 0.5, 0]}
        self.assertEqual(self.judge("apart", answer), "verified")
        for direction in ([2, 0.5, 0], [2, 0, 0.5]):
            answer["certificate"]["lower"] = {"direction": direction}
            self.assertEqual(self.judge("apart", answer), "refused")
        answer = self.tampered("near", "certificate", "upper", "pairs", [[0, 0]])
        self.assertEqual(self.judge("near", answer), "refused")

    def test_what_is_not_shown_is_unproven(self):
        for name, *change in [("apart", "certificate", None), ("apart", "certificate", "relation", None),
                              ("apart", "certificate", "upper", None), ("touch", "certificate", None),
                              ("inside", "certificate", "lower", None), ("apart", "lower", None),
                              ("apart", "upper", None)]:
            with self.subTest(name, change=change):
                self.assertEqual(self.judge(name, self.tampered(name, *change)), "unproven")
        bounds = {"id": 1, "query": "aabb", "a": BOX}
        done, counts = counted([bounds], [json.loads(run("query", text=json.dumps(bounds)).stdout)])
        self.assertEqual((done.returncode, counts["unproven"]), (0, 1))

    def test_a_cutoff_needs_a_max_distance_that_was_reached(self):
        cut = {"stopped": "cutoff", "distance": None, "upper": None}
        short = {**self.answers["apart"], **cut, "lower": 0.001}
        self.assertEqual(self.judge("apart", short), "refused")
        for limit, verdict in ((2.5, "refused"), (1e-3, "verified"), (0, "verified"), (None, "refused")):
            line = json.dumps({**QUESTIONS["apart"], "max_distance": limit})
            self.assertEqual(self.judge("apart", short, line), verdict, limit)
        line = json.dumps({**QUESTIONS["apart"], "max_distance": 1e-3})
        for key, value in (("distance", 3), ("upper", 4), ("lower", None)):
            self.assertEqual(self.judge("apart", {**short, key: value}, line), "refused", key)

    def test_a_number_that_was_not_asked_is_still_a_claim(self):
        plain = self.answers["apart, intersect"]
        self.assertEqual(self.judge("apart, intersect", {**plain, "distance": 7}), "unproven")
        self.assertEqual(self.judge("apart, intersect", {**plain, "lower": 2, "upper": 7, "distance": 7}), "unproven")
        self.assertEqual(self.judge("apart, intersect", {**plain, "distance": 0}), "refused")

    def test_the_query_must_be_told(self):
        for name in ("apart", "apart, intersect", "filter"):
            answer = dict(self.answers[name])
            for value in (None, 7, "aabb", "distanc"):
                self.assertEqual(self.judge(name, {**answer, "query": value}), "refused")
            del answer["query"]
            self.assertEqual(self.judge(name, answer), "refused")

    def test_undecided_is_for_curved_shapes(self):
        def undecided(a, b, **rest):
            line = {"id": 1, "query": "intersect", "a": a, "b": b, **rest}
            return self.judge(None, {"id": 1, "query": "intersect", "relation": "undecided",
                                     "certificate": {"relation": {"kind": "undecided"}}}, json.dumps(line))
        for a in (BOX, BALL, FLOOR, {"type": "capsule", "radius": 1, "half_length": 1, "margin": 2}):
            for rest, verdict in (({}, "refused"), ({"filter": "aabb"}, "unproven")):
                self.assertEqual(undecided(a, BOX, **rest), verdict)
            self.assertNotEqual(undecided(a, EGG), "refused")
            self.assertNotEqual(undecided(EGG, a), "refused")

    def test_an_error_line_must_say_what_was_wrong(self):
        good = {"code": "unsupported", "message": "not here"}
        self.assertEqual(self.judge("apart", {"id": "apart", "line": 1, "error": good}), "errors")
        for error in (None, True, "no", [], {}, {"code": "missing"}, {"message": "no"}, {**good, "code": 7},
                      {**good, "message": None}):
            for rest in ({}, self.answers["apart"]):
                self.assertEqual(self.judge("apart", {**rest, "id": "apart", "error": error}), "refused", error)

    def test_the_echoed_pair_may_be_left_out_and_ids_be_written_otherwise(self):
        answer = dict(self.answers["turned"])
        del answer["rotation_a"], answer["rotation_b"]
        self.assertEqual(self.judge("turned", answer), "verified")
        number = json.dumps({**QUESTIONS["apart"], "id": 0}).replace('"id": 0', '"id": 1e1')
        self.assertEqual(self.judge("apart", {**self.answers["apart"], "id": 10}, number), "verified")

    def test_errors_claim_nothing(self):
        rows = records("errors.jsonl")
        questions = [row["line"] for row in rows] + [QUESTIONS["apart"]]
        answers = run("query", text=text_of(questions)).stdout.decode().splitlines()
        done, counts = counted(questions, answers)
        self.assertEqual((done.returncode, counts),
                         (0, {"verified": 1, "unproven": 0, "refused": 0, "errors": len(rows)}))

    def test_an_answer_to_a_bad_question_is_refused(self):
        line = json.dumps(QUESTIONS["apart"]).replace("[1, 1, 1]", "[1, -1, 1]")
        self.assertEqual(self.judge("apart", self.answers["apart"], line), "refused")
        line = json.dumps(QUESTIONS["apart"]).replace('"distance"', '"penetration"')
        self.assertEqual(self.judge("apart", self.answers["apart"], line), "refused")
        line = json.dumps({**QUESTIONS["apart"], "method": "fccd"})
        self.assertEqual(self.judge("apart", self.answers["apart"], line), "unproven")

    def test_refused_lines_are_named(self):
        good, bad = self.answers["apart"], self.tampered("touch", "relation", "separated")
        done, counts = counted([QUESTIONS["apart"], "", QUESTIONS["touch"], QUESTIONS["round touch"]],
                              [good, bad, "{broken"])
        self.assertEqual((done.returncode, counts), (1, {"verified": 1, "unproven": 0, "refused": 2, "errors": 0}))
        lines = done.stderr.decode().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertIn('answer 2, id "touch": refused: ', lines[0])
        self.assertIn("answer 3, id \"\\u00e9\": refused: ", lines[1])

    def test_json_verdicts(self):
        bad = self.tampered("touch", "relation", "separated")
        done = verify([QUESTIONS["apart"], QUESTIONS["touch"]], [self.answers["apart"], bad], "--json")
        first, second, counts = map(json.loads, done.stdout.splitlines())
        self.assertEqual(first, {"id": "apart", "line": 1, "verdict": "verified"})
        self.assertEqual((second["id"], second["line"], second["verdict"]), ("touch", 2, "refused"))
        self.assertTrue(second["reason"])
        self.assertEqual(counts, {"answers": 2, "verified": 1, "unproven": 0, "refused": 1, "errors": 0})
        self.assertEqual(done.returncode, 1)

    def test_2_when_the_counts_differ_or_a_file_is_missing(self):
        both = [QUESTIONS["apart"], QUESTIONS["touch"]]
        for questions, answers in ((both, [self.answers["apart"]]), (both[:1], [self.answers["apart"]] * 2)):
            done = verify(questions, answers)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(b"goes on", done.stderr)
        self.assertEqual(run("verify", "/nowhere/a", "/nowhere/b").returncode, 2)
        self.assertEqual(verify([], []).returncode, 0)

    def test_a_stream(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(text_of(QUESTIONS.values()))
            file.flush()
            done = run("verify", file.name, "-", text=text_of(self.answers.values()))
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_the_verifying_program_contains_no_solver(self):
        program = Path(os.environ.get("GRAZE_VERIFY", Path(GRAZE).with_name("graze-verify")))
        done = subprocess.run([program, "--help"], capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (0, run("verify", "--help").stdout))
        self.assertTrue(b"graze_verify" in program.read_bytes())
        for name in (b"graze_intersect", b"graze_distance"):
            self.assertFalse(name in program.read_bytes(), name)
            self.assertTrue(name in Path(GRAZE).read_bytes(), name)


if __name__ == "__main__":
    sys.exit(unittest.main())
