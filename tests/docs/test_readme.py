"""README.md tells the truth: its program compiles and prints what stands there, and so do its commands."""
import re
import subprocess
import unittest

from building import GRAZE, ROOT, blocks, compile_and_run, promised

README = (ROOT / "README.md").read_text(encoding="utf-8")


class Readme(unittest.TestCase):
    maxDiff = None

    def test_program(self):
        program, = blocks("c", README)
        example = (ROOT / "examples/first.c").read_text(encoding="utf-8")
        self.assertEqual(program, example[example.index("#include"):], "examples/first.c is the program of the README")
        printed, = [block for block in blocks("text", README) if block.startswith("gap ")]
        self.assertEqual(compile_and_run(program), printed)

    def test_excerpts(self):
        """What stands as printed by a part of an example is what test_examples.py sees the whole of it print."""
        printed = [promised(path.read_text(encoding="utf-8")) for path in (ROOT / "examples").glob("*.c")]
        for block in blocks("text", README):
            if not block.startswith("gap "):
                self.assertIn(block, printed)

    def test_sessions(self):
        """Lines that begin with "$ " are commands; what follows is what they print, errors last."""
        sessions = blocks("console", README)
        self.assertTrue(sessions)
        for session in sessions:
            for step in re.split(r"^\$ ", session, flags=re.M)[1:]:
                command, _, expected = step.partition("\n")
                with self.subTest(command):
                    real = command.replace("build/graze", str(GRAZE))
                    done = subprocess.run(["sh", "-c", real], cwd=ROOT, capture_output=True, text=True)
                    self.assertEqual(done.stdout + done.stderr, expected)


if __name__ == "__main__":
    unittest.main()
