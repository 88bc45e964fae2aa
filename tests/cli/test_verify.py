"""`graze verify`: true answers are verified, each kind of tampering is refused (forgeries.jsonl), and an answer that lacks a
proof is unproven."""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from commands import GRAZE, Answered, changed, query, records, run, text_of, verdicts, verify

FILES = ("pairs", "motion", "toi", "compounds")
BOX = {"type": "box", "half_extents": [1, 1, 1]}
EGG = {"type": "ellipsoid", "radii": [1, 2, 3]}


class Forgeries(unittest.TestCase):
    def test_each(self):
        for file in FILES:
            lines = {line["id"]: line for line in records(file + ".jsonl")}
            answers = dict(zip(lines, query(*lines.values()), strict=True))
            rows = [row for row in records("forgeries.jsonl") if row["file"] == file]
            self.assertGreater(len(rows), 15)
            found = verdicts([lines[row["id"]] for row in rows], [changed(answers[row["id"]], row["changes"]) for row in rows])
            for row, verdict in zip(rows, found, strict=True):
                with self.subTest(row):
                    self.assertEqual(verdict, row["verdict"])


class Pairs(Answered):
    file = "pairs.jsonl"

    def test_true_answers(self):
        self.assertEqual(set(verdicts(self.lines.values(), self.answers.values())), {"verified"})
        self.assertEqual({answer["certificate"]["relation"]["kind"] for answer in self.answers.values()},
                         {"separated", "touch", "inside", "near", "plane"})

    def test_an_answer_to_another_line(self):
        apart = self.lines["apart"]
        for line, answer, verdict in [
                (self.lines["inside"], {**self.answers["apart"], "id": "inside"}, "refused"),
                ({**apart, "a": {**BOX, "half_extents": [1, -1, 1]}}, self.answers["apart"], "refused"),
                ({**apart, "query": "penetration"}, self.answers["apart"], "refused"),
                ({**apart, "method": "fccd"}, self.answers["apart"], "unproven"),
                (json.dumps({**apart, "id": 0}).replace('"id": 0', '"id": 1e1'),
                 {**self.answers["apart"], "id": 10}, "verified"),
                ({"id": 1, "query": "aabb", "a": BOX}, query({"id": 1, "query": "aabb", "a": BOX})[0], "unproven")]:
            self.assertEqual(verdicts([line], [answer]), [verdict], line)

    def test_a_cutoff_needs_a_max_distance_that_was_reached(self):
        short = {**self.answers["apart"], "stopped": "cutoff", "distance": None, "upper": None, "lower": 0.001}
        for limit, changes, verdict in ((2.5, {}, "refused"), (1e-3, {}, "verified"), (0, {}, "verified"),
                                        (None, {}, "refused"),
                                        (1e-3, {"distance": 3}, "refused"), (1e-3, {"upper": 4}, "refused"),
                                        (1e-3, {"lower": None}, "refused")):
            self.assertEqual(verdicts([{**self.lines["apart"], "max_distance": limit}], [{**short, **changes}]), [verdict])
        self.assertEqual(self.verdict("apart", short), "refused")

    def test_undecided_is_for_curved_shapes(self):
        def undecided(a, b, **rest):
            answer = {"id": 1, "query": "intersect", "relation": "undecided",
                      "certificate": {"relation": {"kind": "undecided"}}}
            return verdicts([{"id": 1, "query": "intersect", "a": a, "b": b, **rest}], [answer])[0]
        for a in (BOX, {"type": "sphere", "radius": 1.5}, {"type": "halfspace", "normal": [0, 0, 2], "offset": 1},
                  {"type": "capsule", "radius": 1, "half_length": 1, "margin": 2}):
            self.assertEqual((undecided(a, BOX), undecided(a, BOX, filter="aabb")), ("refused", "unproven"))
            self.assertNotIn("refused", (undecided(a, EGG), undecided(EGG, a)))

    def test_errors_claim_nothing_unless_malformed(self):
        good = {"error": {"code": "unsupported", "message": "not here"}}
        self.assertEqual(self.verdict("apart", {"id": "apart", "line": 1, **good}), "error")
        malformed = [row["changes"] for row in records("forgeries.jsonl") if "error" in row["changes"]]
        for changes in malformed:
            self.assertEqual(self.verdict("apart", {"id": "apart", **changes}), "refused", changes)
        rows = records("errors.jsonl")
        lines = [row["line"] for row in rows] + [self.lines["apart"]]
        done = verify(lines, run("query", text=text_of(lines)).stdout.decode().splitlines())
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.decode().split()[::2], ["verified", "unproven", "refused", "errors"])
        self.assertEqual(done.stdout.decode().split()[1::2], ["1", "0", "0", str(len(rows))])

    def test_refused_lines_are_named_and_counted(self):
        lines = [self.lines["apart"], "", self.lines["touch"], self.lines["é"]]
        answers = [self.answers["apart"], {**self.answers["touch"], "relation": "separated"}, "{broken"]
        done = verify(lines, answers)
        self.assertEqual((done.returncode, done.stdout.decode().split()[1::2]), (1, ["1", "0", "2", "0"]))
        first, second = done.stderr.decode().splitlines()
        self.assertIn('answer 2, id "touch": refused: ', first)
        self.assertIn("answer 3, id \"\\u00e9\": refused: ", second)
        done = verify(lines[:3], answers[:2], "--json")
        first, second, counts = map(json.loads, done.stdout.splitlines())
        self.assertEqual(first, {"id": "apart", "line": 1, "verdict": "verified"})
        self.assertEqual((second["id"], second["line"], second["verdict"], done.returncode), ("touch", 2, "refused", 1))
        self.assertTrue(second["reason"])
        self.assertEqual(counts, {"answers": 2, "verified": 1, "unproven": 0, "refused": 1, "errors": 0})

    def test_2_when_the_counts_differ_or_a_file_is_missing(self):
        one, two = [self.lines["apart"]], [self.lines["apart"], self.lines["touch"]]
        for lines, answers in ((two, [self.answers["apart"]]), (one, [self.answers["apart"]] * 2)):
            done = verify(lines, answers)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(b"goes on", done.stderr)
        self.assertEqual(run("verify", "/nowhere/a", "/nowhere/b").returncode, 2)
        self.assertEqual(verify([], []).returncode, 0)

    def test_a_stream(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(text_of(self.lines.values()))
            file.flush()
            done = run("verify", file.name, "-", text=text_of(self.answers.values()))
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_the_verifying_program_contains_no_solver(self):
        program = Path(os.environ.get("GRAZE_VERIFY", Path(GRAZE).with_name("graze-verify")))
        done = subprocess.run([program, "--help"], capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (0, run("verify", "--help").stdout))
        self.assertIn(b"graze_verify", program.read_bytes())
        for name in (b"graze_intersect", b"graze_distance"):
            self.assertEqual((name in program.read_bytes(), name in Path(GRAZE).read_bytes()), (False, True))


def moved(changes):
    """The changes, as changes to the motion of a line."""
    return {f"motion.{key}": value for key, value in changes.items()}


class Motions(Answered):
    """Changes that depend on the answer: times, results, least distances, other motions."""
    file = "motion.jsonl"

    def times(self, name):
        """What no hit may say instead of its times."""
        low, high, end = *(self.answers[name][key] for key in ("t_lower", "t_upper")), self.lines[name]["motion"]["t_max"]
        later = (high + end) / 2 if end and self.file == "toi.jsonl" else high + (high - low)
        rows = [{"t": high + 1}, {"t": low / 2}, {"t_lower": high, "t_upper": low}, {"t": -1, "t_lower": -1},
                {"t": later, "t_lower": later, "t_upper": end if self.file == "toi.jsonl" else later * 2},
                {"t": low / 4, "t_lower": low / 4, "t_upper": low / 2}, {"t": 0, "t_lower": 0, "t_upper": 0},
                {"t": high, "t_lower": 0}]
        return rows + ([{"t_upper": 2 * end}] if end is not None else [])

    def test_times(self):
        rows = []
        for name, line in self.lines.items():
            if line["expect"]["result"] == "clear":
                rows += [(name, {key: value}) for key in ("t", "t_lower", "t_upper") for value in (0, 0.5)]
            elif line["expect"]["starts"] == "separated":
                rows += [(name, changes) for changes in self.times(name)]
            elif self.file == "motion.jsonl":
                rows += [(name, {"t_upper": 0.5}), (name, {"t": 0.5, "t_lower": 0.5, "t_upper": 0.5}), (name, {"t": -1})]
        self.check("refused", rows)

    def test_results(self):
        clear = {"t": None, "t_lower": None, "t_upper": None}
        rows, unproven = [], []
        for name, line in self.lines.items():
            key, yes, no = ("hit", True, False) if line["query"] == "raycast" else ("result", "hit", "clear")
            if line["expect"]["result"] == "hit":
                rows += [(name, changes) for changes in ({key: no}, {"min_distance": [0, 1e300], **clear, key: no},
                                                         {key: "perhaps"}, {"-" + key: None}, {"min_distance": [0, 1]},
                                                         {"t_min": 0})]
            else:  # without times, a hit claims nothing that can be checked
                rows.append((name, {key: yes}))
                endless = self.answers[name]["t_min"] is None
                (unproven if endless else rows).append((name, {key: yes, "min_distance": None}))
            if line["query"] == "shapecast":
                rows += [(name, {"starts": other}) for other in ("overlapping", "touching", "separated", "near", None)
                         if other != line["expect"]["starts"]]
            if name not in ("egg", "egg miss"):
                rows += [(name, {"result": "possible"}), (name, {"starts": "undecided"})]
        rows += [("ray", {"result": "clear"}), ("ray miss", {"result": "hit"}), ("ray", {"query": "shapecast"})]
        self.check("refused", rows)
        self.check("unproven", unproven)

    def test_least_distances(self):
        rows = []
        for name, line in self.lines.items():
            number, end = line["expect"]["number"], line["motion"]["t_max"]
            if line["expect"]["result"] != "clear" or self.answers[name]["min_distance"][1] is None:
                continue
            if line["expect"]["starts"] == "separated":
                rows += [(name, {"min_distance": value}) for value in (
                    [number * 1.001, number * 2], [0, number / 2], [2 * number, number], [number], "far", [0, "far"])]
            rows += [(name, {"t_min": value}) for value in (-1, "late" if end is None else 2 * end)]
        self.check("refused", rows)

    def test_a_ray_that_touches_is_no_miss(self):
        """A body that touches and does not approach is clear; a ray there hits."""
        for name in ("ray on", "ray point", "ray on floor"):
            proof = {"relation": self.answers[name]["certificate"]["relation"], "t_lower": {"direction": [1, 0, 0]}}
            self.assertEqual(self.verdict(name, {"id": name, "query": "raycast", "hit": False, "min_distance": [0, 0],
                                                 "certificate": proof}), "refused")

    OTHERS = [("both", {"velocity_a": [0, 0, 0]}), ("miss", {"velocity_b": [10, -1, 0]}), ("bullet", {"t_max": 5e-5}),
              ("graze", {"velocity_b": [1, 1e-9, 0]}), ("ray", {"direction": [-0.5, 0, 0]}),
              ("ray", {"origin": [-4, 0.5, 0.25]}), ("ray miss", {"direction": [1, -0.5]}), ("ray short", {"t_max": 9})]

    def test_the_answer_to_another_motion(self):
        lines = [changed(self.lines[name], moved(changes)) for name, changes in self.OTHERS]
        found = verdicts(lines, [self.answers[name] for name, _ in self.OTHERS])
        self.assertEqual(found, ["refused"] * len(lines), found)


class Sweeps(Motions):
    """Motions that turn, whose proof is a list of steps."""
    file = "toi.jsonl"
    OTHERS = [("rod", {"angular_velocity_a": 1.001}), ("rod", {"angular_velocity_a": -1}), ("rod", {"t_max": 0.5}),
              ("short", {"t_max": 8}), ("short", {"velocity_b": [0, -1]}), ("stick", {"angular_velocity_a": [0, 4, 0]}),
              ("tumbling", {"angular_velocity_b": [3, 1, 300]}), ("egg clear", {"angular_velocity_b": 2}),
              ("landing", {"velocity_b": [0, -0.01]})]
    test_least_distances = test_a_ray_that_touches_is_no_miss = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.swept = [name for name, answer in cls.answers.items() if "steps" in answer["certificate"]]

    def test_times(self):
        hits = [name for name in self.swept if self.lines[name]["expect"]["result"] == "hit"]
        self.check("refused", [(name, changes) for name in hits for changes in self.times(name)])
        self.check("refused", [(name, {key: 0.5}) for name in self.swept if name not in hits
                               for key in ("t", "t_lower", "t_upper")])

    def test_results(self):
        rows = [("deep", {"starts": "separated"}), ("push", {"starts": "overlapping"})]
        for name in self.swept:
            end = self.lines[name]["motion"]["t_max"]
            rows += [(name, {"starts": other}) for other in ("touching", "overlapping", "near", None)]
            rows += [(name, {"result": "perhaps"}), (name, {"query": "shapecast"}), (name, {"min_distance": [0, 1]}),
                     (name, {"min_distance": [0, None]}), (name, {"t_min": 0})]
            if self.lines[name]["expect"]["result"] == "hit":
                rows += [(name, {"result": "clear"}),
                         (name, {"result": "clear", "t": None, "t_lower": None, "t_upper": None})]
                self.check("unproven", [(name, {"certificate.t_upper": None}), (name, {"t_upper": None})])
            else:  # an answer without pairs has none that could be wrong
                self.check("unproven", [(name, {"result": "hit", "t": end, "t_lower": end, "t_upper": end})])
        self.check("refused", rows)
        self.check("unproven", [(name, {path: None}) for name in self.swept for path in ("-certificate", "-certificate.steps")])

    def test_steps(self):
        def across(d):
            return [-d[1], d[0]] if len(d) == 2 else d[1:] + d[:1]

        def backwards(step):
            return {**step, "t0": step["t1"], "t1": step["t0"]}

        first, last, steps = "certificate.steps.0", "certificate.steps.-1", "certificate.steps"
        rows = []
        for name in self.swept:
            found = [{first + ".t0": 1e-9}, {first + ".t0": -1}, {last + ".t1": lambda t: 0.999 * t}, {first: backwards},
                     {last: backwards}, {steps: lambda s: s[:-1]}, {steps: lambda s: s[1:]}]
            if name != "landing":  # a half-space has but one direction
                found += [{first + ".direction": lambda d: [-x for x in d]}, {last + ".direction": across},
                          {first + ".direction": lambda d: [0] * len(d)}]
            count = len(self.answers[name]["certificate"]["steps"])
            if count > 2:
                found += [{f"-{steps}.{count // 2}": None}, {steps: lambda s: s[::-1]}, {f"{steps}.1.t0": lambda t: t * 1.001},
                          {steps: lambda s: [{**s[0], "t1": s[-1]["t1"]}]}]
            rows += [(name, changes) for changes in found]
        self.check("refused", rows)

    def test_another_clearance(self):
        self.assertEqual(verdicts([{**self.lines["rod"], "clearance": 0.125}], [self.answers["rod"]]), ["refused"])


class Depths(unittest.TestCase):
    """Proofs of depths: surfaces of a polytope, polygons, and the axes of boxes."""
    CUBE = {"type": "hull", "vertices": [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]}
    DIAMOND = {"type": "polygon", "vertices": [[1, 0], [0, 1], [-1, 0], [0, -1]]}

    def check(self, a, b, position, expected):
        line = {"id": "q", "query": "penetration", "dim": len(position), "a": a, "b": {**b, "position": position},
                "proof": True}
        answer, = query(line)
        self.assertEqual(verdicts([line], [answer]), ["verified"])
        for verdict, rows in expected(answer).items():
            found = verdicts([line] * len(rows), [changed(answer, changes) for changes in rows.values()])
            self.assertEqual(dict(zip(rows, found, strict=True)), dict.fromkeys(rows, verdict))
        return line, answer

    def test_surfaces(self):
        faces, pairs, upper = (f"certificate.upper{path}" for path in (".surface.faces", ".surface.pairs", ""))

        def expected(answer):
            distance = answer["distance"]
            good = answer["lower"] if answer["lower"] < answer["upper"] else math.nextafter(answer["upper"], -9)
            return {"refused": {
                "flipped": {faces + ".0": lambda f: f[::-1]}, "removed": {faces: lambda f: f[:-1]},
                "twice": {faces: lambda f: f + f[:1]}, "all removed": {faces: []},
                "all flipped": {faces: lambda f: [x[::-1] for x in f]}, "degenerate": {faces + ".0": lambda f: [f[1], *f[1:]]},
                "index beyond": {faces + ".0.0": 99999}, "index below": {faces + ".0.0": -1},
                "half an index": {faces + ".0.0": 0.5}, "two corners": {faces + ".0": lambda f: f[:-1]},
                "a face that is no list": {faces + ".0": 7}, "no faces": {"-" + faces: None}, "no pairs": {"-" + pairs: None},
                "pairs all removed": {pairs: []}, "a vertex beyond": {pairs + ".0.0": 8}, "a vertex below": {pairs + ".0.1": -1},
                "a point of a polytope": {pairs + ".0.0": [0, 0, 0]}, "half a pair": {pairs + ".0": lambda p: p[:-1]},
                "another vertex": {pairs: lambda p: [q[::-1] for q in p]},
                "upper too good": {"upper": good, "distance": good, "lower": answer["lower"] - 1e-9},
                "lower too good": {key: distance + 1e-9 for key in ("lower", "distance", "upper")},
                "deeper": {"upper": -9, "distance": -9, "lower": -9}, "axes of hulls": {upper: {"axes": "box"}},
                "a surface that is no object": {upper: {"surface": [1]}}, "two proofs": {upper + ".axes": "box"},
                "two proofs, one of them pairs": {upper + ".pairs": [[0, 0]]}},
                "unproven": {"null": {upper: None}, "empty": {upper: {}}}}
        self.check(self.CUBE, {**self.CUBE, "rotation": [4, 1, 2, 3]}, [0.5, 0.25, 1], expected)

    def test_polygons(self):
        pairs = "certificate.upper.surface.pairs"
        self.check(self.DIAMOND, {**self.DIAMOND, "rotation": [3, 1]}, [0.5, 0.25], lambda _: {"refused": {
            "clockwise": {pairs: lambda p: p[::-1]}, "shortened": {pairs: lambda p: p[:-1]}, "empty": {pairs: []},
            "swapped": {pairs: lambda p: [p[1], p[0], *p[2:]]}, "faces": {"certificate.upper.surface.faces": [[0, 1, 2]]}}})

    def test_axes(self):
        upper = "certificate.upper"
        line, answer = self.check(BOX, {**BOX, "rotation": [4, 1, 2, 3]}, [1.5, 0.25, 0.5], lambda answer: {"refused": {
            "upper too good": {"upper": answer["upper"] - 1e-9, "distance": answer["lower"] - 1e-9,
                               "lower": answer["lower"] - 1e-9},
            "another word": {upper + ".axes": "boxes"}, "a number": {upper + ".axes": 15},
            "two proofs": {upper + ".pairs": [[0, 7]]}}})
        self.assertEqual(answer["certificate"]["upper"], {"axes": "box"})
        self.assertEqual(verdicts([{**line, "b": {**line["b"], "half_extents": [1, 1, 0.5]}}], [answer]), ["refused"])

    def test_where_there_is_a_gap_no_depth_proof_helps(self):
        line = {"id": "q", "query": "distance", "a": BOX, "b": {**BOX, "position": [5, 0, 0]}}
        answer, = query(line)
        for upper in ({"axes": "box"}, {"surface": {"pairs": [[0, 0], [1, 0], [2, 0], [4, 0]],
                                                    "faces": [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]}}):
            found, = verdicts([line], [changed(answer, {"certificate.upper": upper})])
            self.assertIn(found, ("refused", "unproven"))


if __name__ == "__main__":
    sys.exit(unittest.main())
