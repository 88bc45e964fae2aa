"""Every program in examples/ prints what its first comment says it prints, or, in a folder of its own, its README."""
import re
import unittest

from building import ROOT, blocks, compile_and_run, promised

EXAMPLES = ROOT / "examples"


def listed(variable):
    """The names that examples/CMakeLists.txt builds in a loop over this variable."""
    text = (EXAMPLES / "CMakeLists.txt").read_text(encoding="utf-8")
    return sorted(re.search(rf"foreach\({variable} (.*)\)", text)[1].split())


class Examples(unittest.TestCase):
    maxDiff = None

    def test_each(self):
        sources = sorted(EXAMPLES.glob("*.c"))
        self.assertEqual(listed("example"), [path.stem for path in sources])
        for path in sources:
            with self.subTest(path.name):
                text = path.read_text(encoding="utf-8")
                self.assertEqual(compile_and_run(text), promised(text))

    def test_folders(self):
        """A README has two commands, in a block of their own, and what the second one prints."""
        sources = sorted(EXAMPLES.glob("*/main.c"))
        self.assertEqual(listed("folder"), [path.parent.name for path in sources])
        for path in sources:
            name = path.parent.name
            with self.subTest(name):
                readme = (path.parent / "README.md").read_text(encoding="utf-8")
                command = f"cc -Iinclude examples/{name}/main.c build/libgraze.a -o build/{name} && build/{name}\n"
                self.assertEqual(blocks("sh", readme), ["make\n" + command])
                self.assertEqual([compile_and_run(path.read_text(encoding="utf-8"))], blocks("text", readme))


if __name__ == "__main__":
    unittest.main()
