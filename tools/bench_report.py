"""Formats the results of tools/bench.py: docs/benchmarks.md, and a table for a terminal. All figures come from rows."""
import math

WORKLOADS = {
    "W1": "boxes with half extents 0.1 to 1 and random rotations, half of the pairs overlapping",
    "W2": "hulls of 8, 32, 128 and 1024 vertices on ellipsoids, half of the pairs overlapping",
    "W3": "capsule and box, sphere and hull of 32 vertices, cylinder and box, two ellipsoids: separated",
    "W4": "two hulls of 64 vertices in 10,000 consecutive frames: separated. `graze-warm` has a cache",
    "W5": "in 2D, polygons of 4 to 64 vertices on ellipses, half of the pairs overlapping; manifold: depth and contact points; cast: with 4 and 8 vertices B moves",
    "W6": "separated boxes; B moves towards A with a lateral offset, so that some miss: the time of the first contact",
    "W8": "triangles of edges 0.2 to 2, half of the pairs overlapping",
    "M": "the matrix of primitive shapes, half of the pairs overlapping",
    "NASTY": "ten categories of 500 pairs: difficult cases for solvers",
    "W7": "cubes that move slightly in every step: sets all poses, then finds all colliding pairs; nanoseconds per step",
}
CATEGORIES = ("nearly parallel", "nearly touching", "1 : 10⁶", "boxes far out", "doubled vertices", "flat", "coincident",
              "exact contact", "hulls far out", "needles")


def is_own(row):
    return row["subject"].startswith("graze")


def is_peer(row):
    return not is_own(row) and row["subject"] not in ("grid", "loop")


def place(row):
    return row["workload"], row["cell"]


def by_place(rows):
    """{(workload, cell): its rows}, without the limit."""
    found = {}
    for row in rows:
        if row["workload"] != "limit":
            found.setdefault(place(row), []).append(row)
    return found


def graze_ns(cell):
    return next((row["ns"] for row in cell if row["subject"] == "graze"), math.nan)


def best_of(cell, single=False):
    """The fastest right peer that computes in doubles, or in float."""
    right = [row for row in cell if is_peer(row) and row["right"] and row["single"] == single]
    return min(right, key=lambda row: row["ns"], default=None)


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def figure(x):
    """Three digits, without an exponent."""
    if not math.isfinite(x):
        return "–"
    return f"{x:,.0f}" if x >= 100 else f"{x:.3g}"


def small(x):
    return "0" if x == 0 else f"{x:.0e}".replace("e-0", "e-")


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def unique(words):
    return list(dict.fromkeys(words))


# ---- In short

def compared(rows, single=False):
    """(workload, cell, query, fastest right peer, its time over Graze's), where there is one."""
    found = []
    for (workload, cell), members in by_place(rows).items():
        best = best_of(members, single)
        if best:
            found.append((workload, cell, best["query"], best["subject"], best["ns"] / graze_ns(members)))
    return found


def cell_name(workload, cell):
    return f"{workload} {cell}"


def listed(cells, none="none"):
    return ", ".join(f"{cell_name(w, c)} ({peer}: {ratio:.2f})" for w, c, _, peer, ratio in sorted(cells, key=lambda c: c[4])) or none


def native(rows):
    """The time of the portable Graze over that of the native one: (mean, maximum, cell)."""
    found = []
    for name, cell in by_place(rows).items():
        other = next((row["ns"] for row in cell if row["subject"] == "graze-native"), None)
        if other:
            found.append((graze_ns(cell) / other, cell_name(*name)))
    return (mean([ratio for ratio, _ in found]), *max(found)) if found else None


def in_short(every):
    """A line for each query and for all queries; below, peers in float, and the matrix of primitives."""
    rows, matrix = without_matrix(every), [row for row in every if row["workload"] == "M"]
    cells = compared(rows)
    queries = unique(query for _, _, query, _, _ in cells)
    parts = [(query, [cell for cell in cells if cell[2] == query]) for query in queries]
    parts += [("**all**", cells), ("all, in float", compared(rows, True)), ("matrix", compared(matrix)),
              ("matrix, in float", compared(matrix, True))]
    lines = []
    for name, chosen in parts:
        ratios = [cell[4] for cell in chosen]
        if ratios:
            lines.append([name, str(len(ratios)), f"**{mean(ratios):.2f}**" if chosen is cells else f"{mean(ratios):.2f}",
                          f"{min(ratios):.2f}", f"{max(ratios):.2f}", str(sum(ratio < 1 for ratio in ratios))])
    return table(["", "cells", "geometric mean", "least", "most", "slower than a peer"], lines)


