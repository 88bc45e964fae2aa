"""`graze verify`: true answers are verified, every kind of forgery is refused (forgeries.jsonl), and an answer without a proof
is unproven."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from commands import BOX, GRAZE, Answered, changed, query, records, run, text_of, verdicts, verify

EGG = {"type": "ellipsoid", "radii": [1, 2, 3]}


def each(values):
    return values if isinstance(values, list) else [values]


class Forgeries(unittest.TestCase):
    def test_each(self):
        """A row may have several lines and several changes; it may also change the line."""
        for file in ("pairs", "motion", "toi", "compounds"):
            lines = {line["id"]: line for line in records(file + ".jsonl")}
            answers = dict(zip(lines, query(*lines.values()), strict=True))
            rows = [(row, name, changes) for row in records("forgeries.jsonl") if row["file"] == file
                    for name in each(row["id"]) for changes in each(row["changes"])]
            self.assertGreater(len(rows), 15)
            found = verdicts([changed(lines[name], row.get("line", {})) for row, name, _ in rows],
                             [changed(answers[name], changes) for _, name, changes in rows])
            for (row, name, changes), verdict in zip(rows, found, strict=True):
                with self.subTest(row, name=name, changes=changes):
                    self.assertEqual(verdict, row["verdict"])


class Pairs(Answered):
    file = "pairs.jsonl"

    def test_true_answers(self):
        self.assertEqual(set(verdicts(self.lines.values(), self.answers.values())), {"verified"})
        self.assertEqual({answer["certificate"]["relation"]["kind"] for answer in self.answers.values()},
                         {"separated", "touch", "inside", "near", "plane", "axes"})

    def test_an_answer_to_another_line(self):
        corners = {"id": 1, "query": "aabb", "a": BOX}
        for line, answer, verdict in [
                (self.lines["inside"], {**self.answers["apart"], "id": "inside"}, "refused"),
                (json.dumps({**self.lines["apart"], "id": 0}).replace('"id": 0', '"id": 1e1'),
                 {**self.answers["apart"], "id": 10}, "verified"),
                (corners, query(corners)[0], "unproven")]:
            self.assertEqual(verdicts([line], [answer]), [verdict], line)

    def test_undecided_is_for_curved_shapes(self):
        def undecided(a, b, **rest):
            answer = {"id": 1, "query": "intersect", "relation": "undecided",
                      "certificate": {"relation": {"kind": "undecided"}}}
            return verdicts([{"id": 1, "query": "intersect", "a": a, "b": b, **rest}], [answer])[0]
        for a in (BOX, {"type": "sphere", "radius": 1.5}, {"type": "halfspace", "normal": [0, 0, 2], "offset": 1},
                  {"type": "capsule", "radius": 1, "half_length": 1, "margin": 2}):
            self.assertEqual((undecided(a, BOX), undecided(a, BOX, filter="aabb")), ("refused", "unproven"))
            self.assertNotIn("refused", (undecided(a, EGG), undecided(EGG, a)))

    def test_error_lines_state_nothing_unless_malformed(self):
        good = {"error": {"code": "unsupported", "message": "not here"}}
        self.assertEqual(self.verdict("apart", {"id": "apart", "line": 1, **good}), "error")
        malformed = [row["changes"] for row in records("forgeries.jsonl") if "error" in row["changes"]]
        self.assertEqual({self.verdict("apart", {"id": "apart", **changes}) for changes in malformed}, {"refused"})
        lines = [row["line"] for row in records("errors.jsonl")] + [self.lines["apart"]]
        done = verify(lines, run("query", text=text_of(lines)).stdout.decode().splitlines())
        self.assertEqual((done.returncode, done.stdout.decode().split()),
                         (0, ["verified", "1", "unproven", "0", "refused", "0", "errors", str(len(lines) - 1)]))

    def test_rejected_lines_are_named_and_counted(self):
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
        self.assertTrue(second.pop("reason"))
        self.assertEqual((second, done.returncode), ({"id": "touch", "line": 2, "verdict": "refused"}, 1))
        self.assertEqual(counts, {"answers": 2, "verified": 1, "unproven": 0, "refused": 1, "errors": 0})

    def test_2_when_the_counts_differ_or_a_file_is_missing(self):
        line, answer = self.lines["apart"], self.answers["apart"]
        for lines, answers in (([line] * 2, [answer]), ([line], [answer] * 2)):
            done = verify(lines, answers)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(b"must have as many as", done.stderr)
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


NO_TIMES = {"t": None, "t_lower": None, "t_upper": None}


class Motions(Answered):
    """Changes that depend on the answer: times, results, least distances."""
    file = "motion.jsonl"

    def times(self, name):
        """Values that a hit must not have instead of its times."""
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
                rows += [(name, {key: value}) for key in NO_TIMES for value in (0, 0.5)]
            elif line["expect"]["starts"] == "separated":
                rows += [(name, changes) for changes in self.times(name)]
            else:
                rows += [(name, {"t_upper": 0.5}), (name, {"t": 0.5, "t_lower": 0.5, "t_upper": 0.5}), (name, {"t": -1})]
        self.check("refused", rows)

    def test_results(self):
        rows, unproven = [("ray", {"result": "clear"}), ("ray miss", {"result": "hit"}), ("ray", {"query": "shapecast"})], []
        for name, line in self.lines.items():
            key, yes, no = ("hit", True, False) if line["query"] == "raycast" else ("result", "hit", "clear")
            if line["expect"]["result"] == "hit":
                rows += [(name, changes) for changes in ({key: no}, {"min_distance": [0, 1e300], **NO_TIMES, key: no},
                                                         {key: "perhaps"}, {"-" + key: None}, {"min_distance": [0, 1]},
                                                         {"t_min": 0})]
            else:  # a hit without times states nothing that can be checked
                rows.append((name, {key: yes}))
                endless = self.answers[name]["t_min"] is None
                (unproven if endless else rows).append((name, {key: yes, "min_distance": None}))
            if line["query"] == "shapecast":
                rows += [(name, {"starts": other}) for other in ("overlapping", "touching", "separated", "near", None)
                         if other != line["expect"]["starts"]]
            if name not in ("egg", "egg miss"):
                rows += [(name, {"result": "possible"}), (name, {"starts": "undecided"})]
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


class Sweeps(Motions):
    """Motions that turn, whose proof is a list of steps."""
    file = "toi.jsonl"
    test_least_distances = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.swept = [name for name, answer in cls.answers.items() if "steps" in answer["certificate"]]

    def test_times(self):
        hits = [name for name in self.swept if self.lines[name]["expect"]["result"] == "hit"]
        self.check("refused", [(name, changes) for name in hits for changes in self.times(name)])
        self.check("refused", [(name, {key: 0.5}) for name in self.swept if name not in hits for key in NO_TIMES])

    def test_results(self):
        rows, unproven = [("deep", {"starts": "separated"}), ("push", {"starts": "overlapping"})], []
        for name in self.swept:
            end = self.lines[name]["motion"]["t_max"]
            rows += [(name, {"starts": other}) for other in ("touching", "overlapping", "near", None)]
            rows += [(name, {"result": "perhaps"}), (name, {"query": "shapecast"}), (name, {"min_distance": [0, 1]}),
                     (name, {"min_distance": [0, None]}), (name, {"t_min": 0})]
            unproven += [(name, {"-certificate": None}), (name, {"-certificate.steps": None})]
            if self.lines[name]["expect"]["result"] == "hit":
                rows += [(name, {"result": "clear"}), (name, {"result": "clear", **NO_TIMES})]
                unproven += [(name, {"certificate.t_upper": None}), (name, {"t_upper": None})]
            else:  # an answer without pairs has none that could be wrong
                unproven.append((name, {"result": "hit", "t": end, "t_lower": end, "t_upper": end}))
        self.check("refused", rows)
        self.check("unproven", unproven)

    def test_steps(self):
        steps, backwards = "certificate.steps", "{**x, 't0': x['t1'], 't1': x['t0']}"
        first, last = f"={steps}.0", f"={steps}.-1"
        rows = []
        for name in self.swept:
            found = [{first + ".t0": "1e-9"}, {first + ".t0": "-1"}, {last + ".t1": "0.999 * x"}, {first: backwards},
                     {last: backwards}, {"=" + steps: "x[:-1]"}, {"=" + steps: "x[1:]"}]
            if name != "landing":  # a half-space has but one direction
                found += [{first + ".direction": "[-d for d in x]"}, {first + ".direction": "[0] * len(x)"},
                          {last + ".direction": "[-x[1], x[0]] if len(x) == 2 else x[1:] + x[:1]"}]
            count = len(self.answers[name]["certificate"]["steps"])
            if count > 2:
                found += [{f"-{steps}.{count // 2}": None}, {"=" + steps: "x[::-1]"}, {f"={steps}.1.t0": "x * 1.001"},
                          {"=" + steps: "[{**x[0], 't1': x[-1]['t1']}]"}]
            rows += [(name, changes) for changes in found]
        self.check("refused", rows)
