"""The evaluation of tools/bench_report.py: the fastest right peer, cells in which Graze is slower, the texts."""
import math
import unittest

import bench_report


def row(cell, subject, ns, right=True, single=False):
    return {"workload": "W2", "cell": f"{cell}/distance", "subject": subject, "query": "distance", "ns": ns, "right": right,
            "single": single, "wrong": 0 if right else 3, "truth": "a file", "max_error": 0.25, "p999_error": 0.125}


ROWS = [row("8", "graze", 100), row("8", "graze-native", 80), row("8", "quick", 50, right=False),
        row("8", "float", 60, single=True), row("8", "slow", 400), row("8", "slower", 900),
        row("32", "graze", 100), row("32", "graze-native", 125), row("32", "faster", 50),
        row("128", "graze", 100), row("128", "quick", 10, right=False)]


class Benchmarks(unittest.TestCase):
    def test_fastest_that_is_right(self):
        found = [(cell, subject, ratio) for _, cell, _, subject, ratio in bench_report.compared(ROWS)]
        self.assertEqual(found, [("8/distance", "slow", 4.0), ("32/distance", "faster", 0.5)])
        self.assertTrue(math.isclose(bench_report.mean([4.0, 0.5]), math.sqrt(2)))

    def test_in_short(self):
        matrix = [{**each, "workload": "M"} for each in ROWS if each["cell"] == "32/distance"]
        lines = bench_report.in_short(ROWS + matrix).splitlines()
        self.assertEqual(lines[2:], ["| distance | 2 | 1.41 | 0.50 | 4.00 | 1 |", "| **all** | 2 | **1.41** | 0.50 | 4.00 | 1 |",
                                     "| all, in float | 1 | 0.60 | 0.60 | 0.60 | 1 |", "| matrix | 1 | 0.50 | 0.50 | 0.50 | 1 |"])

    def test_lists(self):
        text = bench_report.lists(ROWS)
        self.assertIn("**Slower than a peer:** W2 32/distance (faster: 0.50).", text)
        self.assertIn("**Less than twice as fast:** none.", text)
        self.assertIn("**No peer is right:** W2 128/distance.", text)
        self.assertIn("**Graze is wrong:** nowhere.", text)
        self.assertIn("takes 1.000 times as long as `graze-native` in the geometric mean, 1.25 at most (W2 8/distance)", text)
        self.assertIn("**Graze is wrong:** W2 8/distance (graze).", bench_report.lists([row("8", "graze", 1, right=False)]))

    def test_tables(self):
        text = bench_report.section("W2", ROWS)
        self.assertIn("| slow | **400 (4.00)**<br>max 2e-1 |  |  |", text)
        self.assertIn("| quick | 50 (0.50)<br>✗ 3 wrong, p99.9 1e-1, max 2e-1 |  | 10 (0.10)<br>✗ 3 wrong", text)
        before, after = text.split("In float:")
        self.assertNotIn("| float |", before)
        self.assertIn("| float | 60 (0.60)", after)
        self.assertNotIn("| slow |", after)
