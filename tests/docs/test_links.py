"""What the documents point to is there: links, and files of the project that documents and comments name."""
import re
import unittest

from building import ROOT

FOLDERS = "base|math|lanes|shape|cert|tree|axes|cso|contact|motion|compound|broad|response|scene|src|include|docs|tests|tools|cli|examples|fuzz|bench|cmake"
NAMED = re.compile(rf"(?<![\w/.-])((?:{FOLDERS})/[\w./-]*\w\.(?:c|h|md|py|jsonl|txt|svg|sh))\b")


def documents():
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]


def sources():
    return [path for folder in ("include", "src", "cli", "tests", "tools") for path in (ROOT / folder).rglob("*.[chp]*")
            if path.suffix in (".c", ".h", ".py")]


def exists(name):
    """As seen from the project, or from src/ as internal headers are."""
    return any((ROOT / start / name).exists() for start in ("", "src", "build"))


class Links(unittest.TestCase):
    def test_links(self):
        for path in documents():
            text = path.read_text(encoding="utf-8")
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text) + re.findall(r'<img src="([^"]+)"', text):
                if not re.match(r"[a-z]+:", link):
                    with self.subTest(path.relative_to(ROOT), link=link):
                        self.assertTrue((path.parent / link).exists())

    def test_named_files(self):
        for path in documents():
            for name in NAMED.findall(path.read_text(encoding="utf-8")):
                with self.subTest(path.relative_to(ROOT), name=name):
                    self.assertTrue(exists(name))

    def test_theory_behind_comments(self):
        for path in sources():
            for name in re.findall(r"docs/[\w/]+\.md", path.read_text(encoding="utf-8")):
                with self.subTest(path.relative_to(ROOT), name=name):
                    self.assertTrue((ROOT / name).exists())


if __name__ == "__main__":
    unittest.main()
