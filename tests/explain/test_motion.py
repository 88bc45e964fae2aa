"""graze explain for motions: its text tells only what the record holds, the bar shows what is proved, the samples are what
graze query says of those moments, and the examples and cases have their stories."""
import json
import math
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/cli"))
from commands import ask, run  # noqa: E402

MOTIONS = ("shapecast", "toi", "raycast")
SQUARE = {"type": "box", "half_extents": [1, 1]}
BALL = {"type": "sphere", "radius": 0.25}
U = {"type": "polygon", "concave": "decompose",
     "vertices": [[0, 0], [6, 0], [6, 6], [4, 6], [4, 2], [2, 2], [2, 6], [0, 6]]}


def cast(a, b, position, velocity, t_max=1, still=None, **rest):
    """B moves from `position`; A stays, or moves too."""
    dim = len(position)
    motion = {"type": "linear", "velocity_a": still or [0] * dim, "velocity_b": velocity, "t_max": t_max}
    return {"query": "shapecast", "dim": dim, "a": a, "b": {**b, "position": position}, "motion": motion, **rest}


def turn(a, b, position, angular_a, angular_b, t_max=1, velocity=None, **rest):
    """Both turn, and B moves, if a velocity is given."""
    dim = len(position)
    motion = {"type": "rotational", "velocity_a": [0] * dim, "velocity_b": velocity or [0] * dim,
              "angular_velocity_a": angular_a, "angular_velocity_b": angular_b, "t_max": t_max}
    return {"query": "toi", "dim": dim, "a": a, "b": {**b, "position": position}, "motion": motion, **rest}


def ray(a, origin, direction, t_max=None, **rest):
    motion = {"type": "ray", "origin": origin, "direction": direction, "t_max": t_max}
    return {"query": "raycast", "dim": len(origin), "a": a, "motion": motion, **rest}


WALL = {"type": "box", "half_extents": [0.05, 2]}
FAINT = 2.0**-1022
BULLET = cast(WALL, {"type": "circle", "radius": 0.25}, [-6, 0.5], [60, 0], 0.2)
ROD = {"type": "box", "half_extents": [2, 0.05]}
PLANK = {"type": "box", "half_extents": [2, 0.25, 0.05]}
QUESTIONS = [
    BULLET, turn(ROD, {"type": "circle", "radius": 0.1}, [0.8, 1.2], 40, 0, 0.6), turn(ROD, ROD, [0, 5], 7, -3),
    turn(ROD, U, [2.5, 0], 3, 0, 2), turn(ROD, ROD, [1, 0.2], 1, 0), turn(ROD, SQUARE, [0, 1.05], 0, 1),
    turn(PLANK, {"type": "box", "half_extents": [0.5, 4, 4]}, [2.75, 0, 0], [0.5, 2, 1], [0, 0, 0], 3, [0, -1, 0]),
    turn(PLANK, {"type": "cylinder", "radius": 0.5, "half_length": 1}, [6, 0, 0], [0.5, 2, 1], [1, 0, 0], 3, [-2, 0, 0]),
    *[cast(SQUARE, SQUARE, [6, y], [-4, 0], 2, method=m) for m in ("sweep", "ca", "discrete") for y in (0.5, 2.5)], cast(SQUARE, SQUARE, [4, 4], [-2, -2], 3), cast(SQUARE, SQUARE, [-9, 2.5], [10, 0], 2),
    cast(SQUARE, SQUARE, [5, 0], [0, 0]), cast(SQUARE, SQUARE, [0.5, 2], [10, 0], 2),
    cast(SQUARE, SQUARE, [0.5, 2], [0, -1], 2), cast(SQUARE, SQUARE, [0.5, 1], [0, 9], 2),
    cast({"type": "halfspace", "normal": [0.25, 2], "offset": 1}, SQUARE, [2, 5], [3, -3], 3),
    cast({"type": "ellipse", "radii": [2, 1], "rotation": 0.4}, SQUARE, [6, 1], [-4, 0.25], 2),
    cast(SQUARE, SQUARE, [9, 0.5], [-3, 0], 4, still=[1, 0.25], clearance=0.5), cast(U, SQUARE, [3, 9], [0, -2], 3),
    cast(BALL, {"type": "box", "half_extents": [5e-7, 10, 10]}, [100, 0, 0], [-1e6, 0, 0]),
    cast(SQUARE, SQUARE, [9, 0], [-1, 0], 0), cast(SQUARE, {"type": "point"}, [1e30, 0], [-1e38, 1e30], 1e10),
    ray(SQUARE, [-5, 0.5], [0.5, 0]), ray(SQUARE, [-5, 1.5], [1, 0], 9), ray(SQUARE, [0.5, 0], [1, 0]),
    ray(BALL, [-5, 2, 0], [2, 1, 0]), ray(SQUARE, [3, 3], [0, 0]), ray(U, [3, 9], [0, -1]),
    # All that matters ends so late that some time after it is no number.
    ray(SQUARE, [0, 1.25], [FAINT, 0]), ray(SQUARE, [-5, 1.25], [FAINT, 0]), ray(SQUARE, [-5, 0.25], [FAINT, 0]),
]


