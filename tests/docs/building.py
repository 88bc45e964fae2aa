"""Compiles a program against the library of the build that is under test, with that build's compiler, and runs it."""
import os
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
GRAZE = Path(os.environ.get("GRAZE", ROOT / "build/graze"))
BUILD = GRAZE.parent


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
