"""The pictures in docs/pictures are what tools/pictures.py and tools/bench.py make: of the right kind, not too large, and
the plots show every method, or Graze and peers. Their times are measured, and differ from run to run."""
import re
import struct
import sys
import unittest
import xml.etree.ElementTree as ElementTree

from building import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import bench_growth  # noqa: E402
import bench_report  # noqa: E402

FOLDER = ROOT / "docs/pictures"


def words_of(name):
    return [text.text for text in ElementTree.parse(FOLDER / name).iter("{http://www.w3.org/2000/svg}text")]


class Pictures(unittest.TestCase):
    def test_known(self):
        tool = (ROOT / "tools/pictures.py").read_text(encoding="utf-8")
        made = re.findall(r'folder / "([\w.]+)"', tool) + [f"bench-{question}.svg" for question in bench_report.PICTURES]
        made += [f"bench-growth-{name}.svg" for name in bench_growth.PICTURES]
        self.assertEqual(sorted(path.name for path in FOLDER.iterdir()), sorted(made))

    def test_cubes(self):
        data = (FOLDER / "cubes.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertLess(len(data), 300e3)
        width, height = struct.unpack(">II", data[16:24])
        self.assertTrue(720 <= width <= 1440 and 480 <= height <= 1440, (width, height))

    def test_compare(self):
        words = words_of("compare.svg")
        for word in ("fccd", "lccd", "sweep", "ca", "discrete", "all pairs", "broad phase", "500",
                     "120 steps of each count", "seed 1, one thread"):
            self.assertIn(word, words)

    def test_benchmarks(self):
        shown = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
        for question, title in bench_report.PICTURES.items():
            words = words_of(f"bench-{question}.svg")
            self.assertIn(title, words)
            self.assertIn("graze", words)
            self.assertIn(f"![{title}](pictures/bench-{question}.svg)", shown)


if __name__ == "__main__":
    unittest.main()