def questions():
    yield from QUESTIONS
    for path in sorted([*ROOT.glob("tests/cases/*.jsonl"), *ROOT.glob("examples/*.jsonl")]):
        for line in path.read_text(encoding="utf-8").splitlines():
            if json.loads(line).get("query") in MOTIONS:
                yield json.loads(line)


def numbers_in(value):
    if isinstance(value, dict):
        for inner in value.values():
            yield from numbers_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers_in(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def told(words):
    """The numbers of a text; those of names as A2 are none."""
    for found in re.findall(r"(?<![\w.])−?\d+(?:\.\d+)?(?:e−?\d+)?", words):
        yield float(found.replace("−", "-"))


class Motions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.questions = list(questions())
        text = "".join(json.dumps(question) + "\n" for question in cls.questions)
        cls.answers = ask(*[{**question, "proof": True} for question in cls.questions])
        done = run("explain", "--json", "-", text=text)
        cls.stories = [json.loads(line) for line in done.stdout.decode().splitlines()]
        assert len(cls.stories) == len(cls.questions)

    def each(self, check, most=None):
        for question, answer, story in list(zip(self.questions, self.answers, self.stories, strict=True))[:most]:
            if "error" not in answer:
                with self.subTest(question=json.dumps(question)):
                    check(question, answer, story)

    def test_whatever_is_answered_has_a_story(self):
        count = 0

        def check(_question, answer, story):
            nonlocal count
            count += 1
            self.assertEqual(story["answer"], {"id": answer["id"], **answer})
        self.each(check)
        self.assertGreater(count, len(QUESTIONS) - 1)

    def test_the_bar_is_the_answer(self):
        def check(_question, answer, story):
            motion, clear = story["motion"], answer["t_lower"] is None
            if answer["path"] == "discrete":
                self.assertEqual(motion["spans"][0]["state"], "undecided")
                return
            spans = motion["spans"]
            for before, after in zip(spans, spans[1:]):
                self.assertEqual(before["to"], after["from"])
            if spans:
                self.assertEqual((spans[0]["from"], spans[-1]["to"]), (0, motion["t_end"]))
            free = [span for span in spans if span["state"] == "free"]
            if clear:
                self.assertEqual(len(spans), len(free))
            else:
                self.assertEqual([span["to"] for span in free], [answer["t_lower"]] if answer["t_lower"] > 0 else [])
                self.assertEqual([span["to"] for span in spans if span["state"] == "undecided" and "met" in str(spans)],
                                 [answer["t_upper"]] * (answer["t_lower"] < answer["t_upper"] < motion["t_end"]))
        self.each(check)

    def test_the_evidence_reaches_as_far_as_the_answer(self):
        def check(_question, answer, story):
            evidence, starts = story["motion"]["evidence"], answer.get("starts")
            if evidence["free_until"] is not None:
                self.assertTrue(answer["t_lower"] <= evidence["free_until"] <= answer["t_upper"])
            if answer["t_lower"] is None and "min_distance" in answer and starts == "separated" and evidence["gap"] is not None:
                self.assertGreaterEqual(evidence["gap"], answer["min_distance"][0])
                if evidence["near_upper"] is not None:
                    self.assertLessEqual(evidence["near_upper"], answer["min_distance"][1])
        self.each(check)

    def test_samples_are_what_query_says_of_those_moments(self):
        def check(question, _answer, story):
            samples = [m for m in story["motion"]["moments"] if m["sampled"]]
            self.assertEqual(len(samples), 16 if story["motion"]["t_end"] > 0 else 1)
            lines = []
            for moment in samples:
                a, b = ({**question.get(name, {"type": "point"}), "position": moment[name]["position"],
                         "rotation": moment[name]["rotation"][::3 if question["dim"] == 2 else 1]} for name in "ab")
                lines.append({"query": "intersect", "dim": question["dim"], "a": a, "b": b,
                              "clearance": question.get("clearance", 0)})
            names = {"separated": "apart", "overlapping": "overlapping", "touching": "touching", "undecided": "undecided"}
            for moment, answer in zip(samples, ask(*lines), strict=True):
                self.assertEqual(moment["look"], names[answer["relation"]] if "relation" in answer else "not told")
        self.each(check, len(QUESTIONS))

    def test_every_number_of_the_text_is_recorded(self):
        def check(question, _answer, story):
            motion, known = story["motion"], {0, 1, 16, *map(abs, numbers_in(story))}
            known |= set(range(len(motion["steps"]) + 1))
            known.add(motion["t_end"] / 15)
            known |= {abs(m["t"] - motion["t_key"]) for m in motion["moments"]}
            text = run("explain", "-", text=json.dumps(question)).stdout.decode()
            for number in told(text.split("\n\n", 1)[1]):
                near = any(math.isclose(abs(number), value, rel_tol=1e-5, abs_tol=1e-300) for value in known)
                self.assertTrue(near, (number, text))
        self.each(check)

    def test_lines_fit(self):
        def check(question, _answer, _story):
            for line in run("explain", "-", text=json.dumps(question)).stdout.decode().splitlines():
                self.assertLessEqual(len(line), 120)
                self.assertEqual(line, line.rstrip())
                self.assertNotRegex(line, r"\bnan\b|\binf\b|\?|(^|[ (])-\d")
        self.each(check)


class Words(unittest.TestCase):
    def text(self, question):
        done = run("explain", json.dumps(question))
        self.assertEqual(done.returncode, 0, done.stderr)
        return " ".join(done.stdout.decode().split())

    def test_a_bullet_that_sampling_misses(self):
        text = self.text(BULLET)
        self.assertIn("A and B are apart each time: discrete sampling would have missed the hit.", text)
        self.assertIn("u = v_B − v_A = (60, 0)", text)
        self.assertIn("checked exactly by the verifier: verified.", text)
        bar, looks = re.search(r"proof ([=~#]+) samples ([otx -]+) =", text).groups()
        self.assertEqual(len(bar), 61)
        self.assertEqual(len(bar.split("~")[0]), 28)  # a little less than 0.095 of 0.2, which is column 28.5 of 60
        self.assertEqual(looks.replace(" ", ""), 16 * "o")

    def test_sampling_that_sees_late(self):
        text = self.text(cast(SQUARE, SQUARE, [4, 4], [-2, -2], 3.5))
        self.assertIn("they are first seen to meet at t = 1.16667, 0.166667 after the contact", text)

    def test_what_turns(self):
        text = self.text(QUESTIONS[1])
        self.assertIn("time of impact in 2D: A is a box of half extents (2, 0.05), B is a circle of radius 0.1; A stays and "
                      "turns at 40, B stays, for 0 ≤ t ≤ 0.6", text)
        self.assertIn("the path is the origin alone: A and B meet while A − B holds it", text)
        self.assertIn("steps show without a gap that nothing is met until t = 0.02196497516", text)
        self.assertIn("discrete sampling would have missed the hit", text)
        self.assertIn("checked exactly by the verifier: verified.", text)

    def test_what_samples_do_not_prove(self):
        text = self.text({**BULLET, "method": "discrete"})
        self.assertIn("unproven: samples show nothing about the time between them", text)
        self.assertNotIn("proved free", text)

    def test_the_other_endings(self):
        for question, words in [
                (cast(SQUARE, SQUARE, [-9, 2.5], [10, 0], 2), "clear: they never meet; their least distance is surely in"),
                (cast(SQUARE, SQUARE, [0.5, 2], [10, 0], 2), "clear: they touch at first, and never overlap"),
                (cast(SQUARE, SQUARE, [0.5, 2], [0, -1], 2), "hit at t = 0: they touch at first, and approach"),
                (cast(SQUARE, SQUARE, [0.5, 1], [0, 9], 2), "hit at t = 0: they overlap at first"),
                (cast(U, SQUARE, [3, 9], [0, -2], 3), "that no other pair of parts meets before is not shown"),
                (ray(SQUARE, [-5, 0.5], [0.5, 0]), "a ray that begins at (−5, 0.5) and goes along (0.5, 0), without end")]:
            self.assertIn(words, self.text(question))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
