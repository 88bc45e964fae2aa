"""tools/check_words.py finds planted words in every language and accepts ordinary English."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from commands import ROOT

PLANTED = {
    "a.c": ("int planted_room_take;\n/* Returns the sum. What is told is\n * asked again. */\nconst char *t = \"nobody can know\", *key = \"seam\";\n",
            {(1, "room"), (1, "take"), (2, "What …"), (2, "tell"), (3, "ask"), (4, "nobody")}),
    "b.h": ("#include \"scene/tidy.h\"\nstruct boxReach { int x; };\n// Of boxes six vertices are enough.\n",
            {(2, "reach"), (3, "Of …")}),
    "c.py": ('"""Says what is slow."""\nasked = 1  # the host\ntext = "the lanes of it"\n',
             {(1, "say"), (2, "asked"), (2, "host"), (3, "lane")}),
    "d.lua": ("-- So many bodies wait.\nlocal is_seam = [[the border walk is here]]\n",
              {(1, "So many …"), (1, "wait"), (2, "seam"), (2, "border walk")}),
    "e.js": ("const guestBox = `a claim of ${x}`; /* border included */\n",
             {(1, "guest"), (1, "claim"), (1, "border included")}),
    "f.md": ("# Title\n\nIt judges a flaw on its way.\n\n```c\nint impact;\n```\n\nCall `planted_mover_x` or `path`.\n",
             {(3, "judge"), (3, "flaw"), (3, "way"), (6, "impact"), (9, "mover")}),
    "tidy_up.sh": ("# A meeting is a crossing.\n", {(1, "tidy"), (1, "meeting"), (1, "crossing")}),
}
ORDINARY = """Two boxes touch. The list of faces is found in a table along the x axis, in the same way as
of course all paths of the file. The function returns the distance and takes no lock; put differently, it looks up the index.
There are many ways to reach it: note the wide margin, far from home. A way to do it is a hill climb. The figure shows it.
"""


def check(*arguments):
    command = [sys.executable, ROOT / "tools/check_words.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


class Words(unittest.TestCase):
    def test_planted(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, (text, expected) in PLANTED.items():
                path = Path(folder, name)
                path.write_text(text, encoding="utf-8")
                done = check(path)
                rows = [line[len(str(path)) + 1:].split(": ") for line in done.stdout.splitlines() if line.startswith(folder)]
                with self.subTest(name):
                    self.assertEqual(done.returncode, 1)
                    self.assertEqual({(int(row[0]), row[1]) for row in rows}, expected)

    def test_ordinary(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.md").write_text(ORDINARY, encoding="utf-8")
            Path(folder, "a.c").write_text(f"/* {ORDINARY} */\nbool found = pthread_cond_wait;\n", encoding="utf-8")
            done = check(folder)
            self.assertEqual((done.returncode, done.stdout), (0, "words: 2 files, 0 to replace\n"))

    def test_exit_status(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.md").write_text("A room.\n", encoding="utf-8")
            self.assertEqual([check(*options, folder).returncode for options in ([], ["--summary"], ["--summary", "--strict"])], [1, 0, 1])
