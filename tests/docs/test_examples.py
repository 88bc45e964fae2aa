"""Every program in examples/ prints what its first comment says it prints."""
import re
import unittest

from building import ROOT, compile_and_run, promised


class Examples(unittest.TestCase):
    maxDiff = None

    def test_each(self):
        sources = sorted((ROOT / "examples").glob("*.c"))
        listed = re.search(r"foreach\(example (.*)\)", (ROOT / "examples/CMakeLists.txt").read_text(encoding="utf-8"))[1]
        self.assertEqual(sorted(listed.split()), [path.stem for path in sources])
        for path in sources:
            with self.subTest(path.name):
                text = path.read_text(encoding="utf-8")
                self.assertEqual(compile_and_run(text), promised(text))


if __name__ == "__main__":
    unittest.main()
