"""tools/report.py, the table of `make cases`: all answers are right, its counts are those of the cases, and it detects a wrong one."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from commands import GRAZE, ROOT, records

PROVED = ("intersect", "distance", "penetration", "obb", "manifold", "shapecast", "toi", "raycast")
QUERIES = PROVED + ("aabb", "hull", "fit_box", "convexity", "decompose")
FILES = ("tools/report.py", "tests/cases/check.py", "tests/cases/reported.jsonl", "examples/mission.jsonl")


def report(root, graze=GRAZE):
    return subprocess.run([sys.executable, "-B", Path(root, "tools/report.py"), "--graze", graze],
                          capture_output=True, text=True, encoding="utf-8", env={"PYTHONIOENCODING": "utf-8"})


class Report(unittest.TestCase):
    def test_all_is_right(self):
        done = report(ROOT)
        rows = [case for name in FILES if name.endswith(".jsonl") for case in records(ROOT / name)]
        supported, proved = (sum(case["query"] in queries for case in rows) for queries in (QUERIES, PROVED))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout[-2000:])
        self.assertEqual(done.stdout.splitlines()[-1],
                         f"{supported} cases, {supported} right, 0 wrong, {proved} verified, 0 refused; "
                         f"{len(rows) - supported} reported cases have queries that this version does not support")
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 120)

    def planted(self, path, change):
        """The report for a copy of the project with one changed case."""
        with tempfile.TemporaryDirectory() as folder:
            for name in FILES:
                Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, Path(folder, name))
            rows = records(ROOT / path)
            self.assertTrue(change(next(case for case in rows if "intersects" in case["expect"] and
                                        case["query"] == "distance" and "signed_distance" in case["expect"])))
            Path(folder, path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            return report(folder)

    def test_a_wrong_expectation_is_noticed(self):
        def relation(case):
            case["expect"]["intersects"] = not case["expect"]["intersects"]
            return True

        def distance(case):
            case["expect"]["signed_distance"] += 0.001
            return True
        for path in FILES[2:]:
            for change in (relation, distance):
                done = self.planted(path, change)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stdout.splitlines()[-1], r", 1 wrong, ")
                self.assertIn("WRONG: ", re.sub(r"\s+", " ", done.stdout))

    def test_2_when_graze_cannot_be_run(self):
        done = report(ROOT, "/nowhere/graze")
        self.assertEqual(done.returncode, 2)
        self.assertIn("report: ", done.stderr)
