"""The program of README.md and those in examples/ compile and print what the documents say; so do the commands of README.md."""
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from commands import GRAZE, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = ROOT / "examples"
BUILD = Path(GRAZE).parent


def text_of(path):
    return path.read_text(encoding="utf-8")


def setting(name, default=""):
    """An entry of CMakeCache.txt."""
    found = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(encoding="utf-8"), re.M)
    return found[1] if found else default


def promised(text):
    """What an example's first comment says it prints: the indented lines after "Prints:", or what follows "Prints: " on
    its line."""
    comment = text[:text.index("*/")]
    line = re.search(r"Prints: (\S.*?)\s*$", comment, re.M)
    if line:
        return line[1] + "\n"
    return "".join(re.findall(r"^ \*   (.*\n)", comment[comment.index("Prints:"):], re.M))


def blocks(language, text):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def compile_and_run(text):
    """What the program prints. It must compile as C99 without a warning, and exit with 0."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "program.c"), Path(folder, "program")
        source.write_text(text, encoding="utf-8")
        flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT / 'include'}"]
        sanitizers = setting("GRAZE_SANITIZE")
        if sanitizers:
            flags.append(f"-fsanitize={sanitizers}")
        subprocess.run([setting("CMAKE_C_COMPILER", "cc"), *flags, source, BUILD / "libgraze.a", "-o", program], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout


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
                real = command.replace("build/graze", GRAZE)
                done = subprocess.run(["sh", "-c", real], cwd=ROOT, capture_output=True, text=True)
                self.assertEqual(done.stdout + done.stderr, expected)
