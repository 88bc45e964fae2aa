"""The program of README.md and those in examples/ compile and print what the documents say; so do the commands of README.md."""
import re
import subprocess
import unittest

from building import GRAZE, ROOT, blocks, compile_and_run, promised

README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = ROOT / "examples"


def text_of(path):
    return path.read_text(encoding="utf-8")


def listed(variable):
    """The names that examples/CMakeLists.txt builds in a loop over this variable."""
    return sorted(re.search(rf"foreach\({variable} (.*)\)", text_of(EXAMPLES / "CMakeLists.txt"))[1].split())


class Programs(unittest.TestCase):
    maxDiff = None

    def test_examples(self):
        """An example prints what its first comment says."""
        sources = sorted(EXAMPLES.glob("*.c"))
        self.assertEqual(listed("example"), [path.stem for path in sources])
        for path in sources:
            with self.subTest(path.name):
                self.assertEqual(compile_and_run(text_of(path)), promised(text_of(path)))

    def test_folders(self):
        """A README has two commands, in a block of their own, and what the second one prints."""
        sources = sorted(EXAMPLES.glob("*/main.c"))
        self.assertEqual(listed("folder"), [path.parent.name for path in sources])
        for path in sources:
            name = path.parent.name
            with self.subTest(name):
                readme = text_of(path.parent / "README.md")
                command = f"cc -Iinclude examples/{name}/main.c build/libgraze.a -o build/{name} && build/{name}\n"
                self.assertEqual(blocks("sh", readme), ["make\n" + command])
                self.assertEqual([compile_and_run(text_of(path))], blocks("text", readme))

    def test_readme(self):
        """Its program is examples/first.c; other blocks of text are what examples print."""
        program, = blocks("c", README)
        example = text_of(EXAMPLES / "first.c")
        self.assertEqual(program, example[example.index("#include"):])
        printed = [promised(text_of(path)) for path in EXAMPLES.glob("*.c")]
        for block in blocks("text", README):
            self.assertIn(block, [compile_and_run(program)] if block.startswith("gap ") else printed)

    def test_sessions(self):
        """Lines that begin with "$ " are commands; what follows is what they print, errors last."""
        sessions = blocks("console", README)
        self.assertTrue(sessions)
        for step in [step for session in sessions for step in re.split(r"^\$ ", session, flags=re.M)[1:]]:
            command, _, expected = step.partition("\n")
            with self.subTest(command):
                real = command.replace("build/graze", str(GRAZE))
                done = subprocess.run(["sh", "-c", real], cwd=ROOT, capture_output=True, text=True)
                self.assertEqual(done.stdout + done.stderr, expected)


if __name__ == "__main__":
    unittest.main()
