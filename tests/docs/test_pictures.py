"""The pictures in docs/pictures are what tools/pictures.py makes: of the right kind, not too large, and the plot shows
every method. Their times are measured, and differ from run to run."""
import re
import struct
import unittest
import xml.etree.ElementTree as ElementTree

from building import ROOT

FOLDER = ROOT / "docs/pictures"


class Pictures(unittest.TestCase):
    def test_known(self):
        tool = (ROOT / "tools/pictures.py").read_text(encoding="utf-8")
        made = sorted(re.findall(r'folder / "([\w.]+)"', tool))
        self.assertEqual(sorted(path.name for path in FOLDER.iterdir()), made)

    def test_cubes(self):
        data = (FOLDER / "cubes.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertLess(len(data), 300e3)
        width, height = struct.unpack(">II", data[16:24])
        self.assertTrue(720 <= width <= 1440 and 480 <= height <= 1440, (width, height))

    def test_compare(self):
        words = [text.text for text in ElementTree.parse(FOLDER / "compare.svg").iter("{http://www.w3.org/2000/svg}text")]
        for word in ("fccd", "lccd", "sweep", "ca", "discrete", "all pairs", "broad phase", "500",
                     "120 steps of each count", "seed 1, one thread"):
            self.assertIn(word, words)


if __name__ == "__main__":
    unittest.main()
