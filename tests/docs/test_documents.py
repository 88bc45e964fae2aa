"""The targets of links exist, the gallery is current, and the pictures are those of the tools."""
import json
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import bench_growth
import bench_report
from commands import GRAZE, ROOT
from layers import LAYERS

FOLDERS = "|".join([*LAYERS, "src", "include", "docs", "tests", "tools", "cli", "bindings", "examples", "fuzz", "bench", "cmake"])
NAMED = re.compile(rf"(?<![\w/.-])((?:{FOLDERS})/[\w./-]*\w\.(?:c|h|md|py|jsonl|txt|svg|sh))\b")
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
SOURCES = [path for folder in ("include", "src", "cli", "tests", "tools") for path in (ROOT / folder).rglob("*.[chp]*")
           if path.suffix in (".c", ".h", ".py")]
PICTURES = ROOT / "docs/pictures"
QUERIES = ROOT / "docs/gallery/queries.jsonl"


def files(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def words_of(name):
    return [text.text for text in ElementTree.parse(PICTURES / name).iter("{http://www.w3.org/2000/svg}text")]


class Links(unittest.TestCase):
    def named(self, paths, pattern, exists):
        for path in paths:
            for name in re.findall(pattern, path.read_text(encoding="utf-8")):
                with self.subTest(path.relative_to(ROOT), name=name):
                    self.assertTrue(exists(path, name))

    def test_links(self):
        for pattern in (r"\]\(([^)#\s]+)(?:#[^)]*)?\)", r'<img src="([^"]+)"'):
            self.named(DOCUMENTS, pattern, lambda path, link: re.match(r"[a-z]+:", link) or (path.parent / link).exists())

    def test_named_files(self):
        """As seen from the project, or from src/ as internal headers are."""
        self.named(DOCUMENTS, NAMED, lambda _, name: any((ROOT / start / name).exists() for start in ("", "src", "build")))

    def test_limits_of_size(self):
        for name, most in (("README.md", 10000), ("LIMITS.md", 8192), ("ARCHITECTURE.md", 4096)):
            self.assertLessEqual((ROOT / name).stat().st_size, most, name)

    def test_every_guide_and_theory_page_is_listed(self):
        for folder, index in (("docs/guide", "docs/guide/README.md"), ("docs/theory", "docs/theory/README.md")):
            text = (ROOT / index).read_text(encoding="utf-8")
            for path in (ROOT / folder).glob("*.md"):
                self.assertTrue(path.name == "README.md" or path.name in text, path.name)

    def test_named_identifiers(self):
        """Identifiers of Graze that documents name exist in the code."""
        code = "".join(path.read_text(encoding="utf-8") for folder in ("include", "src", "cli", "cmake", "bindings", "examples")
                       for path in (ROOT / folder).rglob("*") if path.suffix in (".c", ".h", ".lua", ".cmake"))
        code += (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        known = set(re.findall(r"\b\w+", code))
        documents = [path for path in DOCUMENTS if path.name not in ("CHANGELOG.md", "one-signed-distance.md")]
        self.named(documents, r"(?<![\w/.-])((?:graze|grz)_[a-z0-9_]*[a-z0-9]|(?:GRAZE|GRZ)_[A-Z0-9_]*[A-Z0-9])\b(?![…*/.-])",
                   lambda _, name: name in known)
        theory = [*(ROOT / "docs/theory").glob("*.md"), *(ROOT / "docs/decisions").glob("*.md")]
        self.named(theory, r"`([A-Za-z]\w+)\(\)`|`([A-Z][A-Z0-9]*_[A-Z0-9_]+)`", lambda _, names: (names[0] or names[1]) in known)

    def test_theory_behind_comments(self):
        self.named(SOURCES, r"docs/[\w/]+\.md", lambda _, name: (ROOT / name).exists())


class Gallery(unittest.TestCase):
    def setUp(self):
        self.made = tempfile.TemporaryDirectory()
        self.addCleanup(self.made.cleanup)
        subprocess.run([GRAZE, "explain", "--gallery", self.made.name, QUERIES], check=True)

    def test_current(self):
        """The pictures and README.md are in docs/gallery, beside the queries. The pages are only built."""
        made, kept = files(self.made.name), files(QUERIES.parent)
        del kept[QUERIES.name]
        pages = {name for name in made if name.endswith(".html")}
        names = [json.loads(line)["id"] for line in QUERIES.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(pages, {f"{name}.html" for name in [*names, "index"]})
        other = sorted(name for name in (made.keys() - pages) | kept.keys() if made.get(name) != kept.get(name))
        self.assertEqual(other, [], "not as made: run make gallery and copy README.md and the pictures from build/gallery")

    def test_queries_are_answered_and_verified(self):
        done = subprocess.run([GRAZE, "explain", "--json", QUERIES], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(answers), len(QUERIES.read_text(encoding="utf-8").splitlines()))
        for one in answers:
            with self.subTest(one["query"]["id"]):
                if "minkowski" not in one:  # a cast of a mesh has the certificate of one face
                    verdict = "unproven" if one["query"]["id"] == "mesh-ray" else "verified"
                    self.assertEqual(one["evidence"]["verdict"], verdict)


class Pictures(unittest.TestCase):
    """The format and size are right; the plots show every method, or Graze and peers."""

    def test_known(self):
        tool = (ROOT / "tools/pictures.py").read_text(encoding="utf-8")
        made = re.findall(r'folder / "([\w.]+)"', tool) + [f"bench-{query}.svg" for query in bench_report.PICTURES]
        made += [f"bench-growth-{name}.svg" for name in bench_growth.PICTURES]
        self.assertEqual(sorted(path.name for path in PICTURES.iterdir()), sorted(made))

    def test_cubes(self):
        data = (PICTURES / "cubes.png").read_bytes()
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
        for query, title in bench_report.PICTURES.items():
            words = words_of(f"bench-{query}.svg")
            self.assertIn(title, words)
            self.assertIn("graze", words)
            self.assertIn(f"![{title}](pictures/bench-{query}.svg)", shown)
