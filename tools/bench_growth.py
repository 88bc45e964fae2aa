"""The scaling of costs: a section of docs/benchmarks.md from the rows of bench/growth. Exponents are slopes of straight
lines on logarithmic axes, by least squares, beside the slope between the last two sizes."""
import math

from bench_report import figure, table

# The smallest sizes of the fits: below, constant costs matter.
FIT_HULLS, FIT_SCENES = 1024, 10000
COLUMNS = (4, 16, 64, 256, 1024, 4096, 16384, 65536)
HULLS = 8  # of each size, in bench/growth.c
LIST_BYTES = 24  # of a vertex

# Title, what is drawn of a row, curves with their names.
PICTURES = {
    "support": ("Support points and half-spaces, by vertices", "ns",
                {name: name for name in ("support, scanned", "support, climbed", "half-space, lists")}),
    "pairs": ("Distance and depth, by vertices of each hull", "ns",
              {name: name for name in ("distance, lists", "distance, hulls", "depth, lists", "depth, hulls")}),
    "making": ("Making a hull, by points", "ns", {"making, sphere": "on a sphere", "making, cube": "in a cube"}),
    "scene": ("A step of a scene, by cubes", "ns", {"scene": "step"}),
    "memory": ("Memory, by vertices or cubes", "bytes", {"making, sphere": "a hull", "scene": "a scene"}),
}


def curves(rows):
    """{curve: its rows}, in their order: by size."""
    found = {}
    for row in rows:
        found.setdefault(row["curve"], []).append(row)
    return found


def fitted(rows):
    least = FIT_SCENES if rows[0]["curve"] == "scene" else FIT_HULLS
    return [row for row in rows if row["n"] >= least]


def line(rows, what="ns"):
    """(slope, height) of the line through the logarithms of size and cost."""
    x, y = ([math.log(row[key]) for row in fitted(rows)] for key in ("n", what))
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)
    return slope, mean_y - slope * mean_x


def exponent(rows, what="ns"):
    return line(rows, what)[0]


def last_slope(rows, what="ns"):
    """Between the last two sizes."""
    before, last = rows[-2:]
    return math.log(last[what] / before[what]) / math.log(last["n"] / before["n"])


# ---- Tables

def scaled(x, units):
    size, unit = next((each for each in units if x >= each[0]), units[-1])
    return f"{figure(x / size)} {unit}"


