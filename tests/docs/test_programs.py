"""Programs, fragments and commands of README.md, of the guides and of examples/ compile and print what the documents state."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from commands import GRAZE, ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
EXAMPLES = ROOT / "examples"
BUILD = Path(GRAZE).parent


# The declarations that fragments of the documents rely on.
FRAGMENT = """
#include <graze/batch.h>
#include <graze/build.h>
#include <graze/compare.h>
#include <graze/graze.h>
#include <graze/mesh.h>
#include <graze/scene.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static graze_placed a, b;
static graze_answer answer;
static graze_options options;
static graze_certificate certificate;
static graze_status status;
static graze_error error;
static graze_scene *scene;
static graze_body body, coin;
static graze_pose poses[100];
static uint32_t shape_index[100];
static uint8_t relation[4950];
"""


def text_of(path):
    return path.read_text(encoding="utf-8")


def setting(name, default=""):
    """An entry of CMakeCache.txt."""
    found = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(encoding="utf-8"), re.M)
    return found[1] if found else default


def promised(text):
    """The output that an example's first comment states: the indented lines after "Prints:", or the rest of the line after
    "Prints: "."""
    comment = text[:text.index("*/")]
    line = re.search(r"Prints: (\S.*?)\s*$", comment, re.M)
    if line:
        return line[1] + "\n"
    return "".join(re.findall(r"^ \*   (.*\n)", comment[comment.index("Prints:"):], re.M))


def blocks(language, text):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def compile_and_run(text):
    """The output of a program, which must compile as C99 without a warning and exit with 0."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "program.c"), Path(folder, "program")
        source.write_text(text, encoding="utf-8")
        flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT / 'include'}"]
        sanitizers = setting("GRAZE_SANITIZE")
        if sanitizers:
            flags.append(f"-fsanitize={sanitizers}")
        library = BUILD / ("libgraze_compare.a" if "<graze/compare.h>" in text else "libgraze.a")
        subprocess.run([setting("CMAKE_C_COMPILER", "cc"), *flags, source, library, "-o", program], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def errors_of(text):
    """The messages of the compiler; empty if the program compiles."""
    command = [setting("CMAKE_C_COMPILER", "cc"), "-std=c99", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused",
               f"-I{ROOT / 'include'}", "-xc", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True).stderr


def function(body):
    return "int fragment(void) {\n" + body + "\nreturn 0;\n}\n"


def listed(variable):
    """The names that examples/CMakeLists.txt builds in a loop over this variable."""
    return sorted(re.search(rf"foreach\({variable} (.*)\)", text_of(EXAMPLES / "CMakeLists.txt"))[1].split())


class Programs(unittest.TestCase):
    maxDiff = None

    def test_examples(self):
        """An example prints the output that its first comment states."""
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

    def test_complete_programs(self):
        """A complete program prints the block of text that follows it."""
        for path in DOCUMENTS:
            for program, output in re.findall(r"^```c\n(.*?)^```$(?:[^`]*?^```text\n(.*?)^```$)?", text_of(path), re.M | re.S):
                if "int main" in program:
                    with self.subTest(path.relative_to(ROOT)):
                        printed = compile_and_run(program)
                        if output:
                            self.assertEqual(printed, output)

    def test_output_in_readme(self):
        """A block of text is the output of the first program or of an example."""
        readme = text_of(DOCUMENTS[0])
        outputs = [promised(text_of(path)) for path in EXAMPLES.glob("*.c")]
        programs = [program for program in blocks("c", readme) if "int main" in program]
        outputs += [compile_and_run(program) for program in programs]
        for block in blocks("text", readme):
            self.assertIn(block, outputs)

    def test_fragments(self):
        """A fragment compiles as the body of a function, alone or after the fragments before it, or as functions."""
        for path in DOCUMENTS:
            before = ""
            for fragment in blocks("c", text_of(path)):
                if "int main" in fragment:
                    continue
                with self.subTest(path.relative_to(ROOT), fragment=fragment.splitlines()[0]):
                    if errors_of(FRAGMENT + function(fragment)) and errors_of(FRAGMENT + fragment):
                        self.assertEqual(errors_of(FRAGMENT + function(before + fragment)), "")
                before += fragment

    def test_sessions(self):
        """Lines that begin with "$ " are commands; the lines after them are their output, errors last. The commands of a
        document run in one folder, which is empty at first, with `graze` on the PATH. If FILE of
        `cat FILE` does not exist, it is written first, with the output that the document states."""
        environment = {**os.environ, "PATH": f"{BUILD.resolve()}{os.pathsep}{os.environ['PATH']}"}
        for path in DOCUMENTS:
            with tempfile.TemporaryDirectory() as folder:
                for step in [step for session in blocks("console", text_of(path))
                             for step in re.split(r"^\$ ", session, flags=re.M)[1:]]:
                    command, _, expected = step.partition("\n")
                    shown = re.fullmatch(r"cat ([\w.-]+)", command)
                    if shown and not Path(folder, shown[1]).exists():
                        Path(folder, shown[1]).write_text(expected, encoding="utf-8")
                    with self.subTest(path.relative_to(ROOT), command=command):
                        done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True,
                                              text=True)
                        self.assertEqual(done.stdout + done.stderr, expected)
