"""Instruction shares: for cells in which Graze is less than twice as fast as the fastest right peer, the instructions of a
query by parts of the library, from callgrind. Unlike times, they do not depend on the load of the machine."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import which

from bench_report import compared, table, without_matrix

PAIRS = 1000

# A part, its files under src/, and its function. The first match counts. Inlined mathematics and SIMD functions of headers
# count for the file that uses them.
PARTS = [
    ("supports", r"shape/|simd/argmax|narrow/(obstacle\.h|curved_depth)", "support points of the shapes, in the world frame"),
    ("search", r"narrow/(gjk|simplex|curved\.|halfspace|boundary_walk)", "the steps of GJK, and the boundary walk"),
    ("cast", r"ccd/", "conservative advancement and the time of contact"),
    ("axes", r"compare/|narrow/(axes|boxes|polygon)", "edge and face normals, and the box–box relation test"),
    ("EPA", r"narrow/(epa|penetrate)", "depth by the expanding polytope"),
    ("proof", r"narrow/certify|verify/", "bounds including rounding errors, the certificate, witness points"),
    ("exact", r"exact/|narrow/exact_", "exact refinement"),
    ("contact", r"narrow/(contact|manifold)", "contact polygons: clipping, sorting, feature ids"),
    ("query", r"core/|compound/|narrow/", "validation, the CSO and its error bounds, initialization of answers, choice of the algorithm"),
]
INLINED = re.compile(r"core/(vec|real)|exact/\w+\.h|simd/(?!argmax)")


def part_of(path):
    return next((name for name, pattern, _ in PARTS if re.match(pattern, path)), None)


def below_source(path):
    """The path under src/; None: not Graze's."""
    found = re.search(r"(?:^|/)src/(.*)$", path)
    return found.group(1) if found else None


def parse(text):
    """{part: instructions} from a callgrind file: the own cost of each function, by the file of the line."""
    names, spent = {}, {}
    function_file = line_file = None
    calls = False
    for line in text.splitlines():
        data = re.match(r"(c?f[lie])=\((\d+)\)(?: (.*))?$", line)
        if data:  # a name is given at its first use; cfi, cfl: the callee
            name = names.setdefault(data.group(2), data.group(3))
            line_file = line_file if data.group(1)[0] == "c" else name
            function_file = name if data.group(1) == "fl" else function_file
        elif line.startswith("calls="):
            calls = True
        elif re.match(r"[+*\-\d]", line):
            if not calls:
                inner, outer = below_source(line_file or ""), below_source(function_file or "")
                inner = outer if inner is None or (outer and INLINED.match(inner)) else inner
                part = part_of(inner or "") or "rest"
                spent[part] = spent.get(part, 0) + int(line.split()[1])
            calls = False
    return spent


def shares(build, workload, cell):
    """{part: instructions} of one query, for instance of ("W2", "32/distance")."""
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
        print("no valgrind: instruction shares are omitted", file=sys.stderr)
        return []
    below = sorted((cell for cell in compared(without_matrix(rows)) if cell[4] < 2 and cell[2] != "scene"), key=lambda cell: cell[4])
    return [{"workload": workload, "cell": cell, "factor": factor, "spent": shares(build, workload, cell)}
            for workload, cell, _, _, factor in below]


def row_of(data, parts):
    whole = sum(data["spent"].values())
    percent = [100 * data["spent"].get(part, 0) / whole for part in parts]
    words = [f"**{x:.0f}**" if x == max(percent) else f"{x:.0f}" if x >= 0.5 else "" for x in percent]
    return [f"{data['workload']} {data['cell']}", f"{data['factor']:.2f}", f"{whole:,.0f}", *words]


def section(results):
    data = results.get("shares")
    if not data:
        return ""
    parts = [name for name, _, _ in PARTS] + ["rest"]
    words = "\n".join(f"- *{name}*: {does}." for name, _, does in PARTS)
    return ("\n## Instruction shares\n\nCells in which Graze is less than twice as fast as the fastest right peer: the time ratio, the instructions of one query "
            f"(the first {PAIRS} pairs, by callgrind, with AVX2), and their percentage in each part of the library; bold: the largest part. Experiments: [decisions/speed.md](decisions/speed.md).\n\n"
            + table(["", "factor", "instructions", *parts], [row_of(each, parts) for each in data]) + "\n" + words + "\n")