def duration(ns):
    return scaled(ns, ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")))


def amount(size):
    return scaled(size, ((1e9, "GB"), (1e6, "MB"), (1e3, "KB"), (1, "bytes")))


def times(found):
    lines = []
    for name, rows in found.items():
        if name != "scene":
            by_size = {row["n"]: duration(row["ns"]) for row in rows}
            lines.append([name, *(by_size.get(n, "") for n in COLUMNS), f"{exponent(rows):.1f}", f"{last_slope(rows):.1f}"])
    return table(["", *(f"{n:,}" for n in COLUMNS), "exponent", "at the end"], lines)


def hulls(rows):
    lines = [[f"{row['n']:,}", f"{row['bytes']:,.0f}", figure(row["bytes"] / row["n"]), f"{row['most_bytes']:,}",
              figure(row["most_bytes"] / row["n"])] for row in rows if row["n"] in COLUMNS]
    return table(["vertices", "bytes", "of a vertex", "while it is made", "of a vertex"], lines)


def scenes(rows):
    lines = [[f"{row['n']:,}", duration(row["ns"]), figure(row["ns"] / row["n"]), f"{row['pairs'] / row['n']:.2f}",
              f"{row['events'] / row['n']:.2f}", f"{row['bytes']:,}", f"{row['bytes'] / row['n']:,.0f}"] for row in rows]
    return table(["cubes", "step", "ns of a cube", "pairs of bounds", "events", "bytes", "of a body"], lines)


# ---- Explanations of the curves

def ends(rows):
    """The first and the last size of the line."""
    chosen = fitted(rows)
    return chosen[0], chosen[-1]


def each(row, what="ns"):
    return row[what] / row["n"]


def why_scanned(found):
    rows = found["support, scanned"]
    best, last = min(rows, key=each), rows[-1]
    return (f"All vertices are tested: {figure(each(best))} ns per vertex at {best['n']:,}, and {figure(each(last))} at {last['n']:,}, where the "
            f"{HULLS} point sets take {amount(HULLS * LIST_BYTES * last['n'])} and exceed the near caches, which raises the exponent above 1.")


def why_climbed(found):
    first, last = ends(found["support, climbed"])
    small, large = ends(found["making, sphere"])
    return (f"Hill climbing tests {first['steps']:.1f} vertices of {first['n']:,} and {last['steps']:.1f} of {last['n']:,}, because there is a seed for about every four vertices: "
            f"nearly constant. The memory access time grows: {HULLS} hulls take {amount(HULLS * small['bytes'])} and {amount(HULLS * large['bytes'])}. Queries climb at each step.")


def why_ground(found):
    first, last = found["half-space, lists"][0], found["half-space, lists"][-1]
    return (f"A query takes {duration(first['ns'])} with {first['n']} vertices, and {figure((last['ns'] - first['ns']) / last['n'])} ns per vertex with {last['n']:,}. All vertices are tested twice: "
            "for the deepest, and for others that may be as deep. The rest, some exact arithmetic, is constant.")


def why_lists(found):
    first, last = ends(found["distance, lists"])
    share = [2 * row["steps"] * scan["ns"] / row["ns"] for row, scan in zip((first, last), ends(found["support, scanned"]))]
    return (f"GJK takes {first['steps']:.1f} steps at {first['n']:,} and {last['steps']:.1f} at {last['n']:,}, and each tests all vertices of both shapes: two scans per "
            f"step would take {share[0]:.2f} and {share[1]:.2f} of the time. So it scales like scans. The two point sets of a query exceed a cache at larger sizes than all {HULLS} together.")


def why_hulls(found):
    first, last = ends(found["distance, hulls"])
    scans = [row["ns"] / scan["ns"] for row, scan in zip((first, last), ends(found["support, scanned"]))]
    return (f"The steps climb, and the final bounds test all vertices of both shapes along one or two directions. So a query takes as long as {scans[0]:.1f} scans "
            f"at {first['n']:,} and {scans[1]:.1f} at {last['n']:,}; the exponent tends to that of scans. It takes {last['ns'] / found['distance, lists'][-1]['ns']:.2f} of the time of point sets.")


def why_depth(found):
    rows = found["depth, hulls"]
    first, last = ends(rows)
    doubled = (last["steps"] - first["steps"]) / math.log2(last["n"] / first["n"])
    ended = last["stopped"] / last["queries"]
    return (f"EPA does not climb, so point sets and hulls take the same time: each of {first['steps']:.0f} steps at {first['n']:,} and {last['steps']:.0f} at {last['n']:,} tests all vertices of both. EPA ends at a facet of "
            f"A − B, and facets become smaller: about {doubled:.0f} more steps for twice the vertices. Scans grow with exponent {exponent(found['support, scanned']):.1f} and steps with {exponent(rows, 'steps'):.1f}; the work on faces per step is constant. "
            f"{100 * ended:.1g} % of the largest queries ended at the limit of 256 points.")


def why_sphere(found):
    first, last = ends(found["making, sphere"])
    return (f"A point takes {duration(each(first))} at {first['n']:,} and {duration(each(last))} at {last['n']:,}: the work on its faces and their exact area is constant; the reassignment of outside points to "
            f"faces grows like log n, and memory from {amount(first['most_bytes'])} to {amount(last['most_bytes'])}.")


def why_cube(found):
    first, last = ends(found["making, cube"])
    share = [100 * row["steps"] * each(whole) / row["ns"] for row, whole in zip((first, last), ends(found["making, sphere"]))]
    return (f"{first['steps']:.0f} of {first['n']:,} points are vertices of the hull, and {last['steps']:.0f} of {last['n']:,}. At the cost of points on a sphere they take {share[0]:.0f} % and {share[1]:.0f} % of the time. Most "
            "other points are only tested to be inside, so the exponent tends to 1.")


def why_scene(found):
    first, last = ends(found["scene"])
    return (f"There are {each(first, 'pairs'):.2f} pairs of bounds per cube among {first['n']:,} and {each(last, 'pairs'):.2f} among {last['n']:,}, because fewer cubes are at a wall. A cube takes {each(first):.0f} and {each(last):.0f} ns; most "
            f"of the difference comes from memory, {amount(first['bytes'])} and {amount(last['bytes'])}: [measurements.md](measurements.md#scenes) has counts of cache misses.")


def why_hull_bytes(found):
    row = found["making, sphere"][-1]
    return (f"{each(row, 'bytes'):.1f} bytes per vertex: 24 for coordinates, 12 for indices into the input and the edges, 56 for two faces with six vertices and for six neighbours, 1 for "
            "seeds of hill climbing.")


def why_scene_bytes(found):
    sizes = [each(row, "bytes") for row in fitted(found["scene"])]
    return f"{min(sizes):,.0f} to {max(sizes):,.0f} bytes per body from {FIT_SCENES:,} cubes on: full arrays grow by a quarter, so their fill varies."


WHY = (("support, scanned", "ns", why_scanned), ("support, climbed", "ns", why_climbed), ("half-space, lists", "ns", why_ground),
       ("distance, lists", "ns", why_lists), ("distance, hulls", "ns", why_hulls), ("depth, hulls", "ns", why_depth),
       ("making, sphere", "ns", why_sphere), ("making, cube", "ns", why_cube), ("scene", "ns", why_scene),
       ("making, sphere", "bytes", why_hull_bytes), ("scene", "bytes", why_scene_bytes))

INTRO = """
## Scaling

`build/bench/growth`. *lists*: n points on a sphere, all of which are hull vertices, {hulls} point sets per size; *hulls*: the same with the edges of `graze_hull_create()`, which queries climb from 1024 vertices on. Up to 8,192 random queries: support points by scanning and by hill climbing, distances to a half-space, distances of separated pairs, depths of overlapping pairs. *making*: `graze_hull_create()` of points on a sphere and in a cube. Times are processor time per query, the median of {passes} passes over all sizes. *scene*: a step of cubes with the sizes and density of W7, in a separate run, the median of {least} to {most} steps.

The exponent is the slope of a straight line through the sizes from {fit_hulls:,} vertices or {fit_scenes:,} cubes on, by least squares on logarithmic axes, dotted in the pictures. *At the end*: the slope between the last two sizes, which double; the table shows every second size. Exponents vary by 0.1 between runs. {caches}Memory is counted by an allocator.

"""


def section(results):
    rows, found = results["growth"], curves(results["growth"])
    caches = ", ".join(f"{scaled(size, ((2**20, 'MiB'), (2**10, 'KiB')))} of {name}" for name, size in results["about"]["caches"].items())
    steps = [row["passes"] for row in found["scene"]]
    text = INTRO.format(hulls=HULLS, passes=max(row["passes"] for row in rows if row["curve"] != "scene"), least=min(steps), most=max(steps),
                        fit_hulls=FIT_HULLS, fit_scenes=FIT_SCENES, caches=f"Caches: {caches}. " if caches else "")
    text += "".join(f"![{title}](pictures/bench-growth-{name}.svg)\n\n" for name, (title, _, _) in PICTURES.items())
    text += times(found) + "\n"
    for name, what, why in WHY:
        head = {"bytes": "memory, ", "ns": ""}[what] + (name if what == "ns" else PICTURES["memory"][2][name])
        text += f"- **{head}: {exponent(found[name], what):.1f}, at the end {last_slope(found[name], what):.1f}.** {why(found)}\n"
    return text + "\n" + scenes(found["scene"]) + "\nMemory of a hull:\n\n" + hulls(found["making, sphere"])
