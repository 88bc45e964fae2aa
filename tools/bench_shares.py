"""What limits Graze where it is less than twice as fast as the fastest right peer: the instructions of a query, and
which part of the library they are spent in, by callgrind. Times vary with the machine and its other guests, these do
not."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import which

from bench_report import compared, table

PAIRS = 1000

# A part, its files under src/, and what it does. The first that matches counts; mathematics and lanes that a function
# takes from a header count as where that function stands.
PARTS = [
    ("supports", r"shape/|simd/argmax|cso/obstacle\.h", "farthest points of the shapes along a direction, and where these lie in the world"),
    ("search", r"cso/(gjk|simplex|portal|plane|border)", "the steps of GJK, of portal refinement and along the border: simplexes, and when to stop"),
    ("cast", r"cso/(approach|cast|impact)", "time that moves on from plane to plane, and the moment of contact"),
    ("axes", r"axes/|cso/(planar|sat|zonotope)", "edge and face normals, and the octahedron of two boxes"),
    ("EPA", r"cso/(epa|surface|room|penetrate)", "depth by a growing polytope"),
    ("proof", r"cso/certify|cert/", "bounds of both sides with all rounding, the certificate, witness points"),
    ("exact", r"math/(?!vec|rounding|sincos)\w+\.c|cso/exact", "what doubles leave open"),
    ("contact", r"contact/", "features that face each other, clipped, sorted and named"),
    ("query", r"base/|compound/|cso/", "judging the query, the obstacle with the bounds of its errors, an answer's blank fields, when and how long to search"),
]
INLINED = re.compile(r"(math|lanes)/(?!argmax)")


def part_of(path):
    return next((name for name, pattern, _ in PARTS if re.match(pattern, path)), None)


def below_source(path):
    """The path under src/; None: not Graze's."""
    found = re.search(r"(?:^|/)src/(.*)$", path)
    return found.group(1) if found else None


def parse(text):
    """{part: instructions}, of callgrind's file: each function's own cost, by the file that its line stands in."""
    names, spent = {}, {}
    home = here = None
    calls = False
    for line in text.splitlines():
        told = re.match(r"(c?f[lie])=\((\d+)\)(?: (.*))?$", line)
        if told:  # a file's name stands where it comes first; cfi, cfl: of what is called
            name = names.setdefault(told.group(2), told.group(3))
            here = here if told.group(1)[0] == "c" else name
            home = name if told.group(1) == "fl" else home
        elif line.startswith("calls="):
            calls = True
        elif re.match(r"[+*\-\d]", line):
            if not calls:
                inner, outer = below_source(here or ""), below_source(home or "")
                inner = outer if inner is None or (outer and INLINED.match(inner)) else inner
                part = part_of(inner or "") or "rest"
                spent[part] = spent.get(part, 0) + int(line.split()[1])
            calls = False
    return spent


def shares(build, workload, cell):
    """Of one query: ("W2", "32/distance") → {part: instructions}."""
    place, _, query = cell.rpartition("/")
    name = "_".join(filter(None, (workload.lower(), place)))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--toggle-collect=bench_pass",
                        str(build / "bench"), "--only", "graze", "--queries", query, "--pairs", str(PAIRS), "--longest", "1e9",
                        f"--benchmark_out={folder}/json", str(build / "pairs"), name], check=True, capture_output=True)
        queried = int(float(re.search(r'"pairs": ([\d.e+]+)', (Path(folder) / "json").read_text(encoding="utf-8")).group(1)))
        return {part: count / queried for part, count in parse(out.read_text(encoding="utf-8")).items()}


def measure(build, rows):
    if not which("valgrind"):
        print("no valgrind: what limits Graze is left out", file=sys.stderr)
        return []
    below = sorted((cell for cell in compared(rows) if cell[4] < 2 and cell[2] != "scene"), key=lambda cell: cell[4])
    return [{"workload": workload, "cell": cell, "factor": factor, "spent": shares(build, workload, cell)}
            for workload, cell, _, _, factor in below]


def row_of(told, parts):
    whole = sum(told["spent"].values())
    percent = [100 * told["spent"].get(part, 0) / whole for part in parts]
    words = [f"**{x:.0f}**" if x == max(percent) else f"{x:.0f}" if x >= 0.5 else "" for x in percent]
    return [f"{told['workload']} {told['cell']}", f"{told['factor']:.2f}", f"{whole:,.0f}", *words]


def section(results):
    told = results.get("shares")
    if not told:
        return ""
    parts = [name for name, _, _ in PARTS] + ["rest"]
    words = "\n".join(f"- *{name}*: {does}." for name, _, does in PARTS)
    return ("\n## What limits Graze\n\nWhere it is less than twice as fast as the fastest right peer: how many times as long that takes, the instructions of one query "
            f"(the first {PAIRS} pairs, by callgrind, with AVX2), and per cent of them in each part of the library; bold: the part that limits. What was tried: [decisions/speed.md](decisions/speed.md).\n\n"
            + table(["", "factor", "instructions", *parts], [row_of(each, parts) for each in told]) + "\n" + words + "\n")
