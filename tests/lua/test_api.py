"""bindings/lua/API.md lists every public function of the headers. The module calls those that it lists as available, under names that
library/*.lua declares (the specs check these against the module). For the others it states the reason."""
import re
import unittest

from commands import ROOT

HEADERS = ROOT / "include/graze"
BINDING = ROOT / "bindings/lua"


def read(path):
    return path.read_text(encoding="utf-8")


LIBRARY = read(BINDING / "library/graze.lua") + read(BINDING / "library/world.lua")


class Api(unittest.TestCase):
    def setUp(self):
        self.public = {name for header in HEADERS.glob("*.h")
                       for name in re.findall(r"^GRAZE_API\s[^;]*?\b(graze_\w+)\(", read(header), re.M)}
        self.rows = dict(re.findall(r"^\| `(graze_\w+)` \| (.+) \|$", read(BINDING / "API.md"), re.M))
        sources = "\n".join(re.sub(r"/\*.*?\*/", "", read(path), flags=re.S) for path in (BINDING / "src").glob("*.c"))
        self.used = set(re.findall(r"\bgraze_\w+", sources))

    def test_all_are_named(self):
        self.assertGreater(len(self.public), 100)
        self.assertEqual(sorted(self.public - set(self.rows)), [], "missing in API.md")
        self.assertEqual(sorted(set(self.rows) - self.public), [], "no such functions")

    def test_what_is_there_is_called(self):
        for name, text in self.rows.items():
            self.assertEqual(name in self.used, not text.startswith("left out: "), name)
            self.assertRegex(text, r"^(`[\w.:]+`|(inside|left out): .{10,})$", name)

    def test_names_exist(self):
        library = LIBRARY.replace("function queries.", "function graze.")
        for name, text in self.rows.items():
            match = re.match(r"`(\w+)([.:])(\w+)`", text)
            if not match:
                continue
            owner, separator, member = match.groups()
            field = f"---@class graze.{owner}\n"
            if separator == "." and field in library:
                self.assertIn(f"---@field {member} ", library.split(field)[1].split("local ")[0], name)
            else:
                self.assertIn(f"function {owner}{separator}{member}(", library, name)

    def test_documents_name_what_there_is(self):
        names = {(owner, name) for owner, name in re.findall(r"^function (\w+)[.:](\w+)\(", LIBRARY, re.M)}
        names |= {(owner, name) for group, name in names if group == "queries" for owner in ("graze", "placed")}
        owners = {owner for owner, _ in names}
        for path in ("docs/lua.md", "bindings/lua/README.md", "examples/lua/love-room/README.md"):
            text = re.sub(r"^\| `world[:.][^|]*\|", "|", read(ROOT / path), flags=re.M)  # the column of others
            text = re.sub(r"^\| `shape:[^|]*\|", "|", text, flags=re.M)
            found = [(o, n) for o, n in re.findall(r"\b(\w+)[.:](\w+) ?[({]", text) if o in owners]
            self.assertGreater(len(found), 3, path)
            self.assertEqual([pair for pair in found if pair not in names], [], path)
