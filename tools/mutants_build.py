"""The build of `make mutants`: a shared library of its own with default visibility, and every test program linked to it, so
that a mutant costs one compilation and one link of the library."""
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Tests that are not run: they test other things (bindings, packages, pages, documents). golden is a change detector; it
# runs for survivors only and is reported separately.
NOT_RUN = r"(lua|package|consumers|docs|explain|simulate)/|golden$"
# Type errors that C only warns about make a mutant not viable.
STRICT = ["-Werror=incompatible-pointer-types", "-Werror=int-conversion", "-Werror=discarded-qualifiers"]


class Build:
    """A library of its own with default visibility, and every test program linked to it."""

    def __init__(self, folder, mutated):
        self.folder, self.mutated = folder, set(mutated)
        self.tree, self.objects, self.bin = folder / "tree", folder / "objects", folder / "bin"
        self.plain, self.covered, self.mutant = folder / "plain", folder / "covered", folder / "mutant"
        self.current = folder / "current"  # a link to the folder of the library that the programs load

    def make(self):
        """Compiles the library twice (plain, and with coverage of the mutated files) and links the programs."""
        ccache = shutil.which("ccache")
        quiet = {"check": True, "stdout": subprocess.DEVNULL}
        subprocess.run(["cmake", "-S", ROOT, "-B", self.tree, "-G", "Ninja", "-DBUILD_SHARED_LIBS=OFF", "-DGRAZE_BUILD_LUA=OFF",
                        "-DCMAKE_BUILD_TYPE=Release", *(["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if ccache else [])], **quiet)
        subprocess.run(["cmake", "--build", self.tree], **quiet)
        self.read_commands()
        for folder in (self.objects, self.plain, self.covered, self.mutant):
            folder.mkdir(parents=True, exist_ok=True)
        for file in self.commands:
            self.compile(file, ROOT / file, self.objects / self.object_name(file), [ccache] if ccache else [])
            if file in self.mutated:
                self.compile(file, ROOT / file, self.covered / self.object_name(file), extra=["-O1", "--coverage"])
        self.link(self.plain, {})
        self.link(self.covered, {f: self.covered / self.object_name(f) for f in self.mutated}, ["--coverage"])
        self.golden()

    def read_commands(self):
        self.commands = {}
        for entry in json.loads((self.tree / "compile_commands.json").read_text()):
            file = os.path.relpath(entry["file"], ROOT)
            if file.startswith("src/"):
                self.commands[file] = shlex.split(entry["command"])
        self.compiler = next(iter(self.commands.values()))[0]

    @staticmethod
    def object_name(file):
        return file[:-2].replace("/", "_") + ".o"

    def compile(self, file, source, out, launcher=(), extra=()):
        """Compiles the source with the options of the file, with default visibility. Reports whether it compiled."""
        command = ["-fvisibility=default" if w == "-fvisibility=hidden" else w for w in self.commands[file]]
        command = [w for w in command if not w.startswith("-W")]
        command[command.index("-o") + 1], command[command.index("-c") + 1] = str(out), str(source)
        done = subprocess.run([*launcher, *command, "-fno-semantic-interposition", *STRICT, *extra], cwd=self.tree,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return done.returncode == 0

    def link(self, folder, replaced, extra=()):
        objects = [replaced.get(f, self.objects / self.object_name(f)) for f in self.commands]
        subprocess.run([self.compiler, "-shared", "-Wl,-Bsymbolic,-soname,libmutant.so", *extra, "-o", folder / "libmutant.so",
                        *objects, "-pthread"], check=True)

    def program(self, path):
        """The program of the CMake build, linked to the shared library instead of the static one."""
        out = self.bin / Path(path).relative_to(self.tree)
        if not out.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            line = subprocess.run(["ninja", "-C", self.tree, "-t", "commands", "-s", Path(path).relative_to(self.tree)], check=True,
                                  capture_output=True, text=True).stdout.strip()
            words = [w for w in shlex.split(line) if w not in (":", "&&") and not w.startswith("-Wl,-rpath")]
            words = [str(self.plain / "libmutant.so") if re.search(r"libgraze(_verify|_compare)?\.(a|so[.\d]*)$", w) else w for w in words]
            words[words.index("-o") + 1] = str(out)
            subprocess.run([*words, f"-Wl,-rpath,{self.current}"], check=True, cwd=self.tree)
        return str(out)

    def golden(self):
        """The program of the golden hash."""
        out = self.bin / "golden"
        shutil.rmtree(self.bin, ignore_errors=True)  # programs of another state of the tests
        self.bin.mkdir(parents=True)
        subprocess.run([self.compiler, "-O1", f"-I{ROOT}/include", ROOT / "tests/golden/golden.c", "-o", out,
                        self.plain / "libmutant.so", f"-Wl,-rpath,{self.current}"], check=True)

    def tests(self):
        """name -> (command, environment) of every test that may detect a mutant."""
        shown = subprocess.run(["ctest", "--test-dir", self.tree, "--show-only=json-v1"], check=True, capture_output=True, text=True)

        def moved(word):
            inside = word.startswith(str(self.tree) + "/") and os.path.isfile(word) and os.access(word, os.X_OK)
            return self.program(word) if inside else word
        tests = {}
        for test in json.loads(shown.stdout)["tests"]:
            if re.match(NOT_RUN, test["name"]):
                continue
            properties = {p["name"]: p["value"] for p in test["properties"]}
            pairs = [v.split("=", 1) for v in properties.get("ENVIRONMENT", [])]
            tests[test["name"]] = ([moved(w) for w in test["command"]], {k: moved(v) for k, v in pairs})
        return tests

    def run(self, command, environment, library, limit):
        """(what happened, seconds, output): passed, failed or timeout."""
        self.current.unlink(missing_ok=True)
        self.current.symlink_to(library)
        environment = {**os.environ, **environment, "GRAZE_TIER": "test"}
        began = time.monotonic()
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              start_new_session=True) as process:
            try:
                output = process.communicate(timeout=limit)[0]
                outcome = "passed" if process.returncode == 0 else "failed"
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                outcome, output = "timeout", b""
        return outcome, time.monotonic() - began, output

    def viable(self, place, mutant):
        """Compiles the mutant. Viable: it compiles, and its object code differs. Returns the object file, or None."""
        path, lines, number = place
        file = str(path.relative_to(ROOT))
        source, out = self.mutant / path.name, self.mutant / "mutant.o"
        source.write_text("\n".join(lines))
        base = self.mutant / ("base_" + self.object_name(file))  # comments are blanked, so it is not the object of the library
        if not base.exists() or base.stat().st_mtime < path.stat().st_mtime:
            self.compile(file, source, base)
        indent = lines[number][:len(lines[number]) - len(lines[number].lstrip())]
        source.write_text("\n".join(lines[:number] + [indent + mutant["mutated"]] + lines[number + 1:]))
        if not self.compile(file, source, out, extra=["-fsyntax-only"]) or not self.compile(file, source, out):
            return None
        return (file, out) if out.read_bytes() != base.read_bytes() else None
