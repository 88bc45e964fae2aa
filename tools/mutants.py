#!/usr/bin/env python3
"""Mutation testing: changes one place of the library at a time and counts how many changes the tests detect.

usage: mutants.py [--build DIR] [--label before|after] [--count N]   run, or resume, and write build/mutants-LABEL.md
       mutants.py --draw      write tests/mutants/sample.jsonl anew from the present sources
       mutants.py --report    write the table from the results that exist

A mutant is viable if it compiles and its object code differs. The first N viable mutants of the sample are run; a sample
entry whose line no longer exists is skipped, so the next one replaces it. For each mutant one source is compiled and one
shared library linked; the test programs stay as they are. Tests run until the first failure. The results are kept in
DIR/state-KEY.jsonl, where KEY is a hash of the sources and tests, so that an interrupted run resumes.
The checked-in sources are never changed: the compiler reads a mutated copy below DIR.
universalmutator (PyPI) generates the mutants from tests/mutants/c.rules; it is needed for --draw only."""
import argparse
import collections
import contextlib
import hashlib
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import mutants_report
from mutants_build import Build

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "tests/mutants/sample.jsonl"
RULES = ROOT / "tests/mutants/c.rules"

# Mutated files: the C files of the narrow phase, casts, compounds, reference methods and the verifier.
MUTATED = ["src/narrow", "src/ccd", "src/compound", "src/compare", "src/verify",
           "src/shape/support.c", "src/shape/placed.c", "src/shape/motion.c"]
TOOL = "universalmutator==1.14.1"
SEED, STORED, COUNT = 23, 200, 120


# ---- Mutants ----