def faster(places, right, single):
    """[(workload, cell, query, peer, its time over Graze's)] of faster peers that are right, or wrong."""
    found = []
    for (workload, cell), members in places.items():
        found += [(workload, cell, row["query"], row["subject"], row["ns"] / graze_ns(members)) for row in members
                  if is_peer(row) and row["right"] == right and row["single"] == single and row["ns"] < graze_ns(members)]
    return found


def spread(rows):
    """The slowest pass of Graze over its fastest, the median over cells; None: unknown."""
    ratios = sorted(row["most_ns"] / row["least_ns"] for row in rows if row["subject"] == "graze" and "most_ns" in row)
    return ratios[len(ratios) // 2] if ratios else None


def lists(rows):
    cells, places = compared(rows), by_place(rows)
    beaten = [cell for cell in cells if cell[4] < 1]
    below = [cell for cell in cells if 1 <= cell[4] < 2]
    none_right = [cell_name(*name) for name, members in places.items() if any(map(is_peer, members)) and not best_of(members)]
    wrong = [f"{cell_name(*place(row))} ({row['subject']})" for row in rows if is_own(row) and not row["right"]]
    lines = [f"- **Slower than a peer:** {listed(beaten)}.", f"- **Less than twice as fast:** {listed(below)}.",
             f"- **Faster, in float, and right to 10⁻⁵:** {listed(faster(places, True, True))}.",
             f"- **Faster, but wrong:** {listed(faster(places, False, False))}. Some of these are wrong only because their default tolerance is 10⁻⁶.",
             f"- **No peer is right:** {', '.join(none_right) or 'none'}.", f"- **Graze is wrong:** {', '.join(wrong) or 'nowhere'}."]
    times = native(rows)
    if times:
        lines.append(f"- **Portable against native:** `graze` takes {times[0]:.3f} times as long as `graze-native` in the geometric mean, "
                     f"{times[1]:.2f} at most ({times[2]}).")
    if spread(rows):
        lines.append(f"- **Noise:** the slowest pass of a cell takes {spread(rows):.2f} times as long as the fastest, in the median. Factors that differ by less than a tenth are equal.")
    return "\n".join(lines) + "\n"


def summary(results):
    rows = without_matrix(results["rows"])
    return in_short(results["rows"]) + "\n" + lists(rows)


# ---- Cell by cell

def error_of(row):
    """The errors of the answers, or the largest error."""
    if row["query"] == "scene":
        return f"{row['more']} too many, {row['less']} too few in {row['steps']} steps" if row["wrong"] else ""
    words = []
    if row["wrong"]:
        words.append(f"{row['wrong']} wrong")
    if "max_error" in row:
        words.append(f"p99.9 {small(row['p999_error'])}, max {small(row['max_error'])}" if not row["right"]
                     else f"max {small(row['max_error'])}")
    return ", ".join(words)


def entry(row, unit, best):
    if row is None:
        return ""
    time = figure(row["ns"])
    ratio = "" if row["subject"] == "graze" else f" ({row['ns'] / unit:.2f})"
    text = f"**{time}{ratio}**" if row is best else f"{time}{ratio}"
    error = error_of(row)
    return text + (f"<br>{'' if row['right'] else '✗ '}{error}" if error or not row["right"] else "")


def rows_by_subject(members, columns, key):
    """Lines of a table: a subject and an entry for each column."""
    lines = []
    cells = {column: [row for row in members if key(row) == column] for column in columns}
    for subject in unique(row["subject"] for row in members):
        line = [subject]
        for column in columns:
            row = next((row for row in cells[column] if row["subject"] == subject), None)
            line.append(entry(row, graze_ns(cells[column]), best_of(cells[column])))
        lines.append(line)
    return lines


def part_of(row):
    return row["cell"].rpartition("/")[0]


def subtable(members, single, columns, key):
    chosen = [row for row in members if row["single"] == single or (single and row["subject"] == "graze")]
    if single and not any(row["single"] for row in chosen):
        return ""
    text = table(["ns", *map(str, columns)], rows_by_subject(chosen, columns, key))
    return "\nIn float:\n\n" + text if single else text


def categories(members):
    lines = []
    for row in members:
        if "wrong_0" not in row:
            continue
        counts = [f"{row[f'wrong_{i}']}/{row[f'off_{i}']}" if row["query"] != "intersect" else str(row[f"wrong_{i}"])
                  for i in range(len(CATEGORIES))]
        lines.append([f"{row['query']}, {row['subject']}", *("·" if c in ("0", "0/0") else c for c in counts)])
    return "\nWrong by category: wrong side or no answer / error above the allowed one.\n\n" + table(
        ["", *CATEGORIES], lines)


def without_matrix(rows):
    """The matrix has a table of its own, and is too long for lists and pictures."""
    return [row for row in rows if row["workload"] != "M"]


def fastest(members, single):
    row = best_of(members, single)
    return f"{row['subject']} {figure(row['ns'])} ({row['ns'] / graze_ns(members):.2f})" if row else ""


def matrix(members):
    """A line for each pair of shapes; per query Graze, the fastest right peer, and the fastest right one in float."""
    text = ""
    for query in unique(row["query"] for row in members):
        lines = []
        for pair in unique(map(part_of, members)):
            cell = [row for row in members if row["query"] == query and part_of(row) == pair]
            if cell:
                lines.append([pair.replace("_", ", "), figure(graze_ns(cell)), fastest(cell, False), fastest(cell, True)])
        text += f"\n### M, {query}\n\n" + table(["ns", "Graze", "fastest right peer", "in float"], lines)
    return text


def section(workload, members):
    words = WORKLOADS[workload]
    text = f"\n## {workload}\n\n{words[0].upper()}{words[1:]}.\n"
    if workload == "M":
        return text + matrix(members)
    if workload == "W7":
        columns = unique(row["cell"] for row in members)
        return text + "\n" + subtable(members, False, columns, lambda row: row["cell"])
    parts = unique(map(part_of, members))
    if parts == [""]:
        groups = [("", members, unique(row["query"] for row in members), lambda row: row["query"])]
    else:
        groups = [(f"\n### {workload}, {query}\n", [row for row in members if row["query"] == query], parts, part_of)
                  for query in unique(row["query"] for row in members)]
    for head, chosen, columns, key in groups:
        head += "\nCompared with " + "; ".join(unique(row["truth"] for row in chosen)) + ".\n"
        used = [column for column in columns if any(key(row) == column for row in chosen)]
        text += head + "\n" + subtable(chosen, False, used, key) + subtable(chosen, True, used, key)
    return text + (categories(members) if workload == "NASTY" else "")


def limits(rows):
    lines = [[row["cell"], figure(row["ns"]), figure(row["least_ns"]), str(row.get("wrong", ""))]
             for row in rows if row["workload"] == "limit"]
    return table(["loop", "ns", "least", "wrong"], lines)


def proofs(facts):
    lines = []
    for fact in facts:
        queried = fact["queried"]
        lines.append([fact["name"], f"{queried:,}", str(fact["rejected"]), str(fact["undecided"]),
                      f"{100 * fact['exact'] / queried:.3g} %", f"{fact['iterations']:.1f}", small(fact["widest"]) if "widest" in fact else "",
                      figure(fact["verify_ns"]), figure(fact["slowest_ns"] / 1000)])
    return table(["", "answers", "rejected", "undecided", "exact", "iterations", "widest interval", "verifying, ns",
                  "slowest, µs"], lines)


INTRO = """# Benchmarks

Written by `make bench` in one run; do not edit (tools/bench_report.py has the texts). bench/README.md describes the peers and what is timed. `make bench-quick` prints a smaller table with fewer pairs in two minutes.

{about}

{workloads}

Batches and threads: [measurements.md](measurements.md#batches).

A *cell* is a workload and a query. *intersect*: the relation of all pairs. *distance*: separated pairs, with witness points. *depth*: overlapping pairs, with the normal. *manifold*: depth and contact points. *cast*: the first contact of moving shapes. Every answer of Graze has its interval, its certificate and witness points. Shapes are placed before. A time is nanoseconds of processor time per query, the median of {passes} passes over the pairs; contestants are interleaved in random order on one core. For W7 it is the median of all steps of interleaved passes. In parentheses: the ratio to Graze.

*Right* (else ✗) means: no wrong side, no missing answer, and 999 of 1,000 errors at most 10⁻⁹ (10⁻⁵ for peers that compute in float, which are listed separately). The side of pairs closer to touching than 10⁻⁹ is not checked. The reference stands above each table; Graze has no errors against its own verified intervals by construction. *max*: the largest error of a value on the right side; bold: the fastest right peer that computes in doubles.

## In short

The time of the fastest right peer over that of Graze:

{short}
{lists}
{pictures}Filled: right; hollow: wrong. Without peers that compute in float and `graze-native`.
"""

PICTURES = {"intersect": "Relation: nanoseconds per query", "distance": "Distance: nanoseconds per query",
            "depth": "Depth and normal: nanoseconds per query", "manifold": "Contact points: nanoseconds per query",
            "cast": "First contact: nanoseconds per query", "scene": "Scenes of cubes: nanoseconds per step"}


def about(data):
    versions = ", ".join(f"{name} {version}" for name, version in data["versions"].items())
    return (f"{data['date']}, {data['processor']}; {data['system']}; {data['compiler']}. {versions}. Packages are built for plain x86-64, and so "
            "is `graze`, which chooses wider SIMD at run time; `graze-native` is the same source with `-march=native`.")


def document(results):
    rows = results["rows"]
    passes = max(row["passes"] for row in rows)
    named = unique(row["workload"] for row in rows if row["workload"] != "limit")
    text = INTRO.format(workloads="\n".join(f"- **{name}**: {WORKLOADS[name]}." for name in named), about=about(results["about"]), passes=passes, short=in_short(rows), lists=lists(without_matrix(rows)),
                        pictures="".join(f"![{title}](pictures/bench-{query}.svg)\n\n" for query, title in PICTURES.items()
                                         if any(row.get("query") == query for row in without_matrix(rows))))
    for workload in unique(row["workload"] for row in rows if row["workload"] != "limit"):
        text += section(workload, [row for row in rows if row["workload"] == workload])
    equal = sum(each["equal"] for each in results["checked"])
    queried = sum(each["queried"] for each in results["checked"])
    text += f"\nThe pairs of Graze were compared with tests of all pairs in {queried} steps: equal in {equal}. `grid` is no peer: it relies on small cubes and returns the relation only.\n"
    text += "\n## The limit of the machine\n\nMinimal loops over arrays at full SIMD width, with `-march=native`; nanoseconds per pair or call. Boxes are those of W1: 15 axes, including the conversion of quaternions to matrices.\n\n" + limits(rows)
    text += "\n## Proofs\n\nEvery answer of Graze was verified. Casts were run without the smallest distance, so some that miss lack a certificate: these count as rejected.\n\n" + proofs(results["facts"])
    return text


# ---- For a terminal

def terminal(results):
    lines = [about(results["about"]), "", "Nanoseconds per query; ratio to Graze; errors. *: the fastest right peer, x: wrong.", ""]
    lines += [f"{name}: {WORKLOADS[name]}" for name in unique(row["workload"] for row in results["rows"]) if name in WORKLOADS] + [""]
    for name, members in by_place(results["rows"]).items():
        lines.append(cell_name(*name))
        best = best_of(members)
        for row in sorted(members, key=lambda row: row["ns"]):
            mark = "x" if not row["right"] else "*" if row is best else " "
            single = ", float" if row["single"] else ""
            lines.append(f"  {mark} {row['subject'] + single:<22}{figure(row['ns']):>12} ns {row['ns'] / graze_ns(members):>8.2f}   {error_of(row)}")
    lines.append("limit")
    lines += [f"    {row['cell']:<40}{figure(row['ns']):>8} ns  {row.get('wrong', '')}" for row in results["rows"] if row["workload"] == "limit"]
    rejected = sum(fact["rejected"] for fact in results["facts"])
    queried = sum(fact["queried"] for fact in results["facts"])
    return "\n".join(lines) + f"\n{queried} answers of Graze verified, {rejected} rejected.\n\n" + summary(results)
