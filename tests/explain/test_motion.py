"""graze explain for motions: its text states only what the record holds, the bar shows what is proved, the samples are what
graze query computes for those times, and the examples and cases have their stories."""
import json
import math
import re
import unittest

from commands import ROOT, query, records, run

MOTIONS = ("shapecast", "toi", "raycast")


# Among them rays so slow that all that matters ends at a time that is no number.
QUERIES = records(ROOT / "tests/explain/motions.jsonl")


def queries():
    yield from QUERIES
    for path in sorted([*ROOT.glob("tests/cases/*.jsonl"), *ROOT.glob("examples/*.jsonl")]):
        yield from (line for line in records(path) if line.get("query") in MOTIONS)


def numbers_in(value):
    if isinstance(value, dict):
        for inner in value.values():
            yield from numbers_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers_in(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def numbers_of(words):
    """The numbers of a text, without those in names as A2."""
    for found in re.findall(r"(?<![\w.])−?\d+(?:\.\d+)?(?:e−?\d+)?", words):
        yield float(found.replace("−", "-"))


class Motions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.queries = list(queries())
        text = "".join(json.dumps(request) + "\n" for request in cls.queries)
        cls.answers = query(*[{**request, "proof": True} for request in cls.queries])
        done = run("explain", "--json", "-", text=text)
        cls.stories = [json.loads(line) for line in done.stdout.decode().splitlines()]
        assert len(cls.stories) == len(cls.queries)

    def each(self, check, most=None):
        for request, answer, story in list(zip(self.queries, self.answers, self.stories, strict=True))[:most]:
            if "error" not in answer:
                with self.subTest(request=json.dumps(request)):
                    check(request, answer, story)

    def test_whatever_is_answered_has_a_story(self):
        count = 0

        def check(_query, answer, story):
            nonlocal count
            count += 1
            self.assertEqual(story["answer"], {"id": answer["id"], **answer})
        self.each(check)
        self.assertGreater(count, len(QUERIES) - 1)

    def test_the_bar_is_the_answer(self):
        def check(_query, answer, story):
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

    def test_the_evidence_covers_the_answer(self):
        def check(_query, answer, story):
            evidence, starts = story["motion"]["evidence"], answer.get("starts")
            if evidence["free_until"] is not None:
                self.assertTrue(answer["t_lower"] <= evidence["free_until"] <= answer["t_upper"])
            if answer["t_lower"] is None and "min_distance" in answer and starts == "separated" and evidence["gap"] is not None:
                self.assertGreaterEqual(evidence["gap"], answer["min_distance"][0])
                if evidence["near_upper"] is not None:
                    self.assertLessEqual(evidence["near_upper"], answer["min_distance"][1])
        self.each(check)

    def test_samples_equal_queries_at_those_times(self):
        def check(request, _answer, story):
            samples = [m for m in story["motion"]["moments"] if m["sampled"]]
            self.assertEqual(len(samples), 16 if story["motion"]["t_end"] > 0 else 1)
            lines = []
            for moment in samples:
                a, b = ({**request.get(name, {"type": "point"}), "position": moment[name]["position"],
                         "rotation": moment[name]["rotation"][::3 if request["dim"] == 2 else 1]} for name in "ab")
                lines.append({"query": "intersect", "dim": request["dim"], "a": a, "b": b,
                              "clearance": request.get("clearance", 0)})
            for moment, answer in zip(samples, query(*lines), strict=True):
                self.assertEqual(moment["relation"], answer.get("relation", "no relation"))
        self.each(check, len(QUERIES))

    def test_the_text(self):
        """Every number of it is recorded, and its lines fit a terminal."""
        def check(request, _answer, story):
            motion, known = story["motion"], {0, 1, 16, *map(abs, numbers_in(story))}
            known |= {*range(len(motion["steps"]) + 1), motion["t_end"] / 15}
            known |= {abs(m["t"] - motion["t_key"]) for m in motion["moments"]}
            text = run("explain", "-", text=json.dumps(request)).stdout.decode()
            for number in numbers_of(text.split("\n\n", 1)[1]):
                near = any(math.isclose(abs(number), value, rel_tol=1e-5, abs_tol=1e-300) for value in known)
                self.assertTrue(near, (number, text))
            for line in text.splitlines():
                self.assertLessEqual(len(line), 120)
                self.assertEqual(line, line.rstrip())
                self.assertNotRegex(line, r"\bnan\b|\binf\b|\?|(^|[ (])-\d")
        self.each(check)

    def test_the_bar_has_the_columns_of_its_spans(self):
        text = " ".join(run("explain", json.dumps(QUERIES[0])).stdout.decode().split())
        bar, sampled = re.search(r"proof ([=~#]+) samples ([otx -]+) =", text).groups()
        self.assertEqual((len(bar), len(bar.split("~")[0])), (61, 28))  # a little less than 0.095 of 0.2: column 28.5 of 60
        self.assertEqual(sampled.replace(" ", ""), 16 * "o")
