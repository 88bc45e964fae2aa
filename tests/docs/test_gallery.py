"""The gallery in docs/gallery is what `graze explain --gallery` of this build writes, file by file."""
import json
import pathlib
import subprocess
import tempfile
import unittest

from building import GRAZE, ROOT


def files(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


class Gallery(unittest.TestCase):
    def test_current(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([GRAZE, "explain", "--gallery", folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            made, kept = files(folder), files(ROOT / "docs/gallery")
            other = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
            self.assertEqual(other, [], "not as made: run build/graze explain --gallery docs/gallery")

    def test_questions_are_answered_and_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([GRAZE, "explain", "--gallery", folder], check=True)
            asked = pathlib.Path(folder) / "questions.jsonl"
            done = subprocess.run([GRAZE, "explain", "--json", asked], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            told = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual(len(told), len(asked.read_text(encoding="utf-8").splitlines()))
            for story in told:
                with self.subTest(story["question"]["id"]):
                    # A depth of polygons by separating axes has no surface to show.
                    unproven = story["question"].get("method") == "sat" and story["answer"]["relation"] == "overlapping"
                    if "minkowski" not in story:
                        self.assertEqual(story["evidence"]["verdict"], "unproven" if unproven else "verified")


if __name__ == "__main__":
    unittest.main()