def blank_comments(text):
    """The text without comments and trailing blanks; lines keep their numbers."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.S)
    text = pattern.sub(lambda m: m[0] if m[0][0] == '"' else "\n" * m[0].count("\n"), text)
    return [line.rstrip() for line in text.split("\n")]


def mutated_files():
    files = [f for part in MUTATED for f in ([ROOT / part] if part.endswith(".c") else sorted((ROOT / part).rglob("*.c")))]
    return [str(f.relative_to(ROOT)) for f in files]


def all_mutants():
    """Every mutant of every mutated file, as universalmutator makes them."""
    from universalmutator.mutator import mutants_regexp
    operators, name = {}, ""
    for number, line in enumerate(RULES.read_text().splitlines(), 1):
        name = line[len("# operator: "):] if line.startswith("# operator: ") else name
        operators[number] = name
    for file in mutated_files():
        lines = blank_comments((ROOT / file).read_text())
        with contextlib.redirect_stdout(io.StringIO()):  # it reports each file
            made = mutants_regexp([line + "\n" for line in lines], [str(RULES)], ignorePatterns=[], ignoreStringOnly=True)
        for number, mutated, (_, place), _ in made:
            original = lines[number - 1]
            yield {"file": file, "line": number, "operator": operators[int(place.rsplit(":", 1)[1])],
                   "occurrence": [line.strip() for line in lines[:number]].count(original.strip()),
                   "original": original.strip(), "mutated": mutated.strip()}


def mutant_id(mutant):
    text = "\n".join(str(mutant[k]) for k in ("file", "original", "occurrence", "operator", "mutated"))
    return hashlib.sha1(text.encode()).hexdigest()[:10]


def locate(mutant):
    """(path, lines, line number) of the mutant today, or None. A file that no longer exists is replaced by the file of the
    same name, or by the only file that contains the line."""
    files = [ROOT / file for file in mutated_files()]
    path = ROOT / mutant["file"]
    same_name = [file for file in files if file.name == path.name]
    for candidates in ([path] if path.exists() else [], same_name[:1], files if not path.exists() else []):
        places = []
        for file in candidates:
            lines = blank_comments(file.read_text())
            same = [i for i, line in enumerate(lines) if line.strip() == mutant["original"]]
            if len(same) >= mutant["occurrence"]:
                places.append((file, lines, same[mutant["occurrence"] - 1]))
        if len(places) == 1:
            return places[0]
    return None


# ---- Which tests execute which lines ----

def measure(build, tests, cache):
    """name -> seconds and executed lines of each file, measured once by gcov."""
    known = json.loads(cache.read_text()) if cache.exists() else {}
    for name, (command, environment) in tests.items():
        if name in known:
            continue
        for old in build.covered.glob("*.gcda"):
            old.unlink()
        outcome, seconds, _ = build.run(command, environment, build.covered, 900)
        if outcome != "passed":  # perhaps only because coverage costs instructions
            outcome, seconds, _ = build.run(command, environment, build.plain, 900)
        if outcome != "passed":
            sys.exit(f"{name}: {outcome} without a mutant")
        lines = {}
        data = sorted(build.covered.glob("*.gcda"))
        shown = subprocess.run(["gcov", "--json-format", "--stdout", *data], check=True, capture_output=True, text=True,
                               cwd=build.covered).stdout if data else ""
        for report in shown.splitlines():
            for entry in json.loads(report)["files"]:
                file = os.path.relpath(os.path.join(build.tree, entry["file"]), ROOT)
                if file.startswith("src/") and file.endswith(".c"):
                    lines[file] = {"all": sorted({x["line_number"] for x in entry["lines"]}),
                                   "run": sorted({x["line_number"] for x in entry["lines"] if x["count"]})}
        known[name] = {"seconds": seconds, "lines": lines}
        print(f"  {name}: {seconds:.1f} s", flush=True)
        cache.write_text(json.dumps(known))
    if not any(facts["lines"] for facts in known.values()):
        sys.exit("no test executes a mutated file: the programs do not load the library of this build")
    return {name: known[name] for name in tests}


def body(lines, number):
    """The lines (from 1) of the function that contains the line with this index."""
    first = number
    while first > 0 and not re.match(r"[A-Za-z]", lines[first]):
        first -= 1
    last = first
    while last < len(lines) - 1 and not lines[last].startswith("}") and not re.search(r"[;}]$", lines[first]):
        last += 1
    return set(range(first + 1, last + 2))


def relevant(measured, place):
    """The tests that execute the line; if gcov does not list the line, those that execute its function or the file."""
    path, lines, number = place
    file, found = str(path.relative_to(ROOT)), []
    for name, facts in measured.items():
        listed = facts["lines"].get(file)
        if not listed:
            continue
        inside = body(lines, number) & set(listed["all"])
        wanted = {number + 1} if number + 1 in listed["all"] else inside or set(listed["all"])
        if wanted & set(listed["run"]):
            found.append(name)
    return found


# ---- Runs ----

def run_mutant(build, tests, measured, kills, mutant, place):
    """One line of the state."""
    result = {"id": mutant_id(mutant), "file": str(place[0].relative_to(ROOT)), "line": place[2] + 1, "operator": mutant["operator"],
              "original": mutant["original"], "mutated": mutant["mutated"], "result": "survived", "tests": 0}
    began = time.monotonic()
    compiled = build.viable(place, mutant)
    if not compiled:
        return {**result, "result": "not viable"}
    build.link(build.mutant, {compiled[0]: compiled[1]})
    folder = Path(result["file"]).parts[1]
    # Tests of the same folder count as three past kills; the most kills per second come first.
    def worth(name):
        return (0.5 + kills[name, folder] * 2 + kills[name] + 3 * name.startswith(folder + "/")) / (0.2 + measured[name]["seconds"])
    for name in sorted(relevant(measured, place), key=lambda n: (-worth(n), n)):
        result["tests"] += 1
        outcome, _, _ = build.run(*tests[name], build.mutant, max(10 * measured[name]["seconds"], 20))
        if outcome != "passed":
            kills[name] += 1
            kills[name, folder] += 1
            result.update(result="timeout" if outcome == "timeout" else "killed", by=name)
            break
    if result["result"] == "survived":
        hash_now = build.run([str(build.bin / "golden")], {}, build.mutant, 600)[2].decode().strip()
        result["golden"] = hash_now != (ROOT / "tests/golden/hash.txt").read_text().strip()
    result["seconds"] = round(time.monotonic() - began, 1)
    return result


def content_key():
    """A hash of everything that decides a result."""
    digest = hashlib.sha1()
    for path in sorted(p for part in ("src", "include", "cli", "tests") for p in (ROOT / part).rglob("*") if p.is_file()):
        if "tests/mutants" not in str(path) and "__pycache__" not in str(path):
            digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def draw(build):
    """The first viable mutants of a random order."""
    build.make()
    mutants = sorted(all_mutants(), key=lambda m: (m["file"], m["line"], m["mutated"]))
    random.Random(SEED).shuffle(mutants)
    kept = []
    for tried, mutant in enumerate(mutants, 1):
        if build.viable(locate(mutant), mutant):
            kept.append(mutant)
        if len(kept) == STORED:
            break
    SAMPLE.write_text("".join(json.dumps(m) + "\n" for m in kept))
    print(f"{len(kept)} viable mutants of {tried} tried, of {len(mutants)}")


def run(build, count, state):
    key = state.stem.split("-")[-1]
    build.make()
    tests = build.tests()
    measured = measure(build, tests, build.folder / f"coverage-{key}.json")
    done = {r["id"]: r for r in read_state(state)}
    kills = collections.Counter()
    for r in done.values():
        if "by" in r:
            kills[r["by"]] += 1
            kills[r["by"], Path(r["file"]).parts[1]] += 1
    viable = 0
    for mutant in map(json.loads, SAMPLE.read_text().splitlines()):
        if viable == count:
            break
        place = locate(mutant)
        if not place:
            continue
        result = done.get(mutant_id(mutant))
        if not result:
            result = run_mutant(build, tests, measured, kills, mutant, place)
            with state.open("a") as out:
                out.write(json.dumps(result) + "\n")
            print(f"{viable + 1:4} {result['result']:10} {result.get('by', ''):24} {result.get('seconds', 0):6} s  "
                  f"{result['file']}:{result['line']}: {result['mutated']}", flush=True)
        viable += result["result"] != "not viable"


def read_state(state):
    return [json.loads(line) for line in state.read_text().splitlines()] if state.exists() else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/mutants")
    parser.add_argument("--label", default="after")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--report", action="store_true")
    args = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it, and so would the tested commands
    build = Build(args.build.resolve(), mutated_files())
    state = build.folder / f"state-{content_key()}.jsonl"
    if args.draw:
        venv = build.folder / "venv"
        if not (venv / "bin/python").exists():
            subprocess.run([sys.executable, "-m", "venv", venv], check=True)
            subprocess.run([venv / "bin/pip", "install", "-q", TOOL], check=True)
        if Path(sys.prefix) != venv:
            os.execv(venv / "bin/python", [str(venv / "bin/python"), *sys.argv])
        draw(build)
        return
    if not args.report:
        run(build, args.count, state)
    mutants_report.write(args.label, args.count, read_state(state), state.stem.split("-")[-1], MUTATED)


if __name__ == "__main__":
    main()
